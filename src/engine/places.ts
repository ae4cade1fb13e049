// places: where an open step is, and every move from one place to another. The state machine of the engine: the table
// below is all of it, and no other file changes a place (places.test.ts looks).
// Owns: `ready`, `running`, `questions`, `handed`, and `place` of a step. Never: what a step does when it gets somewhere.
//
// P1. A step is in one place. When `fold` returns, none is `moving`.
// P2. Only a step that is to end before its time is in `ready` as well as in `running`, `questions` or `handed`: decide
//     looks at it and says how it ends.
// P3. Order is that of arrival: who moves goes to the end of `ready`.
// P4. A move that the table does not have is a fault of the engine and throws.
//
// A new place to wait is a word in `Place`, a set in `State`, two moves here, and whether time runs there (`isSpending`).

import type { Handed, OpenQuestion, OpenStep, Place, Running, State } from '../model/state.ts';
import { effectName } from './opening.ts';

/** What moves a step: from where, to where. */
export const MOVES = {
  /** Its turn to be decided about. */
  queue: { from: ['moving', 'ready', 'inside'], to: 'ready' },
  /** The entry at hand is about it. */
  take: { from: ['ready'], to: 'moving' },
  /** An effect begins. */
  start: { from: ['moving'], to: 'running' },
  /** The effect has ended. */
  stop: { from: ['running'], to: 'moving' },
  /** The process died, and the effect with it: what is done about that is for decide to say. */
  crash: { from: ['running'], to: 'ready' },
  /** A person is asked. */
  ask: { from: ['moving'], to: 'asked' },
  /** The question no longer stands: answered, too late, or of no matter any more. */
  withdraw: { from: ['asked'], to: 'moving' },
  /** A client works on it. */
  hand: { from: ['moving'], to: 'handed' },
  /** It is with the client no longer: it was claimed, or is of no matter any more. */
  recall: { from: ['handed'], to: 'moving' },
  /** What is in the block opens. */
  enter: { from: ['moving'], to: 'inside' },
  /** All that was open in the block is over. */
  emerge: { from: ['inside'], to: 'moving' },
  /** It is over: gone, or kept because it failed, for a resumed run starts again from there. */
  close: { from: ['moving'], to: 'closed' },
  /** It is to be done again. */
  reopen: { from: ['moving', 'closed'], to: 'moving' },
} as const satisfies Record<string, { from: readonly Place[]; to: Place }>;

type Move = keyof typeof MOVES;

function move(open: OpenStep, by: Move): void {
  const { from, to } = MOVES[by] as { from: readonly Place[]; to: Place };
  if (!from.includes(open.place)) throw new Error(`${open.path} is ${open.place}: no "${by}" from there`);
  (open as { place: Place }).place = to;
}

// ── The sets ────────────────────────────────────────────────────────────────────────────────────

interface Sets {
  ready: Map<string, OpenStep>;
  running: Map<string, Running>;
  questions: Map<string, OpenQuestion>;
  handed: Map<string, Handed>;
}

/** Others may look at the sets, and not change them. */
function setsOf(state: State): Sets {
  return state as unknown as Sets;
}

export function noPlaces(): Sets {
  return { ready: new Map(), running: new Map(), questions: new Map(), handed: new Map() };
}

// ── Looking ─────────────────────────────────────────────────────────────────────────────────────

/** Who has waited longest to be decided about. */
export function firstReady(state: State): OpenStep | undefined {
  for (const open of state.ready.values()) return open;
  return undefined;
}

export function isRunning(state: State): boolean {
  return state.running.size > 0;
}

/** Where people are asked. */
export function asking(state: State): string[] {
  return [...state.questions.keys()];
}

/** What clients work on. */
export function handedOut(state: State): string[] {
  return [...state.handed.keys()];
}

export function handedAt(state: State, path: string): Handed | undefined {
  return state.handed.get(path);
}

/** Names of the effects that are under way. */
export function underWay(state: State): string[] {
  return [...state.running.keys()];
}

/** Whether time counts: something is decided about or under way. Waiting for a person or a client spends none. */
export function isSpending(state: State): boolean {
  return state.ready.size > 0 || state.running.size > 0;
}

export function effectAt(state: State, name: string): Running | undefined {
  return state.running.get(name);
}

export function effectOf(state: State, open: OpenStep): Running | undefined {
  return open.effect === undefined ? undefined : state.running.get(open.effect);
}

export function questionAt(state: State, path: string): OpenQuestion | undefined {
  return state.questions.get(path);
}

/** Who waits somewhere under this name. */
export function waitingAt(state: State, path: string, part: string | undefined): OpenStep | undefined {
  return (
    state.ready.get(path) ??
    state.running.get(effectName(path, part))?.open ??
    state.questions.get(path)?.open ??
    state.handed.get(path)?.open
  );
}

// ── Moving ──────────────────────────────────────────────────────────────────────────────────────

export function queue(state: State, open: OpenStep): undefined {
  move(open, 'queue');
  setsOf(state).ready.set(open.path, open);
}

/** An entry is about it: its turn is over. What runs or is asked stays so until it has ended. */
export function take(state: State, open: OpenStep): void {
  setsOf(state).ready.delete(open.path);
  if (open.place === 'ready') move(open, 'take');
}

/** It is to end before its time, wherever it waits: decide looks at it (P2). */
export function summon(state: State, open: OpenStep): void {
  const waits = open.place === 'running' || open.place === 'asked' || open.place === 'handed';
  if (waits) setsOf(state).ready.set(open.path, open);
  else queue(state, open);
}

export function start(state: State, open: OpenStep, effect: Omit<Running, 'open' | 'cancelled'>): undefined {
  move(open, 'start');
  const { part, verb, signal, startedAt } = effect;
  const name = effectName(open.path, part);
  open.effect = name;
  setsOf(state).running.set(name, { open, part, verb, signal, startedAt, cancelled: false });
}

/** What ran, if anything did. */
export function stop(state: State, open: OpenStep): Running | undefined {
  const effect = effectOf(state, open);
  if (!effect) return undefined;
  move(open, 'stop');
  setsOf(state).running.delete(open.effect as string);
  open.effect = undefined;
  return effect;
}

/** Everything that ran ran in a process that is gone. */
export function crash(state: State): Running[] {
  const effects = [...state.running.values()];
  for (const { open } of effects) {
    move(open, 'crash');
    open.effect = undefined;
    setsOf(state).ready.set(open.path, open);
  }
  setsOf(state).running.clear();
  return effects;
}

export function ask(state: State, question: OpenQuestion): undefined {
  const { open } = question;
  move(open, 'ask');
  setsOf(state).questions.set(open.path, question);
}

export function withdraw(state: State, open: OpenStep): void {
  if (open.place !== 'asked') return;
  move(open, 'withdraw');
  setsOf(state).questions.delete(open.path);
}

export function hand(state: State, handed: Handed): undefined {
  const { open } = handed;
  move(open, 'hand');
  setsOf(state).handed.set(open.path, handed);
}

export function recall(state: State, open: OpenStep): void {
  if (open.place !== 'handed') return;
  move(open, 'recall');
  setsOf(state).handed.delete(open.path);
}

export function enter(open: OpenStep): void {
  move(open, 'enter');
}

export function emerge(open: OpenStep): void {
  move(open, 'emerge');
}

export function close(open: OpenStep): void {
  move(open, 'close');
}

export function reopened(open: OpenStep): void {
  move(open, 'reopen');
}
