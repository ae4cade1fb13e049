// start: a new run, shown while it goes on. What `run`, `run-step`, `watch` and `resume --force-restart` have in common
// once they know what is to be run with what.

import { foundText } from '../../drivers/run/find-inputs.ts';
import { type RunEnd, startRun } from '../../drivers/run/run.ts';
import type { Hosting, StartRequest } from '../../hosting/hosting.ts';
import { removeEnded } from '../../hosting/old-runs.ts';
import type { RecordOptions } from '../../hosting/records/options.ts';
import type { Overrides } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { LoadedFile } from '../../model/library.ts';
import { count } from '../../views/text/words.ts';
import type { Services } from '../services.ts';
import { type DriveOptions, keepRuns, overridesOf, recordOptions } from '../settings.ts';
import { createDisplay, type Display, type DisplayOptions } from './display.ts';
import { type ProcessedOptions, processedWork } from './processed.ts';

export interface StartOptions extends DisplayOptions, DriveOptions, ProcessedOptions {}

/** What is said of a new run alone. */
export interface NewRunOptions extends DriveOptions {
  model?: string;
}

export interface Settings {
  records: RecordOptions;
  overrides: Overrides | undefined;
  keep: { variable: string; age: number } | undefined;
}

/** Flags and variables; Fault `setting-invalid`. To be asked before anything is made. */
export function settingsOf(services: Services, options: NewRunOptions): Settings {
  const overrides = overridesOf(options);
  const { model } = options;
  return {
    records: recordOptions(services.environment, options),
    overrides: model === undefined ? overrides : { ...overrides, model },
    keep: keepRuns(services.environment),
  };
}

export interface StartPlan
  extends Pick<StartRequest, 'workflow' | 'inputs' | 'vars' | 'found' | 'skips' | 'script' | 'only'> {
  main: LoadedFile;
  /** Another one than the project that one stands in. */
  workspace?: string;
  /** Said once the run is there. */
  introduction?(id: string): string;
}

export async function start(
  services: Services,
  hosting: Hosting,
  { main, introduction, ...plan }: StartPlan,
  { records, overrides, keep }: Settings,
  options: StartOptions,
): Promise<number> {
  const { workflow, inputs, skips, found = {} } = plan;
  const workspace = plan.workspace ?? (await services.projectRoot());
  const work = { workflow, definition: main.id };
  // A dry run leaves everything as it is, also where some of its steps run.
  const processed = await processedWork(services, workspace, work, skips.dry_run ? {} : options);
  const notes: string[] = [];
  let failure: Fault | undefined;
  const exitCode = await showRun(services, hosting, options, async ({ observer, note }) => {
    const request = {
      ...{ ...plan, workspace, workflowFile: main.path, workflowPath: main.id, records, overrides },
      prepare: () => void notes.push(...processed.before(), ...forgetOldRuns(hosting, keep)),
    };
    const end = await startRun(hosting, request, {
      ...observer,
      opened(run) {
        observer.opened?.(run);
        if (introduction) note(introduction(run.id));
        for (const [name, where] of Object.entries(found)) note(foundText(name, String(inputs[name]), where));
        for (const one of notes) note(one);
      },
    });
    const archived = await processed.after(end).catch(asFault);
    if (archived instanceof Fault) failure = archived;
    else for (const one of archived) note(one);
    return end;
  });
  if (failure) throw failure;
  return exitCode;
}

/** A run on the screen, from where it starts or goes on to where it stops. */
export async function showRun(
  services: Services,
  { callers, processes }: Hosting,
  options: DisplayOptions,
  drive: (display: Display) => Promise<RunEnd>,
): Promise<number> {
  const client = services.stdin.isTTY === true ? callers?.clientAbove() : undefined;
  const above = callers?.agentAbove() ?? callers?.stepAbove() ?? client;
  const display = createDisplay(services, options, () => processes.killAll(), above);
  try {
    const end = await drive(display);
    display.finish(end);
    return end.exitCode;
  } finally {
    display.close();
  }
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault(
    'archive-failed',
    `the run is completed, but its archive could not be written: ${(error as Error).message}`,
    {
      hint: 'Look at the disk and at who may write there; what was to be archived is still there.',
      cause: error,
    },
  );
}

/** Nothing that has ended is removed for an agent: it would be `lockstep clean` under another name. */
function forgetOldRuns({ store, clock, callers, hash }: Hosting, keep: Settings['keep']): string[] {
  if (!keep || callers?.agentAbove() !== undefined) return [];
  const removed = removeEnded(store, clock.now() - keep.age, hash);
  if (removed === 0) return [];
  const days = keep.age / 86_400_000;
  return [
    `Removed ${count(removed, 'run')} that started more than ${count(days, 'day')} ago and had ended (${keep.variable}).`,
  ];
}
