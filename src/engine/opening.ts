// opening: the records of the frontier, fresh: a list of steps, an open step, a fan, a scope.

import type { Json, JsonObject } from '../model/json.ts';
import type { Fan, OpenList, OpenStep, Pass, Scope } from '../model/state.ts';
import type { EachWork, Step, Workflow } from '../model/workflow.ts';

/** In `OpenStep.rule`: a `next` rule could not be evaluated, so none is asked again. */
export const UNASKABLE = -1;

const BLOCKS = new Set(['sequence', 'parallel', 'loop', 'each', 'workflow']);

/** Whether there are steps inside it. */
export function isBlock(step: Step): boolean {
  return BLOCKS.has(step.work.kind);
}

/** Whether its value is one review, which decide makes of what the steps inside say. */
export function isGates({ work }: Step): boolean {
  return work.kind === 'parallel' && work.gates !== undefined;
}

/** Of a gate: who looks, and at what it is told to. Rounds that ask something else know nothing of each other. */
export function roundOf({ gate, work }: Step): string {
  return `${gate?.source} ${JSON.stringify(work.kind === 'prompt' ? work.with : {})}`;
}

export { placeName as effectName } from '../model/place-name.ts';

export function rootScope(workflow: Workflow, inputs: JsonObject, vars: JsonObject): Scope {
  return {
    workflow,
    inputs,
    vars: new Map(Object.entries(vars)),
    steps: new Map(),
    names: new Map(),
  };
}

export function newList(
  prefix: string,
  steps: Step[],
  scope: Scope,
  owner: OpenStep | undefined,
  pass?: Pass,
): OpenList {
  return {
    prefix,
    steps,
    index: 0,
    scope,
    owner,
    pass,
    visits: new Map(),
    value: null,
  };
}

export function newStep(list: OpenList, step: Step, path: string, at: number): OpenStep {
  return {
    path,
    step,
    list,
    scope: list.scope,
    place: 'moving',
    stage: 'if',
    cursor: 0,
    try: 1,
    retries: 0,
    startedAt: at,
    feedback: [],
    expired: false,
    entered: false,
    pass: 0,
    // What almost every step comes to have: an object whose fields are there from the start is not moved for each.
    outcome: undefined,
    pending: undefined,
    status: undefined,
    facts: undefined,
    unseen: undefined,
    toShow: undefined,
    effect: undefined,
    doubt: undefined,
    again: undefined,
    body: undefined,
    fan: undefined,
    underWay: undefined,
    interrupted: undefined,
  };
}

export function newFan(total: number, concurrency: number, items?: Json[]): Fan {
  return {
    total,
    next: 0,
    open: 0,
    concurrency,
    items,
    outputs: [],
    statuses: [],
    leftOut: false,
    failed: 0,
    children: new Map(),
  };
}

export function passScope(parent: Scope, name: string, fan: Fan, index: number): Scope {
  return {
    ...(fan.itemCuts && { cuts: new Map([[`names.${name}`, fan.itemCuts]]) }),
    parent,
    workflow: parent.workflow,
    inputs: parent.inputs,
    vars: parent.vars,
    steps: new Map(),
    names: new Map([[name, (fan.items as Json[])[index] as Json]]),
    pass: { index, number: index + 1, total: fan.total },
  };
}

const passSteps = new WeakMap<Step, Step>();

/** A pass is a sequence with the `enter` and `exit` of its `each`. */
export function passStep(each: Step, work: EachWork): Step {
  const known = passSteps.get(each);
  if (known) return known;
  const step: Step = {
    ...each,
    if: undefined,
    check: false,
    title: undefined,
    output: undefined,
    work: { kind: 'sequence', steps: work.steps },
    reads: undefined,
    done: undefined,
    next: [],
    onFail: 'stop',
    onFailInherited: undefined,
    timeout: undefined,
  };
  passSteps.set(each, step);
  return step;
}
