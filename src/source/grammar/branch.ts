// branch: which of several things a map is. Found before anything else is said about it.

import type { Span } from '../../model/diagnostic.ts';
import { headSpan, type MapEntry, type MapNode, nodeSpan } from '../read/node.ts';
import type { Conforming } from './conform.ts';
import { orList } from './expectation.ts';
import { meantField } from './fields.ts';
import { flowText } from './flow-text.ts';
import { habitHint } from './habits.ts';
import type { Branch, Variants } from './shape.ts';
import { valueHint } from './value-habits.ts';

const allMarks = new WeakMap<Variants, Set<string>>();

export function branchOf(node: MapNode, shape: Variants, label: string, to: Conforming): Branch | undefined {
  const marks = allMarks.get(shape) ?? new Set(shape.branches.flatMap((branch) => branch.marks));
  allMarks.set(shape, marks);
  const present = presentMarks(node, shape, marks, to);
  const exact = shape.branches.find(
    ({ marks }) => marks.length === present.size && marks.every((mark) => present.has(mark)),
  );
  if (exact !== undefined) return exact;
  const names = [...present.keys()];
  if (names.length === 0) {
    const all = shape.branches.map((branch) => `\`${branch.marks.at(-1)}\``);
    to.report.error(
      'no-verb',
      headSpan(node),
      `${label} has no ${shape.markName}`,
      habitOf(node, shape) ?? `Give it ${orList(all)}.`,
    );
    return undefined;
  }
  return conflict(node, shape, present, label, to);
}

/** Also under a misspelt name; the check of the fields will say so. */
function presentMarks(
  node: MapNode,
  shape: Variants,
  marks: Set<string>,
  to: Conforming,
): Map<string, MapEntry> {
  const present = new Map<string, MapEntry>();
  for (const entry of node.entries.values()) if (marks.has(entry.key)) present.set(entry.key, entry);
  if (present.size > 0) return present;
  const all = new Set([
    ...Object.keys(shape.common),
    ...shape.branches.flatMap(({ fields }) => Object.keys(fields)),
  ]);
  for (const entry of node.entries.values()) {
    const meant = meantField(node, entry.key, all);
    if (meant === undefined || !marks.has(meant) || present.has(meant)) continue;
    to.meant(node, meant, entry);
    present.set(meant, entry);
  }
  return present;
}

/** More than one, or half of one. */
function conflict(
  node: MapNode,
  shape: Variants,
  present: Map<string, MapEntry>,
  label: string,
  to: Conforming,
): Branch | undefined {
  const [first = '', ...more] = [...present.keys()];
  const kept = largest(
    shape.branches.filter(({ marks }) => marks.every((mark) => present.has(mark))),
    first,
  );
  if (kept === undefined) {
    // `loop` and its like without `steps`.
    const needs = shape.branches.find(({ marks }) => marks.includes(first))?.marks ?? [];
    const others = needs.filter((mark) => mark !== first).map((mark) => `\`${mark}\``);
    to.report.error(
      'no-verb',
      keySpan(node, present.get(first)),
      `\`${first}\` needs ${orList(others)} beside it`,
      blockHint(first, present.get(first)),
    );
    return undefined;
  }
  const other = more.find((name) => !kept.marks.includes(name)) ?? first;
  to.report.error(
    'two-verbs',
    keySpan(node, present.get(other)),
    `${label} has more than one ${shape.markName}: ${[first, ...more].map((name) => `\`${name}\``).join(', ')}`,
    isBlockWithWork([first, ...more])
      ? 'A block has its work inside: put the other one under `steps:`.'
      : 'Keep one of them.',
  );
  // What belongs to the other one is not to be reported again.
  for (const [name, { value }] of present) if (!kept.marks.includes(name)) to.bad(value);
  return { ...kept, fields: Object.assign({}, ...shape.branches.map(({ fields }) => optional(fields))) };
}

/** A field that another tool has for its work. */
function habitOf(node: MapNode, { name, common }: Variants): string | undefined {
  for (const entry of node.entries.values()) {
    const hint = Object.hasOwn(common, entry.key) ? undefined : habitHint(name, entry, node);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/** The steps stand in it, where they should stand beside it. */
function blockHint(mark: string, entry: MapEntry | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const { value } = entry;
  if (mark === 'parallel' && value.kind !== 'scalar') return valueHint(mark, value);
  return `Write \`${mark}: ${flowText(value)}\` and \`steps: [{ id: one, run: make }]\`, with what is to be done.`;
}

const BLOCKS = ['steps', 'each', 'loop', 'parallel'];

/** `each:` beside `run:`: what is meant is a list with one step. */
function isBlockWithWork(marks: string[]): boolean {
  return marks.some((mark) => BLOCKS.includes(mark)) && !marks.every((mark) => BLOCKS.includes(mark));
}

/** The one that the writer began with, as far as it goes. */
function largest(branches: readonly Branch[], first: string): Branch | undefined {
  const begun = branches.filter(({ marks }) => marks.includes(first));
  return (begun.length > 0 ? begun : branches).reduce<Branch | undefined>(
    (best, branch) => (branch.marks.length > (best?.marks.length ?? 0) ? branch : best),
    undefined,
  );
}

function keySpan(node: MapNode, entry: MapEntry | undefined): Span {
  return entry === undefined ? headSpan(node) : nodeSpan(entry.keyNode);
}

function optional(fields: Branch['fields']): Branch['fields'] {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, required: false }]),
  );
}
