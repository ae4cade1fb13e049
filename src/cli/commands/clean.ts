// clean: remove old runs. Never one that somebody holds; one that waits for a person only when told to.

import { parseDuration } from '../../compile/grammar/measure.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
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
  for (const id of store.list()) {
    const started = startOf(id);
    if (started === undefined || started > before) continue;
    const reason = whyKept(store, id, options.paused ?? false);
    if (reason !== undefined) kept.push(`${id}: ${reason}`);
    else {
      if (!options.dryRun) store.remove(id);
      removed.push(id);
    }
  }
  const verb = options.dryRun ? 'Would remove' : 'Removed';
  const lines = [
    `${verb} ${removed.length} ${removed.length === 1 ? 'run' : 'runs'}.`,
    ...removed.map((id) => `  ${id}`),
  ];
  if (kept.length > 0) lines.push(`Kept ${kept.length}:`, ...kept.map((line) => `  ${line}`));
  services.stdout.write(`${lines.join('\n')}\n`);
  return 0;
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
  if (!paused && run.document('blocker.json') !== undefined)
    return 'it waits for a person (--paused removes it too)';
  return undefined;
}
