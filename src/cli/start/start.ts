// start: a new run, shown while it goes on. What `run`, `run-step`, `watch` and `resume --force-restart` have in common
// once they know what is to be run with what.

import { foundText } from '../../drivers/run/find-inputs.ts';
import type { RecordOptions } from '../../drivers/run/record-options.ts';
import { startRun } from '../../drivers/run/run.ts';
import type { FoundInput, Only, Overrides, Skips } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { JsonObject } from '../../model/json.ts';
import type { LoadedFile } from '../../model/library.ts';
import type { Script } from '../../model/script.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Store } from '../../ports/store.ts';
import { count } from '../../views/text/words.ts';
import type { Services } from '../services.ts';
import { type DriveOptions, keepRuns, overridesOf, recordOptions } from '../settings.ts';
import { createDisplay, type DisplayOptions } from './display.ts';
import { removeEnded } from './old-runs.ts';
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

export interface StartPlan {
  workflow: Workflow;
  main: LoadedFile;
  inputs: JsonObject;
  vars: JsonObject;
  /** Of `inputs`, those that were found and not given: told once the run is there. */
  found?: Record<string, FoundInput>;
  skips: Skips;
  script?: Script;
  only?: Only;
  /** Another one than the project that one stands in. */
  workspace?: string;
  /** Said once the run is there. */
  introduction?(id: string): string;
  /** How to interrupt it, once it is there. */
  onOpen?(run: { interrupt(by: string): void }): void;
}

export async function startShown(
  services: Services,
  store: Store,
  plan: StartPlan,
  settings: Settings,
  options: StartOptions,
): Promise<number> {
  const { workflow, main } = plan;
  const workspace = plan.workspace ?? (await services.projectRoot());
  const work = { workflow, definition: main.id };
  // A dry run leaves everything as it is, also where some of its steps run.
  const processed = await processedWork(services, workspace, work, plan.skips.dry_run ? {} : options);
  const runServices = await services.runServices(store);
  const agent = runServices.callers?.agentAbove();
  const above = agent ?? runServices.callers?.stepAbove();
  const display = createDisplay(services, options, () => runServices.processes.killAll(), above);
  const notes: string[] = [];
  // Nothing that has ended is removed for an agent: it would be `lockstep clean` under another name.
  const keep = agent === undefined ? settings.keep : undefined;
  const { onOpen } = display.hooks;
  try {
    const { inputs, vars, found, skips, script, only } = plan;
    const { records, overrides } = settings;
    const request = {
      ...{ workflow, workflowFile: main.path, workflowPath: main.id, workspace },
      ...{ inputs, vars, found, skips, script, only, records, overrides },
      prepare: () => void notes.push(...processed.before(), ...forgetOldRuns(services, store, keep)),
    };
    const end = await startRun(runServices, request, {
      ...display.hooks,
      onOpen(run) {
        onOpen?.(run);
        plan.onOpen?.(run);
        if (plan.introduction) display.note(plan.introduction(run.id));
        for (const [name, where] of Object.entries(plan.found ?? {}))
          display.note(foundText(name, String(plan.inputs[name]), where));
        for (const note of notes) display.note(note);
      },
    });
    const archived = await processed.after(end).catch(asFault);
    if (!(archived instanceof Fault)) for (const note of archived) display.note(note);
    display.finish(end);
    if (archived instanceof Fault) throw archived;
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

function forgetOldRuns(services: Services, store: Store, keep: Settings['keep']): string[] {
  if (!keep) return [];
  const removed = removeEnded(store, services.clock.now() - keep.age);
  if (removed === 0) return [];
  const days = keep.age / 86_400_000;
  return [
    `Removed ${count(removed, 'run')} that started more than ${count(days, 'day')} ago and had ended (${keep.variable}).`,
  ];
}
