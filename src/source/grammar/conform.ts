// conform: node × shape → what does not fit, all at once, each said against the branch that was meant.
// G1. Every field that the table does not have is reported.   G2. A part that does not fit is remembered, so that
// what comes after leaves it out instead of stumbling over it.   G3. A misspelt field is reported once and then read
// as the field that was meant, so that one slip does not make ten messages.

import type { Report } from '../diagnostics.ts';
import type { ListNode, MapEntry, MapNode, Node, ScalarNode } from '../read/node.ts';
import { headSpan, nodeSpan } from '../read/node.ts';
import { branchOf } from './branch.ts';
import { accepts, aName, expected, found, given } from './expectation.ts';
import { checkFields, type FieldSet } from './fields.ts';
import { HOOKS } from './hooks.ts';
import { checkIds } from './ids.ts';
import { nameProblem, shorten } from './name.ts';
import { checkScalar } from './scalar.ts';
import type { Branch, Fields, Shape, Variants } from './shape.ts';
import { valueHint } from './value-habits.ts';

/** What checking leaves for whoever reads the nodes after it. */
export interface Checked {
  /** The value of a field that is there and fits, also where its name was misspelt. */
  get(map: Node | undefined, key: string): Node | undefined;
  entry(map: Node | undefined, key: string): MapEntry | undefined;
  fits(node: Node): boolean;
}

export interface Conforming extends Checked {
  report: Report;
  bad(node: Node): false;
  meant(map: MapNode, key: string, entry: MapEntry): void;
}

export function conforming(report: Report): Conforming {
  const misfits = new Set<Node>();
  const renamed = new Map<MapNode, Map<string, MapEntry>>();
  const entry = (map: Node | undefined, key: string): MapEntry | undefined =>
    map?.kind === 'map' ? (map.entries.get(key) ?? renamed.get(map)?.get(key)) : undefined;
  return {
    report,
    entry,
    get(map, key) {
      const value = entry(map, key)?.value;
      return value === undefined || misfits.has(value) ? undefined : value;
    },
    fits: (node) => !misfits.has(node),
    bad(node) {
      misfits.add(node);
      return false;
    },
    meant(map, key, found) {
      const names = renamed.get(map) ?? new Map<string, MapEntry>();
      names.set(key, found);
      renamed.set(map, names);
    },
  };
}

/** `label` is what messages call it: a field in backticks, or words. */
export function conform(node: Node, shape: Shape, label: string, to: Conforming): boolean {
  if (node.kind === 'scalar' && node.broken) return to.bad(node);
  if (shape.kind === 'later') return conform(node, shape.shape(), label, to);
  if (!accepts(shape, node)) return misfit(node, shape, label, to);
  switch (shape.kind) {
    case 'either': {
      const one = shape.of.find((option) => accepts(option, node));
      return one === undefined || conform(node, one, label, to);
    }
    case 'list':
      return checkList(node as ListNode, shape, label, to);
    case 'record':
      return checkRecord(node as MapNode, shape, label, to);
    case 'object':
      return checkObject(
        node as MapNode,
        { name: aName(shape) ?? label, fields: shape.fields },
        shape.name,
        to,
      );
    case 'variants':
      return checkVariants(node as MapNode, shape, label, to);
    case 'open':
      checkKnown(node as MapNode, shape.known, to);
      return true;
    case 'json':
    case 'json-map':
    case 'schema':
      return true;
    default:
      return checkScalar(node as ScalarNode, shape, label, to);
  }
}

function misfit(node: Node, shape: Shape, label: string, to: Conforming): false {
  const { report } = to;
  const span = headSpan(node);
  if (node.kind === 'scalar' && node.value === null) {
    report.error('wrong-type', span, `${label} has no value`, `It must be ${expected(shape)}.`);
    return to.bad(node);
  }
  report.error(
    'wrong-type',
    span,
    `${label} must be ${expected(shape)}, and ${given(node)} is ${found(node)}`,
    valueHint(label, node) ?? (node.kind === 'scalar' ? remedy(node, shape) : undefined),
  );
  return to.bad(node);
}

function remedy(node: ScalarNode, shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'text':
    case 'literal':
    case 'name':
      return `Put it in quotes: '${node.written}'`;
    case 'duration':
      return `Say of what: \`${node.written}s\` are seconds, \`${node.written}m\` minutes.`;
    case 'object':
      // `bug: string` where `bug: { type: string }` is meant.
      return shape.fields.type?.required ? `Write { type: ${shorten(node.written)} }` : undefined;
    default:
      return undefined;
  }
}

function checkList(
  node: ListNode,
  shape: Extract<Shape, { kind: 'list' }>,
  label: string,
  to: Conforming,
): boolean {
  if (shape.filled && node.items.length === 0) {
    to.report.error('wrong-type', nodeSpan(node), `${label} is empty, and must not be`);
    return to.bad(node);
  }
  const item = aName(shape.of) ?? `an item of ${label}`;
  for (const each of node.items) conform(each, shape.of, item, to);
  if (aName(shape.of) === 'a step') checkIds(node, to);
  return true;
}

function checkRecord(
  node: MapNode,
  shape: Extract<Shape, { kind: 'record' }>,
  label: string,
  to: Conforming,
): boolean {
  for (const { key, keyNode, value } of node.entries.values()) {
    const problem = nameProblem(key, shape.keys);
    if (problem !== undefined) {
      to.report.error('bad-name', nodeSpan(keyNode), `in ${label}: ${problem.message}`, problem.hint);
      to.bad(value);
      continue;
    }
    conform(value, shape.of, `\`${key}\``, to);
  }
  return true;
}

function checkObject(node: MapNode, set: FieldSet, name: string | undefined, to: Conforming): true {
  checkFields(node, set, to);
  for (const [key, field] of Object.entries(set.fields)) {
    const entry = to.entry(node, key);
    if (entry !== undefined) conform(entry.value, field.shape, `\`${key}\``, to);
  }
  if (name !== undefined) HOOKS[name]?.(node, to);
  return true;
}

/** Every key is allowed; those that are known must fit. */
function checkKnown(node: MapNode, known: Fields, to: Conforming): void {
  for (const { key, value } of node.entries.values()) {
    const field = Object.hasOwn(known, key) ? known[key] : undefined;
    if (field !== undefined) conform(value, field.shape, `\`${key}\``, to);
  }
}

function checkVariants(node: MapNode, shape: Variants, label: string, to: Conforming): boolean {
  const branch = branchOf(node, shape, label, to);
  if (branch === undefined) return to.bad(node);
  const set = fieldSets.get(branch) ?? fieldSetOf(branch, shape);
  fieldSets.set(branch, set);
  return checkObject(node, set.name === '' ? { ...set, name: label } : set, shape.name, to);
}

/** A workflow may have thousands of steps, and the language has a dozen branches. */
const fieldSets = new WeakMap<Branch, FieldSet>();

function fieldSetOf(branch: Branch, { name, common, branches }: Variants): FieldSet {
  return {
    name: name === 'step' || name === 'action' ? `a \`${branch.name}\` ${name}` : '',
    fields: { ...common, ...branch.fields },
    elsewhere: (key) =>
      branches.filter(({ fields }) => Object.hasOwn(fields, key)).map((other) => other.name),
  };
}
