// runs: the runs there are, newest last. Reads state.json where there is one, so that 500 runs are listed at once; the
// journal is the truth (J1), and is read where the view is missing.

import { readRun } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import { dollars, duration } from '../../views/text/words.ts';
import { terminalWidth } from '../look.ts';
import type { Services } from '../services.ts';
import { columnWidths, table } from '../table.ts';

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
  steps: { done: number; failed: number; skipped: number };
  /** null: nothing was used, or nobody knows the price: then `unpriced` is not 0. */
  cost: number | null;
  /** Answers without a price: `cost` is then the least it was. */
  unpriced: number;
}

export async function runs(services: Services, options: RunsOptions): Promise<number> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new Fault('limit-invalid', `--limit ${options.limit} is not a number of runs`, {
      hint: 'For example --limit 100.',
      exitCode: 2,
    });
  }
  const store = await services.store(options.stateDir);
  const ids = newestLast(store);
  const rows: RunRow[] = [];
  let looked = 0;
  for (const id of ids.toReversed()) {
    if (rows.length >= limit) break;
    looked += 1;
    const row = rowOf(services, store, id);
    if (options.status === undefined || row.status === options.status) rows.push(row);
  }
  rows.reverse();
  if (options.json) services.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else if (ids.length === 0) services.stdout.write('No runs here yet. Start one with `lockstep run`.\n');
  else if (rows.length === 0) services.stdout.write(`No run is ${options.status}.\n`);
  else services.stdout.write(listing(rows, ids.length - looked, terminalWidth(services)));
  return 0;
}

/** By their ids, which begin with the time; the one made last is last, also when the clock was turned back. */
function newestLast(store: Store): string[] {
  const latest = store.latest();
  const ids = store.list();
  return latest === undefined ? ids : [...ids.filter((id) => id !== latest), latest];
}

function listing(rows: RunRow[], older: number, width = Number.POSITIVE_INFINITY): string {
  const head = ['RUN', 'WORKFLOW', 'STATUS', 'STARTED', 'TIME', 'STEPS', 'COST'];
  const cells = rows.map((row) => [
    row.id,
    row.workflow,
    row.status,
    localTime(row.started_at),
    duration(row.duration_ms),
    stepWords(row.steps),
    costWords(row),
  ]);
  const more = older === 0 ? '' : `\n${older} older not shown; --limit ${rows.length + older} shows all.\n`;
  const needed = columnWidths(head, cells).reduce((sum, column) => sum + column + 2, -2);
  // The id begins with the time, if only that of Greenwich.
  const wanted = (row: string[]) => (needed > width ? row.toSpliced(3, 1) : row);
  return table(wanted(head), cells.map(wanted), width) + more;
}

function costWords({ cost, unpriced }: RunRow): string {
  if (cost === null) return unpriced > 0 ? 'unknown' : '';
  return unpriced > 0 ? `at least ${dollars(cost)}` : dollars(cost);
}

function stepWords({ done, failed, skipped }: RunRow['steps']): string {
  return [
    `${done} done`,
    ...(failed ? [`${failed} failed`] : []),
    ...(skipped ? [`${skipped} skipped`] : []),
  ].join(', ');
}

function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** As its state.json tells it, or its journal. */
export function rowOf(services: Services, store: Store, id: string): RunRow {
  try {
    const stored = store.read(id);
    const text = stored.document('state.json') ?? readRun(store, id, services.hash).view.stateJson();
    const row = fromState(id, text, stored.holder() !== undefined);
    return stored.hasJournal() ? row : { ...row, status: 'damaged' };
  } catch (error) {
    const status = !(error instanceof Fault)
      ? 'unreadable'
      : error.code === 'journal-gone'
        ? 'damaged'
        : error.code;
    const steps = { done: 0, failed: 0, skipped: 0 };
    return { id, workflow: '?', status, started_at: '', duration_ms: 0, steps, cost: null, unpriced: 0 };
  }
}

interface StateDocument {
  started_at: string;
  lockstep: {
    status: string;
    workflow: string;
    elapsed_ms: number;
    totals: {
      done: number;
      failed: number;
      skipped: number;
      input_tokens: number;
      output_tokens: number;
      cost: number | null;
      unpriced?: number;
    };
  };
}

function fromState(id: string, text: string, held: boolean): RunRow {
  const { started_at, lockstep } = JSON.parse(text) as StateDocument;
  const { done, failed, skipped, input_tokens, output_tokens, cost, unpriced = 0 } = lockstep.totals;
  const used = input_tokens + output_tokens + (cost ?? 0);
  return {
    id,
    workflow: lockstep.workflow,
    // A process that was killed left its view behind.
    status: lockstep.status === 'running' && !held ? 'stopped' : lockstep.status,
    started_at,
    duration_ms: lockstep.elapsed_ms,
    steps: { done, failed, skipped },
    cost: used === 0 ? null : cost,
    unpriced,
  };
}
