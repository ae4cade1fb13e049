// observe: what the world looks like, for an expression that asks. Read-only, and over at once.

import { factKey } from '../../engine/engine.ts';
import type { Fact, Need } from '../../model/entry.ts';
import type { Performable, PerformContext, Performing } from './context.ts';
import { observeApproval } from './observe-approval.ts';
import { refused } from './outcome.ts';
import { namedBriefly } from './reads.ts';

type Observe = Extract<Performable, { kind: 'observe' }>;

/** A pattern that leaves the workspace cannot be answered: that is an outcome, which fails the step (S4). */
export function observe(command: Observe, context: PerformContext): Performing {
  try {
    const { approval } = command;
    const seen = approval && observeApproval(command.path, approval, context);
    const facts = command.needs.map((need): Fact => ({ ...need, value: look(need, context) }));
    for (const { kind, pattern, value } of facts) {
      context.debug?.(command, 'dependencies', `${kind}(${JSON.stringify(pattern)}): ${namedBriefly(value)}`);
    }
    return { now: { kind: 'observed', facts, ...(seen && { seen }) } };
  } catch (error) {
    return refused(error, context.mask);
  }
}

/** By the key that an evaluation looks them up by. */
export function lookAt(needs: readonly Need[], context: PerformContext): Map<string, Fact> {
  return new Map(needs.map((need) => [factKey(need), { ...need, value: look(need, context) }]));
}

function look(need: Need, { workspace, mask, globs }: PerformContext): string[] {
  const { kind, pattern, since = '' } = need;
  switch (kind) {
    case 'files':
      return mask.deep(workspace.glob(pattern, globs));
    case 'changed':
      return mask.deep(workspace.changed(pattern, globs));
    case 'uncommitted':
      return mask.deep(workspace.uncommitted(pattern, globs));
    case 'changed-since':
      return mask.deep(workspace.changedSince(since, pattern));
  }
}
