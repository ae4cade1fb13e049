// backups: state.json as it was before each step, `state.json.step_<Step>.bak`, in a loop over items one for each of them
// (`state.json.step_Loop[0].Step.bak`), the newest three of a run. What it was is
// noted at once; writing it may wait (pace.ts), and of several that wait under one name only the last is written.

import type { Entry } from '../../model/entry.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { OpenRun } from '../../ports/store.ts';
import { stepAt } from '../../views/definition/step-at.ts';

const KEPT = 3;
const LONGEST = 60;

export interface Backups {
  /** To be called with every entry, before it is told to the view that `state` shows. */
  before(entry: Entry, state: () => string[]): void;
  /** Whether something waits to be written. */
  areWaiting(): boolean;
  write(): void;
}

/** `earlier`: what the run did before; its backups count too, where it made any. */
export function createBackups(
  run: Pick<OpenRun, 'replaceDocument' | 'removeDocument'>,
  workflow: Workflow,
  earlier: Entry[],
): Backups {
  const names = new Map<string, string>();
  /** The newest last. */
  const kept = new Set<string>();
  const nameOf = (path: string): string => {
    const item = path.replace(/[~#]\d+/g, '');
    let name = names.get(item);
    if (name === undefined) {
      name = backupName(itemName(workflow, item));
      names.set(item, name);
    }
    return name;
  };
  const touch = (name: string): void => {
    kept.delete(name);
    kept.add(name);
  };
  const waiting = new Map<string, string[]>();
  /** No longer among the newest. */
  const dropped = new Set<string>();
  const drop = (): void => {
    for (const name of kept) {
      if (kept.size <= KEPT) return;
      kept.delete(name);
      waiting.delete(name);
      dropped.add(name);
    }
  };
  for (const entry of earlier) if (isStepStart(entry)) touch(nameOf(entry.path));

  return {
    before(entry, state) {
      if (!isStepStart(entry)) return;
      const name = nameOf(entry.path);
      waiting.set(name, state());
      dropped.delete(name);
      touch(name);
      drop();
    },
    areWaiting: () => waiting.size > 0,
    write() {
      const backups = [...waiting];
      const old = [...dropped];
      waiting.clear();
      dropped.clear();
      for (const [name, pieces] of backups) run.replaceDocument(name, pieces);
      for (const name of old) run.removeDocument(name);
    },
  };
}

function isStepStart(entry: Entry): entry is Entry & { kind: 'attempt-started' } {
  return entry.kind === 'attempt-started' && entry.part === undefined;
}

/** The step, and before it every loop with the index of its item. */
function itemName(workflow: Workflow, path: string): string {
  const parts = path.split('/');
  const named = parts.flatMap((part, index) => {
    const item = /\[\d+\]$/.exec(part)?.[0];
    if (item === undefined && index < parts.length - 1) return [];
    const place = parts
      .slice(0, index + 1)
      .join('/')
      .replace(/\[\d+\]/g, '');
    return [`${stepName(workflow, place)}${item ?? ''}`];
  });
  return named.join('.');
}

/** As state.json names it; the same for every pass and visit. */
function stepName(workflow: Workflow, place: string): string {
  const step = stepAt(workflow, place);
  const name = step?.labels.name;
  return typeof name === 'string' && name !== '' ? name : (step?.id ?? place);
}

/** A name that no file may have is spelt otherwise, so that two names are never one file. */
export function backupName(step: string): string {
  const isSafe = /^[A-Za-z0-9._[\]-]+$/.test(step) && step.length <= LONGEST;
  const safe = step.slice(0, LONGEST).replace(/[^A-Za-z0-9._[\]-]/g, '_');
  return `state.json.step_${isSafe ? step : `${safe}-${digest(step)}`}.bak`;
}

/** Only to tell names apart. */
function digest(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'utf16le'))
    value = ((value ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return value.toString(16).padStart(16, '0').slice(0, 8);
}
