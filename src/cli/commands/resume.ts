// resume: go on with a run that was paused, interrupted, killed, or failed.

import { parseDuration } from '../../compile/grammar/measure.ts';
import { resumeRun } from '../../drivers/run/run.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import { createDisplay, type DisplayOptions } from '../display.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';

export interface ResumeOptions extends DisplayOptions {
  takeOver?: boolean;
  limit?: string[];
  stateDir?: string;
}

export async function resume(services: Services, reference: string, options: ResumeOptions): Promise<number> {
  const store = await services.store(options.stateDir);
  const limits = parseLimits(options.limit ?? []);
  return goOn(services, store, findRun(store, reference), { ...options, limits });
}

/** Drives the run in this process, with the display. */
export async function goOn(
  services: Services,
  store: Store,
  id: string,
  options: DisplayOptions & { takeOver?: boolean; limits?: Record<string, number> },
): Promise<number> {
  const runServices = await services.runServices(store);
  const display = createDisplay(services, options, () => runServices.processes.killAll());
  try {
    const { takeOver, limits } = options;
    const end = await resumeRun(runServices, { id, takeOver, limits }, display.hooks);
    display.finish(end);
    return end.exitCode;
  } finally {
    display.close();
  }
}

const COUNTS = ['cost', 'tokens', 'turns', 'visits'];
const DURATIONS = ['duration', 'step'];

function parseLimits(pairs: string[]): Record<string, number> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', text = ''] = pair.split('=');
      const value = DURATIONS.includes(name)
        ? parseDuration(text)
        : COUNTS.includes(name)
          ? Number(text || Number.NaN)
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
