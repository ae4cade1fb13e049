// input: `input: review.actionableIssues` gives `actionableIssues`; a map gives each of its names. A text in it names a
// value; anything else is one.

import type { Json } from '../../model/json.ts';
import { built, type Part, type Piece } from '../../source/build-nodes.ts';
import { type Node, type ScalarNode, toJson } from '../../source/read/node.ts';
import type { Path } from './condition-syntax.ts';
import type { ForeignStep } from './outline.ts';
import { parsePath, pathIn } from './path.ts';
import type { Translation } from './translation.ts';

export interface Given {
  name: string;
  value: Part;
  /** What the name stands at. */
  at: Node;
  /** What a path ends in, and the value as an expression. */
  leaf?: string;
  cel?: string;
}

/** What is not there is given as null, unless `strict`. */
export function inputOf(step: ForeignStep, translation: Translation, { strict = false } = {}): Given[] {
  const { to } = translation;
  const node = to.get(step.node, 'input');
  if (node?.kind === 'scalar') {
    const path = parsePath(node, 'input', to.report);
    const value = path && namedValue(path, node, step, strict, translation);
    return path && value ? [{ name: lastName(path), value, at: node, ...leafOf(path, value) }] : [];
  }
  if (node?.kind !== 'map') return [];
  return [...node.entries.values()].map(({ key, keyNode, value: written }) => {
    const value = nested(written, step, strict, translation);
    const path =
      written.kind === 'scalar' && typeof written.value === 'string' ? pathIn(written.value) : undefined;
    return { name: key, value, at: keyNode, ...leafOf(path, value) };
  });
}

function leafOf(path: Path | undefined, value: Part): Pick<Given, 'leaf' | 'cel'> {
  const text = value === null ? '' : String((value as { value?: Json }).value);
  const cel = /^\{\{ (.*) \}\}$/s.exec(text)?.[1];
  return path === undefined || cel === undefined ? {} : { leaf: lastName(path), cel };
}

/**
 * What a text reads that the input does not name, and means all the same: the value by the last name of its path, and
 * `issues` for whatever is a list of them; of several lists the items of all. Of a single review also what it has of
 * them. undefined: it is none of these.
 */
export function impliedBy(input: readonly Given[], name: string): Json | undefined {
  const means = ({ leaf }: Given) =>
    leaf !== undefined && (leaf === name || (name === 'issues' && /issues$/i.test(leaf)));
  const found = [...new Set(input.filter(means).flatMap(({ cel }) => cel ?? []))];
  if (found.length === 0) return ofReview(input, name);
  if (found.length === 1) return `{{ ${found[0]} }}`;
  const lists = found.map((cel) => `cel.bind(it, ${cel}, type(it) == list ? it : [])`);
  return `{{ ${lists.join(' + ')} }}`;
}

/** `actionableIssues`, and where a text says `issues` these before all that it has. */
function ofReview([one, ...others]: readonly Given[], name: string): Json | undefined {
  if (one?.cel === undefined || others.length > 0) return undefined;
  if (name === 'actionableIssues') return `{{ default(${one.cel}.actionableIssues, null) }}`;
  if (name !== 'issues') return undefined;
  return `{{ default(${one.cel}.actionableIssues, default(${one.cel}.issues, null)) }}`;
}

/** A path of the input as it is; undefined where the input is a map, or there is none. */
export function inputPath(step: ForeignStep, { to }: Translation): Path | undefined {
  const node = to.get(step.node, 'input');
  return node?.kind === 'scalar' ? parsePath(node, 'input', to.report) : undefined;
}

function nested(node: Node, step: ForeignStep, strict: boolean, translation: Translation): Part {
  if (node.kind === 'list') {
    return built(node).list(node.items.map((item) => nested(item, step, strict, translation)));
  }
  if (node.kind === 'map') {
    const entries = [...node.entries.values()];
    return built(node).map(
      entries.map(({ key, keyNode, value }) => [key, nested(value, step, strict, translation), keyNode]),
    );
  }
  if (typeof node.value !== 'string') return toJson(node);
  const path = parsePath(node, 'input', translation.to.report);
  return (path && namedValue(path, node, step, strict, translation)) ?? NOTHING;
}

const NOTHING: Json = null;

function namedValue(
  path: Path,
  at: ScalarNode,
  step: ForeignStep,
  strict: boolean,
  { names }: Translation,
): Node | undefined {
  const whole = path.keys.length === 0 ? names.variable(path.root, step) : undefined;
  if (whole !== undefined) return built(at).node(whole);
  const cel = names.resolve(path, step, at, 'input');
  if (cel === undefined) return undefined;
  const pieces: Piece[] = [
    { text: strict ? '{{ ' : '{{ default(' },
    { text: cel, from: [path.start, path.end] },
    { text: strict ? ' }}' : ', null) }}' },
  ];
  return built(at).text(pieces);
}

function lastName({ root, keys }: Path): string {
  const last = keys.findLast((key) => typeof key === 'string');
  return typeof last === 'string' ? last : root;
}
