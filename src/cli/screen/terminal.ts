// terminal: the place we write to, and how large it is.

/** As much of a writable stream as the screen needs. */
export interface Output {
  write(text: string): boolean;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  writableNeedDrain?: boolean;
  getWindowSize?(): [number, number];
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

export interface Size {
  columns: number;
  rows: number;
}

const USUAL: Size = { columns: 80, rows: 24 };

/** Asked anew for every frame: the event that tells of a change may come late. */
export function sizeOf(stream: Output): Size {
  let columns = stream.columns;
  let rows = stream.rows;
  try {
    if (stream.getWindowSize) [columns, rows] = stream.getWindowSize();
  } catch {
    // A terminal that is gone has no size; what was known last will do.
  }
  return { columns: positive(columns) ?? USUAL.columns, rows: positive(rows) ?? USUAL.rows };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
