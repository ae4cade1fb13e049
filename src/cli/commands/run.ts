// run: check everything, then run it. Wrong input ends here: nothing is made, and all that is wrong is told.

import { refusesSkip } from '../../compile/prove/prove.ts';
import { compileScript } from '../../compile/script.ts';
import { startRun } from '../../drivers/run/run.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Skips } from '../../model/entry.ts';
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
  input: string[];
  var: string[];
  inputFile?: string;
  script?: string;
  dryRun?: boolean;
  skipStep: string[];
  skipChecks?: boolean;
  stateDir?: string;
}

export async function run(services: Services, reference: string, options: RunOptions): Promise<number> {
  const loaded = await loadOrReport(services, reference);
  if (!loaded) return 2;
  const { workflow } = loaded;
  const texts = new Map<string, string>();
  const problems: Diagnostic[] = [];
  const skips: Skips = {
    steps: options.skipStep,
    checks: options.skipChecks ?? false,
    dry_run: options.dryRun ?? false,
  };

  const script =
    options.script === undefined ? undefined : readScript(services, options.script, texts, problems);
  problems.push(...refusesSkip(workflow, skips));
  const inputFile =
    options.inputFile === undefined
      ? undefined
      : { path: options.inputFile, text: services.readFile(options.inputFile) };
  if (inputFile) texts.set(inputFile.path, inputFile.text);
  const { inputs, vars, diagnostics } = resolveInputs(workflow, {
    inputs: options.input,
    vars: options.var,
    file: inputFile,
    readFile: services.readFile,
  });
  problems.push(...diagnostics);
  printDiagnostics(services, problems, texts);
  if (problems.some((problem) => problem.severity === 'error')) return 2;

  if (options.dryRun)
    services.stdout.write(`${renderPlan(planWorkflow(workflow, skips), lookOf(services))}\n`);
  if (options.dryRun && !runsUnderDryRun(workflow)) return 0;

  const store = await services.store(options.stateDir);
  const runServices = await services.runServices(store);
  const display = createDisplay(services, options, () => runServices.processes.killAll());
  try {
    const end = await startRun(
      runServices,
      {
        workflow,
        workflowFile: loaded.main.path,
        workspace: await services.projectRoot(),
        inputs,
        vars,
        skips,
        script,
      },
      display.hooks,
    );
    display.finish(end);
    return end.exitCode;
  } finally {
    display.close();
  }
}

function readScript(
  services: Services,
  path: string,
  texts: Map<string, string>,
  problems: Diagnostic[],
): Script | undefined {
  const text = services.readFile(path);
  texts.set(path, text);
  const result = compileScript({ path, text });
  if ('script' in result) return result.script;
  problems.push(...result.diagnostics);
  return undefined;
}

function runsUnderDryRun(workflow: Workflow): boolean {
  const marked = (steps: Step[]): boolean =>
    steps.some((step) => step.dryRun || ('steps' in step.work && marked(step.work.steps)));
  return marked(workflow.steps);
}
