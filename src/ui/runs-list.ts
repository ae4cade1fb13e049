// runs-list: the runs there are and what waits for a person, for all pages at once. A run is read again when its journal has changed
// or its holder has; thousands that have ended cost a look at their file each.

import { readRun } from '../hosting/read-run.ts';
import { runRow } from '../hosting/run-row.ts';
import type { Store, StoredRun } from '../ports/store.ts';
import { isHeld } from './follow-journal.ts';
import type { ListChange, ListedRun, WaitingQuestion } from './wire.ts';

export interface RunsListener {
  changed(change: ListChange): void;
  waiting(questions: WaitingQuestion[]): void;
}

export interface RunsList {
  /** Told all at once, then what changes; the answer ends it. */
  listen(listener: RunsListener): () => void;
  /** Looks now, because something was just done. */
  look(): void;
  rows(): ListedRun[];
}

interface Known {
  mark: string;
  row: ListedRun;
  waiting: WaitingQuestion[];
  /** A large run that goes on is not read again before then. */
  notBefore: number;
}

/** Reading a run again and again takes at most one part in so many of the time. */
const SPARING = 20;
const LOOK_EVERY_MS = 500;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

export function runsList(store: Store, hash: (text: string) => string): RunsList {
  const known = new Map<string, Known>();
  const listeners = new Set<RunsListener>();
  let looking: NodeJS.Timeout | undefined;

  const look = (): void => {
    const change: ListChange = { runs: [], gone: [] };
    const before = JSON.stringify(waiting());
    const ids = store.list();
    for (const id of ids) {
      const fresh = lookAt(store, id, known.get(id), hash);
      if (!fresh) continue;
      known.set(id, fresh);
      change.runs.push(fresh.row);
    }
    const there = new Set(ids);
    for (const id of known.keys()) {
      if (there.has(id)) continue;
      known.delete(id);
      change.gone.push(id);
    }
    const now = waiting();
    const isOther = JSON.stringify(now) !== before;
    for (const listener of listeners) {
      if (change.runs.length + change.gone.length > 0) listener.changed(change);
      if (isOther) listener.waiting(now);
    }
  };
  const waiting = (): WaitingQuestion[] =>
    [...known.values()]
      .flatMap((one) => one.waiting)
      .sort((one, other) => one.question.askedAt - other.question.askedAt);
  const lookOn = (): void => {
    looking = setTimeout(() => {
      lookSafely();
      if (listeners.size > 0) lookOn();
    }, LOOK_EVERY_MS);
  };
  const lookSafely = (): void => {
    try {
      look();
    } catch {
      // The folder cannot be read now; the next look says more.
    }
  };
  return {
    listen(listener) {
      lookSafely();
      listeners.add(listener);
      listener.changed({ all: true, runs: [...known.values()].map(({ row }) => row), gone: [] });
      listener.waiting(waiting());
      if (listeners.size === 1) lookOn();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(looking);
      };
    },
    look: lookSafely,
    rows() {
      lookSafely();
      return [...known.values()].map(({ row }) => row);
    },
  };
}

/** Undefined: nothing has changed. */
function lookAt(
  store: Store,
  id: string,
  before: Known | undefined,
  hash: (text: string) => string,
): Known | undefined {
  const run = orUndefined(() => store.read(id));
  if (!run) return undefined;
  const held = orUndefined(() => isHeld(run)) ?? false;
  const mark = `${run.journalMark()} ${held}`;
  const began = performance.now();
  if (before && (before.mark === mark || (held && began < before.notBefore))) return undefined;
  const row = { ...runRow({ hash }, store, id), held };
  const waiting = ENDED.has(row.status) ? [] : waitingIn(store, run, row, hash);
  const now = performance.now();
  return { mark, row, waiting, notBefore: now + (now - began) * SPARING };
}

function waitingIn(
  store: Store,
  run: StoredRun,
  { workflow, status, held }: ListedRun,
  hash: (text: string) => string,
): WaitingQuestion[] {
  const { id } = run;
  // Who drives a run keeps this file while something is asked. One that died may have left it as it was.
  if (status === 'damaged' || (held && run.document('blocker.json') === undefined)) return [];
  const read = orUndefined(() => readRun(store, id, hash));
  if (!read) return [];
  return [...read.view.outline.questions.values()].map((question) => ({
    ...{ run: id, workflow, question },
    asked: read.state.questions.get(question.path)?.asked ?? 0,
  }));
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
