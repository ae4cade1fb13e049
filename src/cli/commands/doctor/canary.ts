// canary: a real run, in an empty folder, whose one prompt asks for what its step denies. Nothing of it is kept, unless
// it did not go as it should: then the records say what was said.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CANARY_FILES,
  type CanaryReport,
  type CanarySeen,
  type ClientName,
  canaryWorkflow,
  judgeCanary,
} from '../../../doctor/doctor.ts';
import { type Definitions, loadWorkflow } from '../../../drivers/run/load.ts';
import { startRun } from '../../../drivers/run/run.ts';
import type { HeldRun } from '../../../hosting/hosting.ts';
import type { LoadedFile } from '../../../model/library.ts';
import type { Workflow } from '../../../model/workflow.ts';
import { definitionsOf } from '../../find-workflow.ts';
import type { Services } from '../../services.ts';
import { watchSignals } from '../../start/display.ts';

/** `model`: the client's own choice unless given. */
export async function runCanary(
  services: Services,
  provider: ClientName,
  model: string | undefined,
): Promise<CanaryReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-canary-')));
  let isKept = false;
  try {
    const workspace = join(base, 'empty');
    mkdirSync(workspace);
    const workflow = compiled(await definitionsOf(services), canaryWorkflow(provider, model));
    const seen = await sing(services, workflow, workspace, join(base, 'runs'));
    const report = judgeCanary({ provider, ...seen });
    isKept = report.verdict !== 'enforced';
    return isKept ? { ...report, records: join(base, 'runs') } : report;
  } finally {
    if (!isKept) rmSync(base, { recursive: true, force: true });
  }
}

async function sing(
  services: Services,
  workflow: Workflow,
  workspace: string,
  runs: string,
): Promise<Omit<CanarySeen, 'provider'>> {
  const hosting = await services.hosting(runs);
  const calls: CanarySeen['calls'] = [];
  let opened: HeldRun | undefined;
  const signals = watchSignals(
    (name) => opened?.interrupt(name),
    () => hosting.processes.killAll(),
  );
  try {
    const end = await startRun(
      hosting,
      {
        workflow,
        workflowFile: 'canary.yaml',
        workspace,
        inputs: {},
        vars: {},
        skips: { steps: [], checks: false, dry_run: false },
      },
      {
        opened(run) {
          opened = run;
          if (signals.received !== undefined) run.interrupt(signals.received);
        },
        live(event) {
          if (event.kind !== 'tool') return;
          const { tool, summary: about, denied } = event;
          calls.push({ tool, about, ...(denied !== undefined && { denied }) });
        },
      },
    );
    const failure = end.exitCode === 130 ? 'it was interrupted' : end.view.summary({}).failures[0]?.message;
    const files = CANARY_FILES.filter((name) => existsSync(join(workspace, name)));
    return { calls, files, ...(failure !== undefined && { failure }) };
  } finally {
    signals.close();
  }
}

function compiled(definitions: Definitions, text: string): Workflow {
  const main: LoadedFile = { id: '/canary.yaml', path: 'canary.yaml', text, layer: 'builtin', shadows: [] };
  const { workflow, diagnostics } = loadWorkflow(definitions, main);
  if (workflow !== undefined) return workflow;
  throw new Error(`the canary does not compile: ${diagnostics.map(({ message }) => message).join('; ')}`);
}
