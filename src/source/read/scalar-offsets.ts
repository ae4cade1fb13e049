// scalar-offsets: for every character of a scalar's value, the offset in the file where it stands; through quotes,
// escapes, folded lines and block indentation. One more at the end: where the value is over.

import type { ScalarNode } from './node.ts';

export function scalarOffsets(node: ScalarNode): number[] {
  const value = typeof node.value === 'string' ? node.value : node.written;
  const raw = node.source.text.slice(node.start, node.end);
  const mapped = offsetsOf(node, raw, value);
  // Where our reading and the parser's should ever differ, the whole scalar is still the right place.
  if (mapped.length !== value.length) {
    return Array.from({ length: value.length + 1 }, (_, index) =>
      index < value.length ? node.start : node.end,
    );
  }
  const last = mapped.at(-1);
  return [...mapped, last === undefined ? node.start : last + 1];
}

function offsetsOf(node: ScalarNode, raw: string, value: string): number[] {
  switch (node.style) {
    case 'plain':
      return decode(raw, node.start, plainUnit);
    case 'single':
      return decode(raw.slice(1, -1), node.start + 1, singleUnit);
    case 'double':
      return decode(raw.slice(1, -1), node.start + 1, doubleUnit);
    case 'literal':
    case 'folded': {
      const body = raw.indexOf('\n') + 1;
      return align(raw.slice(body), node.start + body, value);
    }
    case 'body':
      return align(raw, node.start, value);
    case 'built':
      return [];
  }
}

/** How many characters of the raw text make how many of the value. */
type Unit = (raw: string, at: number) => { taken: number; made: number };

const plainUnit: Unit = () => ({ taken: 1, made: 1 });
const singleUnit: Unit = (raw, at) => ({ taken: raw.startsWith("''", at) ? 2 : 1, made: 1 });
const doubleUnit: Unit = (raw, at) => {
  if (raw[at] !== '\\') return { taken: 1, made: 1 };
  const digits = { x: 2, u: 4, U: 8 }[raw[at + 1] ?? ''];
  if (digits === undefined) return { taken: 2, made: 1 };
  const point = Number.parseInt(raw.slice(at + 2, at + 2 + digits), 16);
  return { taken: 2 + digits, made: point > 0xffff ? 2 : 1 };
};

/** Flow scalars: units, and line breaks that fold into a space or into the empty lines that follow them. */
function decode(raw: string, start: number, unit: Unit): number[] {
  const offsets: number[] = [];
  /** How much of `offsets` is not blank that a line break would swallow. */
  let solid = 0;
  let at = 0;
  while (at < raw.length) {
    if (unit === doubleUnit && raw[at] === '\\' && isBreak(raw, at + 1)) {
      at = raw.indexOf('\n', at) + 1;
      while (raw[at] === ' ' || raw[at] === '\t') at++;
      solid = offsets.length;
      continue;
    }
    if (isBreak(raw, at)) {
      offsets.length = solid;
      const breakAt = start + at;
      let breaks = 0;
      while (at < raw.length && isBlank(raw[at] ?? '')) {
        if (raw[at] === '\n') breaks++;
        at++;
      }
      for (let made = 0; made < Math.max(1, breaks - 1); made++) offsets.push(breakAt);
      solid = offsets.length;
      continue;
    }
    const { taken, made } = unit(raw, at);
    for (let index = 0; index < made; index++) offsets.push(start + at);
    if (taken > 1 || !isBlank(raw[at] ?? '')) solid = offsets.length;
    at += taken;
  }
  return offsets;
}

/**
 * Block scalars and Markdown bodies: only blanks and line breaks differ between the text and the value, so the
 * characters that are neither come in the same order in both.
 */
function align(raw: string, start: number, value: string): number[] {
  const offsets: number[] = [];
  let at = 0;
  for (let index = 0; index < value.length; index++) {
    const character = value[index] ?? '';
    if (isBlank(character)) {
      while (at < raw.length && isBlank(raw[at] ?? '') && raw[at] !== character) {
        if (raw[at] === '\n' && character !== '\n') break;
        at++;
      }
      offsets.push(start + Math.min(at, raw.length));
      if (raw[at] === character) at++;
      continue;
    }
    while (at < raw.length && raw[at] !== character) at++;
    offsets.push(start + at);
    at++;
  }
  return offsets;
}

function isBreak(raw: string, at: number): boolean {
  return raw[at] === '\n' || (raw[at] === '\r' && raw[at + 1] === '\n');
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}
