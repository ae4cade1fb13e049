// single-step: one step of a workflow as a workflow of its own: what is before and after it does not run. Pure.

import type { Json } from '../../model/json.ts';
import type { Step, Work, Workflow } from '../../model/workflow.ts';

export interface FoundStep {
  /** Names from the outside in, as they are written: `all/say`. */
  path: string;
  /** The same in ids, which a foreign file does not show; no two steps have the same. */
  idPath: string;
  name: string;
  step: Step;
  /** The blocks around it, outermost first. */
  around: Step[];
}

/**
 * The first of these that finds anything: by path, by the path of ids, by name, by id. So a path means the step that stands
 * there, whatever is called so further down. Steps of called workflows belong to those.
 */
export function stepsNamed(workflow: Workflow, name: string): FoundStep[] {
  const steps = allSteps(workflow);
  const byIdPath = steps.filter(({ idPath }) => idPath === name);
  const byPath = steps.filter(({ path }) => path === name);
  // A foreign name may have a `/` in it, and look like the path of another.
  if (byPath.length > 1) return byIdPath.length === 1 ? byIdPath : byPath;
  const ways = [
    byPath,
    byIdPath,
    steps.filter((found) => found.name === name),
    steps.filter(({ step }) => step.id === name),
  ];
  return ways.find((found) => found.length > 0) ?? [];
}

/** What finds each of all these steps, and no other: its path, where that is enough. */
export function referencesTo(workflow: Workflow, found: readonly FoundStep[]): string[] {
  return found.map((each) => {
    const named = stepsNamed(workflow, each.path);
    return named.length === 1 && named[0]?.idPath === each.idPath ? each.path : each.idPath;
  });
}

export function allSteps({ steps }: Workflow): FoundStep[] {
  const visit = (list: Step[], around: Step[]): FoundStep[] =>
    list.flatMap((step) => {
      const way = [...around, step];
      const inside = 'steps' in step.work ? visit(step.work.steps, way) : [];
      const idPath = way.map(({ id }) => id).join('/');
      return [{ path: way.map(nameOf).join('/'), idPath, name: nameOf(step), step, around }, ...inside];
    });
  return visit(steps, []);
}

/** As it is written. */
export function nameOf({ labels, id }: Step): string {
  return typeof labels.name === 'string' && labels.name !== '' ? labels.name : id;
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
