// outline: the steps of an orchestrate workflow as a tree, each under its name and with the id it gets in ours.

import { type Conforming, conform } from '../../source/grammar/conform.ts';
import { nameProblem, shorten } from '../../source/grammar/name.ts';
import { slug } from '../../source/grammar/slug.ts';
import {
  child,
  headSpan,
  type ListNode,
  type MapNode,
  type Node,
  nodeSpan,
  stringOf,
} from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { FreeNames } from '../native-text.ts';
import { stepShape } from './grammar.ts';
import { withoutStepHabits } from './habits.ts';
import { checkVersion } from './version-gate.ts';

export const KINDS = ['provider', 'command', 'wait_for', 'for_each'] as const;
export type StepKind = (typeof KINDS)[number];

export interface ForeignStep {
  node: MapNode;
  name: string;
  /** For messages: `the step "Build"`. */
  label: string;
  /** Unique in the whole workflow, so that what names a step names one. */
  id: string;
  /** Absent: nobody knows what it is to do, and that was reported. */
  kind?: StepKind;
  list: ForeignList;
  index: number;
  body?: ForeignList;
}

export interface ForeignList {
  steps: ForeignStep[];
  byName: Map<string, ForeignStep>;
  /** The `for_each` it belongs to. */
  owner?: ForeignStep;
  alias?: Alias;
}

export interface Alias {
  name: string;
  /** What it is called in ours, where not every name will do. */
  native: string;
  /** The items are lines of text: they have no fields. */
  lines: boolean;
}

/** The names of types; in an expression they would hide what an item is called. */
const TYPES =
  'bool bytes double duration dyn int list map null_type optional_type string timestamp type uint';

export class Outline {
  readonly root: ForeignList;
  readonly all: ForeignStep[] = [];
  readonly #to: Conforming;
  readonly #version: string;
  readonly #ids = new FreeNames(['end']);
  readonly #aliases = new Map<string, string>();
  readonly #aliasNames = new FreeNames(TYPES.split(' '));

  constructor(steps: Node | undefined, version: string, to: Conforming) {
    this.#to = to;
    this.#version = version;
    this.root = { steps: [], byName: new Map() };
    this.#read(steps, this.root);
  }

  #read(node: Node | undefined, list: ForeignList): void {
    if (node?.kind !== 'list') return;
    for (const item of node.items) this.#step(item, list);
    for (const step of list.steps) {
      const loop = step.kind === 'for_each' ? this.#to.get(step.node, 'for_each') : undefined;
      if (loop === undefined) continue;
      step.body = { steps: [], byName: new Map(), owner: step, alias: this.#alias(loop) };
      this.#read(this.#to.get(loop, 'steps') as ListNode | undefined, step.body);
    }
  }

  #step(written: Node, list: ForeignList): void {
    const given = stringOf(child(written, 'name'));
    const label = given === undefined ? 'a step' : `the step "${shorten(given)}"`;
    const item = withoutStepHabits(written, label, this.#to.report);
    conform(item, stepShape, label, this.#to);
    if (item.kind !== 'map') return;
    checkVersion(item, label, this.#version, this.#to);
    const name = stringOf(this.#to.get(item, 'name')) ?? `step ${list.steps.length + 1}`;
    const kind = KINDS.find((each) => this.#to.get(item, each) !== undefined);
    const step: ForeignStep = {
      node: item,
      name,
      label,
      id: this.#ids.take(slug(name, `step_${list.steps.length + 1}`)),
      ...(kind && { kind }),
      list,
      index: list.steps.length,
    };
    list.steps.push(step);
    this.all.push(step);
    if (this.#checkName(step)) list.byName.set(name, step);
  }

  #checkName({ node, name, list }: ForeignStep): boolean {
    const at = this.#to.get(node, 'name');
    if (at === undefined) return false;
    const { report } = this.#to;
    const before = list.byName.get(name);
    if (before !== undefined) {
      const { line } = headSpan(this.#to.get(before.node, 'name') ?? before.node);
      report.error(
        'duplicate-name',
        nodeSpan(at),
        `two steps of this list are called "${shorten(name)}"; the other is on line ${line}`,
        'Give one of them another name.',
      );
      return false;
    }
    if (name.trim() === '' || name === '_end') {
      const message =
        name === '_end' ? '"_end" is reserved: `goto: _end` ends the run' : 'a step needs a name';
      report.error('bad-name', nodeSpan(at), message, 'Give the step another name.');
    }
    return true;
  }

  #alias(loop: Node): Alias {
    const at = this.#to.get(loop, 'as');
    const name = stringOf(at) ?? 'item';
    if (at !== undefined && !/^[A-Za-z_][\w-]*$/.test(name)) {
      const hint = 'It may have letters, digits, `-` and `_`, and does not start with a digit.';
      this.#to.report.error('bad-name', nodeSpan(at), `\`as\`: "${shorten(name)}" is not a name`, hint);
    }
    const lines = /\.lines$/.test(stringOf(this.#to.get(loop, 'items_from')) ?? '');
    return { name, native: this.#nativeAlias(name), lines };
  }

  /** The same in every loop that says it, so that the inner one hides the outer one as it does there. */
  #nativeAlias(name: string): string {
    const known = this.#aliases.get(name);
    if (known !== undefined) return known;
    const wish = slug(name, 'item').replaceAll('-', '_');
    const native = this.#aliasNames.take(nameProblem(wish, 'binding') === undefined ? wish : `item_${wish}`);
    this.#aliases.set(name, native);
    return native;
  }
}

/** The lists that a step of this one sees: its own, then outwards. */
export function listsFrom(list: ForeignList): ForeignList[] {
  const lists: ForeignList[] = [];
  for (let at: ForeignList | undefined = list; at; at = at.owner?.list) lists.push(at);
  return lists;
}

/** As a hint: the step that was probably meant. */
export function suggestStep(word: string, list: ForeignList): string | undefined {
  return didYouMean(
    word,
    listsFrom(list).flatMap(({ byName }) => [...byName.keys()]),
  );
}
