// fold-lines: when hundreds of steps end between two frames, nobody reads a line for each. The first few stay, the
// rest becomes a count; whatever is not simply done is never folded.

import { type Line, piece } from '../../views/text/line.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import { count } from '../../views/text/words.ts';
import type { ChangeLine } from './change-line.ts';

const KEPT = 3;

export function foldLines(lines: ChangeLine[], most: number, marks: Symbols): Line[] {
  if (lines.length <= most) return lines.map(({ line }) => line);
  const folded: Line[] = [];
  let run: Line[] = [];
  const flush = (): void => {
    folded.push(...run.slice(0, KEPT));
    if (run.length === KEPT + 1) folded.push(run[KEPT] as Line);
    else if (run.length > KEPT) {
      folded.push([
        piece(`${marks.done} `, 'good'),
        piece(`${count(run.length - KEPT, 'more step')} done`, 'dim'),
      ]);
    }
    run = [];
  };
  for (const { line, isDone } of lines) {
    if (isDone) run.push(line);
    else {
      flush();
      folded.push(line);
    }
  }
  flush();
  return folded;
}
