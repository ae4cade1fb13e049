// text: texts of a workrail workflow as templates of ours. `{{a.b}}` is a value of the context, or `[unset: a.b]`; any other
// braces stay as they are. In the steps of a template `{name}` is what its call says.

import type { Piece } from '../../source/build-nodes.ts';
import { type Placed, placeWithin, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { braceParts, celText } from '../native-text.ts';
import type { Names } from './names.ts';
import type { ForeignStep } from './outline.ts';

const REFERENCE = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g;

/** Names that are not of the context: they stay as they are. */
const RESERVED = /^wr(?:\.|$)/;

export interface TextSource {
  names: Names;
  step: ForeignStep;
}

export function textPieces(node: ScalarNode, source: TextSource): Piece[] {
  const text = withArguments(tidied(stringOf(node) ?? node.written), source.step.args);
  // Where words were put in, offsets no longer mean the text that is written there.
  const at = (start: number, end: number): Placed =>
    text === stringOf(node) ? placeWithin(node, start, end) : node;
  const pieces: Piece[] = [];
  let done = 0;
  const plain = (end: number, beforeExpression: boolean) => {
    for (const { text: part, opens } of braceParts(text.slice(done, end), beforeExpression))
      pieces.push({ text: opens ? `{{ ${celText(part)} }}` : part, at: at(done, Math.max(end, done + 1)) });
  };
  for (const found of text.matchAll(REFERENCE)) {
    const [whole, name = ''] = found;
    if (RESERVED.test(name)) continue;
    plain(found.index, true);
    done = found.index + whole.length;
    pieces.push({ text: `{{ ${reference(name, source)} }}`, at: at(found.index, done) });
  }
  plain(text.length, false);
  return pieces;
}

function reference(name: string, { names, step }: TextSource): string {
  const path = name.split('.');
  const unset = celText(`[unset: ${name}]`);
  // The length of a list is a number there.
  if (path.length > 1 && path.at(-1) === 'length') {
    const list = names.path(path.slice(0, -1), step);
    return `truthy(${list}) ? size(entries(${list})) : ${unset}`;
  }
  const value = names.path(path, step);
  return names.isSet(path, step) ? value : `default(${value}, ${unset})`;
}

/** Without blanks that nobody sees: at the ends of lines, and after the last one. */
function tidied(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .trimEnd();
}

function withArguments(text: string, args: ForeignStep['args']): string {
  if (args.size === 0) return text;
  return text.replace(/(?<!\{)\{([A-Za-z_]\w*)\}(?!\})/g, (whole, name: string) => args.get(name) ?? whole);
}
