// build: nodes of the native language that stand where something foreign stands. A translation makes them, and all
// that comes after (grammar, checks, proofs) points at the foreign line.
//
//   const step = built(foreign);
//   step.map([
//     ['id', step.at(name).scalar(slug)],                  // the value points at the foreign name
//     ['save_to', outputFile, entry.keyNode],              // a foreign node as it is; the key points at the foreign key
//     ['on_fail', stops ? 'stop' : undefined],             // plain JSON points at the step; undefined leaves it out
//   ]);

import type { Json } from '../model/json.ts';
import {
  type ListNode,
  type MapEntry,
  type MapNode,
  type Node,
  type Placed,
  placeWithin,
  type ScalarNode,
} from './read/node.ts';

/** A node stays as and where it is; anything else is made where the builder stands. */
export type Part = Node | Json;

/** A key, its value (undefined: left out), and what the key is made from (else: what the value is made from). */
export type BuiltEntry = readonly [key: string, value: Part | undefined, keyFrom?: Placed];

/** One piece of a text, and what it was made from: offsets in the foreign value, or another part of the same file. */
export interface Piece {
  text: string;
  from?: readonly [start: number, end: number];
  at?: Placed;
}

export interface Builder {
  map(entries: Iterable<BuiltEntry>): MapNode;
  list(items: Iterable<Part>): ListNode;
  scalar(value: string | number | boolean | null): ScalarNode;
  /** A text of pieces that each point at their own part of the foreign text. */
  text(pieces: readonly Piece[]): ScalarNode;
  node(part: Part): Node;
  /** The same, standing elsewhere. */
  at(foreign: Placed): Builder;
  /** Standing at a part of the foreign scalar: offsets in its value. */
  within(start: number, end: number): Builder;
}

export function built(foreign: Placed): Builder {
  const place = headOf(foreign);

  function scalar(value: ScalarNode['value']): ScalarNode {
    return { ...place, kind: 'scalar', value, style: 'built', written: value === null ? '' : String(value) };
  }

  function map(entries: Iterable<BuiltEntry>): MapNode {
    const made = new Map<string, MapEntry>();
    for (const [key, part, keyFrom] of entries) {
      if (part === undefined) continue;
      const keyNode = built(keyFrom ?? (isNode(part) ? part : foreign)).scalar(key);
      made.set(key, { key, keyNode, value: node(part) });
    }
    return { ...place, kind: 'map', entries: made };
  }

  function list(items: Iterable<Part>): ListNode {
    return { ...place, kind: 'list', items: [...items].map(node) };
  }

  function node(part: Part): Node {
    if (isNode(part)) return part;
    if (Array.isArray(part)) return list(part);
    return typeof part === 'object' && part !== null ? map(Object.entries(part)) : scalar(part);
  }

  function text(pieces: readonly Piece[]): ScalarNode {
    let end = 0;
    const made = pieces.map(({ text, from, at }) => {
      end += text.length;
      const part = at ? headOf(at) : from && isScalar(foreign) ? placeWithin(foreign, ...from) : place;
      return { end, from: { start: part.start, end: part.end } };
    });
    return { ...scalar(pieces.map((piece) => piece.text).join('')), pieces: made };
  }

  function within(start: number, end: number): Builder {
    return built(isScalar(foreign) ? placeWithin(foreign, start, end) : foreign);
  }

  return { map, list, scalar, text, node, at: built, within };
}

/** Of a map or a list its first line: a step is pointed at, not underlined from end to end. */
function headOf(foreign: Placed): Placed {
  const { source, start, end } = foreign;
  if ('kind' in foreign) {
    const node = foreign as Node;
    if (node.kind === 'map') for (const { keyNode } of node.entries.values()) return headOf(keyNode);
    if (node.kind === 'list' && node.items[0] !== undefined) return headOf(node.items[0]);
  }
  return { source, start, end };
}

function isScalar(foreign: Placed): foreign is ScalarNode {
  return (foreign as Partial<Node>).kind === 'scalar';
}

/** JSON has no functions, and every source has one. */
function isNode(part: Part): part is Node {
  return (
    typeof part === 'object' && part !== null && typeof (part as Partial<Node>).source?.span === 'function'
  );
}
