// path: `input` and `source` name a value: names with dots between them, and nothing that compares. Unlike in a condition a
// name may have hyphens: `reviews.code-quality`.

import type { Report } from '../../source/diagnostics.ts';
import { nodeSpan, type ScalarNode } from '../../source/read/node.ts';
import type { Path } from './condition-syntax.ts';

const ROOT = /[A-Za-z_$][\w$]*(?:-+[\w$]+)*/y;
const STEP = /\.([\w$]+(?:-+[\w$]+)*)|\[\s*(?:(\d{1,9})|"([^"\\]*)"|'([^'\\]*)')\s*\]/y;
const HINT = 'A name with dots: `review.actionableIssues`.';

/** undefined: it is none, and that was reported. */
export function parsePath(node: ScalarNode, field: string, report: Report): Path | undefined {
  const text = String(node.value);
  const path = pathIn(text);
  if (path !== undefined) return path;
  const braced = /^\s*\{\{\{?\s*([^{}]+?)\s*\}?\}\}\s*$/.exec(text)?.[1];
  const isPath = braced !== undefined && pathIn(braced) !== undefined;
  report.error(
    'condition-syntax',
    nodeSpan(node),
    `\`${field}\` must name a value`,
    isPath ? `Write it without \`{{ }}\`: \`${field}: ${braced}\`.` : HINT,
  );
  return undefined;
}

/** undefined: it is none. */
export function pathIn(text: string): Path | undefined {
  let at = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text) ?? undefined;
    if (found !== undefined) at += found[0].length;
    return found;
  };
  const start = at;
  const root = take(ROOT)?.[0];
  if (root === undefined || root === 'null' || root === 'true' || root === 'false') return undefined;
  const keys: (string | number)[] = [];
  while (at < end) {
    const found = take(STEP);
    if (found === undefined) return undefined;
    const [, name, index, double, single] = found;
    // As JavaScript reads it, `tasks.0` is an item too.
    const number = index ?? (name !== undefined && /^\d{1,9}$/.test(name) ? name : undefined);
    keys.push(number === undefined ? (name ?? double ?? single ?? '') : Number(number));
  }
  // How many there are is a number for a condition, and nothing to hand on.
  return keys.at(-1) === 'length' ? undefined : { kind: 'path', root, keys, start, end };
}
