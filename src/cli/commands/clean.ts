// clean: remove old runs. Never one that somebody holds; one that has not ended only when told to.

import { type LookedAt, lookAtRun } from '../../hosting/hosting.ts';
import { fateOf, isForgotten, runsBefore, startedBefore } from '../../hosting/old-runs.ts';
import type { Drive } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { StoredRun } from '../../ports/store.ts';
import { parseDuration } from '../../source/grammar/measure.ts';
import { count } from '../../views/text/words.ts';
import { refuseBelowAgent } from '../below-agent.ts';
import { bytes } from '../bytes.ts';
import type { Services } from '../services.ts';
import { keepGuardRuns, keepRuns, keepSessions } from '../settings.ts';

interface CleanOptions {
  olderThan?: string;
  drive?: Drive;
  paused?: boolean;
  dryRun?: boolean;
  stateDir?: string;
}

export async function clean(services: Services, options: CleanOptions): Promise<number> {
  if (!options.dryRun) await refuseBelowAgent(services, 'clean');
  const given = options.olderThan === undefined ? undefined : parseAge(options.olderThan);
  const age = given ?? keepRuns(services.environment)?.age;
  const guardAge = given ?? keepGuardRuns(services.environment);
  if (age === undefined && options.drive !== 'guard') throw noAge();
  const store = await services.store(options.stateDir);
  const now = services.clock.now();
  const removed: string[] = [];
  const kept: string[] = [];
  const failed: string[] = [];
  let freed = 0;
  for (const id of runsBefore(store, now - Math.min(age ?? guardAge, guardAge))) {
    try {
      const run = store.read(id);
      const looked = lookAtRun(run, services.hash);
      const drive = looked.view?.drive ?? 'run';
      if (options.drive !== undefined && drive !== options.drive) continue;
      if (!isOld(run, looked, drive === 'guard' ? now - guardAge : now - (age ?? guardAge))) continue;
      // Without a word of the person, runs of live sessions go by the last thing that happened in them, ended or not.
      const all = (options.paused ?? false) || (drive === 'guard' && given === undefined);
      const reason = whyKept(run, looked, all);
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
  lines.push(...(await cleanRecords(services, options)));
  services.stdout.write(`${lines.join('\n')}\n`);
  return failed.length === 0 ? 0 : 1;
}

/** Of a live session, by the last thing that happened; of any other run, by its start. */
function isOld(run: StoredRun, looked: LookedAt, time: number): boolean {
  return looked.view?.drive === 'guard' && looked.damage === undefined
    ? isForgotten(run, looked, time)
    : startedBefore(run.id, time);
}

/** Records of sessions lie with the user, not with the project: they have a retention of their own. */
async function cleanRecords(services: Services, { drive, dryRun }: CleanOptions): Promise<string[]> {
  if (dryRun || (drive !== undefined && drive !== 'guard')) return [];
  const keep = keepSessions(services.environment);
  const removed = (await services.sessions()).retain(keep);
  if (removed === 0) return [];
  return [
    `Removed ${count(removed, 'record')} of live sessions that were last seen more than ${count(keep.age / 86_400_000, 'day')} ago, or beyond the latest ${keep.most}.`,
  ];
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
    hint: 'Say it with --older-than 30d, or in days with LOCKSTEP_KEEP_RUNS=30. Runs of live sessions alone: --drive guard.',
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
