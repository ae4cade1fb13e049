// fold-lines: when hundreds of steps end between two frames, nobody reads a line for each. A stretch of steps that
// are simply done becomes one line that names the first and the last; whatever else there is, is never folded.

import { type Line, piece } from '../../views/text/line.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import { count } from '../../views/text/words.ts';
import type { ChangeLine } from './change-line.ts';

const WORTH_FOLDING = 4;

export function foldLines(lines: ChangeLine[], most: number, marks: Symbols): Line[] {
  if (lines.length <= most) return lines.map(({ line }) => line);
  const folded: Line[] = [];
  let stretch: ChangeLine[] = [];
  const flush = (): void => {
    if (stretch.length < WORTH_FOLDING) folded.push(...stretch.map(({ line }) => line));
    else folded.push(stretchLine(stretch, marks));
    stretch = [];
  };
  for (const line of lines) {
    if (line.done !== undefined) stretch.push(line);
    else {
      flush();
      folded.push(line.line);
    }
  }
  flush();
  return folded;
}

function stretchLine(stretch: ChangeLine[], marks: Symbols): Line {
  const first = stretch[0]?.done ?? '';
  const last = stretch[stretch.length - 1]?.done ?? '';
  return [
    piece(`${marks.done} `, 'good'),
    piece(`${first} ${marks.ellipsis} ${last}`),
    piece(`  ${count(stretch.length, 'step')} done`, 'dim'),
  ];
}
