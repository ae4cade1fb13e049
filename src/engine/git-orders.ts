// git-orders: what an effect in a worktree of the run is held to, and what is remembered of what git had then.
// Owns: from where a step counts, what was verified, what was left behind. Never: asks git, or says whether it is enough.
// GO1. Where the run works in place there are no orders: what changes there may be anybody's work.
// GO2. A step counts from where its work was first begun, also after a failure and a crash.

import type { GitCheck, GitOrders } from '../model/git-checks.ts';
import type { OpenStep, Scope, State } from '../model/state.ts';
import type { Step, Workflow } from '../model/workflow.ts';
import { Unevaluable } from './reader.ts';
import { worktreeOf } from './worktree.ts';

export function gitOrders(state: State, open: OpenStep): GitOrders | undefined {
  const worktree = worktreeOf(open) ?? state.worktree;
  if (!worktree) return undefined;
  const { path, branch, base } = worktree;
  const { step, scope } = open;
  const without = withoutGit(state);
  const last = state.heads.get(path);
  const left = state.left.get(path);
  // What a crash cut short began where the step before it had ended.
  const since = open.gitSince ?? (open.again ? (last ?? base) : undefined);
  return {
    branch,
    base,
    ...(since !== undefined && { since }),
    ...(open.gitFrom !== undefined && { from: open.gitFrom }),
    ...(last !== undefined && { last }),
    project: state.worktrees?.project ?? state.run.workspace,
    ...(isVerified(step, scope.workflow) && { isVerified: true as const }),
    ...(step.publishes !== undefined && { publishes: publication(step.publishes, scope, without) }),
    ...(left && { left }),
    without,
  };
}

function publication(publishes: string | true, scope: Scope, without: readonly GitCheck[]) {
  if (publishes === true || without.includes('published')) return {};
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const seen = at.steps.get(publishes)?.git;
    if (seen) return { verified: { by: publishes, ...seen } };
  }
  throw new Unevaluable(`\`publishes: ${publishes}\`: that step was not done, so nothing is verified`);
}

/** A person's word on the command line goes beside the workflow's. */
function withoutGit({ overrides, root }: State): GitCheck[] {
  return [...new Set([...(root.scope.workflow.policy.withoutGit ?? []), ...(overrides.without ?? [])])];
}

const verified = new WeakMap<Workflow, Set<string>>();

/** Whether a step of its workflow publishes what it verifies. */
function isVerified({ id }: Step, workflow: Workflow): boolean {
  let ids = verified.get(workflow);
  if (!ids) {
    ids = new Set();
    collect(workflow.steps, ids);
    verified.set(workflow, ids);
  }
  return ids.has(id);
}

function collect(steps: readonly Step[], ids: Set<string>): void {
  for (const { publishes, work } of steps) {
    if (typeof publishes === 'string') ids.add(publishes);
    if ('steps' in work) collect(work.steps, ids);
  }
}
