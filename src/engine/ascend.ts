// ascend: the way up: a step has an outcome, is settled, runs its `exit`, is closed; with the last one its block has an
// outcome in turn. Owns: how steps end. Never: evaluates, or looks at anything but the place that ends.
// Each of these ends one step and says whose work is over with it (`Over`); `ascend` goes on from there.
// A closed step leaves its result in its scope, nothing else; a failed one is kept until the failure is handled,
// because a resumed run starts again from there.

import type { Json } from '../model/json.ts';
import type { Fan, OpenList, OpenStep, State, StepStatus } from '../model/state.ts';
import { blockerOf } from './blocker.ts';
import { cutsOf, keepFanCuts } from './cut.ts';
import { dropInside, fillFan, type Over, openCurrent } from './descend.ts';
import { awaitChildren, cancelInside, landing } from './leaving.ts';
import { noticeClosed, noticeSettled } from './notices.ts';
import { isGates, roundOf } from './opening.ts';
import { onFailOf } from './override.ts';
import { close, queue } from './places.ts';
import { bindOutput, recordResult } from './result.ts';

/** From a step whose work is over, as far up as blocks end with it. */
export function ascend(state: State, from: Over): void {
  for (let open = from; open; ) open = workSucceeded(state, open);
}

// ── Step end: outcome → status → exit → next → on_fail ──────────────────────────────────────────

/** The work has an output; does it count? */
function workSucceeded(state: State, open: OpenStep): Over {
  // What it needs to know comes before whether it counts; of `output: vars` decide looks whether it is an object.
  if (
    !open.step.done &&
    open.step.output !== 'vars' &&
    !blockerOf(open.step, open.outcome) &&
    !hasObjections(open)
  )
    return settle(state, open, 'done');
  open.stage = 'done';
  open.cursor = 0;
  return queue(state, open);
}

/** Git does not have what it says, or a person has to know of something first. */
function hasObjections({ outcome }: OpenStep): boolean {
  return outcome?.git?.missing !== undefined || outcome?.git?.held !== undefined;
}

/** The status is known: the result is visible from here on (rule 3). */
export function settle(state: State, open: OpenStep, status: StepStatus): Over {
  const { step } = open;
  const entered = isEntered(open);
  open.status = status;
  state.timers.delete(open.path);
  recordResult(state, open, status);
  noticeSettled(state, open);
  open.stage = 'exit';
  open.cursor = 0;
  // The `exit` of an `each` belongs to its passes.
  if (!entered || step.exit.length === 0 || step.work.kind === 'each') return exitFinished(state, open);
  return queue(state, open);
}

/** From its first action or attempt on; before that there is nothing for `exit` to undo. */
function isEntered(open: OpenStep): boolean {
  return open.stage !== 'if' && open.stage !== 'worktree';
}

export function exitFinished(state: State, open: OpenStep): Over {
  if (open.leaving) return left(state, open);
  open.stage = 'next';
  open.cursor = 0;
  const goesOn = open.step.next.length === 0 && open.goal === undefined;
  if (open.status === 'skipped' || (open.status === 'done' && goesOn))
    return closeStep(state, open, 'following');
  return queue(state, open);
}

/** Gives the step's place up. `stop` hands the failure to the block around it. */
export function closeStep(state: State, open: OpenStep, goes: 'following' | 'continue' | 'stop'): Over {
  if (goes === 'continue') {
    state.continuedPast += 1;
    bindWhatThereIs(open);
  }
  close(open);
  noticeClosed(state, open, goes !== 'stop');
  if (open.index !== undefined) return childClosed(state, open, goes === 'stop');
  const { list } = open;
  if (goes === 'stop') {
    keepValue(open);
    list.failed = open.error ?? { class: 'error', message: `${open.path} failed` };
    return list.owner && queue(state, list.owner);
  }
  if (open.status !== 'skipped') keepValue(open);
  dropInside(open);
  list.index += 1;
  return openCurrent(state, list);
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
  if (output !== null) bindOutput(scope, step, output, cutsOf(open));
}

// ── Children of fans ────────────────────────────────────────────────────────────────────────────

function childClosed(state: State, child: OpenStep, failedForGood: boolean): Over {
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

  if (!owner.leaving && !owner.expired) return fillFan(state, owner, fan);
  if (fan.open === 0) return queue(state, owner);
}

/** What another round may go by. */
function keepVerdict({ step, scope, outcome }: OpenStep): void {
  const { output = null, mark } = outcome ?? {};
  scope.verdicts ??= new Map();
  scope.verdicts.set(roundOf(step), { output, ...(mark !== undefined && { mark }) });
}

// ── Jumps ───────────────────────────────────────────────────────────────────────────────────────

export function jump(state: State, open: OpenStep, target: string): Over {
  close(open);
  noticeClosed(state, open, false);
  if (open.index !== undefined) retireChild(open);
  else {
    keepValue(open);
    open.list.child = undefined;
  }
  dropInside(open);
  return moveTo(state, open.list, target);
}

/** From a closed step of `list` towards `target`: at once, or by leaving the block around first. */
function moveTo(state: State, list: OpenList, target: string): Over {
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
  return undefined;
}

function retireChild(child: OpenStep): void {
  const fan = child.list.owner?.fan as Fan;
  fan.open -= 1;
  fan.children.delete(child.index as number);
  fan.statuses[child.index as number] = child.status as StepStatus;
}

/** A step that was left or cancelled has run its `exit`. */
export function left(state: State, open: OpenStep): Over {
  const { leaving } = open;
  if (leaving?.to !== undefined) return jump(state, open, leaving.to);
  // Cancelled: kept like any failed step, for where the block around it ran out of time a resume starts from here.
  close(open);
  noticeClosed(state, open, false);
  if (open.index !== undefined) return childClosed(state, open, true);
  open.list.failed = open.error ?? { class: 'cancelled', message: leaving?.why ?? 'cancelled' };
  if (open.list.owner) awaitChildren(state, open.list.owner);
  return undefined;
}
