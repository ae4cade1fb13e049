// ask: a person answers. Nothing is performed: the question stands until an answer is journaled.

import type { Command } from '../../model/command.ts';
import type { AskWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';

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
      choices: work.choices?.map((choice) => read.deep(choice)),
      timeout_ms: open.step.timeout,
    },
  };
}
