// runs: the runs there are, newest last. Reads the short view of each, so that thousands are listed at once; the journal is
// the truth (J1), and is read where it has changed since then.

import { type RunRow, runRow } from '../../hosting/hosting.ts';
import type { Drive } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import { jsonPieces } from '../../text/json-pieces.ts';
import { count, dollars, duration } from '../../views/text/words.ts';
import { terminalWidth } from '../look.ts';
import type { Services } from '../services.ts';
import { columnWidths, table } from '../table.ts';
import { writePieces } from '../write-pieces.ts';

interface RunsOptions {
  status?: string;
  drive?: Drive;
  limit: string;
  stateDir?: string;
  json?: boolean;
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
  let hidden = 0;
  for (const id of ids.toReversed()) {
    if (rows.length >= limit) break;
    looked += 1;
    const row = runRow(services, store, id);
    if (options.status !== undefined && row.status !== options.status) continue;
    if (options.drive === undefined ? isHidden(row) : row.drive !== options.drive) {
      if (options.drive === undefined) hidden += 1;
      continue;
    }
    rows.push(row);
  }
  rows.reverse();
  if (options.json) writePieces(services.stdout, jsonPieces(rows));
  else if (ids.length === 0) services.stdout.write('No runs here yet. Start one with `lockstep run`.\n');
  else if (rows.length === 0) services.stdout.write(`${noneOf(options)}${hiddenWords(hidden)}\n`);
  else {
    const more = hidden === 0 ? '' : `\n${hiddenWords(hidden).trim()}\n`;
    services.stdout.write(listing(rows, ids.length - looked, terminalWidth(services)) + more);
  }
  return 0;
}

/** Every session of a person is a run: those that are over would hide the others. */
function isHidden({ drive, status }: RunRow): boolean {
  return drive === 'guard' && (status === 'completed' || status === 'failed' || status === 'cancelled');
}

function hiddenWords(hidden: number): string {
  if (hidden === 0) return '';
  return ` ${count(hidden, 'run')} of live sessions that ${hidden === 1 ? 'is' : 'are'} over not shown; --drive guard shows ${hidden === 1 ? 'it' : 'them'}.`;
}

function noneOf({ status, drive }: RunsOptions): string {
  if (drive === undefined) return status === undefined ? 'No run to show.' : `No run is ${status}.`;
  return `No run with --drive ${drive}${status === undefined ? '' : ` is ${status}`}.`;
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
