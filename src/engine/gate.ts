// gate: when a gate is left out: switched off, manual and nobody asked for it, none of its files changed, or nothing
// changed since it approved. What cannot be told (no git, a tree that cannot be looked at) never leaves one out.

import type { Need } from '../model/entry.ts';
import type { Skip } from '../model/state.ts';
import { factKey } from './bindings.ts';
import { Unobserved } from './reader.ts';
import { approves } from './review.ts';
import type { Turn } from './turn.ts';

export function gateSkip(turn: Turn): Skip | undefined {
  const { state, open } = turn;
  const { gate } = open.step;
  if (!gate) return undefined;
  if (!gate.enabled) return { reason: 'disabled', why: `enabled: false in ${open.step.at.file}` };
  if (isAskedFor(state.skips.gates ?? [], gate.name, open.step.id)) return undefined;
  if (gate.run === 'manual')
    return { reason: 'manual-gate', why: `manual gate: run with --gate ${gate.name}` };
  if (gate.run === 'changed-files') {
    const changed = filesOf(turn, { kind: 'changed' });
    if (changed?.length === 0)
      return { reason: 'no-changed-files', why: `no file changed that it is for: ${gate.files.join(', ')}` };
  }
  const verdict = gate.again === 'changed' ? open.scope.verdicts?.get(gate.source) : undefined;
  if (verdict?.mark === undefined || !approves(verdict.output)) return undefined;
  const since = filesOf(turn, { kind: 'changed-since', since: verdict.mark });
  if (since?.length !== 0) return undefined;
  return {
    reason: 'unchanged',
    why: `it approved, and nothing in ${gate.files.join(', ')} has changed since`,
  };
}

export function isAskedFor(gates: readonly string[], name: string, id: string): boolean {
  return gates.includes(name) || gates.includes(id);
}

/** undefined: it cannot be told. */
function filesOf({ open }: Turn, how: Omit<Need, 'pattern'>): string[] | undefined {
  const needs = (open.step.gate?.files ?? []).map((pattern): Need => ({ ...how, pattern }));
  if (open.unseen !== undefined) return undefined;
  const missing = needs.filter((need) => !open.facts?.has(factKey(need)));
  if (missing.length > 0) throw new Unobserved(missing);
  return needs.flatMap((need) => open.facts?.get(factKey(need))?.value ?? []);
}
