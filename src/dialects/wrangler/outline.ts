// outline: the steps of a wrangler workflow as a tree, each with its kind, in the order they are written in.

import { type Conforming, conform } from '../../source/grammar/conform.ts';
import { shorten } from '../../source/grammar/name.ts';
import { type Fields, object, type Shape } from '../../source/grammar/shape.ts';
import { slug } from '../../source/grammar/slug.ts';
import { child, headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { FreeNames } from '../native-text.ts';
import { type Generation, KINDS, MARKS, STEPS, type StepKind } from './grammar.ts';

export interface ForeignStep {
  node: MapNode;
  name: string;
  /** For messages: `the step "fix"`. */
  label: string;
  id: string;
  /** Absent: nobody knows what it is to do, and that was reported. */
  kind?: StepKind;
  list: ForeignList;
  /** How many steps are written before it, in the whole workflow. */
  order: number;
  body?: ForeignList;
}

export interface ForeignList {
  steps: ForeignStep[];
  owner?: ForeignStep;
}

export class Outline {
  readonly root: ForeignList = { steps: [] };
  readonly all: ForeignStep[] = [];
  readonly #to: Conforming;
  readonly #version: Generation;

  constructor(phases: Node | undefined, version: Generation, to: Conforming) {
    this.#to = to;
    this.#version = version;
    this.#read(phases, this.root);
  }

  #read(node: Node | undefined, list: ForeignList): void {
    if (node?.kind !== 'list') return;
    const ids = new FreeNames(['end']);
    const names = new Map<string, Node>();
    for (const item of node.items) {
      const step = this.#step(item, list, ids);
      if (step === undefined) continue;
      this.#checkName(step, names);
      const steps = this.#to.get(step.node, 'steps');
      if (steps === undefined) continue;
      step.body = { steps: [], owner: step };
      this.#read(steps, step.body);
    }
  }

  #step(item: Node, list: ForeignList, ids: FreeNames): ForeignStep | undefined {
    const given = stringOf(child(item, 'name'));
    const label = given === undefined ? 'a step' : `the step "${shorten(given)}"`;
    if (item.kind !== 'map') {
      conform(item, STEPS.prompt, label, this.#to);
      return undefined;
    }
    const said = this.#kind(item, label);
    const kind = said ?? this.#likely(item);
    const node = said === undefined ? onlyOf(item, kind) : withoutOthers(item, said, label, this.#to);
    conform(node, kind === undefined ? ANY_STEP : STEPS[kind], label, this.#to);
    const order = this.all.length;
    const name = given ?? `step ${order + 1}`;
    const step: ForeignStep = {
      node,
      name,
      label,
      id: ids.take(slug(name, `step_${order + 1}`)),
      ...(kind && { kind }),
      list,
      order,
    };
    list.steps.push(step);
    this.all.push(step);
    return step;
  }

  /** By `type`; without one it is an agent, or a prompt, and nothing else. */
  #kind(item: MapNode, label: string): StepKind | undefined {
    const kinds = KINDS[this.#version];
    const type = child(item, 'type');
    if (type !== undefined) return this.#said(type, label);
    const mark = Object.keys(MARKS).find((key) => item.entries.has(key));
    const told = mark === undefined && item.entries.has('steps') ? 'loop' : mark && MARKS[mark];
    const usual = this.#version === 1 ? 'agent' : 'prompt';
    if (told === undefined || item.entries.has(usual)) return usual;
    const fits = mark === undefined ? kinds.filter((kind) => 'steps' in fieldsOf(kind)) : [told];
    this.#to.report.error(
      'missing-field',
      headSpan(item),
      `${label} has \`${mark ?? 'steps'}\` and no \`type\``,
      `Write \`type: ${fits.join('` or `type: ')}\`.`,
    );
    return undefined;
  }

  /** What it probably is, where its type is wrong: so that the rest of it can be looked at too. */
  #likely(item: MapNode): StepKind | undefined {
    const usual = this.#version === 1 ? 'agent' : 'prompt';
    if (item.entries.has(usual)) return usual;
    const mark = Object.keys(MARKS).find((key) => item.entries.has(key));
    const told = mark === undefined ? undefined : MARKS[mark];
    return told && KINDS[this.#version].includes(told) ? told : undefined;
  }

  #said(type: Node, label: string): StepKind | undefined {
    const kinds = KINDS[this.#version];
    const said = stringOf(type) ?? '';
    const found = kinds.find((kind) => kind === said);
    if (found !== undefined) return found;
    const other = Object.hasOwn(STEPS, said);
    const where = other ? ` in version ${this.#version}` : '';
    this.#to.report.error(
      'bad-choice',
      headSpan(type),
      `${label} is of the type "${shorten(said)}", which there is not${where}`,
      (other ? HINTS[said] : didYouMean(said, kinds)) ?? `There are ${kinds.join(', ')}.`,
    );
    return undefined;
  }

  #checkName({ node, name }: ForeignStep, names: Map<string, Node>): void {
    const at = this.#to.get(node, 'name');
    if (at === undefined) return;
    const { report } = this.#to;
    if (name.trim() === '') report.error('bad-name', nodeSpan(at), 'a step needs a name', 'Give it one.');
    const before = names.get(name);
    names.set(name, before ?? at);
    if (before === undefined) return;
    const { line } = headSpan(before);
    report.error(
      'duplicate-name',
      nodeSpan(at),
      `two steps of this list are called "${shorten(name)}"; the other is on line ${line}`,
      'Give one of them another name.',
    );
  }
}

/** What to write instead, for whoever comes from the other generation. */
const HINTS: Readonly<Record<string, string>> = {
  'gate-group':
    'Write `type: parallel` with a step for every review, each with its `agent` and `prompt`; or `version: 1`.',
  agent: 'Leave `type` out, and give the step an `agent` and a `prompt`; or write `version: 1`.',
  prompt: 'Leave `type` out: the file that `agent` names holds the task; or write `version: 2`.',
  parallel: 'A `gate-group` runs its gates side by side; or write `version: 2`.',
};

function fieldsOf(kind: StepKind | Shape): Fields {
  const shape = typeof kind === 'string' ? STEPS[kind] : kind;
  return shape.kind === 'object' ? shape.fields : {};
}

/** A step that may be any. */
const ANY_STEP: Shape = object(
  Object.fromEntries(
    Object.keys(STEPS)
      .flatMap((kind) => Object.entries(fieldsOf(kind as StepKind)))
      .map(([key, { required: _, ...given }]) => [key, given]),
  ),
);

/** Without what belongs to other kinds: that it is there may be the fault of the type. */
function onlyOf(item: MapNode, kind: StepKind | undefined): MapNode {
  if (kind === undefined) return item;
  const isOthers = (key: string) => !(key in fieldsOf(kind)) && key in fieldsOf(ANY_STEP);
  return { ...item, entries: new Map([...item.entries].filter(([key]) => !isOthers(key))) };
}

/** A field of another kind of step is told as that, and not as one that nobody knows. */
function withoutOthers(item: MapNode, kind: StepKind, label: string, { report }: Conforming): MapNode {
  const entries = new Map(item.entries);
  for (const { key, keyNode } of item.entries.values()) {
    if (key in fieldsOf(kind)) continue;
    const kinds = Object.keys(STEPS).filter((each) => key in fieldsOf(each as StepKind));
    if (kinds.length === 0) continue;
    entries.delete(key);
    report.error(
      'field-not-here',
      nodeSpan(keyNode),
      `${label} is of the type \`${kind}\`, which has no \`${key}\``,
      `It belongs to \`${kinds.join('`, `')}\`.`,
    );
  }
  return { ...item, entries };
}

/** The blocks around a step, the nearest first. */
export function blocksAround(step: ForeignStep): ForeignStep[] {
  const blocks: ForeignStep[] = [];
  for (let at = step.list.owner; at; at = at.list.owner) blocks.push(at);
  return blocks;
}

export function tasksAround(step: ForeignStep): ForeignStep[] {
  return blocksAround(step).filter(({ kind }) => kind === 'per-task');
}
