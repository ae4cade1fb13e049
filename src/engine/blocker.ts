// blocker: an agent says what it needs to know before it can go on: a non-empty `blocker` in its answer. It is then not
// looked at whether the answer counts: a person is asked, and the agent goes on with what they say.

import type { Command } from '../model/command.ts';
import type { Outcome } from '../model/entry.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Step } from '../model/workflow.ts';
import type { Decision } from './decision.ts';

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

export function decideBlocked({ open }: Decision): Command | undefined {
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

/** Whatever is not empty is one: who cannot go on is not passed over for the way they say it. */
function readBlocker(value: Json | undefined): Blocker | undefined {
  if (value === undefined || isEmpty(value)) return undefined;
  if (typeof value === 'string') return { question: value.trim(), reasons: [] };
  if (Array.isArray(value)) return together(value.flatMap((item) => readBlocker(item) ?? []));
  if (!isObject(value)) return { question: `It says that it is blocked, and no more: ${value}`, reasons: [] };
  const said = [value.question, value.reason, value.description, value.message].flatMap((text) =>
    typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [],
  );
  const [question = textOf(value), ...reasons] = [...new Set(said)];
  const options = Array.isArray(value.options) && value.options.length > 0 ? value.options : undefined;
  const { details = null } = value;
  const more = isEmpty(details) ? [] : [textOf(details)];
  return { question, ...(options && { options }), reasons: [...reasons, ...more] };
}

function together(all: Blocker[]): Blocker {
  const [first = { question: '', reasons: [] }, ...others] = all;
  if (others.length === 0) return first;
  return {
    question: all.map(({ question }) => question).join('\n'),
    reasons: all.flatMap(({ reasons }) => reasons),
  };
}

function isEmpty(value: Json): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === false;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
