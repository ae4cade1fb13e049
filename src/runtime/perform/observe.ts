// observe: what the world looks like, for an expression that asks. Read-only. Where git has to be asked, others go on
// meanwhile.

import type { Fact, Need } from '../../model/entry.ts';
import type { CancelReason, Performable, PerformContext, Performed, Performing } from './context.ts';
import { observeApproval } from './observe-approval.ts';
import { brokenOutcome, endFailure, refused } from './outcome.ts';
import { namedBriefly } from './reads.ts';

type Observe = Extract<Performable, { kind: 'observe' }>;

/** A pattern that leaves the workspace cannot be answered: that is an outcome, which fails the step (S4). */
export function observe(command: Observe, context: PerformContext): Performing {
  if (command.approval === undefined && command.needs.every(({ kind }) => kind === 'files'))
    return observeFiles(command, context);
  let cancelled: CancelReason | undefined;
  const done = observeAll(command, context)
    .catch((error): Performed => ({ kind: 'outcome', outcome: brokenOutcome(error, context.mask, 0) }))
    .then((performed) => (cancelled === undefined ? performed : cutShort(cancelled)));
  return {
    done,
    // It changes nothing and is soon over: nothing is waited for but its end.
    cancel(reason) {
      cancelled ??= reason;
    },
  };
}

/** Over at once (F2). */
function observeFiles(command: Observe, context: PerformContext): Performing {
  try {
    const { workspace, mask, globs } = context;
    const facts = command.needs.map(
      (need): Fact => ({ ...need, value: mask.deep(workspace.glob(need.pattern, globs)) }),
    );
    return { now: seen(command, facts, context) };
  } catch (error) {
    return refused(error, context.mask);
  }
}

async function observeAll(command: Observe, context: PerformContext): Promise<Performed> {
  const { approval, needs, path } = command;
  const shown = approval && (await observeApproval(path, approval, context));
  const facts = await lookAt(needs, context);
  return { ...seen(command, facts, context), ...(shown && { seen: shown }) };
}

function seen(
  command: Observe,
  facts: Fact[],
  { debug }: PerformContext,
): Extract<Performed, { kind: 'observed' }> {
  for (const { kind, pattern, value } of facts)
    debug?.(command, 'dependencies', `${kind}(${JSON.stringify(pattern)}): ${namedBriefly(value)}`);
  return { kind: 'observed', facts };
}

function cutShort(reason: CancelReason): Performed {
  const error = endFailure(reason);
  return { kind: 'outcome', outcome: { ok: false, output: null, error, duration_ms: 0 } };
}

/** All at once: what they ask of git alike is asked once. */
type Sight = Pick<PerformContext, 'workspace' | 'mask' | 'globs'>;

export async function lookAt(needs: readonly Need[], context: Sight): Promise<Fact[]> {
  return await Promise.all(
    needs.map(async (need): Promise<Fact> => ({ ...need, value: await look(need, context) })),
  );
}

async function look(need: Need, { workspace, mask, globs }: Sight): Promise<string[]> {
  const { kind, pattern, since = '' } = need;
  switch (kind) {
    case 'files':
      return mask.deep(workspace.glob(pattern, globs));
    case 'changed':
      return mask.deep(await workspace.changed(pattern, globs));
    case 'uncommitted':
      return mask.deep(await workspace.uncommitted(pattern, globs));
    case 'changed-since':
      return mask.deep(await workspace.changedSince(since, pattern));
  }
}
