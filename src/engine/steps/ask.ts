// ask: a person answers. Nothing is performed: the question stands until an answer is journaled.

import type { Command } from '../../model/command.ts';
import type { Json } from '../../model/json.ts';
import type { AskWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { type Reader, Unevaluable } from '../reader.ts';

export function decideAsk({ open, read }: Decision, work: AskWork): Command {
  if (open.refusal !== undefined) {
    const details = open.step.timeout === undefined ? {} : { details: { timeout_ms: open.step.timeout } };
    const error = { class: 'timeout' as const, message: open.refusal, ...details };
    return { entry: { kind: 'step-failed', path: open.path, error, exit_code: 124 } };
  }
  return {
    entry: {
      kind: 'question-asked',
      path: open.path,
      question: 'ask',
      text: read.text(work.question),
      choices: choicesOf(work, read),
      timeout_ms: open.step.timeout,
    },
  };
}

/** From data they may be none, and then there is nothing to choose. */
function choicesOf({ choices }: AskWork, read: Reader): Json[] | undefined {
  if (typeof choices !== 'string') return choices?.map((choice) => read.deep(choice));
  const found = read.rendered(choices);
  if (Array.isArray(found) && found.length > 0) return found;
  const what = Array.isArray(found) ? 'it is empty' : 'it is not one';
  throw new Unevaluable(`\`choices\` must be a list, and ${what}: ${choices}`);
}
