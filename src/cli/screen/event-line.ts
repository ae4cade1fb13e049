// event-line: entries that are worth a line though no step ended with them, as the table tells them. A terminal leaves out what
// it shows otherwise: what has started is in the tree, a question is asked in place, the end is told by the summary.

import type { Entry } from '../../model/entry.ts';
import type { Change, Outline } from '../../views/outline/shape.ts';
import { placeName } from '../../views/step-path.ts';
import { isAboutRun, partOf, rowOf } from '../../views/teller.ts';
import { type Line, piece } from '../../views/text/line.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import type { ChangeLine } from './change-line.ts';

export function eventLine(outline: Outline, change: Change, marks: Symbols): ChangeLine | undefined {
  const { entry } = change;
  const row = rowOf(entry);
  const telling = { outline, change };
  const shown = row?.screen(entry, telling);
  if (row === undefined || shown === undefined) return undefined;
  const { mark, style, name = nameOf(outline, entry), words = row.words(entry, telling), ...how } = shown;
  const line: Line = [piece(`${marks[mark]} `, style), piece(name)];
  return { line: words === '' ? line : [...line, piece(`  ${words}`, 'dim')], ...how };
}

function nameOf(outline: Outline, entry: Entry): string {
  if (isAboutRun(entry) || !('path' in entry) || entry.path === undefined) return outline.workflow.name;
  return placeName(entry.path, partOf(entry));
}
