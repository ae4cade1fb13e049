// resume: go on with a run that was paused, interrupted, killed, or failed.

import { type ResumeRequest, resumeRun } from '../../drivers/run/run.ts';
import { repairRun } from '../../hosting/repair.ts';
import { Fault } from '../../model/fault.ts';
import type { JournalRepair, RescuedJournal } from '../../ports/store.ts';
import { parseDuration } from '../../source/grammar/measure.ts';
import { inexactNumber } from '../../text/exact-number.ts';
import { count } from '../../views/text/words.ts';
import { refuseBelowAgent } from '../below-agent.ts';
import { bytes } from '../bytes.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import type { DriveOptions } from '../settings.ts';
import type { DisplayOptions } from '../start/display.ts';
import { settingsOf, showRun } from '../start/start.ts';
import { restart } from './resume/restart.ts';

export interface ResumeOptions extends DisplayOptions, DriveOptions {
  takeOver?: boolean;
  limit?: string[];
  repair?: boolean;
  rescued?: boolean;
  forceRestart?: boolean;
  stateDir?: string;
}

export async function resume(services: Services, reference: string, options: ResumeOptions): Promise<number> {
  await refuseBelowAgent(services, 'resume');
  const store = await services.store(options.stateDir);
  const limits = parseLimits(options.limit ?? []);
  const id = findRun(store, reference);
  if (options.forceRestart) return restart(services, store, id, options);
  settingsOf(services, options); // what is wrong with them is told before anything is repaired
  if (!options.repair && !options.rescued) return goOn(services, id, { ...options, limits });
  const mended = await repair(services, id, options);
  return mended === undefined ? 0 : goOn(services, id, { ...options, limits, mended });
}

/** Drives the run in this process, with the display. */
export async function goOn(
  services: Services,
  id: string,
  options: DisplayOptions &
    DriveOptions &
    Omit<ResumeRequest, 'id' | 'records' | 'overrides'> & { stateDir?: string },
): Promise<number> {
  const { records, overrides } = settingsOf(services, options);
  const { takeOver, limits, mended, answer } = options;
  const request = { id, takeOver, limits, mended, records, overrides, answer };
  const hosting = await services.hosting(options.stateDir);
  return showRun(services, hosting, options, ({ observer }) => resumeRun(hosting, request, observer));
}

/** What was done, for the journal. Undefined: the run is over, and there is nothing to go on with. */
async function repair(
  services: Services,
  id: string,
  { takeOver, repair: mayRepair, rescued: useRescued, json, stateDir }: ResumeOptions,
): Promise<string[] | undefined> {
  const request = { id, takeOver, repair: mayRepair, rescued: useRescued };
  const { journal, rescued, status } = await repairRun(await services.hosting(stateDir), request);
  const isOver = status === 'completed' || status === 'cancelled';
  const done = [
    ...(rescued ? [toldOfRescued(id, rescued)] : []),
    ...(journal ? [toldOfRepair(id, journal)] : []),
  ];
  const lines = [
    ...done,
    ...(mayRepair && !journal ? [`The journal of run ${id} verifies.`] : []),
    'state.json was rebuilt from the journal.',
    ...(isOver ? [`The run is ${status}: there is nothing to go on with.`] : []),
  ];
  for (const message of lines)
    services.stdout.write(json ? `${JSON.stringify({ kind: 'note', message })}\n` : `${message}\n`);
  return isOver ? undefined : done;
}

function toldOfRescued(id: string, { entries, aside }: RescuedJournal): string {
  const before = aside === undefined ? '' : ` The journal that was there is kept in ${aside}.`;
  return `Run ${id} goes on from journal.rescued.jsonl: ${count(entries, 'entry', 'entries')}, verified.${before}`;
}

function toldOfRepair(id: string, journal: JournalRepair): string {
  const { entries, why } = journal;
  const left = `It goes on from its first ${count(entries, 'entry', 'entries')}`;
  return journal.kind === 'cut'
    ? `The journal of run ${id} did not verify from line ${journal.line} on (${why}). ${left}; the rest, ${bytes(journal.cut)}, is kept in ${journal.aside}. What was lost runs again.`
    : `The journal of run ${id} is not all that was recorded: ${why}. ${left}. What was lost runs again.`;
}

const COUNTS = ['cost', 'tokens', 'turns', 'visits'];
const DURATIONS = ['duration', 'step'];

function numberIn(text: string): number | undefined {
  if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return inexactNumber(text, value) === undefined ? value : undefined;
}

function parseLimits(pairs: string[]): Record<string, number> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', text = ''] = pair.split('=');
      const value = DURATIONS.includes(name)
        ? parseDuration(text)
        : COUNTS.includes(name)
          ? numberIn(text)
          : undefined;
      if (value === undefined || !(value > 0)) {
        throw new Fault('limit-invalid', `--limit ${pair} is not a limit`, {
          hint: `Write name=value: ${COUNTS.join(', ')} take a number, ${DURATIONS.join(' and ')} a duration such as 2h.`,
          exitCode: 2,
        });
      }
      return [name, value];
    }),
  );
}
