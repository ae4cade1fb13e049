// opened-run: a run in the browser: its journal verified line by line, folded into a history, and followed as it grows.

import { type Signal, signal } from '@preact/signals';
import type { Entry } from '../../src/model/entry.ts';
import { openLine } from '../../src/model/journal-line.ts';
import { isReadable, journalVersion } from '../../src/model/journal-version.ts';
import type { RunFacts } from '../../src/ui/wire.ts';
import { createHistory, type History, recordHistory } from '../../src/views/history.ts';
import { exported, follow, getJson } from '../connection.ts';
import { sha256 } from '../sha256.ts';

export interface OpenedRun {
  facts: RunFacts;
  history: History;
  entries: Entry[];
  chain: { hash: string; problem?: { n: number; why: string } };
  /** Changes whenever something was read: who shows the run reads it. */
  version: Signal<number>;
  held: Signal<boolean>;
  logs: Signal<string[]>;
  /** Written by a newer Lockstep: nothing is shown rather than half of it. */
  isNewer: boolean;
  close(): void;
}

export async function openRun(id: string): Promise<OpenedRun> {
  const kept = exported.value;
  if (kept) {
    const run = newRun(kept.facts, () => {});
    run.logs.value = Object.keys(kept.logs).sort();
    take(run, kept.lines);
    return run;
  }
  const path = `/api/runs/${encodeURIComponent(id)}`;
  const facts = await getJson<RunFacts>(path);
  let offset = '0';
  const run = newRun(facts, () => stop());
  const stop = follow(() => `${path}/journal?from=${offset}`, {
    lines(data, at) {
      offset = at;
      take(run, data.split('\n'));
    },
    again() {
      offset = '0';
      Object.assign(run, { history: createHistory(facts.workflow), entries: [], chain: { hash: facts.id } });
    },
    now(data) {
      const { held, logs } = JSON.parse(data) as { held: boolean; logs: string[] };
      run.held.value = held;
      if (logs.length !== run.logs.value.length) run.logs.value = logs;
      run.version.value += 1;
    },
  });
  return run;
}

function newRun(facts: RunFacts, close: () => void): OpenedRun {
  return {
    facts,
    history: createHistory(facts.workflow),
    entries: [],
    chain: { hash: facts.id },
    version: signal(0),
    held: signal(facts.held),
    logs: signal<string[]>([]),
    isNewer: false,
    close,
  };
}

function take(run: OpenedRun, lines: readonly string[]): void {
  for (const line of lines) {
    const n = run.entries.length + 1;
    const { entry, hash, problem } = openLine(run.chain.hash, line, n, sha256);
    run.chain.hash = hash;
    if (problem !== undefined) run.chain.problem ??= { n, why: problem };
    if (!entry) continue;
    if (n === 1 && !isReadable(journalVersion(entry as { journal_version?: unknown }))) run.isNewer = true;
    if (run.isNewer) continue;
    run.entries.push(entry);
    recordHistory(run.history, entry);
  }
  run.version.value += 1;
}
