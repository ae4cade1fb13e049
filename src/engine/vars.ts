// vars: state of a workflow, typed by its initial values; null takes anything.

import type { Json } from '../model/json.ts';
import type { Scope } from '../model/state.ts';

/** Why these values cannot go into the vars of the scope. */
export function varsMismatch(scope: Scope, values: Json): string | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    return `it takes an object, and this is ${kindOf(values)}`;
  }
  const { vars } = scope.workflow;
  for (const [name, value] of Object.entries(values)) {
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
