// print-scalar: one value as YAML, in the plainest way that reads back as the same value. Our own reader is the judge:
// it takes the core schema of YAML 1.2, and characters that may not stand in a file only as escapes.

import type { ScalarNode } from '../../source/read/node.ts';

/** Letters, digits and what cannot be taken for anything else, in a flow or outside of it. */
const PLAIN = /^(?:\.{0,2}\/|\.|--?(?=[A-Za-z]))?[A-Za-z0-9_](?:[\w ./@%+=-]*[\w./@%+=-])?$/;
/** What is a number, a boolean or nothing at all when it stands without quotes. */
const TAKEN =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.inf|\.nan|~|null|true|false|\d[\d_.]*)$/i;
/** The same to older readers of YAML. */
const TAKEN_ONCE = /^(?:yes|no|on|off|y|n)$/i;
/** May stand in quotes as they are. Everything else is written as an escape. */
const PRINTABLE =
  /^(?:[\x20-\x7E\xA0-\u1FFF\u2010-\u2027\u2030-\uD7FF\uE000-\uFEFE\uFF00-\uFFFC]|[\uD800-\uDBFF][\uDC00-\uDFFF])*$/;

export interface ScalarText {
  /** On the line of its key. */
  head: string;
  /** Lines below it, not indented; of a block literal. */
  body?: string[];
}

/** `quoted`: an expression, which is in quotes so that everybody sees where it ends. */
export function scalarText(node: ScalarNode, quoted: boolean): ScalarText {
  const { value, written, style } = node;
  if (typeof value !== 'string') return { head: otherText(value, style === 'plain' ? written : '') };
  return literalText(value) ?? { head: quoted ? quotedText(value) : lineText(value) };
}

/** Our own keys have words among them (`on`) that an older reader takes for something else: nobody quotes them. */
export function keyText(text: string): string {
  return PLAIN.test(text) && !TAKEN.test(text) ? text : quotedText(text);
}

function lineText(text: string): string {
  return TAKEN_ONCE.test(text) ? quotedText(text) : keyText(text);
}

function quotedText(text: string): string {
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const characters = [...text].map((character) =>
    character === '"' || character === '\\' ? `\\${character}` : escaped(character),
  );
  return `"${characters.join('')}"`;
}

const SHORT: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

function escaped(character: string): string {
  if (PRINTABLE.test(character)) return character;
  const short = SHORT[character];
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  const digits = point.toString(16).toUpperCase();
  return point > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/** As it was written where it was: `1.10` is not `1.1` to a field that wants a text. */
function otherText(value: number | boolean | null, written: string): string {
  // In digits alone it would be a whole number that is not exact; only a double is that large here.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d*$/.test(written))
    return value.toExponential();
  return written === '' ? String(value) : written;
}

/**
 * Several lines as a block. Not what nobody could see there: blanks at the end of a line, or empty lines at the end,
 * which would run into the blank line before the next step.
 */
function literalText(text: string): ScalarText | undefined {
  if (!/\n./.test(text) || text.endsWith('\n\n')) return undefined;
  const lines = text.split('\n');
  if (!lines.every((line) => PRINTABLE.test(line) && !/\s$/.test(line))) return undefined;
  // Where the first line is indented or empty, the reader cannot tell how deep the block is.
  const depth = /^[ \n]/.test(text) ? '2' : '';
  return text.endsWith('\n')
    ? { head: `|${depth}`, body: lines.slice(0, -1) }
    : { head: `|${depth}-`, body: lines };
}
