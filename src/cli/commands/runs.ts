// runs: the runs there are, newest last. Reads state.json where there is one, so that 500 runs are listed at once; the
// journal is the truth (J1), and is read where the view is missing.

import type { Store } from '../../ports/store.ts';
import { duration } from '../../views/text/words.ts';
import { readRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { table } from '../table.ts';

interface RunsOptions {
  status?: string;
  limit: string;
  stateDir?: string;
  json?: boolean;
}

interface RunRow {
  id: string;
  workflow: string;
  status: string;
  started_at: string;
  duration_ms: number;
  cost: string;
}

export async function runs(services: Services, options: RunsOptions): Promise<number> {
  const store = await services.store(options.stateDir);
  const limit = Math.max(1, Number(options.limit) || 20);
  const rows: RunRow[] = [];
  for (const id of store.list().reverse()) {
    if (rows.length >= limit) break;
    const row = rowOf(services, store, id);
    if (options.status === undefined || row.status === options.status) rows.push(row);
  }
  rows.reverse();
  if (options.json) services.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else if (rows.length === 0) services.stdout.write('No runs here yet. Start one with `lockstep run`.\n');
  else {
    const cells = rows.map((row) => [row.id, row.workflow, row.status, duration(row.duration_ms), row.cost]);
    services.stdout.write(table(['RUN', 'WORKFLOW', 'STATUS', 'TIME', 'COST'], cells));
  }
  return 0;
}

function rowOf(services: Services, store: Store, id: string): RunRow {
  const stored = store.read(id);
  const text = stored.document('state.json');
  try {
    return text === undefined
      ? fromJournal(services, store, id)
      : fromState(id, text, stored.holder() !== undefined);
  } catch (error) {
    const status = (error as { code?: string }).code ?? 'unreadable';
    return { id, workflow: '?', status, started_at: '', duration_ms: 0, cost: '' };
  }
}

function fromState(id: string, text: string, held: boolean): RunRow {
  const state = JSON.parse(text) as {
    status: string;
    started_at: string;
    lockstep: { workflow: string; status: string; run_time_ms: number; cost?: string };
  };
  const { lockstep } = state;
  // A process that was killed left its view behind.
  const status = lockstep.status === 'running' && !held ? 'stopped' : lockstep.status;
  return {
    id,
    workflow: lockstep.workflow,
    status,
    started_at: state.started_at,
    duration_ms: lockstep.run_time_ms,
    cost: lockstep.cost ?? '',
  };
}

function fromJournal(services: Services, store: Store, id: string): RunRow {
  const { view, stored } = readRun(store, id, services.hash);
  return fromState(id, view.stateJson(), stored.holder() !== undefined);
}
