// single-step: one step of a workflow as a workflow of its own: what is before and after it does not run. Pure.

import type { Json } from '../../model/json.ts';
import type { Step, Work, Workflow } from '../../model/workflow.ts';

export interface FoundStep {
  /** Ids from the outside in: `all/say`. */
  path: string;
  step: Step;
  /** The blocks around it, outermost first. */
  around: Step[];
}

/** By id, by the name it has in a foreign file, or by path. Steps of called workflows belong to those. */
export function stepsNamed(workflow: Workflow, name: string): FoundStep[] {
  return allSteps(workflow).filter(
    ({ path, step }) => step.id === name || step.labels.name === name || path === name,
  );
}

export function allSteps({ steps }: Workflow): FoundStep[] {
  const visit = (list: Step[], around: Step[]): FoundStep[] =>
    list.flatMap((step) => {
      const path = [...around, step].map(({ id }) => id).join('/');
      const inside = 'steps' in step.work ? visit(step.work.steps, [...around, step]) : [];
      return [{ path, step, around }, ...inside];
    });
  return visit(steps, []);
}

/** How many items it takes to say which pass is meant: `least` of the loops around, one more for a loop itself. */
export function itemsWanted({ step, around }: FoundStep): { least: number; most: number } {
  const least = around.filter(({ work }) => work.kind === 'each').length;
  return { least, most: least + (step.work.kind === 'each' ? 1 : 0) };
}

/** `items`: as many as wanted, outermost first. */
export function stepAlone(workflow: Workflow, found: FoundStep, items: readonly Json[]): Workflow {
  const left = [...items];
  const blocks = found.around.map((block) => ({
    block,
    item: block.work.kind === 'each' ? left.shift() : undefined,
  }));
  const [own] = left;
  const { step } = found;
  const single: Step = {
    ...step,
    next: [],
    // That it failed is what a person wants to know.
    ...(step.onFail === 'continue' && { onFail: 'stop' }),
    work:
      step.work.kind === 'each' && own !== undefined ? onePass(step.work, own, step.work.steps) : step.work,
  };
  const steps = blocks.reduceRight<Step>((inner, { block, item }) => around(block, inner, item), single);
  return {
    ...workflow,
    steps: [steps],
    outputs: {},
    invariants: [],
    onFail: workflow.onFail === 'pause' ? 'pause' : 'stop',
  };
}

/** The block as a place to stand in, without anything that it does itself. */
function around(block: Step, inner: Step, item: Json | undefined): Step {
  const { if: _, output: __, done: ___, saveTo: ____, ...rest } = block;
  return { ...rest, work: narrowed(block.work, inner, item), enter: [], exit: [], next: [], onFail: 'stop' };
}

function narrowed(work: Work, inner: Step, item: Json | undefined): Work {
  switch (work.kind) {
    case 'each':
      return onePass(work, item ?? null, [inner]);
    case 'loop':
      return { ...work, test: { kind: 'until', cel: 'true' }, max: 1, steps: [inner] };
    case 'parallel':
      return { ...work, steps: [inner] };
    default:
      return { kind: 'sequence', steps: [inner] };
  }
}

function onePass(work: Extract<Work, { kind: 'each' }>, item: Json, steps: Step[]): Work {
  return { ...work, list: JSON.stringify([item]), order: 'listed', concurrency: 1, steps };
}
