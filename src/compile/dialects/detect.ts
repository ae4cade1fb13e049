// detect: which language a document is written in, by its shape, unless somebody says so.

import { headSpan, type MapNode } from '../read/node.ts';
import type { Report } from '../report.ts';
import { DIALECTS, type Dialect, type DialectRow, dialectRow } from './dialects.ts';
import { maps } from './maps.ts';

/** undefined: it is none that this build reads, and that was reported. */
export function detect(document: MapNode, report: Report, chosen?: Dialect): DialectRow | undefined {
  const row = chosen === undefined ? recognise(document, report) : dialectRow(chosen);
  if (row === undefined || row.translate !== undefined) return row;
  const { name } = row;
  const readable = DIALECTS.filter((dialect) => dialectRow(dialect).translate !== undefined);
  report.error(
    'dialect-unsupported',
    headSpan(document),
    `this ${chosen === undefined ? 'looks like' : 'is to be'} ${article(name)} ${name} workflow, and this build does not read those yet`,
    `It reads ${readable.slice(0, -1).join(', ')} and ${readable.at(-1)}. A native workflow starts with \`lockstep: 1\`.`,
  );
  return undefined;
}

/** The same without a word: what a list shows. undefined: not clear. */
export function dialectOf(document: MapNode): Dialect | undefined {
  const [first, second] = candidates(document);
  return second === undefined ? first?.name : undefined;
}

function recognise(document: MapNode, report: Report): DialectRow | undefined {
  const [first, ...others] = candidates(document);
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const all = [first, ...others];
    report.error(
      'dialect-unclear',
      headSpan(document),
      `this could be a workflow of ${all.map(({ name }) => name).join(' or ')}:${list(all)}`,
      `Say which with --dialect ${first.name}.`,
    );
    return undefined;
  }
  report.error(
    'dialect-unknown',
    headSpan(document),
    `this is not recognised as a workflow. Looked for:${list(DIALECTS.map(dialectRow))}`,
    'A native workflow starts with `lockstep: 1`; for another, --dialect says what it is.',
  );
  return undefined;
}

function candidates(document: MapNode): DialectRow[] {
  const rows = DIALECTS.map(dialectRow);
  // `lockstep` is ours alone: whatever else stands there is a mistake in a native workflow.
  const [native] = rows;
  if (native?.recognises(document)) return [native];
  const found = rows.filter((row) => row.recognises(document));
  // With `lockstep: 1` left out, which is then the error.
  return found.length === 0 && native !== undefined && looksNative(document) ? [native] : found;
}

function looksNative(document: MapNode): boolean {
  return maps(document, 'steps').some((step) => step.entries.has('id'));
}

function list(rows: readonly DialectRow[]): string {
  return rows.map(({ name, marks }) => `\n- ${name}: ${marks}`).join('');
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
