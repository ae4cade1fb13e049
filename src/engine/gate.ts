// gate: when a gate is left out: switched off, manual and nobody asked for it, none of its files changed, a program found
// something critical already, or nothing changed since it approved. What cannot be told (no git, a tree that cannot be looked at) never leaves one out.

import type { Need } from '../model/entry.ts';
import type { OpenStep, Skip } from '../model/state.ts';
import { factKey } from './bindings.ts';
import type { Decision } from './decision.ts';
import { roundOf } from './opening.ts';
import { Unobserved } from './reader.ts';
import { approves, findsCritical } from './review.ts';

export function gateSkip(decision: Decision): Skip | undefined {
  const { state, open } = decision;
  const { gate } = open.step;
  if (!gate) return undefined;
  if (!gate.enabled) return { reason: 'disabled', why: `enabled: false in ${open.step.at.file}` };
  const asked = state.skips.gates ?? [];
  if (asked.includes(gate.name) || asked.includes(open.step.id)) return undefined;
  if (gate.run === 'manual')
    return { reason: 'manual-gate', why: `manual gate: run with --gate ${gate.name}` };
  if (gate.run === 'changed-files') {
    const changed = filesOf(decision, { kind: 'changed' });
    if (changed?.length === 0)
      return { reason: 'no-changed-files', why: `no file changed that it is for: ${gate.files.join(', ')}` };
  }
  const critic = gate.spared ? criticalProgram(open) : undefined;
  if (critic !== undefined)
    return { reason: 'spared', why: `${critic} found something critical: that comes first` };
  const verdict = gate.again === 'changed' ? open.scope.verdicts?.get(roundOf(open.step)) : undefined;
  if (verdict?.mark === undefined || !approves(verdict.output)) return undefined;
  const since = filesOf(decision, { kind: 'changed-since', since: verdict.mark });
  if (since?.length !== 0) return undefined;
  // A list of what it does not look at says less than the gate's own file.
  const isShort = gate.files.length <= 2 && !gate.files.some((pattern) => pattern.startsWith('!'));
  const what = isShort ? `nothing in ${gate.files.join(', ')}` : 'nothing it looks at';
  return { reason: 'unchanged', why: `it approved, and ${what} has changed since` };
}

/** The program beside it that found something critical. Programs have all ended before a prompt begins. */
function criticalProgram({ list }: OpenStep): string | undefined {
  const { fan } = list.owner ?? {};
  const at = list.steps.findIndex(({ gate }, index) => gate?.program && findsCritical(fan?.outputs[index]));
  return list.steps[at]?.gate?.name;
}

/** What it looks at: what a pattern matches, without what one with a `!` does. undefined: it cannot be told. */
function filesOf({ open }: Decision, how: Omit<Need, 'pattern'>): string[] | undefined {
  const patterns = open.step.gate?.files ?? [];
  const without = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const named = patterns.filter((pattern) => !pattern.startsWith('!'));
  const matched = named.length > 0 ? named : ['**'];
  if (open.unseen !== undefined) return undefined;
  const needs = [...matched, ...without].map((pattern): Need => ({ ...how, pattern }));
  const missing = needs.filter((need) => !open.facts?.has(factKey(need)));
  if (missing.length > 0) throw new Unobserved(missing);
  const found = (pattern: string) => open.facts?.get(factKey({ ...how, pattern }))?.value ?? [];
  const left = new Set(without.flatMap(found));
  return matched.flatMap(found).filter((file) => !left.has(file));
}
