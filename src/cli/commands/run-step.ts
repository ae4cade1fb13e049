// run-step: one step of a workflow alone, as a run of its own with all its records.

import type { Skips } from '../../model/entry.ts';
import { loadOrReport } from '../find-workflow.ts';
import { type GivenOptions, givenOrReport } from '../given/given.ts';
import { itemOf, singleStep } from '../given/single-step.ts';
import type { Services } from '../services.ts';
import { type StartOptions, settingsOf, start } from '../start/start.ts';

export interface RunStepOptions extends StartOptions, GivenOptions {
  workflow: string;
  item?: string[];
  dialect?: string;
  model?: string;
}

const NO_SKIPS: Skips = { steps: [], checks: false, dry_run: false };

export async function runStep(services: Services, name: string, options: RunStepOptions): Promise<number> {
  const settings = settingsOf(services, options);
  const loaded = await loadOrReport(services, options.workflow, options);
  if (!loaded) return 2;
  const only = { step: name, ...(options.item && { items: options.item.map(itemOf) }) };
  const workflow = singleStep(loaded.workflow, only);
  const given = await givenOrReport(services, workflow, NO_SKIPS, options);
  if (!given) return 2;
  const { inputs, vars, found, script } = given;
  const { main } = loaded;
  const plan = {
    ...{ workflow, main, inputs, vars, found, script, only, skips: NO_SKIPS },
    introduction: () => `Step "${name}" of ${main.path} alone: nothing before or after it runs.`,
  };
  return start(services, await services.hosting(options.stateDir), plan, settings, options);
}
