// outline: the steps of a workrail workflow as a tree, in the order in which they are done. A step that a loop names as its
// body stands in that loop, and the steps of a template stand where it is called.

import { type Conforming, conform } from '../../source/grammar/conform.ts';
import { shorten } from '../../source/grammar/name.ts';
import { slug } from '../../source/grammar/slug.ts';
import { child, headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { FreeNames } from '../native-text.ts';
import { STEPS, type StepKind } from './grammar.ts';
import type { Template, Templates } from './templates.ts';

export interface ForeignStep {
  node: MapNode;
  kind: StepKind;
  /** As it is written. */
  name: string;
  /** In our language. */
  id: string;
  /** For messages: `the step "plan"`. */
  label: string;
  list: ForeignList;
  /** Of a loop, and of a call of a template. */
  body?: ForeignList;
  /** Words that stand for `{name}` in its texts. */
  args: ReadonlyMap<string, string>;
}

export interface ForeignList {
  steps: ForeignStep[];
  owner?: ForeignStep;
}

export class Outline {
  readonly root: ForeignList = { steps: [] };
  readonly all: ForeignStep[] = [];
  readonly #to: Conforming;
  readonly #templates: Templates;
  /** The steps of the file by their ids, for loops that name one. */
  readonly #named = new Map<string, Node>();
  /** Steps that stand in a loop, and not where they are written. */
  readonly #bodies = new Set<string>();

  constructor(steps: Node | undefined, to: Conforming, templates: Templates) {
    this.#to = to;
    this.#templates = templates;
    this.#survey(steps);
    this.#read(steps, this.root, new Map(), []);
  }

  /** Which ids there are, each once in the whole file, and which steps are the bodies of loops. */
  #survey(node: Node | undefined): void {
    if (node?.kind !== 'list') return;
    for (const item of node.items) {
      const id = child(item, 'id');
      const name = stringOf(id);
      const other = name === undefined ? undefined : this.#named.get(name);
      if (id && name !== undefined && other)
        this.#to.report.error(
          'duplicate-id',
          nodeSpan(id),
          `two steps are called "${shorten(name)}"; the other is on line ${headSpan(other).line}`,
        );
      else if (name !== undefined) this.#named.set(name, item);
      const body = child(item, 'body');
      const called = stringOf(body);
      if (called !== undefined) this.#bodies.add(called);
      this.#survey(body);
    }
  }

  #read(
    node: Node | undefined,
    list: ForeignList,
    args: ForeignStep['args'],
    chain: readonly string[],
    free = new FreeNames(['end']),
  ): void {
    if (node?.kind !== 'list') return;
    for (const item of node.items) {
      const name = stringOf(child(item, 'id'));
      if (list === this.root && name !== undefined && this.#bodies.has(name)) continue;
      this.#add(item, list, args, chain, free);
    }
  }

  #add(
    item: Node,
    list: ForeignList,
    args: ForeignStep['args'],
    chain: readonly string[],
    free: FreeNames,
  ): void {
    const given = stringOf(child(item, 'id'));
    const label = given === undefined ? 'a step' : `the step "${shorten(given)}"`;
    if (item.kind !== 'map') {
      conform(item, STEPS.prompt, label, this.#to);
      return;
    }
    const kind = kindOf(item);
    this.#checkType(item, kind, label);
    conform(item, STEPS[kind], label, this.#to);
    const name = given ?? `step ${this.all.length + 1}`;
    const id = free.take(slug(name.replaceAll('.', '-'), `step_${this.all.length + 1}`));
    const step: ForeignStep = { node: item, kind, name, id, label, list, args };
    list.steps.push(step);
    this.all.push(step);
    if (kind === 'loop') this.#readBody(step, chain);
    if (kind === 'template') this.#readTemplate(step, chain);
  }

  #checkType(item: MapNode, kind: StepKind, label: string): void {
    const type = child(item, 'type');
    const said = stringOf(type);
    if (type === undefined || said === undefined || said === kind) return;
    if (['loop', 'parallel'].includes(said))
      this.#to.report.error(
        'missing-field',
        nodeSpan(type),
        `${label} is of the type "${said}" and has no \`${said === 'loop' ? 'loop' : 'parallelDelegations'}\``,
      );
    else
      this.#to.report.error(
        'bad-choice',
        nodeSpan(type),
        `${label} is of the type "${shorten(said)}", which there is not`,
        'It may be `loop` or `parallel`; a step that is done once has none.',
      );
  }

  #readBody(step: ForeignStep, chain: readonly string[]): void {
    step.body = { steps: [], owner: step };
    const body = this.#to.get(step.node, 'body');
    const called = stringOf(body);
    if (body === undefined || called === undefined) {
      this.#read(body, step.body, step.args, chain);
      return;
    }
    const found = this.#named.get(called);
    if (found === undefined || found === step.node) {
      const names = [...this.#named.keys()].filter((name) => name !== step.name);
      const hint = didYouMean(called, names);
      this.#to.report.error(
        'unknown-step',
        nodeSpan(body),
        `the body of ${step.label} is "${shorten(called)}", and there is no such step`,
        hint,
      );
      return;
    }
    this.#add(found, step.body, step.args, chain, new FreeNames(['end']));
  }

  #readTemplate(step: ForeignStep, chain: readonly string[]): void {
    step.body = { steps: [], owner: step };
    const call = this.#to.get(step.node, 'templateCall');
    const template = this.#templates.find(this.#to.get(call, 'templateId'), chain);
    if (template === undefined) return;
    const inner = new Map([...step.args, ...argumentsOf(this.#to.get(call, 'args'))]);
    this.#inside(template, step.body, inner, chain);
  }

  /** A template has ids and bodies of its own. */
  #inside(template: Template, list: ForeignList, args: ForeignStep['args'], chain: readonly string[]): void {
    const inner = new Outline(template.steps, this.#to, this.#templates.below([...chain, template.name]));
    const adopt = (steps: readonly ForeignStep[], into: ForeignList): void => {
      for (const each of steps) {
        const step: ForeignStep = { ...each, list: into, args: new Map([...each.args, ...args]) };
        into.steps.push(step);
        this.all.push(step);
        if (each.body === undefined) continue;
        step.body = { steps: [], owner: step };
        adopt(each.body.steps, step.body);
      }
    };
    adopt(inner.root.steps, list);
  }
}

function kindOf(item: MapNode): StepKind {
  if (item.entries.has('loop') || item.entries.has('body')) return 'loop';
  if (item.entries.has('parallelDelegations')) return 'parallel';
  return item.entries.has('templateCall') ? 'template' : 'prompt';
}

function argumentsOf(node: Node | undefined): [string, string][] {
  if (node?.kind !== 'map') return [];
  return [...node.entries.values()].flatMap(({ key, value }) =>
    value.kind === 'scalar' ? [[key, stringOf(value) ?? value.written]] : [],
  );
}

/** The one step of a template stands for its call, and has its id. */
export function nativeId(step: ForeignStep): string {
  const { owner } = step.list;
  return owner?.kind === 'template' && step.list.steps.length === 1 ? nativeId(owner) : step.id;
}

/** The loops that a step stands in, the nearest first. */
export function loopsAround(step: ForeignStep): ForeignStep[] {
  const found: ForeignStep[] = [];
  for (let at = step.list.owner; at; at = at.list.owner) if (at.kind === 'loop') found.push(at);
  return found;
}
