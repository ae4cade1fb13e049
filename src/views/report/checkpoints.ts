// checkpoints: where the work stood at each `save-checkpoint`, and what was done since the one before.

import type { StepRecord } from '../step-record.ts';
import { asMap, word } from './answer-text.ts';
import type { Checkpoint, ReportStep } from './shape.ts';

export type Standing = Omit<Checkpoint, 'path' | 'steps'>;

/** Undefined: the step is none. */
export function standingAt({ step, settled, outcome }: StepRecord): Standing | undefined {
  if (step?.work.kind !== 'call' || step.work.handler !== 'save-checkpoint' || settled !== 'done')
    return undefined;
  const output = asMap(outcome?.output) ?? {};
  const [name, task] = [word(output, 'name'), word(output, 'task')];
  const texts = (list: unknown) => (Array.isArray(list) ? list.map(String) : []);
  return {
    ...(name !== undefined && { name }),
    ...(task !== undefined && { task }),
    completed: texts(output.completed),
    pending: texts(output.pending),
  };
}

export function checkpointsOf(steps: Iterable<{ step: ReportStep; standing?: Standing }>): Checkpoint[] {
  const checkpoints: Checkpoint[] = [];
  let since: string[] = [];
  for (const { step, standing } of steps) {
    if (standing) {
      checkpoints.push({ path: step.path, ...standing, steps: since });
      since = [];
    } else since.push(step.path);
  }
  return checkpoints;
}
