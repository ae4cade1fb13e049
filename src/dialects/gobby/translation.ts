// translation: what the parts of one translation share.

import { built } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import type { MapNode, Node, ScalarNode } from '../../source/read/node.ts';
import type { Names, Scope } from './names.ts';
import type { Outline } from './outline.ts';
import { type Reading, soleExpression, translateCondition, translateText } from './text.ts';
import type { Value } from './value.ts';

export interface Translation {
  to: Conforming;
  names: Names;
  outline: Outline;
  document: MapNode;
  told: Set<string>;
}

/** Where something stands: in a phase, or in the actions of an event. */
export type Where = Pick<Scope, 'phase' | 'event' | 'isRule'>;

export function reading(where: Where, { to, names, told }: Translation): Reading {
  return { scope: { names, ...where, locals: new Map() }, report: to.report, told };
}

/** undefined: there is none, or it cannot be read, which was reported. */
export function conditionAt(
  node: Node | undefined,
  where: Where,
  translation: Translation,
): Value | undefined {
  return node?.kind === 'scalar' ? translateCondition(node, reading(where, translation)) : undefined;
}

export function textAt(
  node: Node | undefined,
  where: Where,
  translation: Translation,
): ScalarNode | undefined {
  return node?.kind === 'scalar' ? translateText(node, reading(where, translation)) : undefined;
}

/** JSON whose texts are Jinja; one that is one `{{ }}` keeps its type. */
export function valueAt(node: Node, where: Where, translation: Translation): Node {
  if (node.kind === 'list')
    return built(node).list(node.items.map((item) => valueAt(item, where, translation)));
  if (node.kind === 'map')
    return built(node).map(
      [...node.entries.values()].map(
        ({ key, keyNode, value }) => [key, valueAt(value, where, translation), keyNode] as const,
      ),
    );
  if (typeof node.value !== 'string') return node;
  const sole = soleExpression(node, reading(where, translation));
  if (sole) return built(node).scalar(`{{ ${sole.absent ? `default(${sole.cel}, null)` : sole.cel} }}`);
  return translateText(node, reading(where, translation));
}
