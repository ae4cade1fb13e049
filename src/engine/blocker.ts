// blocker: an agent says what it needs to know before it can go on: a non-empty `blocker` in its answer. It is then not
// looked at whether the answer counts: a person is asked, and the agent goes on with what they say.

import type { Command } from '../model/command.ts';
import type { Outcome } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Step } from '../model/workflow.ts';
import type { Turn } from './turn.ts';

export interface Blocker {
  question: string;
  /** What it offers as answers; a person may say anything. */
  options?: Json[];
  reasons: string[];
}

/** Only of the work of a prompt; an action of the same step blocks nobody. */
export function blockerOf(step: Step, outcome: Outcome | undefined): Blocker | undefined {
  if (step.work.kind !== 'prompt' || !outcome?.ok || !isObject(outcome.output)) return undefined;
  return readBlocker(outcome.output.blocker);
}

export function decideBlocked({ open }: Turn): Command | undefined {
  const blocker = blockerOf(open.step, open.outcome);
  if (!blocker) return undefined;
  const { question, options, reasons } = blocker;
  return {
    entry: {
      kind: 'question-asked',
      path: open.path,
      question: 'blocker',
      text: question,
      ...(options && { choices: options }),
      ...(reasons.length > 0 && { reasons }),
    },
  };
}

function readBlocker(value: Json | undefined): Blocker | undefined {
  if (typeof value === 'string')
    return value.trim() === '' ? undefined : { question: value.trim(), reasons: [] };
  if (value === undefined || !isObject(value)) return undefined;
  const said = [value.question, value.reason, value.description].flatMap((text) =>
    typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [],
  );
  const [question, ...reasons] = [...new Set(said)];
  if (question === undefined) return undefined;
  const options = Array.isArray(value.options) && value.options.length > 0 ? value.options : undefined;
  const { details } = value;
  const more = details === undefined || details === null || details === '' ? [] : [textOf(details)];
  return { question, ...(options && { options }), reasons: [...reasons, ...more] };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
