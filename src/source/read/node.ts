// node: a document as a tree that knows where every part of it stands. Whatever the syntax (YAML, JSON, front
// matter), what comes after reading sees only this. Keys are looked up in a Map, so that `__proto__` and
// `constructor` are keys like any other.

import type { Span } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { scalarOffsets } from './scalar-offsets.ts';
import type { SourceText } from './source.ts';

/** `built`: made by the translation of a foreign text (dialects/build.ts), not read from a file. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'body' | 'built';

export interface Placed {
  source: SourceText;
  /** Offsets in `source.text`. */
  start: number;
  end: number;
}

export interface ScalarNode extends Placed {
  kind: 'scalar';
  value: string | number | boolean | null;
  style: ScalarStyle;
  /** As written, for numbers and booleans that are wanted as text. */
  written: string;
  /** A comment after it on the same line: of a plain scalar, perhaps what was meant to belong to it. */
  comment?: { start: number; end: number };
  /** A problem with it was reported already: nobody looks at the value. */
  broken?: boolean;
  /** Of a built one: what its pieces were made from, in order. `end` is where a piece ends in the value. */
  pieces?: readonly { end: number; from: Pick<Placed, 'start' | 'end'> }[];
  /**
   * A template from a language where what is not there renders as nothing: a name that nothing binds is a warning and
   * no error, and in the quiet parts of the value not even that.
   */
  lenient?: { quiet: readonly { start: number; end: number }[] };
}

export interface ListNode extends Placed {
  kind: 'list';
  items: Node[];
}

export interface MapEntry {
  key: string;
  keyNode: ScalarNode;
  value: Node;
}

export interface MapNode extends Placed {
  kind: 'map';
  entries: Map<string, MapEntry>;
}

export type Node = ScalarNode | ListNode | MapNode;

export function nodeSpan(node: Node): Span {
  return node.source.span(node.start, node.end);
}

/** One line to point at: a collection is shown by its first line, not as a block of underlines. */
export function headSpan(node: Node): Span {
  if (node.kind === 'map') {
    for (const entry of node.entries.values()) return nodeSpan(entry.keyNode);
  }
  if (node.kind === 'list' && node.items[0] !== undefined) return headSpan(node.items[0]);
  const line = node.source.text.indexOf('\n', node.start);
  return node.source.span(node.start, line < 0 ? node.end : Math.min(node.end, line));
}

export function child(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined;
}

/** Of a list in the document: its items that are maps. */
export function mapsIn(document: MapNode, key: string): MapNode[] {
  const node = child(document, key);
  return node?.kind === 'list' ? node.items.filter((item): item is MapNode => item.kind === 'map') : [];
}

/** The text of a string; undefined for everything else. */
export function stringOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' && !node.broken ? node.value : undefined;
}

/** One text may be used by many steps. */
const known = new WeakMap<ScalarNode, number[]>();

/** From offsets in the value of a scalar to where they stand in the file. */
export function locateIn(node: ScalarNode): (start: number, end: number) => Span {
  return (start, end) => {
    const place = placeWithin(node, start, end);
    return node.source.span(place.start, place.end);
  };
}

/** The same as a place: what a translation builds on. */
export function placeWithin(node: ScalarNode, start: number, end: number): Placed {
  if (node.style === 'built') return { source: node.source, ...builtFrom(node, start, end) };
  const offsets = known.get(node) ?? scalarOffsets(node);
  known.set(node, offsets);
  const from = offsets[Math.min(start, offsets.length - 1)] ?? node.start;
  const last = end > start ? offsets[Math.min(end, offsets.length - 1) - 1] : undefined;
  return { source: node.source, start: from, end: last === undefined ? from : last + 1 };
}

/** All that the pieces were made from which this part of the value touches. */
function builtFrom(node: ScalarNode, start: number, end: number): Pick<Placed, 'start' | 'end'> {
  // Pieces need not lie where the whole of it stands.
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  let begin = 0;
  for (const piece of node.pieces ?? []) {
    if (piece.end > start && (begin < end || begin <= start)) {
      first = Math.min(first, piece.from.start);
      last = Math.max(last, piece.from.end);
    }
    begin = piece.end;
  }
  return first < last ? { start: first, end: last } : { start: node.start, end: node.end };
}

/** As plain JSON. Own properties only, whatever the keys are called. */
export function toJson(node: Node): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(toJson);
    case 'map': {
      const object: JsonObject = {};
      for (const { key, value } of node.entries.values()) setKey(object, key, toJson(value));
      return object;
    }
  }
}

/** Plain assignment would change the prototype where the key is `__proto__`. */
export function setKey<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
