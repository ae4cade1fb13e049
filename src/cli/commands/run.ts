// run: check everything, then run it. Wrong input ends here: nothing is made, and all that is wrong is told.

import { refusesSkip } from '../../compile/prove/prove.ts';
import { compileScript } from '../../compile/script.ts';
import { providersNeeded } from '../../drivers/run/agents-needed.ts';
import { type RunServices, startRun } from '../../drivers/run/run.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Skips } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Script } from '../../model/script.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { planWorkflow, renderPlan } from '../../views/plan.ts';
import { createDisplay, type DisplayOptions } from '../display.ts';
import { loadOrReport } from '../find-workflow.ts';
import { resolveInputs } from '../inputs.ts';
import { lookOf } from '../look.ts';
import { printDiagnostics } from '../report.ts';
import type { Services } from '../services.ts';

export interface RunOptions extends DisplayOptions {
  input?: string[];
  var?: string[];
  inputFile?: string;
  script?: string;
  dryRun?: boolean;
  skipStep?: string[];
  skipChecks?: boolean;
  stateDir?: string;
}

export async function run(services: Services, reference: string, options: RunOptions): Promise<number> {
  const loaded = await loadOrReport(services, reference, options.json);
  if (!loaded) return 2;
  const { workflow } = loaded;
  const skips: Skips = {
    steps: options.skipStep ?? [],
    checks: options.skipChecks ?? false,
    dry_run: options.dryRun ?? false,
  };
  const given = readGiven(services, workflow, skips, options);
  printDiagnostics(services, given.problems, given.texts, options.json);
  if (given.problems.some((problem) => problem.severity === 'error')) return 2;

  const runServices = await services.runServices(await services.store(options.stateDir));
  if (options.dryRun) {
    const isAll = !runsUnderDryRun(workflow);
    printPlan(services, workflow, skips, options.json ?? false, isAll);
    printDiagnostics(services, refusals(runServices, workflow, given.script), given.texts, options.json);
    if (isAll) return 0;
  }

  const { inputs, vars, script } = given;
  const workspace = await services.projectRoot();
  const display = createDisplay(services, options, () => runServices.processes.killAll());
  try {
    const request = { workflow, workflowFile: loaded.main.path, workspace, inputs, vars, skips, script };
    const end = await startRun(runServices, request, display.hooks);
    display.finish(end);
    return end.exitCode;
  } finally {
    display.close();
  }
}

interface Given {
  inputs: JsonObject;
  vars: JsonObject;
  script?: Script;
  problems: Diagnostic[];
  texts: Map<string, string>;
}

/** What was typed beside the workflow, and everything that is wrong with it. */
function readGiven(services: Services, workflow: Workflow, skips: Skips, options: RunOptions): Given {
  const texts = new Map<string, string>();
  const problems: Diagnostic[] = [];
  const open = (path: string | undefined) => {
    if (path === undefined) return undefined;
    const file = readOr(services, path, problems);
    if (file) texts.set(path, file.text);
    return file;
  };
  const scriptFile = open(options.script);
  const compiled = scriptFile && compileScript(scriptFile);
  if (compiled && !('script' in compiled)) problems.push(...compiled.diagnostics);
  problems.push(...refusesSkip(workflow, skips));
  const { inputs, vars, diagnostics } = resolveInputs(workflow, {
    inputs: options.input ?? [],
    vars: options.var ?? [],
    file: open(options.inputFile),
    readFile: services.readFile,
  });
  problems.push(...diagnostics);
  return {
    inputs,
    vars,
    script: compiled && 'script' in compiled ? compiled.script : undefined,
    problems,
    texts,
  };
}

function readOr(
  services: Services,
  path: string,
  problems: Diagnostic[],
): { path: string; text: string } | undefined {
  try {
    return { path, text: services.readFile(path) };
  } catch (error) {
    problems.push(asDiagnostic(error, 'error'));
    return undefined;
  }
}

function asDiagnostic(error: unknown, severity: Diagnostic['severity']): Diagnostic {
  if (!(error instanceof Fault)) throw error;
  return { code: error.code, severity, message: error.message, hint: error.hint };
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
