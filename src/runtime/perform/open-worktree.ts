// open-worktree: a worktree for a step. Not cut short when the run ends: it is soon over, and half a worktree helps nobody.

import type { Performable, PerformContext, Performed, Performing } from './context.ts';
import { Breakdown, brokenOutcome } from './outcome.ts';

type OpenWorktree = Extract<Performable, { kind: 'open-worktree' }>;

export function openWorktree(command: OpenWorktree, context: PerformContext): Performing {
  const { worktrees, mask } = context;
  if (worktrees === undefined)
    throw new Breakdown({ class: 'error', message: 'worktrees cannot be made in this drive' });
  const { project, from, worktree, isNew = false } = command;
  const done = worktrees
    .ensure({ project, from, worktree, wasThere: false, isNew })
    .then((prepared): Performed => {
      const warnings = prepared.warnings.map((warning) => mask.text(warning));
      for (const message of warnings) context.report({ kind: 'warning', path: command.path, message });
      return { kind: 'worktree', worktree: prepared.worktree, ...(warnings.length > 0 && { warnings }) };
    })
    .catch((error: unknown): Performed => ({ kind: 'worktree', error: failureOf(error, context) }));
  return { done, cancel() {} };
}

function failureOf(error: unknown, { mask }: PerformContext) {
  return brokenOutcome(error, mask, 0).error ?? { class: 'error' as const, message: 'it gave no reason' };
}
