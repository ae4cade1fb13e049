// table: rows in columns, the last one as wide as it is, or as the terminal lets it be.

import { displayWidth, padEnd, truncate } from '../views/text/width.ts';

const LEAST = 10;

/** `width`: of the terminal, where there is one. */
export function table(head: string[], rows: string[][], width = Number.POSITIVE_INFINITY): string {
  const widths = columnWidths(head, rows);
  const before = widths.slice(0, -1).reduce((sum, column) => sum + column + 2, 0);
  const last = Math.max(LEAST, width - before);
  const line = (cells: string[]) =>
    cells
      .map((cell, column) =>
        column === head.length - 1 ? truncate(cell, last) : padEnd(cell, widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}

export function columnWidths(head: string[], rows: string[][]): number[] {
  return head.map((title, column) => {
    let widest = displayWidth(title);
    for (const row of rows) widest = Math.max(widest, displayWidth(row[column] ?? ''));
    return widest;
  });
}
