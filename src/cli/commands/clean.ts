// clean: remove old runs. Never one that somebody holds; one that has not ended only when told to.

import { type LookedAt, lookAtRun } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { StoredRun } from '../../ports/store.ts';
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
  const failed: string[] = [];
  let freed = 0;
  for (const id of runsBefore(store, services.clock.now() - age)) {
    try {
      const run = store.read(id);
      const looked = lookAtRun(run, services.hash);
      const reason = whyKept(run, looked, options.paused ?? false);
      if (reason !== undefined) {
        kept.push(`${id}: ${reason}`);
        continue;
      }
      const size = services.sizeOf(run.location);
      if (!options.dryRun) store.remove(id);
      freed += size;
      removed.push(looked.damage === undefined ? id : `${id} (damaged: ${looked.damage})`);
    } catch (error) {
      failed.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const lines = told(removed, kept, freed, options.dryRun ?? false);
  if (failed.length > 0) lines.push(`Could not remove ${count(failed.length, 'run')}:`, ...indented(failed));
  services.stdout.write(`${lines.join('\n')}\n`);
  return failed.length === 0 ? 0 : 1;
}

function indented(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function told(removed: string[], kept: string[], freed: number, dryRun: boolean): string[] {
  const lines: string[] = [];
  if (removed.length === 0) lines.push('No run is that old and done with: nothing to remove.');
  else {
    lines.push(
      `${dryRun ? 'Would remove' : 'Removed'} ${count(removed.length, 'run')}, ${bytes(freed)}:`,
      ...indented(removed),
    );
  }
  if (kept.length > 0) lines.push(`Kept ${count(kept.length, 'run')}:`, ...indented(kept));
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
function whyKept(run: StoredRun, looked: LookedAt, all: boolean): string | undefined {
  const holder = run.holder();
  if (holder && holder.alive !== false) return `it is running (pid ${holder.pid} on ${holder.host})`;
  if (all) return undefined;
  const fate = fateOf(run, looked);
  if (fate === 'paused') return 'it is paused, and can be resumed (--paused removes it too)';
  return fate === 'stopped' ? 'it was killed, and can be resumed (--paused removes it too)' : undefined;
}
