// descend: the way down: a list opens its step, a block what is in it, a fan as many as may run, a failed block what
// failed in it. Owns: what opens next. Never: evaluates, or looks at anything but the place it opens.
// Where nothing is left to open, it says whose work is over with that (`Over`): the way up goes on there (ascend.ts).

import type { Json } from '../model/json.ts';
import type { Cuts, Fan, OpenList, OpenStep, State } from '../model/state.ts';
import type { Step } from '../model/workflow.ts';
import { cutsOfFan } from './cut.ts';
import { noticeAgain, noticeListFinished } from './notices.ts';
import { isBlock, isGates, newFan, newList, newStep, passScope, passStep } from './opening.ts';
import { emerge, enter, queue, reopened } from './places.ts';
import { concurrencyOf, wantsWorktree } from './worktree.ts';

/** The step whose work has succeeded with what was just done. */
export type Over = OpenStep | undefined;

// ── Lists ───────────────────────────────────────────────────────────────────────────────────────

/** Opens the step the list stands at, or finishes the list. */
export function openCurrent(state: State, list: OpenList): Over {
  const step = list.steps[list.index];
  if (!step) return listFinished(state, list);
  const visit = (list.visits.get(step.id) ?? 0) + 1;
  list.visits.set(step.id, visit);
  const name = visit === 1 ? step.id : `${step.id}~${visit}`;
  const open = newStep(list, step, list.prefix + name, state.lastAt);
  list.child = open;
  return queue(state, open);
}

function listFinished(state: State, list: OpenList): Over {
  list.child = undefined;
  noticeListFinished(state, list);
  const { owner } = list;
  if (!owner) return undefined; // the root: decide sees that nothing is left
  const { kind } = owner.step.work;
  if (kind !== 'loop' && kind !== 'workflow') {
    emerge(owner);
    return succeeded(state, owner, list.value, list.cuts);
  }
  return queue(state, owner);
}

export function isFinished(list: OpenList): boolean {
  return list.index >= list.steps.length;
}

// ── The work of a step ──────────────────────────────────────────────────────────────────────────

/** The work has an output. */
export function succeeded(state: State, open: OpenStep, output: Json, cuts?: Cuts): OpenStep {
  open.cuts = cuts;
  open.outcome = { ok: true, output, duration_ms: Math.max(0, state.lastAt - open.startedAt) };
  return open;
}

/** Of a block with a `timeout` of its own. */
export function setTimer(state: State, open: OpenStep): void {
  const { timeout } = open.step;
  if (timeout === undefined || !isBlock(open.step)) return;
  state.timers.set(open.path, { open, dueAtElapsed: state.elapsed + timeout });
}

/** `enter` is over: blocks open what is inside them, the rest is for decide. */
export function startWork(state: State, open: OpenStep): Over {
  open.stage = 'work';
  open.cursor = 0;
  if (open.body?.failed) return openAgain(state, open, open.body);
  if (open.fan) return startFan(state, open, open.fan);
  const { work } = open.step;
  switch (work.kind) {
    case 'sequence': {
      const pass = open.scope !== open.list.scope ? open.scope.pass : undefined;
      return openBody(state, open, newList(`${open.path}/`, work.steps, open.scope, open, pass));
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
  return queue(state, open);
}

export function openBody(state: State, open: OpenStep, body: OpenList): Over {
  open.body = body;
  enter(open);
  return openCurrent(state, body);
}

/** The next pass of a loop. */
export function startPass(state: State, open: OpenStep): Over {
  if (open.step.work.kind !== 'loop') return undefined;
  open.pass += 1;
  const pass = { index: open.pass - 1, number: open.pass, total: open.step.work.max };
  const { value = null, cuts } = open.body ?? {};
  const body = newList(`${open.path}#${open.pass}/`, open.step.work.steps, open.scope, open, pass);
  return openBody(state, open, Object.assign(body, { value, cuts }));
}

// ── Fans ────────────────────────────────────────────────────────────────────────────────────────

/** Opens what may run now; after a failure that was resumed, the failed ones first. */
function startFan(state: State, owner: OpenStep, fan: Fan): Over {
  fan.failure = undefined;
  fan.leftOut = false;
  enter(owner);
  for (const child of fan.children.values()) {
    if (child.place !== 'closed') continue;
    fan.failed -= 1;
    fan.open += 1;
    fan.statuses[child.index as number] = undefined;
    reopen(state, child);
  }
  return fillFan(state, owner, fan);
}

/** A child that is over as soon as it opens goes up first, and comes back here. */
export function fillFan(state: State, owner: OpenStep, fan: Fan): Over {
  while (!fan.failure && fan.open < fan.concurrency) {
    const index = nextChild(fan);
    if (index === undefined || waitsForPrograms(owner, fan, index)) break;
    fan.next += 1;
    fan.open += 1;
    const over = openChild(state, owner, fan, index);
    if (over) return over;
  }
  return fan.open === 0 ? fanFinished(state, owner, fan) : undefined;
}

/** A gate that costs something begins when those that cost nothing have ended. */
function waitsForPrograms({ step: { work } }: OpenStep, fan: Fan, index: number): boolean {
  if (work.kind !== 'parallel' || work.gates === undefined || work.steps[index]?.gate?.program) return false;
  return work.steps.some(({ gate }, other) => gate?.program && fan.statuses[other] === undefined);
}

/** The next in order; of items that depend on each other, the first that waits for nobody. */
function nextChild(fan: Fan): number | undefined {
  if (!fan.waiting) return fan.next < fan.total ? fan.next : undefined;
  const at = fan.waiting.findIndex((index) =>
    (fan.dependencies?.[index] ?? []).every((needed) => fan.statuses[needed] !== undefined),
  );
  return at < 0 ? undefined : fan.waiting.splice(at, 1)[0];
}

function openChild(state: State, owner: OpenStep, fan: Fan, index: number): Over {
  const list = owner.body as OpenList;
  const { work } = owner.step;
  const isPass = work.kind === 'each';
  const step = isPass ? passStep(owner.step, work) : (list.steps[index] as Step);
  const child = newStep(list, step, isPass ? `${owner.path}[${index}]` : list.prefix + step.id, state.lastAt);
  child.index = index;
  if (isPass) child.scope = passScope(list.scope, work.name, fan, index);
  fan.children.set(index, child);
  // A pass that nothing precedes opens its steps at once: no entry of its own.
  if (isPass && step.enter.length === 0 && !fan.dependencies && !wantsWorktree(state, child))
    return startWork(state, child);
  return queue(state, child);
}

function fanFinished(state: State, owner: OpenStep, fan: Fan): Over {
  const failed = fan.failure !== undefined || (owner.step.work.kind === 'each' && fan.failed > 0);
  if (!failed && !isGates(owner.step)) {
    emerge(owner);
    return succeeded(state, owner, fanValue(owner, fan), cutsOfFan(owner, fan));
  }
  if (failed) {
    const spent = Math.max(0, state.lastAt - owner.startedAt);
    owner.outcome = { ok: false, output: fanValue(owner, fan), duration_ms: spent };
    owner.cuts = cutsOfFan(owner, fan);
  }
  return queue(state, owner);
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

// ── Starting again from a failure ───────────────────────────────────────────────────────────────

/** The step runs again: from the failed step inside it where there is one, else from its beginning. */
export function reopen(state: State, open: OpenStep): void {
  const failedInside = open.body?.failed !== undefined || hasFailedChildren(open.fan);
  reopened(open);
  noticeAgain(state, open);
  Object.assign(open, {
    status: undefined,
    error: undefined,
    leaving: undefined,
    pending: undefined,
    rule: undefined,
    chosen: undefined,
    goal: undefined,
    refusal: undefined,
    approved: undefined,
    outdated: undefined,
    toShow: undefined,
    checked: undefined,
    again: undefined,
    expired: false,
    cursor: 0,
    try: 1,
    retries: 0,
    feedback: [],
    answered: undefined,
    session: undefined,
    gitFrom: undefined,
    gitSeen: undefined,
    facts: undefined,
    unseen: undefined,
    withoutWorktree: undefined,
    startedAt: state.lastAt,
  } satisfies Partial<OpenStep>);
  if (failedInside) {
    setTimer(state, open);
    if (open.step.enter.length === 0 || open.step.work.kind === 'each') {
      // Something failed in it, so it is never over at once.
      startWork(state, open);
      return;
    }
    open.stage = 'enter';
  } else {
    open.outcome = undefined;
    open.cuts = undefined;
    open.pass = 0;
    dropInside(open);
    open.stage = 'if';
  }
  queue(state, open);
}

function hasFailedChildren(fan: Fan | undefined): boolean {
  for (const child of fan?.children.values() ?? []) if (child.place === 'closed') return true;
  return false;
}

function openAgain(state: State, open: OpenStep, body: OpenList): Over {
  enter(open);
  reopenList(state, body);
  return undefined;
}

export function reopenList(state: State, list: OpenList): void {
  list.failed = undefined;
  if (list.child) reopen(state, list.child);
}

/** What was in it is of no matter any more. */
export function dropInside(open: OpenStep): void {
  open.body = undefined;
  open.fan = undefined;
}
