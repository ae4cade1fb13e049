// flow-text: a part of a definition on one line, as it could be typed: for hints that say what to write.

import { type Node, type ScalarNode, toJson } from '../read/node.ts';

const LONGEST = 72;
/** What plain YAML reads as a text and nothing else, in a flow map too. */
const PLAIN = /^[A-Za-z_./][\w./@+=-]*(?: [\w./@+=-]+)*$/;
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', '~']);

export function flowText(node: Node): string {
  const text = whole(node);
  return text.length > LONGEST ? '…' : text;
}

/** A list of values as an expression, which is written into single quotes. */
export function expressionText(node: Node): string {
  const text = JSON.stringify(toJson(node)).replaceAll(',', ', ').replaceAll("'", '’');
  return text.length > LONGEST ? 'inputs.items' : text;
}

function whole(node: Node): string {
  switch (node.kind) {
    case 'scalar':
      return scalarText(node);
    case 'list':
      return `[${node.items.map(whole).join(', ')}]`;
    case 'map':
      return `{ ${[...node.entries.values()].map(({ key, value }) => `${quoted(key)}: ${whole(value)}`).join(', ')} }`;
  }
}

function scalarText({ value }: ScalarNode): string {
  return typeof value === 'string' ? quoted(value.trimEnd()) : String(value);
}

export function quoted(text: string): string {
  if (PLAIN.test(text) && !WORDS.has(text.toLowerCase())) return text;
  return text.includes('\n') ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
}
