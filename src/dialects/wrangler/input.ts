// input: `input: review.actionableIssues` gives `actionableIssues`; a map gives each of its names. A text in it names a
// value; anything else is one.

import type { Json } from '../../model/json.ts';
import { built, type Part, type Piece } from '../../source/build-nodes.ts';
import { type Node, type ScalarNode, toJson } from '../../source/read/node.ts';
import { parsePath } from './condition.ts';
import type { Path } from './condition-syntax.ts';
import type { ForeignStep } from './outline.ts';
import type { Translation } from './translation.ts';

export interface Given {
  name: string;
  value: Part;
  /** What the name stands at. */
  at: Node;
}

/** What is not there is given as null, unless `strict`. */
export function inputOf(step: ForeignStep, translation: Translation, { strict = false } = {}): Given[] {
  const { to } = translation;
  const node = to.get(step.node, 'input');
  if (node?.kind === 'scalar') {
    const path = parsePath(node, 'input', to.report);
    const value = path && namedValue(path, node, step, strict, translation);
    return path && value ? [{ name: lastName(path), value, at: node }] : [];
  }
  if (node?.kind !== 'map') return [];
  return [...node.entries.values()].map(({ key, keyNode, value }) => ({
    name: key,
    value: nested(value, step, strict, translation),
    at: keyNode,
  }));
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
