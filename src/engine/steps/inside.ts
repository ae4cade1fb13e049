// inside: a step of this block failed and nobody handled it: the block fails in turn (rule 3), and its own `next`
// and `on_fail` decide.

import type { Command } from '../../model/command.ts';
import type { Failure } from '../../model/entry.ts';
import type { Decision } from '../decision.ts';

export function decideFailedInside({ open }: Decision): Command {
  const failure = open.body?.failed as Failure;
  const inner = open.body?.child?.path ?? open.path;
  return {
    entry: {
      kind: 'step-failed',
      path: open.path,
      error: { class: 'child', message: inherited(inner, failure), by_person: failure.by_person },
    },
  };
}

/** Names the innermost step once, however deep the blocks. */
export function inherited(path: string, failure: Failure): string {
  return failure.class === 'child' ? failure.message : `"${path}" failed: ${failure.message}`;
}
