// flow: `on` → `next`, and which steps can have ended before another begins. That is known at load, and our own checks
// ask for it: a reference to what cannot have run is an error there, and a failure of the step here.

import type { Conforming } from '../../grammar/conform.ts';
import { shorten } from '../../grammar/name.ts';
import { type Node, nodeSpan, stringOf } from '../../read/node.ts';
import { type BuiltEntry, built } from '../build.ts';
import { type ForeignList, type ForeignStep, listsFrom, type Outline, suggestStep } from './outline.ts';

const HANDLERS = [
  ['success', 'status == "done"'],
  ['failure', 'status == "failed"'],
  ['always', undefined],
] as const;

type Handler = (typeof HANDLERS)[number][0];

export class Flow {
  readonly #to: Conforming;
  readonly #strict: boolean;
  /** Where a step, or something inside it, may jump to in its own list. */
  readonly #jumps = new Map<ForeignStep, Set<number>>();
  /** Those that may jump out of their list, or something inside them does. */
  readonly #leaving = new Set<ForeignStep>();
  readonly #reached = new Map<ForeignStep, Set<number>>();

  constructor(outline: Outline, strict: boolean, to: Conforming) {
    this.#to = to;
    this.#strict = strict;
    for (const step of outline.all) {
      for (const [handler] of HANDLERS) this.#noteJump(step, stringOf(this.#goto(step, handler)));
    }
  }

  /** `next` of a step, in the order in which the handlers are asked. */
  next(step: ForeignStep): Node | undefined {
    const rules = HANDLERS.flatMap(([handler, when]) => {
      const goto = this.#goto(step, handler);
      const target = goto && this.#target(goto, step);
      if (goto === undefined || target === undefined) return [];
      const make = built(goto);
      const entries: BuiltEntry[] = [
        ['when', when],
        ['goto', make.scalar(target)],
      ];
      return [make.map(entries)];
    });
    return rules.length === 0 ? undefined : built(this.#to.get(step.node, 'on') ?? step.node).list(rules);
  }

  /** Whether a failure of the step is dealt with by the step itself. */
  isHandled(step: ForeignStep): boolean {
    return this.#has(step, 'failure') || this.#has(step, 'always');
  }

  /** Whether the run may go on from it with nothing to show: it was skipped, or it failed before it began. */
  mayHaveNothing(step: ForeignStep): boolean {
    return this.isConditional(step) || this.isHandled(step) || !this.#strict;
  }

  isConditional(step: ForeignStep): boolean {
    return this.#to.get(step.node, 'when') !== undefined;
  }

  /** Of two steps of one list: whether `from` can have ended when `to` begins, in the same pass. */
  leads(from: ForeignStep, to: ForeignStep): boolean {
    return this.#after(from).has(to.index);
  }

  /** Whether a pass can end after this step has. */
  endsPass(step: ForeignStep): boolean {
    const after = this.#after(step);
    const ends = (each: ForeignStep) =>
      this.#leaving.has(each) || (this.#strict && !this.isHandled(each)) || each.body !== undefined;
    return after.has(step.list.steps.length) || [step, ...stepsAt(step.list, after)].some(ends);
  }

  #after(from: ForeignStep): Set<number> {
    const known = this.#reached.get(from);
    if (known !== undefined) return known;
    const { steps } = from.list;
    const reached = new Set<number>();
    const open = [from];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const ways = [...(this.#jumps.get(step) ?? [])];
      if (this.#fallsThrough(step)) ways.push(step.index + 1);
      for (const index of ways) {
        if (reached.has(index)) continue;
        reached.add(index);
        const next = steps[index];
        if (next !== undefined) open.push(next);
      }
    }
    this.#reached.set(from, reached);
    return reached;
  }

  /** A step that is skipped goes on to the following one, whatever its handlers say. */
  #fallsThrough(step: ForeignStep): boolean {
    if (this.isConditional(step)) return true;
    if (this.#has(step, 'always')) return false;
    if (!this.#has(step, 'success')) return true;
    return !this.#has(step, 'failure') && !this.#strict;
  }

  #has(step: ForeignStep, handler: Handler): boolean {
    return this.#goto(step, handler) !== undefined;
  }

  #goto(step: ForeignStep, handler: Handler): Node | undefined {
    return this.#to.get(this.#to.get(this.#to.get(step.node, 'on'), handler), 'goto');
  }

  #noteJump(step: ForeignStep, name: string | undefined): void {
    if (name === undefined) return;
    const target = findStep(name, step.list);
    for (let at: ForeignStep | undefined = step; at; at = at.list.owner) {
      if (at.list === target?.list) {
        const jumps = this.#jumps.get(at) ?? new Set<number>();
        this.#jumps.set(at, jumps.add(target.index));
        return;
      }
      this.#leaving.add(at);
    }
  }

  /** undefined: there is none, and that was reported. */
  #target(node: Node, step: ForeignStep): string | undefined {
    const name = stringOf(node) ?? '';
    if (name === '_end') return 'end';
    const found = findStep(name, step.list);
    if (found !== undefined) return found.id;
    const { report } = this.#to;
    const inside = this.#inside(name, step);
    if (inside !== undefined) {
      report.error(
        'goto-out-of-reach',
        nodeSpan(node),
        `\`goto: ${shorten(name)}\` leads into the loop of "${shorten(inside.name)}", and a loop can only be entered at its beginning`,
        `Go to "${shorten(inside.name)}" itself.`,
      );
    } else {
      report.error(
        'unknown-step',
        nodeSpan(node),
        `\`goto\`: there is no step "${shorten(name)}"`,
        suggestStep(name, step.list) ?? 'Name a step of this list, or of one around it, or `_end`.',
      );
    }
    return undefined;
  }

  /** The loop around a step of this name, where there is one. */
  #inside(name: string, from: ForeignStep): ForeignStep | undefined {
    const [root] = listsFrom(from.list).slice(-1);
    const open = [...(root?.steps ?? [])];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (step.body?.byName.has(name)) return step;
      open.push(...(step.body?.steps ?? []));
    }
    return undefined;
  }
}

/** In its own list, then outwards. */
export function findStep(name: string, list: ForeignList): ForeignStep | undefined {
  for (const { byName } of listsFrom(list)) {
    const found = byName.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stepsAt({ steps }: ForeignList, indices: Set<number>): ForeignStep[] {
  return [...indices].flatMap((index) => steps[index] ?? []);
}
