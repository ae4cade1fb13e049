// flow: `on` → `next`, and what may come of a step.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { shorten } from '../../source/grammar/name.ts';
import { type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { type ForeignList, type ForeignStep, listsFrom, type Outline, suggestStep } from './outline.ts';
import { type Jump, Reach } from './reach.ts';
import { hasReference } from './reference-text.ts';

const HANDLERS = [
  ['success', 'status == "done"'],
  ['failure', 'status == "failed"'],
  ['always', undefined],
] as const;

type Handler = (typeof HANDLERS)[number][0];

export class Flow {
  readonly #to: Conforming;
  readonly #strict: boolean;
  readonly #reach: Reach;
  /** Whether anything goes on elsewhere than at the following step. */
  readonly jumps: boolean;

  constructor(outline: Outline, strict: boolean, to: Conforming) {
    this.#to = to;
    this.#strict = strict;
    this.jumps = !strict || outline.all.some((step) => HANDLERS.some(([each]) => this.#has(step, each)));
    this.#reach = new Reach(outline.root, {
      jumps: (step, completes) => this.#jumps(step, completes),
      fallsThrough: (step, completes) => this.#fallsThrough(step, completes),
      mayBeEmpty: (loop) => this.#mayBeEmpty(loop),
    });
  }

  /** `next` of a step, in the order in which the handlers are asked. */
  next(step: ForeignStep): Node | undefined {
    const always = this.#has(step, 'always');
    const rules = HANDLERS.flatMap(([handler, when]) => {
      const goto = this.#goto(step, handler);
      const target = goto && this.#target(goto, step);
      if (goto === undefined || target === undefined) return [];
      if (always && handler !== 'always') {
        this.#warnOverruled(handler, goto, step);
        return [];
      }
      const entries: BuiltEntry[] = [
        ['when', when],
        ['goto', target],
      ];
      return [built(goto).map(entries)];
    });
    return rules.length === 0 ? undefined : built(this.#to.get(step.node, 'on') ?? step.node).list(rules);
  }

  /** `always` is evaluated after them, and has the last word. */
  #warnOverruled(handler: Handler, goto: Node, { label }: ForeignStep): void {
    this.#to.report.warn(
      'field-unused',
      nodeSpan(goto),
      `${label} has \`on.always\`, which is looked at after \`on.${handler}\` and decides: this goes nowhere`,
      'Leave one of them out.',
    );
  }

  /** Whether a failure of the step is dealt with by the step itself. */
  isHandled(step: ForeignStep): boolean {
    return this.#has(step, 'failure') || this.#has(step, 'always');
  }

  /**
   * Whether it may end with nothing to show: it was skipped, or failed before it began, and the run went on all the
   * same, if only because of `--on-error continue`.
   */
  mayHaveNothing(step: ForeignStep): boolean {
    if (step.kind === 'provider' || this.isConditional(step)) return true;
    const needs = ['depends_on', 'secrets', 'input_file'];
    return needs.some((field) => this.#to.get(step.node, field) !== undefined) || refersToAnything(step.node);
  }

  isConditional(step: ForeignStep): boolean {
    return this.#to.get(step.node, 'when') !== undefined;
  }

  canHaveEnded(step: ForeignStep, here: ForeignStep | undefined): boolean {
    return this.#reach.canHaveEnded(step, here);
  }

  /** Whether a pass can end after this step has. */
  endsPass(step: ForeignStep): boolean {
    const fails = (each: ForeignStep) => each.body !== undefined || (this.#strict && !this.isHandled(each));
    return this.#reach.endsPass(step, fails);
  }

  /** A step that is skipped goes on to the following one, whatever its handlers say. */
  #fallsThrough(step: ForeignStep, completes: boolean): boolean {
    if (this.isConditional(step)) return true;
    if (this.#has(step, 'always')) return false;
    return (completes && !this.#has(step, 'success')) || (!this.#strict && !this.#has(step, 'failure'));
  }

  /** Where it may go: where `always` says, or else the others. */
  #jumps(step: ForeignStep, completes: boolean): Jump[] {
    const always = this.#has(step, 'always');
    const asked: [Handler, boolean][] = [
      ['success', completes && !always],
      ['failure', !always],
      ['always', true],
    ];
    return asked.flatMap(([handler, isAsked]): Jump[] => {
      const name = isAsked ? stringOf(this.#goto(step, handler)) : undefined;
      if (name === undefined) return [];
      const target = name === '_end' ? 'end' : findStep(name, step.list);
      return target === undefined ? [] : [target];
    });
  }

  #mayBeEmpty(loop: ForeignStep): boolean {
    const items = this.#to.get(this.#to.get(loop.node, 'for_each'), 'items');
    return items?.kind !== 'list' || items.items.length === 0;
  }

  #has(step: ForeignStep, handler: Handler): boolean {
    return this.#goto(step, handler) !== undefined;
  }

  #goto(step: ForeignStep, handler: Handler): Node | undefined {
    return this.#to.get(this.#to.get(this.#to.get(step.node, 'on'), handler), 'goto');
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

function refersToAnything(node: Node): boolean {
  if (node.kind === 'list') return node.items.some(refersToAnything);
  if (node.kind === 'map') return [...node.entries.values()].some(({ value }) => refersToAnything(value));
  return hasReference(stringOf(node) ?? '');
}

/** In its own list, then outwards. */
function findStep(name: string, list: ForeignList): ForeignStep | undefined {
  for (const { byName } of listsFrom(list)) {
    const found = byName.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
