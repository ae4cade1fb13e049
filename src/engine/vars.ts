// vars: state of a workflow, typed by its initial values; null takes anything.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import type { Scope } from '../model/state.ts';
import type { Merge, Step } from '../model/workflow.ts';

/** What a step with `output: vars` merges. undefined: nothing, because it is not there or no object. */
export function mergedVars({ merge }: Pick<Step, 'merge'>, output: Json): JsonObject | undefined {
  const values = merge ? valueAt(output, merge) : output;
  return isObject(values) ? values : undefined;
}

/** Why the output of a step cannot be merged into the vars of the scope. */
export function mergeMismatch(
  scope: Scope,
  { merge }: Pick<Step, 'merge'>,
  output: Json,
): string | undefined {
  if (!merge) return varsMismatch(scope, output);
  const values = valueAt(output, merge);
  const problem = values === undefined ? undefined : varsMismatch(scope, values, merge.extra === 'keep');
  return problem === undefined ? undefined : `\`${merge.path.join('.')}\`: ${problem}`;
}

/** undefined: it is not there; null says the same. */
function valueAt(output: Json, { path }: Merge): Json | undefined {
  let at: Json | undefined = output;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at ?? undefined;
}

/** Why these values cannot go into the vars of the scope. With `keep`, names that are not declared may. */
export function varsMismatch(scope: Scope, values: Json, keep = false): string | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    return `it takes an object, and this is ${kindOf(values)}`;
  }
  const { vars } = scope.workflow;
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(vars, name) && keep) continue;
    if (!Object.hasOwn(vars, name))
      return `there is no var \`${name}\`; there are ${Object.keys(vars).join(', ') || 'none'}`;
    const initial = vars[name] as Json;
    if (initial === null || value === null || kindOf(initial) === kindOf(value)) continue;
    return `the var \`${name}\` is ${kindOf(initial)}, and this is ${kindOf(value)}`;
  }
  return undefined;
}

function kindOf(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
