// run: check everything, then run it. Wrong input ends here: nothing is made, and all that is wrong is told.

import { providersNeeded } from '../../drivers/agents-needed.ts';
import type { Hosting } from '../../hosting/hosting.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Skips } from '../../model/entry.ts';
import type { TestLook } from '../../model/evidence.ts';
import type { Script } from '../../model/script.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { type Plan, planWorkflow, renderPlan } from '../../views/plan.ts';
import { type Loadable, loadOrReport } from '../find-workflow.ts';
import { asDiagnostic, type GivenOptions, givenOrReport } from '../given/given.ts';
import { specInput, whatToRun } from '../given/what-to-run.ts';
import { lookOf } from '../look.ts';
import { printDiagnostics } from '../print-problems.ts';
import type { Services } from '../services.ts';
import { type Settings, type StartOptions, settingsOf, start } from '../start/start.ts';
import { resumeInstead } from './run/resume-instead.ts';

export interface RunOptions extends StartOptions, GivenOptions {
  dialect?: string;
  model?: string;
  dryRun?: boolean;
  skipStep?: string[];
  skipChecks?: boolean;
  gate?: string[];
  skipTestCheck?: TestLook[];
}

/** Of `run` alone: `watch` has the others too. */
export interface RunCommandOptions extends RunOptions {
  workflow?: string;
  resume?: string;
  workingDir?: string;
}

export async function run(
  services: Services,
  given: string | undefined,
  options: RunCommandOptions,
): Promise<number> {
  const here = options.workingDir === undefined ? services : services.at(options.workingDir);
  if (options.resume !== undefined) return resumeInstead(here, given, options.resume, options);
  const settings = settingsOf(here, options);
  const { workflow: reference, spec } = whatToRun(here, given, options.workflow);
  const loaded = await loadOrReport(here, reference, options);
  if (!loaded) return 2;
  if (spec === undefined) return runLoaded(here, loaded, options, settings);
  const input = [specInput(loaded.workflow, spec, options.input ?? []), ...(options.input ?? [])];
  return runLoaded(here, loaded, { ...options, input }, settings);
}

/** With what was given beside the workflow; what is wrong with that is printed. */
export async function runLoaded(
  services: Services,
  { workflow, main }: Loadable,
  options: RunOptions,
  settings: Settings,
): Promise<number> {
  const skips: Skips = {
    steps: options.skipStep ?? [],
    checks: options.skipChecks ?? false,
    dry_run: options.dryRun ?? false,
    ...(options.gate && { gates: options.gate }),
    ...(options.skipTestCheck && { tests: options.skipTestCheck }),
  };
  const given = await givenOrReport(services, workflow, skips, options);
  if (!given) return 2;

  const hosting = await services.hosting(options.stateDir);
  if (options.dryRun) {
    const isAll = !runsUnderDryRun(workflow);
    printPlan(services, planWorkflow(workflow, skips, given), options, isAll);
    printDiagnostics(services, refusals(hosting, workflow, given.script), given.texts, options.json);
    if (isAll) return 0;
  }
  const { inputs, vars, found, script } = given;
  const plan = { workflow, main, inputs, vars, found, skips, script };
  const exitCode = await start(services, hosting, plan, settings, options);
  if (options.dryRun && exitCode === 0 && !options.json && !options.quiet)
    services.stdout.write(
      '\nThis was a dry run: steps that say "skipped: --dry-run" are what the same command without it goes on with.\n',
    );
  return exitCode;
}

function printPlan(services: Services, plan: Plan, { json, quiet }: RunOptions, isAll: boolean): void {
  // A quiet run tells its outcome: here, where some of it runs, what these steps come to.
  if (quiet && !json && !isAll) return;
  const ending = isAll ? 'Nothing was run.' : 'A dry run: now those run that say so, and nothing else.';
  services.stdout.write(
    json
      ? `${JSON.stringify({ kind: 'plan', ...plan })}\n`
      : `${renderPlan(plan, lookOf(services), ending)}\n${isAll ? '' : '\n'}`,
  );
}

/** Why a real run would be refused here: the plan is good all the same. */
function refusals(hosting: Hosting, workflow: Workflow, script: Script | undefined): Diagnostic[] {
  const agents = hosting.agentsFor(workflow, script);
  const problems: Diagnostic[] = workflow.refused.map(({ what, where }) => ({
    code: 'needs-session',
    severity: 'warning',
    message: `${what} needs a live session (${where})`,
  }));
  for (const provider of providersNeeded(workflow)) {
    try {
      agents.find(provider);
    } catch (error) {
      problems.push(asDiagnostic(error, 'warning'));
    }
  }
  return problems;
}

function runsUnderDryRun(workflow: Workflow): boolean {
  const marked = (steps: Step[]): boolean =>
    steps.some((step) => step.dryRun || ('steps' in step.work && marked(step.work.steps)));
  return marked(workflow.steps);
}
