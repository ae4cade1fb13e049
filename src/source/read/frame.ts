// frame: the line a problem is on, with a line above it and the place underlined. Plain text: colour is the edge's.

import type { Span } from '../../model/diagnostic.ts';

/** Longer lines are cut around the place. */
const WIDEST = 120;

export function sourceFrame(text: string, span: Span): string {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  const line = cleaned(lines[span.line - 1]);
  const width = String(span.line).length;
  const shift = line.length > WIDEST ? Math.max(0, span.column - 1 - WIDEST / 2) : 0;
  const shown = window(line, shift);
  const last = span.endLine > span.line ? line.length + 1 : span.endColumn;
  const lead = span.column - 1 - shift + (shift > 0 ? 1 : 0);
  const length = Math.max(1, Math.min(last - span.column, shown.length - lead));
  const frame = [
    `${String(span.line).padStart(width)} | ${shown}`,
    `${' '.repeat(width)} | ${blanks(shown, lead)}${'^'.repeat(length)}`,
  ];
  const before = span.line >= 2 ? cleaned(lines[span.line - 2]) : '';
  if (before.trim() !== '')
    frame.unshift(`${String(span.line - 1).padStart(width)} | ${window(before, shift)}`);
  return frame.join('\n');
}

function cleaned(line: string | undefined): string {
  // A control character would draw over the frame.
  return (line ?? '').replace(/\r$/, '').replace(/[\u0000-\u0008\u000A-\u001F\u007F-\u009F]/g, '\uFFFD');
}

function window(line: string, shift: number): string {
  const cut = line.slice(shift, shift + WIDEST);
  return `${shift > 0 ? '…' : ''}${cut}${shift + WIDEST < line.length ? '…' : ''}`;
}

/** Tabs stay tabs, so that the underline stands below its text however wide they are shown. */
function blanks(line: string, length: number): string {
  return line.slice(0, length).replace(/[^\t]/g, ' ').padEnd(length);
}
