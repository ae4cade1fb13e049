// result: what a step leaves behind: its result in its scope, and its output under the name it asked for (rules 1, 2).

import type { Json } from '../model/json.ts';
import type { Cuts, OpenStep, Scope, State, StepStatus } from '../model/state.ts';
import type { Step } from '../model/workflow.ts';
import { cutsOf, keepCuts, memberCuts } from './cut.ts';
import { mergedVars } from './vars.ts';

const NOT_ACCEPTED = 2;

export function recordResult(state: State, open: OpenStep, status: StepStatus): void {
  const { outcome, step } = open;
  const cuts = cutsOf(open);
  // A pass of `each` is no step of anybody's: its result stands in the list of its `each`.
  if (open.scope === open.list.scope) {
    open.scope.steps.set(step.id, {
      status,
      output: outcome?.output ?? null,
      exit_code: exitCodeOf(open, status),
      stderr: outcome?.stderr ?? '',
      tries: open.try,
      duration_ms:
        step.work.kind === 'ask' ? Math.max(0, state.lastAt - open.startedAt) : (outcome?.duration_ms ?? 0),
      error: open.error ?? null,
      session: open.session,
      ...(status === 'done' && open.gitSeen && { git: open.gitSeen }),
      ...(step.workspace === 'worktree' &&
        step.work.kind !== 'each' && { branch: open.worktree?.branch ?? '' }),
      ...(outcome?.unparsed !== undefined && { parse_error: outcome.unparsed }),
      ...(cuts && { cuts }),
    });
  }
  if (status === 'done') bindOutput(open.scope, step, outcome?.output ?? null, cuts);
}

/** A command may end well and its work not be accepted. */
function exitCodeOf({ outcome, error }: OpenStep, status: StepStatus): number | null {
  if (status === 'failed' && error?.class === 'not-accepted') return NOT_ACCEPTED;
  return outcome?.exit_code ?? null;
}

/** Of a step, or of an action, which merges nothing but the whole. */
export function bindOutput(
  scope: Scope,
  by: Pick<Step, 'output' | 'merge'> | undefined,
  output: Json,
  cuts?: Cuts,
): void {
  if (by?.output === undefined) return;
  if (by.output !== 'vars') {
    scope.names.set(by.output, output);
    keepCuts(scope, 'names', by.output, cuts);
    return;
  }
  for (const [key, value] of Object.entries(mergedVars(by, output) ?? {})) {
    scope.vars.set(key, value);
    keepCuts(scope, 'vars', key, memberCuts(cuts, by.merge?.path[0] ?? key));
  }
}
