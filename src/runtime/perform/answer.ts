// answer: what an agent said → the step's output (rule 2), and what of it does not fit the step's schema.

import type { RunAgent } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { AgentAnswer } from '../../ports/agent.ts';
import { type JsonProblem, parsedProblem, type ReadJson, readJson } from '../../text/read-json.ts';
import { type Captured, startCapture } from '../capture.ts';
import type { Mask } from '../mask.ts';
import { normalise } from '../normalise.ts';
import { Breakdown } from './outcome.ts';
import { type Schema, violationsOf } from './schema-check.ts';

/** A structured answer larger than this is no answer for a journal. */
const LARGEST = 10 * 1024 * 1024;

export interface Understood {
  output: Json;
  violations?: string[];
  failure?: Failure;
  truncated?: Outcome['truncated'];
  masked?: true;
  unparsed?: Outcome['unparsed'];
  /** It is JSON that cannot be kept as it was written, and was left as text. */
  warning?: string;
}

export interface Said {
  answer: AgentAnswer;
  /** The text is only a part of what was said. */
  cut: boolean;
  /** `capture.exact`, of an agent whose stdout is its answer: what was captured of that, as of a command's. */
  captured?: Captured;
  /** Throws where it cannot be had. */
  schema: () => Schema | undefined;
}

/** Whose answer it is matters to nobody here. */
type Capturing = Pick<RunAgent, 'capture'>;

/** What cannot be checked is there all the same, with the failure beside it. */
export async function understand(command: Capturing, said: Said, mask: Mask): Promise<Understood> {
  const { answer } = said;
  if (command.capture.exact)
    return fitCaptured(said.captured ?? capturedExactly(command, answer, mask), said.schema);
  try {
    return await read(command, said, mask);
  } catch (error) {
    if (error instanceof Breakdown) return { output: answer.text, failure: error.failure };
    throw error;
  }
}

async function read(
  command: Capturing,
  { answer, cut, schema: find }: Said,
  mask: Mask,
): Promise<Understood> {
  const schema = find();
  if (answer.structured !== undefined) {
    const problem = parsedProblem(answer.structured);
    if (problem !== undefined) return unkept(problem, null, schema);
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
    return { output: value, ...(schema && { violations: await violationsOf(schema, value) }) };
  }
  if (schema !== undefined) return fitted(schema, answer.text, cut);
  if (command.capture.as === 'text') {
    const found = cut ? undefined : jsonIn(answer.text);
    if (found !== undefined && 'problem' in found) {
      return { output: answer.text, warning: `the answer is left as text: ${found.problem.message}` };
    }
    const value = found?.value;
    return { output: typeof value === 'object' && value !== null ? value : answer.text };
  }
  // A part of it may read as JSON that the whole is not.
  return cut ? capturedText(command, answer.text, mask) : captured(command, answer.text, mask);
}

async function fitted(schema: Schema, text: string, cut: boolean): Promise<Understood> {
  if (cut) return { output: text, violations: ['the answer is so long that it was cut: give a shorter one'] };
  const read = jsonIn(text);
  if (read !== undefined && 'problem' in read) return unkept(read.problem, text, schema);
  if (read !== undefined) return { output: read.value, violations: await violationsOf(schema, read.value) };
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

/** JSON that would be another value once it is kept. With a schema the agent is told, and may answer again. */
function unkept(problem: JsonProblem, output: string | null, schema: Schema | undefined): Understood {
  const message = `the answer cannot be kept as it was written: ${problem.message}`;
  const { hint } = problem;
  if (schema !== undefined)
    return { output, violations: [hint === undefined ? message : `${message}. ${hint}`] };
  return { output, failure: { class: 'output', message, ...(hint !== undefined && { hint }) } };
}

/** What was captured, and what of it does not fit. JSON that is none has failed before any schema is looked at. */
export async function fitCaptured(captured: Captured, find: () => Schema | undefined): Promise<Understood> {
  if (captured.failure !== undefined) return captured;
  try {
    const schema = find();
    if (schema === undefined) return captured;
    if (captured.unparsed !== undefined) return { ...captured, violations: ['the output is not JSON'] };
    return { ...captured, violations: await violationsOf(schema, captured.output) };
  } catch (error) {
    if (error instanceof Breakdown) return { ...captured, failure: error.failure };
    throw error;
  }
}

/** Of an agent that does not answer on stdout. */
function capturedExactly(command: Capturing, answer: AgentAnswer, mask: Mask): Captured {
  if (answer.structured === undefined) return capturedText(command, answer.text, mask);
  const problem = parsedProblem(answer.structured);
  if (problem !== undefined) return unkept(problem, null, undefined);
  const value = normalise(answer.structured);
  // `masked` (outcome.ts) masks it, and sees that it did.
  if (command.capture.as === 'json') return { output: value };
  return capturedText(command, typeof value === 'string' ? value : JSON.stringify(value), mask);
}

/** `capture: json` or `lines`, said of an agent's text as of a command's output. */
function captured(command: Capturing, text: string, mask: Mask): Understood {
  const read = command.capture.as === 'json' ? jsonIn(text) : undefined;
  if (read === undefined) return capturedText(command, text, mask);
  if ('value' in read) return { output: read.value };
  if (command.capture.onParseError === 'keep')
    return { ...capturedAsText(command, text, mask), unparsed: 'invalid' };
  return unkept(read.problem, text, undefined);
}

function capturedText(command: Capturing, text: string, mask: Mask): Captured {
  const capturing = startCapture(command.capture, mask, 'all of it is in the log');
  const plain = mask.text(text);
  capturing.write(Buffer.from(text), Buffer.from(plain));
  return { ...capturing.finish(), ...(plain !== text && { masked: true as const }) };
}

function capturedAsText(command: Capturing, text: string, mask: Mask): Captured {
  return capturedText({ ...command, capture: { ...command.capture, as: 'text' } }, text, mask);
}

/** The whole text as JSON, or its one fenced block. A problem: it is JSON that cannot be kept as it was written. */
export function jsonIn(text: string): ReadJson | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const [block, another] = fencedBlocks(text);
  return block === undefined || another !== undefined ? undefined : parsed(block);
}

function parsed(text: string): ReadJson | undefined {
  // Only what can be JSON: most answers are prose, and a failed parse costs a stack trace.
  if (!/^\s*(?:[[{"\-\d]|true|false|null)/.test(text)) return undefined;
  const read = readJson(text);
  return 'problem' in read && (read.problem.why === 'syntax' || read.problem.why === 'depth')
    ? undefined
    : read;
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
