// result: what a step leaves behind: its result in its scope, and its output under the name it asked for (rules 1, 2).

import type { Json } from '../model/json.ts';
import type { Cuts, OpenStep, Scope, State, StepStatus } from '../model/state.ts';
import { cutsOf, keepCuts, memberCuts } from './cut.ts';

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
      ...(outcome?.unparsed !== undefined && { parse_error: outcome.unparsed }),
      ...(cuts && { cuts }),
    });
  }
  if (status === 'done') bindOutput(open.scope, step.output, outcome?.output ?? null, cuts);
}

/** A command may end well and its work not be accepted. */
function exitCodeOf({ outcome, error }: OpenStep, status: StepStatus): number | null {
  if (status === 'failed' && error?.class === 'not-accepted') return NOT_ACCEPTED;
  return outcome?.exit_code ?? null;
}

export function bindOutput(scope: Scope, name: string | undefined, output: Json, cuts?: Cuts): void {
  if (name === undefined) return;
  if (name !== 'vars') {
    scope.names.set(name, output);
    keepCuts(scope, 'names', name, cuts);
  } else if (typeof output === 'object' && output !== null && !Array.isArray(output)) {
    for (const [key, value] of Object.entries(output)) {
      scope.vars.set(key, value);
      keepCuts(scope, 'vars', key, memberCuts(cuts, key));
    }
  }
}
