// marks: which steps are checks, that `--skip-checks` leaves out, and which run under `--dry-run`.
// A check looks at work that is there: a group of gates, or a task for an agent that cannot write, after the first task
// for one that can, unless it answers with something else than a verdict (a publisher needs no Write). What is called `analyze` or `plan` comes before any work, and is all that a dry run does.

import type { ForeignStep, Outline } from './outline.ts';

const DRY = ['analyze', 'plan'];

/** What is known of the agent and the answer of a step. */
interface Agents {
  writes(step: ForeignStep): boolean;
  judges(step: ForeignStep): boolean;
}

export class Marks {
  readonly #agents: Agents;
  readonly #firstWork: number;

  constructor(outline: Outline, agents: Agents) {
    this.#agents = agents;
    const { writes } = agents;
    this.#firstWork = outline.all.find((step) => isTask(step) && writes(step))?.order ?? outline.all.length;
  }

  isCheck(step: ForeignStep): boolean {
    if (step.kind === 'gate-group') return true;
    const { writes, judges } = this.#agents;
    return isTask(step) && step.order > this.#firstWork && !writes(step) && judges(step);
  }

  runsDry({ list, name, kind }: ForeignStep): boolean {
    const isLeaf = kind === 'agent' || kind === 'prompt' || kind === 'code';
    return isLeaf && list.owner === undefined && DRY.includes(name);
  }
}

function isTask({ kind }: ForeignStep): boolean {
  return kind === 'agent' || kind === 'prompt';
}
