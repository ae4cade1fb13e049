// frontier: the structural moves of a run: open a list, open a step, settle it, close it, leave a block, reopen
// what failed. Owns: where the run stands. Never: evaluates, or looks at anything but the place it moves.
// F1. A place waits in exactly one of `ready` (decide looks at it), `running` or `questions`, or has open children;
//     only a cancelled place may be in `ready` as well, so that decide can say so.
// F2. A closed step leaves its result in its scope, nothing else; a failed one is kept until somebody handles the
//     failure, because a resumed run starts again from there.

import type { Json } from '../model/json.ts';
import type { Cuts, Fan, OpenList, OpenStep, State, StepStatus } from '../model/state.ts';
import type { Step } from '../model/workflow.ts';
import { blockerOf } from './blocker.ts';
import { cutsOf, cutsOfFan, keepFanCuts } from './cut.ts';
import { awaitChildren, cancelInside, landing } from './leaving.ts';
import { isBlock, isGates, newFan, newList, newStep, passScope, passStep, roundOf } from './opening.ts';
import { onFailOf } from './override.ts';
import { bindOutput, recordResult } from './result.ts';
import { concurrencyOf, wantsWorktree } from './worktree.ts';

// ── Lists ───────────────────────────────────────────────────────────────────────────────────────

/** Opens the step the list stands at, or finishes the list. */
export function openCurrent(state: State, list: OpenList): void {
  const step = list.steps[list.index];
  if (!step) return listFinished(state, list);
  const visit = (list.visits.get(step.id) ?? 0) + 1;
  list.visits.set(step.id, visit);
  const name = visit === 1 ? step.id : `${step.id}~${visit}`;
  const open = newStep(list, step, list.prefix + name, state.lastAt);
  list.child = open;
  state.ready.set(open.path, open);
}

function listFinished(state: State, list: OpenList): void {
  list.child = undefined;
  const { owner } = list;
  if (!owner) return; // the root: decide sees that nothing is left
  switch (owner.step.work.kind) {
    case 'loop':
    case 'workflow':
      state.ready.set(owner.path, owner);
      return;
    default:
      workFinished(state, owner, list.value, list.cuts);
  }
}

export function isFinished(list: OpenList): boolean {
  return list.index >= list.steps.length;
}

// ── The work of a step ──────────────────────────────────────────────────────────────────────────

/** `enter` is over: blocks open what is inside them, the rest is for decide. */
/** Of a block with a `timeout` of its own. */
export function setTimer(state: State, open: OpenStep): void {
  const { timeout } = open.step;
  if (timeout === undefined || !isBlock(open.step)) return;
  state.timers.set(open.path, { open, dueAtElapsed: state.elapsed + timeout });
}

export function startWork(state: State, open: OpenStep): void {
  open.stage = 'work';
  open.cursor = 0;
  if (open.body?.failed) return reopenList(state, open.body);
  if (open.fan) return startFan(state, open, open.fan);
  const { work } = open.step;
  switch (work.kind) {
    case 'sequence': {
      const pass = open.scope !== open.list.scope ? open.scope.pass : undefined;
      open.body = newList(`${open.path}/`, work.steps, open.scope, open, pass);
      return openCurrent(state, open.body);
    }
    case 'parallel':
      open.fan = newFan(
        work.steps.length,
        concurrencyOf(state, open.step, work.concurrency ?? work.steps.length),
      );
      open.body = newList(`${open.path}/`, work.steps, open.scope, open);
      return startFan(state, open, open.fan);
    case 'loop':
      if (work.test.kind === 'until') return startPass(state, open);
      break;
  }
  state.ready.set(open.path, open);
}

/** The next pass of a loop. */
export function startPass(state: State, open: OpenStep): void {
  if (open.step.work.kind !== 'loop') return;
  open.pass += 1;
  const pass = { index: open.pass - 1, number: open.pass, total: open.step.work.max };
  const { value = null, cuts } = open.body ?? {};
  open.body = newList(`${open.path}#${open.pass}/`, open.step.work.steps, open.scope, open, pass);
  Object.assign(open.body, { value, cuts });
  openCurrent(state, open.body);
}

/** The work has an output; does it count? */
export function workFinished(state: State, open: OpenStep, output: Json, cuts?: Cuts): void {
  open.cuts = cuts;
  open.outcome = { ok: true, output, duration_ms: Math.max(0, state.lastAt - open.startedAt) };
  workSucceeded(state, open);
}

export function workSucceeded(state: State, open: OpenStep): void {
  // What it needs to know comes before whether it counts.
  if (open.step.done || blockerOf(open.step, open.outcome)) {
    open.stage = 'done';
    open.cursor = 0;
    state.ready.set(open.path, open);
  } else if (open.step.output === 'vars') {
    open.stage = 'done'; // decide looks whether it is an object
    state.ready.set(open.path, open);
  } else settle(state, open, 'done');
}

// ── Fans ────────────────────────────────────────────────────────────────────────────────────────

/** Opens what may run now; after a failure that was resumed, the failed ones first. */
function startFan(state: State, owner: OpenStep, fan: Fan): void {
  fan.failure = undefined;
  fan.leftOut = false;
  for (const child of fan.children.values()) {
    if (!child.closed) continue;
    fan.failed -= 1;
    fan.open += 1;
    fan.statuses[child.index as number] = undefined;
    reopen(state, child);
  }
  fillFan(state, owner, fan);
  if (fan.open === 0) fanFinished(state, owner, fan);
}

function fillFan(state: State, owner: OpenStep, fan: Fan): void {
  while (!fan.failure && fan.open < fan.concurrency) {
    const index = nextChild(fan);
    if (index === undefined) return;
    fan.next += 1;
    fan.open += 1;
    openChild(state, owner, fan, index);
  }
}

/** The next in order; of items that depend on each other, the first that waits for nobody. */
function nextChild(fan: Fan): number | undefined {
  if (!fan.waiting) return fan.next < fan.total ? fan.next : undefined;
  const at = fan.waiting.findIndex((index) =>
    (fan.dependencies?.[index] ?? []).every((needed) => fan.statuses[needed] !== undefined),
  );
  return at < 0 ? undefined : fan.waiting.splice(at, 1)[0];
}

function openChild(state: State, owner: OpenStep, fan: Fan, index: number): void {
  const list = owner.body as OpenList;
  if (owner.step.work.kind !== 'each') {
    const step = list.steps[index] as Step;
    const child = newStep(list, step, list.prefix + step.id, state.lastAt);
    child.index = index;
    fan.children.set(index, child);
    state.ready.set(child.path, child);
    return;
  }
  const child = newStep(list, passStep(owner.step, owner.step.work), `${owner.path}[${index}]`, state.lastAt);
  child.index = index;
  child.scope = passScope(list.scope, owner.step.work.name, fan, index);
  fan.children.set(index, child);
  // A pass that nothing precedes opens its steps at once: no entry of its own.
  if (child.step.enter.length > 0 || fan.dependencies || wantsWorktree(state, child))
    state.ready.set(child.path, child);
  else startWork(state, child);
}

function fanChildClosed(state: State, child: OpenStep, failedForGood: boolean): void {
  const owner = child.list.owner as OpenStep;
  const fan = owner.fan as Fan;
  const index = child.index as number;
  const status = child.status as StepStatus;
  fan.open -= 1;
  fan.statuses[index] = status;
  if (fan.items) {
    fan.outputs[index] = {
      item: fan.items[index] as Json,
      status,
      output: child.outcome?.output ?? null,
      ...(owner.step.workspace === 'worktree' && { branch: child.worktree?.branch ?? '' }),
    };
  } else fan.outputs[index] = child.outcome?.output ?? null;
  keepFanCuts(fan, index, cutsOf(child));
  if (child.skip) fan.skips = (fan.skips ?? new Map()).set(index, child.skip);
  if (child.step.gate && status === 'done') keepVerdict(child);

  if (status === 'failed') fan.failed += 1;
  if (!failedForGood) fan.children.delete(index);
  else if (onFailOf(state, owner.step) === 'continue' && owner.step.work.kind === 'each')
    fan.children.delete(index);
  else fan.failure ??= child.error;

  if (owner.leaving || owner.expired) {
    if (fan.open === 0) state.ready.set(owner.path, owner);
    return;
  }
  fillFan(state, owner, fan);
  if (fan.open === 0) fanFinished(state, owner, fan);
}

/** What another round may go by. */
function keepVerdict({ step, scope, outcome }: OpenStep): void {
  const { output = null, mark } = outcome ?? {};
  scope.verdicts ??= new Map();
  scope.verdicts.set(roundOf(step), { output, ...(mark !== undefined && { mark }) });
}

function fanFinished(state: State, owner: OpenStep, fan: Fan): void {
  const failed = fan.failure !== undefined || (owner.step.work.kind === 'each' && fan.failed > 0);
  if (failed) {
    const spent = Math.max(0, state.lastAt - owner.startedAt);
    owner.outcome = { ok: false, output: fanValue(owner, fan), duration_ms: spent };
    owner.cuts = cutsOfFan(owner, fan);
    state.ready.set(owner.path, owner);
  } else if (isGates(owner.step)) state.ready.set(owner.path, owner);
  else workFinished(state, owner, fanValue(owner, fan), cutsOfFan(owner, fan));
}

function fanValue(owner: OpenStep, fan: Fan): Json {
  if (owner.step.work.kind !== 'parallel') return fan.outputs;
  const outputs: [string, Json][] = [];
  owner.step.work.steps.forEach((step, index) => {
    const status = fan.statuses[index];
    if (status === 'done' || status === 'failed') outputs.push([step.id, fan.outputs[index] ?? null]);
  });
  return Object.fromEntries(outputs);
}

/** From its first action or attempt on; before that there is nothing for `exit` to undo. */
function isEntered(open: OpenStep): boolean {
  return open.stage !== 'if' && open.stage !== 'worktree';
}

// ── Step end: status → exit → next → on_fail ────────────────────────────────────────────────────

/** The status is known: the result is visible from here on (rule 3). */
export function settle(state: State, open: OpenStep, status: StepStatus): void {
  open.status = status;
  state.timers.delete(open.path);
  const { step } = open;
  recordResult(state, open, status);
  const entered = isEntered(open);
  open.stage = 'exit';
  open.cursor = 0;
  // The `exit` of an `each` belongs to its passes.
  if (entered && step.exit.length > 0 && step.work.kind !== 'each') state.ready.set(open.path, open);
  else exitFinished(state, open);
}

export function exitFinished(state: State, open: OpenStep): void {
  if (open.leaving) return left(state, open);
  open.stage = 'next';
  open.cursor = 0;
  if (open.status === 'skipped' || (open.status === 'done' && open.step.next.length === 0)) {
    closeStep(state, open, 'following');
  } else state.ready.set(open.path, open);
}

/** Gives the step's place up. `stop` hands the failure to the block around it. */
export function closeStep(state: State, open: OpenStep, then: 'following' | 'continue' | 'stop'): void {
  if (then === 'continue') {
    state.continuedPast += 1;
    bindWhatThereIs(open);
  }
  open.closed = then === 'stop';
  if (open.index !== undefined) return fanChildClosed(state, open, then === 'stop');
  const { list } = open;
  if (then === 'stop') {
    keepValue(open);
    list.failed = open.error ?? { class: 'error', message: `${open.path} failed` };
    if (list.owner) state.ready.set(list.owner.path, list.owner);
    return;
  }
  if (open.status !== 'skipped') keepValue(open);
  dropInside(open);
  list.index += 1;
  openCurrent(state, list);
}

/** Of a block the value is that of the last step in it. */
function keepValue(open: OpenStep): void {
  open.list.value = open.outcome?.output ?? null;
  open.list.cuts = cutsOf(open);
}

/** Past a `parallel` in which one failed the run goes on with what the others said. */
function bindWhatThereIs(open: OpenStep): void {
  const { step, scope, outcome } = open;
  if (step.work.kind !== 'parallel' || isGates(step) || step.output === 'vars') return;
  const output = outcome?.output ?? null;
  if (output !== null) bindOutput(scope, step.output, output, cutsOf(open));
}

function dropInside(open: OpenStep): void {
  open.body = undefined;
  open.fan = undefined;
}

// ── Jumps ───────────────────────────────────────────────────────────────────────────────────────

/** From a closed step of `list` towards `target`: at once, or by leaving the block around first. */
function moveTo(state: State, list: OpenList, target: string): void {
  const goal = landing(list, target);
  if (goal && goal.list === list) {
    list.index = goal.index;
    list.failed = undefined;
    return openCurrent(state, list);
  }
  // Every block between here and there is left; what else is open in them ends now, not one block at a time.
  const owner = list.owner as OpenStep;
  for (let block: OpenStep | undefined = owner; block; block = block.list.owner) {
    block.leaving = { to: target, why: `left by goto ${target}` };
    cancelInside(state, block, `the block was left by goto ${target}`);
    if (block.list === goal?.list) break;
  }
  awaitChildren(state, owner);
}

export function jump(state: State, open: OpenStep, target: string): void {
  if (open.index !== undefined) retireChild(open);
  else {
    keepValue(open);
    open.list.child = undefined;
  }
  dropInside(open);
  moveTo(state, open.list, target);
}

function retireChild(child: OpenStep): void {
  const fan = child.list.owner?.fan as Fan;
  fan.open -= 1;
  fan.children.delete(child.index as number);
  fan.statuses[child.index as number] = child.status as StepStatus;
}

/** A step that was left or cancelled has run its `exit`. */
export function left(state: State, open: OpenStep): void {
  const { leaving } = open;
  if (leaving?.to !== undefined) dropInside(open);
  if (leaving?.to !== undefined) return jump(state, open, leaving.to);
  // Cancelled: kept like any failed step, for where the block around it ran out of time a resume starts from here.
  open.closed = true;
  if (open.index !== undefined) return fanChildClosed(state, open, true);
  open.list.failed = open.error ?? { class: 'cancelled', message: leaving?.why ?? 'cancelled' };
  if (open.list.owner) awaitChildren(state, open.list.owner);
}

// ── Starting again from a failure ───────────────────────────────────────────────────────────────

/** The step runs again: from the failed step inside it where there is one, else from its beginning. */
export function reopen(state: State, open: OpenStep): void {
  const failedInside = open.body?.failed !== undefined || hasFailedChildren(open.fan);
  Object.assign(open, {
    status: undefined,
    error: undefined,
    leaving: undefined,
    pending: undefined,
    rule: undefined,
    refusal: undefined,
    approved: undefined,
    outdated: undefined,
    toShow: undefined,
    checked: undefined,
    again: undefined,
    expired: false,
    closed: false,
    cursor: 0,
    try: 1,
    retries: 0,
    feedback: [],
    answered: undefined,
    session: undefined,
    facts: undefined,
    unseen: undefined,
    withoutWorktree: undefined,
    startedAt: state.lastAt,
  } satisfies Partial<OpenStep>);
  if (!failedInside) {
    open.outcome = undefined;
    open.cuts = undefined;
    open.pass = 0;
    dropInside(open);
    open.stage = 'if';
    state.ready.set(open.path, open);
  } else if (open.step.enter.length > 0 && open.step.work.kind !== 'each') {
    setTimer(state, open);
    open.stage = 'enter';
    state.ready.set(open.path, open);
  } else {
    setTimer(state, open);
    startWork(state, open);
  }
}

function hasFailedChildren(fan: Fan | undefined): boolean {
  for (const child of fan?.children.values() ?? []) if (child.closed) return true;
  return false;
}

export function reopenList(state: State, list: OpenList): void {
  list.failed = undefined;
  if (list.child) reopen(state, list.child);
}
