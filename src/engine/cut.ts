// cut: values of which only a part was kept (`truncated` in an outcome), followed through what a workflow does with
// them: results, names, vars, the inputs and outputs of a called workflow, the value of a block. So that a decision
// on a part of an output is known to be one.
// Owns: where such a value is. Never: says what it means that somebody read it (begin.ts, decide.ts).
//
// CU1. Only the output counts as read, not the status or exit code beside it.
// CU2. Of a map whose values came from different places, only the values that were cut count.
// CU3. What a command, an agent or a handler makes of a value is its own.

import type { LazyMap } from '../expressions/evaluation.ts';
import type { Cut } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { Cuts, Fan, OpenStep, Scope } from '../model/state.ts';

export type Touched = (cut: Cut) => void;

/** In `Cut.of`: the list of an `each`. */
export const ITEMS = 'items';

/** In `Cuts`: the value itself, and not one of its members. */
const WHOLE = '';

/** Of the output of a step. */
export function cutsOf(open: OpenStep): Cuts | undefined {
  if (open.cuts) return open.cuts;
  const { truncated } = open.outcome ?? {};
  return truncated && new Map([[WHOLE, { path: open.path, ...truncated }]]);
}

/** From an entry: what went into which member. */
export function cutsInto(cut: Cut[] | undefined): Cuts | undefined {
  const parts = (cut ?? []).filter((each) => each.of !== undefined);
  return parts.length === 0 ? undefined : new Map(parts.map((each) => [each.of as string, bare(each)]));
}

/** The same as the cut of one whole value. */
export function cutsAs(of: string, cut: Cut[] | undefined): Cuts | undefined {
  const found = cut?.find((each) => each.of === of);
  return found && new Map([[WHOLE, bare(found)]]);
}

function bare({ of: _of, ...cut }: Cut): Cut {
  return cut;
}

/** Of a `parallel` by the names of its steps; an `each` only where a list inside its list was cut. */
export function cutsOfFan({ step: { work } }: OpenStep, fan: Fan): Cuts | undefined {
  if (!fan.cuts) return undefined;
  const found = new Map<string, Cut>();
  for (const [index, cuts] of fan.cuts) {
    const cut = cuts.get(WHOLE);
    if (cut === undefined) continue;
    if (work.kind === 'parallel') found.set((work.steps[index] as { id: string }).id, cut);
    else if (isList(fan.outputs[index])) found.set(WHOLE, worse(found.get(WHOLE), cut));
  }
  return found.size === 0 ? undefined : found;
}

/** An output of a pass stands beside its item and status. */
function isList(output: Json | undefined): boolean {
  return Array.isArray((output as { output?: Json } | undefined)?.output);
}

/** A cut that nobody chose goes before one that somebody did. */
function worse(known: Cut | undefined, cut: Cut): Cut {
  return known === undefined || known.chosen ? cut : known;
}

export function keepFanCuts(fan: Fan, index: number, cuts: Cuts | undefined): void {
  if (!cuts) {
    fan.cuts?.delete(index);
    return;
  }
  fan.cuts ??= new Map();
  fan.cuts.set(index, cuts);
}

// ── Names ───────────────────────────────────────────────────────────────────────────────────────

type Root = 'names' | 'vars' | 'inputs';

export function keepCuts(scope: Scope, root: Root, name: string, cuts: Cuts | undefined): void {
  const at = root === 'names' ? scope : outermost(scope);
  if (!cuts && !at.cuts) return;
  const key = `${root}.${name}`;
  if (!cuts) {
    at.cuts?.delete(key);
    return;
  }
  at.cuts ??= new Map();
  at.cuts.set(key, cuts);
}

/** The members of a value that become names of their own. */
export function memberCuts(cuts: Cuts | undefined, name: string): Cuts | undefined {
  const cut = cuts?.get(WHOLE) ?? cuts?.get(name);
  return cut && new Map([[WHOLE, cut]]);
}

export function cutsAt(scope: Scope, root: Root, name: string): Cuts | undefined {
  const at = root === 'names' ? scope : outermost(scope);
  return at.cuts?.get(`${root}.${name}`);
}

/** Vars and inputs are shared by every scope of one workflow. */
function outermost(scope: Scope): Scope {
  let at = scope;
  while (at.parent) at = at.parent;
  return at;
}

export function hasCutInputs(scope: Scope): boolean {
  for (const key of outermost(scope).cuts?.keys() ?? []) if (key.startsWith('inputs.')) return true;
  return false;
}

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────

/** The value, telling `touched` once the part of it that was cut is read. */
export function watched<T extends Json | undefined>(
  value: T,
  cuts: Cuts | undefined,
  touched: Touched | undefined,
): T | LazyMap {
  if (!cuts || !touched || value === undefined || value === null) return value;
  const whole = cuts.get(WHOLE);
  if (whole) {
    touched(whole);
    return value;
  }
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const map = value as Record<string, Json>;
  return {
    lazy: true,
    get(key) {
      const cut = cuts.get(key);
      if (cut) touched(cut);
      return Object.hasOwn(map, key) ? map[key] : undefined;
    },
    keys: () => Object.keys(map),
  };
}
