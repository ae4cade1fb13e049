// clean: remove old runs. Never one that somebody holds; one that waits for a person only when told to.

import { parseDuration } from '../../compile/grammar/measure.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import { count } from '../../views/text/words.ts';
import { bytes } from '../bytes.ts';
import type { Services } from '../services.ts';

interface CleanOptions {
  olderThan: string;
  paused?: boolean;
  dryRun?: boolean;
  stateDir?: string;
}

export async function clean(services: Services, options: CleanOptions): Promise<number> {
  const age = parseAge(options.olderThan);
  const store = await services.store(options.stateDir);
  const before = services.clock.now() - age;
  const removed: string[] = [];
  const kept: string[] = [];
  let freed = 0;
  for (const id of store.list()) {
    const started = startOf(id);
    if (started === undefined || started > before) continue;
    const reason = whyKept(store, id, options.paused ?? false);
    if (reason !== undefined) {
      kept.push(`${id}: ${reason}`);
      continue;
    }
    freed += services.sizeOf(store.read(id).location);
    if (!options.dryRun) store.remove(id);
    removed.push(id);
  }
  services.stdout.write(`${told(removed, kept, freed, options.dryRun ?? false).join('\n')}\n`);
  return 0;
}

function told(removed: string[], kept: string[], freed: number, dryRun: boolean): string[] {
  const lines: string[] = [];
  if (removed.length === 0) lines.push('No run is that old and done with: nothing to remove.');
  else {
    lines.push(
      `${dryRun ? 'Would remove' : 'Removed'} ${count(removed.length, 'run')}, ${bytes(freed)}:`,
      ...removed.map((id) => `  ${id}`),
    );
  }
  if (kept.length > 0) lines.push(`Kept ${count(kept.length, 'run')}:`, ...kept.map((line) => `  ${line}`));
  return lines;
}

function parseAge(text: string): number {
  const days = /^(\d+(?:\.\d+)?)([dw])$/.exec(text.trim());
  if (days) return Number(days[1]) * (days[2] === 'w' ? 7 : 1) * 86_400_000;
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  throw new Fault('duration-invalid', `"${text}" is not a duration`, {
    hint: 'For example 30d, 2w, 12h or 90m.',
    exitCode: 2,
  });
}

/** From the id: `20261115T101500Z-…`. */
function startOf(id: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function whyKept(store: Store, id: string, paused: boolean): string | undefined {
  const run = store.read(id);
  const holder = run.holder();
  if (holder && holder.alive !== false) return `it is running (pid ${holder.pid} on ${holder.host})`;
  if (paused) return undefined;
  const status = lastStatus(run.document('state.json'));
  return status === 'paused' ? 'it is paused, and can be resumed (--paused removes it too)' : undefined;
}

/** As the view has it: a journal that cannot be read is no reason to keep a run. */
function lastStatus(state: string | undefined): unknown {
  try {
    return state === undefined ? undefined : (JSON.parse(state) as { status?: unknown }).status;
  } catch {
    return undefined;
  }
}
