// run: check everything, then run it. Wrong input ends here: nothing is made, and all that is wrong is told.

import { providersNeeded } from '../../drivers/run/agents-needed.ts';
import type { RunServices } from '../../drivers/run/run.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Skips } from '../../model/entry.ts';
import type { Script } from '../../model/script.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { planWorkflow, renderPlan } from '../../views/plan.ts';
import { type Loadable, loadOrReport } from '../find-workflow.ts';
import { asDiagnostic, type GivenOptions, readGiven } from '../given.ts';
import { lookOf } from '../look.ts';
import { printDiagnostics } from '../report.ts';
import type { Services } from '../services.ts';
import { type Settings, type StartOptions, settingsOf, startShown } from '../start.ts';

export interface RunOptions extends StartOptions, GivenOptions {
  dialect?: string;
  dryRun?: boolean;
  skipStep?: string[];
  skipChecks?: boolean;
}

export async function run(services: Services, reference: string, options: RunOptions): Promise<number> {
  const settings = settingsOf(services, options);
  const loaded = await loadOrReport(services, reference, options);
  return loaded ? runLoaded(services, loaded, options, settings) : 2;
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
  };
  const given = readGiven(services, workflow, skips, options);
  printDiagnostics(services, given.problems, given.texts, options.json);
  if (given.problems.some((problem) => problem.severity === 'error')) return 2;

  const store = await services.store(options.stateDir);
  if (options.dryRun) {
    const isAll = !runsUnderDryRun(workflow);
    printPlan(services, workflow, skips, options.json ?? false, isAll);
    const runServices = await services.runServices(store);
    printDiagnostics(services, refusals(runServices, workflow, given.script), given.texts, options.json);
    if (isAll) return 0;
  }
  const { inputs, vars, script } = given;
  return startShown(services, store, { workflow, main, inputs, vars, skips, script }, settings, options);
}

function printPlan(
  services: Services,
  workflow: Workflow,
  skips: Skips,
  json: boolean,
  isAll: boolean,
): void {
  const plan = planWorkflow(workflow, skips);
  const ending = isAll ? 'Nothing was run.' : 'Now those marked `dry_run: true` run:';
  services.stdout.write(
    json
      ? `${JSON.stringify({ kind: 'plan', ...plan })}\n`
      : `${renderPlan(plan, lookOf(services), ending)}\n${isAll ? '' : '\n'}`,
  );
}

/** Why a real run would be refused here: the plan is good all the same. */
function refusals(services: RunServices, workflow: Workflow, script: Script | undefined): Diagnostic[] {
  const agents = services.agentsFor(workflow, script);
  const problems: Diagnostic[] = workflow.refused.map(({ what, where }) => ({
    code: 'not-in-this-version',
    severity: 'warning',
    message: `this version cannot run ${what} yet (${where})`,
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
