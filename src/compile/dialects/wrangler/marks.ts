// marks: which steps are checks, that `--skip-checks` leaves out, and which run under `--dry-run`.
// A check looks at work that is there: a group of gates, or a task for an agent that cannot write, after the first task
// for one that can. What is called `analyze` or `plan` comes before any work, and is all that a dry run does.

import type { ForeignStep, Outline } from './outline.ts';

const DRY = ['analyze', 'plan'];

export class Marks {
  readonly #writes: (step: ForeignStep) => boolean;
  readonly #firstWork: number;

  /** `writes`: whether the agent of a step may write. */
  constructor(outline: Outline, writes: (step: ForeignStep) => boolean) {
    this.#writes = writes;
    this.#firstWork = outline.all.find((step) => isTask(step) && writes(step))?.order ?? outline.all.length;
  }

  isCheck(step: ForeignStep): boolean {
    if (step.kind === 'gate-group') return true;
    return isTask(step) && step.order > this.#firstWork && !this.#writes(step);
  }

  runsDry({ list, name, kind }: ForeignStep): boolean {
    const isLeaf = kind === 'agent' || kind === 'prompt' || kind === 'code';
    return isLeaf && list.owner === undefined && DRY.includes(name);
  }
}

function isTask({ kind }: ForeignStep): boolean {
  return kind === 'agent' || kind === 'prompt';
}
