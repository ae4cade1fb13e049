// clean: remove old runs. Never one that somebody holds; one that has not ended only when told to.

import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import { parseDuration } from '../../source/grammar/measure.ts';
import { count } from '../../views/text/words.ts';
import { refuseBelowAgent } from '../below-agent.ts';
import { bytes } from '../bytes.ts';
import type { Services } from '../services.ts';
import { keepRuns } from '../settings.ts';
import { fateOf, runsBefore } from '../start/old-runs.ts';

interface CleanOptions {
  olderThan?: string;
  paused?: boolean;
  dryRun?: boolean;
  stateDir?: string;
}

export async function clean(services: Services, options: CleanOptions): Promise<number> {
  if (!options.dryRun) await refuseBelowAgent(services, 'clean');
  const keep = keepRuns(services.environment);
  const age = options.olderThan === undefined ? keep?.age : parseAge(options.olderThan);
  if (age === undefined) throw noAge();
  const store = await services.store(options.stateDir);
  const removed: string[] = [];
  const kept: string[] = [];
  let freed = 0;
  for (const id of runsBefore(store, services.clock.now() - age)) {
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
  const whole = days ? Number(days[1]) * (days[2] === 'w' ? 7 : 1) * 86_400_000 : Number.NaN;
  if (whole <= Number.MAX_SAFE_INTEGER) return whole;
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  throw new Fault('duration-invalid', `"${text}" is not a duration`, {
    hint: 'For example 30d, 2w, 12h or 90m.',
    exitCode: 2,
  });
}

function noAge(): Fault {
  return new Fault('duration-invalid', 'nothing says how old a run must be to be removed', {
    hint: 'Say it with --older-than 30d, or in days with LOCKSTEP_KEEP_RUNS=30.',
    exitCode: 2,
  });
}

/** A journal that cannot be read is no reason to keep a run. */
function whyKept(store: Store, id: string, all: boolean): string | undefined {
  const run = store.read(id);
  const holder = run.holder();
  if (holder && holder.alive !== false) return `it is running (pid ${holder.pid} on ${holder.host})`;
  if (all) return undefined;
  const fate = fateOf(run);
  if (fate === 'paused') return 'it is paused, and can be resumed (--paused removes it too)';
  return fate === 'stopped' ? 'it was killed, and can be resumed (--paused removes it too)' : undefined;
}
