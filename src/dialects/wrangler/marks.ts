// marks: which steps are checks, that `--skip-checks` leaves out, and which run under `--dry-run`.
// A check looks at work that is there: a group of gates, or a task for an agent that cannot write, after the first task
// for one that can, unless it answers with something else than a verdict, or publishes (a publisher needs no Write). What
// is called `analyze` or `plan` comes before any work, and is all that a dry run does. What publishes leaves the workspace,
// and cannot be taken back: after a crash a person is asked whether it happened.

import type { Conforming } from '../../source/grammar/conform.ts';
import { stringOf } from '../../source/read/node.ts';
import type { ForeignStep, Outline } from './outline.ts';

const DRY = ['analyze', 'plan'];

/** What is known of the agent and the answer of a step. */
interface Agents {
  writes(step: ForeignStep): boolean;
  judges(step: ForeignStep): boolean;
  /** Whether what it answers with is a publication, by its schema. */
  reportsPublication(step: ForeignStep): boolean;
}

/** What a step that hands work out is called, or its prompt or agent; and what one that looks at that is. */
const PUBLISHES =
  /^(?:publish|release|deploy|ship|push|merge|announce|notify|upload|(?:create|open|submit)(?=[-_ ]?(?:pull|pr\b|mr\b|merge)))/i;
const LOOKS = /review|check|verif|test|lint|audit|inspect|validat|analy|plan|draft|prepar|note/i;

export class Marks {
  readonly #agents: Agents;
  readonly #firstWork: number;
  readonly #to: Conforming;

  constructor(outline: Outline, agents: Agents, to: Conforming) {
    this.#agents = agents;
    this.#to = to;
    const { writes } = agents;
    this.#firstWork = outline.all.find((step) => isTask(step) && writes(step))?.order ?? outline.all.length;
  }

  isCheck(step: ForeignStep): boolean {
    if (step.kind === 'gate-group') return true;
    const { writes, judges } = this.#agents;
    return (
      isTask(step) && step.order > this.#firstWork && !writes(step) && judges(step) && !this.publishes(step)
    );
  }

  publishes(step: ForeignStep): boolean {
    if (!isTask(step)) return false;
    if (this.#agents.reportsPublication(step)) return true;
    const named = (key: string) => stem(stringOf(this.#to.get(step.node, key)) ?? '');
    const task = [named('name'), named('prompt')];
    return (
      [...task, named('agent')].some((name) => PUBLISHES.test(name)) && !task.some((name) => LOOKS.test(name))
    );
  }

  runsDry({ list, name, kind }: ForeignStep): boolean {
    const isLeaf = kind === 'agent' || kind === 'prompt' || kind === 'code';
    return isLeaf && list.owner === undefined && DRY.includes(name);
  }
}

/** `prompts/publish-changes.md` is "publish-changes". */
function stem(reference: string): string {
  return reference.replace(/^.*\//, '').replace(/\.md$/, '');
}

function isTask({ kind }: ForeignStep): boolean {
  return kind === 'agent' || kind === 'prompt';
}
