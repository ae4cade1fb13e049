// run: the drive in which the engine takes every turn: start a run, or go on with one, until it stops.
// Owns: what this drive cannot run, and the exit code. Never: prints, asks, decides what is next.

import { refusesOnError } from '../../compile/prove/prove.ts';
import { refuseGoingOn } from '../../hosting/going-on.ts';
import {
  answered,
  type HeldRun,
  type Hosting,
  hostRun,
  makeRun,
  type Observer,
  type PersonsAnswer,
  type StartRequest,
} from '../../hosting/hosting.ts';
import type { RecordOptions } from '../../hosting/records/options.ts';
import type { EntryBody, Overrides } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Script } from '../../model/script.ts';
import type { State } from '../../model/state.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Report } from '../../views/report.ts';
import type { RunView } from '../../views/run-view.ts';
import { providersNeeded } from '../agents-needed.ts';
import { refuseWithoutSession } from '../without-session.ts';
import { refuseUnenforceable } from './enforceable.ts';

export interface RunEnd {
  id: string;
  location: string;
  state: State;
  view: RunView;
  /** 0 completed, 1 failed or cancelled, 130 interrupted, 3 (policy.paused_exit) paused for a person. */
  exitCode: number;
  /** What it came to; report.md in its folder says the same. */
  report: Report;
}

export async function startRun(
  hosting: Hosting,
  request: StartRequest,
  observer: Observer = {},
): Promise<RunEnd> {
  admit(hosting, request.workflow, request.script, request.skips.dry_run);
  const run = await makeRun(hosting, request, observer);
  return await run.call(drive);
}

/** Whether this drive can take the turns of a workflow. Faults `needs-session`, `agent-unavailable`, `guard-unenforceable`. */
export function admit(
  { agentsFor }: Hosting,
  workflow: Workflow,
  script: Script | undefined,
  isDryRun = false,
): void {
  refuseWithoutSession(workflow);
  const agents = agentsFor(workflow, script);
  const needed = providersNeeded(workflow, isDryRun);
  for (const provider of needed) agents.find(provider);
  if (needed.has(undefined)) refuseUnenforceable(workflow, agents);
}

export interface ResumeRequest {
  id: string;
  takeOver?: boolean;
  /** Raised limits, by their names in the language. */
  limits?: Record<string, number>;
  overrides?: Overrides;
  records?: RecordOptions;
  /** What was done to its records before, for its journal. */
  mended?: string[];
  /** What a person says to one of its questions, and then it goes on. Fault `answer-invalid`. */
  answer?: PersonsAnswer;
}

export async function resumeRun(
  hosting: Hosting,
  request: ResumeRequest,
  observer: Observer = {},
): Promise<RunEnd> {
  const { id, takeOver, limits, overrides, records, mended, answer } = request;
  const goOn = (run: HeldRun): Promise<RunEnd> => {
    refuseGoingOn(hosting, run);
    refuseOverrides(run.workflow, overrides);
    // Another client may be found now than when it began.
    if (run.state.driven.drive === 'run')
      refuseUnenforceable(run.workflow, hosting.agentsFor(run.workflow, run.pinned.script));
    const resumed = { by: hosting.holder, limits, overrides, warnings: mended };
    const first: EntryBody[] = [{ kind: 'run-resumed', ...resumed }];
    if (answer) first.push(answered(hosting, run.state, answer));
    return drive(run, first);
  };
  return hostRun(hosting, id, { observer, records }).call(goOn, { takeOver });
}

async function drive(run: HeldRun, first: EntryBody[] = []): Promise<RunEnd> {
  const { interrupted } = await run.go(first);
  run.rest();
  const { id, location, state, view, workflow } = run;
  return {
    id,
    location,
    state,
    view,
    exitCode: exitCodeOf(state, workflow, interrupted),
    report: await run.report(),
  };
}

/** Rule 15: nobody's word makes a run go past what an invariant counts on. */
function refuseOverrides(workflow: Workflow, overrides: Overrides | undefined): void {
  if (overrides?.on_error === undefined) return;
  const [refusal] = refusesOnError(workflow, overrides.on_error);
  if (refusal) throw new Fault('on-error-refused', refusal.message, { hint: refusal.hint, exitCode: 2 });
}

function exitCodeOf(state: State, workflow: Workflow, interrupted: boolean): number {
  switch (state.status) {
    case 'completed':
      return 0;
    case 'paused':
      return interrupted ? 130 : workflow.policy.pausedExit;
    default:
      return 1;
  }
}
