// run: the drive in which the engine takes every turn: start a run, or go on with one.
// Owns: pinning, the lease's life, views on disk, the exit code. Never: prints, asks, decides what is next.
// S2. A run is pinned before its first entry, and resumed from what was pinned.

import { refusesOnError } from '../../compile/prove/prove.ts';
import { fold, initialState } from '../../engine/engine.ts';
import type { Entry, EntryBody, FoundInput, Holder, Only, Overrides, Skips } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { JOURNAL_VERSION } from '../../model/journal-version.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Script } from '../../model/script.ts';
import type { State } from '../../model/state.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { OpenRun } from '../../ports/store.ts';
import { answerEntry, type GivenAnswer } from '../../runtime/inbox.ts';
import { providersNeeded } from './agents-needed.ts';
import { refuseChanged } from './changed.ts';
import { drive, type RunEnd, type RunHooks, type RunServices, STATE_DOCUMENT } from './drive.ts';
import { refuseUnenforceable } from './enforceable.ts';
import { refuseMoved, runRoot } from './moved.ts';
import { PINNED_DOCUMENT, type Pinned, readPinned, writePinned } from './pinned.ts';
import type { RecordOptions } from './record-options.ts';
import { maskFor } from './secrets.ts';
import { beforeIn } from './survey.ts';
import { channelHere } from './tell.ts';
import { type Chosen, chooseWorktree } from './worktree.ts';

export type { OpenedRun, RunEnd, RunHooks, RunServices } from './drive.ts';

export interface StartRequest {
  workflow: Workflow;
  /** For people. */
  workflowFile: string;
  /** The same file, absolute: where `policy.on_changed: refuse` and a restart look for it. */
  workflowPath?: string;
  workspace: string;
  inputs: JsonObject;
  vars: JsonObject;
  /** Of `inputs`, those that were found and not given. */
  found?: Record<string, FoundInput>;
  skips: Skips;
  script?: Script;
  overrides?: Overrides;
  /** `workflow` is this step alone. */
  only?: Only;
  records?: RecordOptions;
  /** The last thing before the run is made: everything else has been checked. What it throws prevents the run. */
  prepare?(): void;
}

export async function startRun(
  services: RunServices,
  request: StartRequest,
  hooks: RunHooks,
): Promise<RunEnd> {
  const { store, clock, workspaces, holder, hash } = services;
  const { workflow } = request;
  refuseUnsupported(workflow);
  const agents = services.agentsFor(workflow, request.script);
  const needed = providersNeeded(workflow, request.skips.dry_run);
  for (const provider of needed) agents.find(provider);
  if (needed.has(undefined)) refuseUnenforceable(workflow, agents);
  const folder = workspaces.open(request.workspace);
  const started = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const id = `${started}-${clock.random(6)}`;
  const mask = maskFor(workflow, services.environment);
  const chosen = chooseWorktree(services.worktrees, {
    workflow,
    workspace: request.workspace,
    inputs: mask.deep(request.inputs),
    isDryRun: request.skips.dry_run,
    id,
  });
  const { workspace } = chosen;
  const warnings = [...(chosen.facts.warnings ?? []), ...workspaces.warnings(request.workspace)];
  const facts = { ...chosen.facts, ...(warnings.length > 0 && { warnings }) };
  const pinned: Pinned = {
    lockstep_version: holder.version,
    workspace,
    since: facts.worktree?.base ?? workspaces.mark(workspace),
    ...(facts.worktree ? { started_in: request.workspace } : beforeIn(folder)),
    workflow_path: request.workflowPath,
    workflow,
    skips: request.skips,
    only: request.only,
    script: request.script,
  };
  const text = writePinned(pinned);
  const branch = facts.worktree?.branch ?? folder.branch;
  const given = { ...workflow.vars, ...request.vars };
  const inputs = mask.deep(request.inputs);
  const vars = mask.deep(given);
  const isMasked = inputs !== request.inputs || vars !== given;
  const begin = (location: string): Entry => ({
    n: 1,
    at: clock.now(),
    ...(isMasked && { masked: true as const }),
    kind: 'run-started',
    journal_version: JOURNAL_VERSION,
    run: { id, root: runRoot(workspace, location), started, branch, workspace },
    workflow: workflow.name,
    workflow_file: request.workflowFile,
    workflow_hash: hash(text),
    inputs,
    vars,
    skips: request.skips,
    ...(Object.keys(request.found ?? {}).length > 0 && {
      found: mask.deep(request.found as unknown as Json) as unknown as typeof request.found,
    }),
    overrides: request.overrides,
    only: request.only?.items ? { ...request.only, items: mask.deep(request.only.items) } : request.only,
    ...facts,
    ...(facts.warnings && { warnings: facts.warnings.map((warning) => mask.text(warning)) }),
    by: holder,
  });
  const run = orRelease(chosen, () => {
    request.prepare?.();
    return store.create(id, { [PINNED_DOCUMENT]: text }, holder, begin);
  });
  const begun = run.journal().entries;
  const state = initialState(workflow);
  for (const entry of begun) fold(workflow, state, entry);
  return drive({ services, run, pinned, state, entries: [], begun, hooks, records: request.records });
}

/** What was kept for a run that is not made is given back. */
function orRelease<T>({ release }: Chosen, make: () => T): T {
  try {
    return make();
  } catch (error) {
    release();
    throw error;
  }
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
  answer?: GivenAnswer & { by: string };
}

export async function resumeRun(
  services: RunServices,
  request: ResumeRequest,
  hooks: RunHooks,
): Promise<RunEnd> {
  const { store, holder, hash } = services;
  const run = store.open(request.id, holder, { takeOver: request.takeOver });
  const warned: string[] = [];
  const warn = (message: string): void => {
    warned.push(message);
    hooks.onWarning?.(message);
  };
  let handedOver = false;
  try {
    const { entries, torn } = run.journal();
    if (torn > 0) warn(`the last ${torn} bytes of the journal were torn and have been cut`);
    const [start] = entries;
    if (start?.kind !== 'run-started')
      throw new Fault('run-empty', `run ${request.id} never started`, {
        hint: 'Start it anew with `lockstep run`.',
      });
    const pinned = readPinned(run, start.workflow_hash, hash);
    const state = initialState(pinned.workflow);
    for (const entry of entries) fold(pinned.workflow, state, entry);
    refuseEnded(state, request.id);
    refuseMoved(services, run, start, pinned.since);
    refuseChanged(services, pinned, start.workflow_file, request.id);
    refuseOverrides(pinned.workflow, request.overrides);
    // Another client may be found now than when it began.
    refuseUnenforceable(pinned.workflow, services.agentsFor(pinned.workflow, pinned.script));
    await endLeftBehind(services, { id: request.id, state, last: lastHolder(start, entries) }, warn);
    const problem = stateProblem(run);
    if (problem === 'damaged' || (problem === 'missing' && wasWritten(state, pinned.workflow)))
      warn(`state.json was ${problem} and has been rebuilt from the journal`);
    const { limits, overrides, records, mended: warnings } = request;
    const first: EntryBody[] = [{ kind: 'run-resumed', by: holder, limits, overrides, warnings }];
    if (request.answer) first.push(answered(services, state, request.answer));
    const rebuild = problem !== undefined;
    handedOver = true;
    return await drive({ services, run, pinned, state, entries, first, hooks, records, rebuild, warned });
  } finally {
    if (!handedOver) run.close();
  }
}

/** Under the lease: the question may have been answered by somebody else a moment ago. */
export function answered(
  services: RunServices,
  state: State,
  { by, ...given }: GivenAnswer & { by: string },
): EntryBody & { kind: 'question-answered' } {
  const entry = answerEntry(state, given, { by, ...channelHere(services) });
  if (!('problem' in entry)) return entry;
  throw new Fault('answer-invalid', `the answer was not taken: ${entry.problem}`, {
    hint: `See what is asked now: lockstep status ${state.run.id}`,
    exitCode: 2,
  });
}

/** Rule 15: nobody's word makes a run go past what an invariant counts on. */
function refuseOverrides(workflow: Workflow, overrides: Overrides | undefined): void {
  if (overrides?.on_error === undefined) return;
  const [refusal] = refusesOnError(workflow, overrides.on_error);
  if (refusal) throw new Fault('on-error-refused', refusal.message, { hint: refusal.hint, exitCode: 2 });
}

/** What is wrong with the view that people read; it is no truth, and made again. */
function stateProblem(run: OpenRun): 'missing' | 'damaged' | undefined {
  const text = run.document(STATE_DOCUMENT);
  if (text === undefined) return 'missing';
  try {
    const state = JSON.parse(text) as { run_id?: unknown; steps?: unknown } | null;
    return state?.run_id === run.id && typeof state.steps === 'object' ? undefined : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** A run that was killed soon after its start may never have had one. */
function wasWritten(state: State, workflow: Workflow): boolean {
  return state.status !== 'running' || workflow.policy.state === 'every-step';
}

/** A holder that was killed leaves its children running; what is in doubt must not run beside its old self (E4). */
async function endLeftBehind(
  services: RunServices,
  { id, state, last }: { id: string; state: State; last: Holder },
  warn: (message: string) => void,
): Promise<void> {
  if (state.running.size === 0) return;
  const ended = await services.processes.endLeftBehind(
    (environment) =>
      environment.get('LOCKSTEP_RUN') === id && state.running.has(environment.get('LOCKSTEP_STEP') ?? ''),
  );
  await services.sweep?.(last);
  if (ended > 0)
    warn(`ended ${ended} ${ended === 1 ? 'process' : 'processes'} that the killed run had left behind`);
}

function lastHolder(start: { by: Holder }, entries: readonly Entry[]): Holder {
  const last = entries.findLast((entry) => entry.kind === 'run-resumed');
  return last?.kind === 'run-resumed' ? last.by : start.by;
}

function refuseEnded(state: State, id: string): void {
  if (state.status !== 'completed' && state.status !== 'cancelled') return;
  throw new Fault('run-ended', `run ${id} is ${state.status}: there is nothing to go on with`, {
    hint: 'Start a new one with `lockstep run`.',
    exitCode: 2,
  });
}

function refuseUnsupported(workflow: Workflow): void {
  if (workflow.refused.length === 0) return;
  const list = workflow.refused.map(({ what, where }) => `  ${what} (${where})`).join('\n');
  throw new Fault(
    'not-in-this-version',
    `this version checks the following, but cannot run it yet:\n${list}`,
    {
      hint: 'Take these parts out, or wait for the version that runs them.',
      exitCode: 2,
    },
  );
}
