// source: one text with the way from an offset to a line and column. A byte order mark is not part of it.

import type { Span } from '../../model/diagnostic.ts';

export interface SourceText {
  /** As people know it. */
  readonly path: string;
  /** The id of the file; what a path inside it is relative to. */
  readonly id: string;
  readonly text: string;
  /** Offsets past the end, or the wrong way round, are brought inside. */
  span(start: number, end: number): Span;
}

export function sourceText(path: string, raw: string, id = path): SourceText {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  let starts: number[] | undefined;

  function position(offset: number): { line: number; column: number } {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  return {
    path,
    id,
    text,
    span(start, end) {
      const from = Math.min(Math.max(start, 0), text.length);
      const first = position(from);
      const last = position(Math.min(Math.max(end, from), text.length));
      return {
        file: path,
        line: first.line,
        column: first.column,
        endLine: last.line,
        endColumn: last.column,
      };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
