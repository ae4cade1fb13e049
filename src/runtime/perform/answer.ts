// answer: what an agent said → the step's output (rule 2), and what of it does not fit the step's schema.

import type { RunAgent } from '../../model/command.ts';
import type { Failure } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { AgentAnswer } from '../../ports/agent.ts';
import { startCapture } from '../capture.ts';
import type { Mask } from '../mask.ts';
import { normalise, readJson } from '../normalise.ts';

/** A structured answer larger than this is no answer for a journal. */
const LARGEST = 10 * 1024 * 1024;

export interface Understood {
  output: Json;
  violations?: string[];
  failure?: Failure;
}

/** `cut`: the text is only a part of what was said. */
export async function understand(
  command: RunAgent,
  answer: AgentAnswer,
  cut: boolean,
  mask: Mask,
): Promise<Understood> {
  if (answer.structured !== undefined) {
    const value = normalise(answer.structured);
    const size = Buffer.byteLength(JSON.stringify(value));
    if (size > LARGEST) {
      return {
        output: null,
        failure: {
          class: 'output',
          message: `the answer has ${size} bytes, more than the ${LARGEST} that are kept`,
        },
      };
    }
    return { output: value, ...(command.schema && { violations: await checked(command.schema, value) }) };
  }
  if (command.schema !== undefined) return fitted(command.schema, answer.text, cut);
  if (command.capture.as === 'text') {
    const value = cut ? undefined : jsonIn(answer.text);
    return { output: typeof value === 'object' && value !== null ? value : answer.text };
  }
  return captured(command, answer.text, mask);
}

type Schema = NonNullable<RunAgent['schema']>;

async function fitted(schema: Schema, text: string, cut: boolean): Promise<Understood> {
  if (cut) return { output: text, violations: ['the answer is so long that it was cut: give a shorter one'] };
  const value = jsonIn(text);
  if (value !== undefined) return { output: value, violations: await checked(schema, value) };
  const blocks = fencedBlocks(text).length;
  const found =
    text.trim() === ''
      ? 'the answer is empty'
      : blocks > 1
        ? `the answer has ${blocks} fenced blocks where one would be read`
        : 'the answer is not JSON';
  return {
    output: text,
    violations: [`${found}: answer with one JSON value that fits the schema \`${schema.name}\``],
  };
}

/** Patterns and ajv are loaded with the first schema: most runs have none. */
async function checked({ name, schema }: Schema, value: Json): Promise<string[]> {
  const { violations } = await import('../schema.ts');
  return violations(name, schema, value);
}

/** `capture: json` or `lines`, said of an agent's text as of a command's output. */
function captured(command: RunAgent, text: string, mask: Mask): Understood {
  const value = command.capture.as === 'json' ? jsonIn(text) : undefined;
  if (value !== undefined) return { output: value };
  const capturing = startCapture(command.capture, mask, 'all of it is in the log');
  const bytes = Buffer.from(text);
  capturing.write(bytes, bytes);
  const { output, failure } = capturing.finish();
  return { output, ...(failure !== undefined && { failure }) };
}

/** The whole text as JSON, or its one fenced block. */
export function jsonIn(text: string): Json | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const [block, another] = fencedBlocks(text);
  return block === undefined || another !== undefined ? undefined : parsed(block);
}

function parsed(text: string): Json | undefined {
  // Only what can be JSON: most answers are prose, and a failed parse costs a stack trace.
  if (!/^\s*(?:[[{"\-\d]|true|false|null)/.test(text)) return undefined;
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** What stands between a line of three or more backticks (or tildes) and the next line of as many. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      if (mark !== undefined) fence = mark;
    } else if (mark?.startsWith(fence) && line.trim() === mark) {
      blocks.push(lines.join('\n'));
      fence = undefined;
      lines = [];
    } else lines.push(line);
  }
  return blocks;
}
