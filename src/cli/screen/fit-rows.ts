// fit-rows: a live tree that is too tall for its terminal. What has ended goes first, then what is to come, then what
// agents are doing; what asks, fails or runs stays as long as there is any room, and the rest of it is counted.

import { type Line, piece } from '../../views/text/line.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import { thousands } from '../../views/text/words.ts';

export type Worth = 'head' | 'asking' | 'failed' | 'running' | 'activity' | 'pending' | 'ended';

export interface Row {
  line: Line;
  worth: Worth;
}

const DROPPED_FIRST: Worth[] = ['ended', 'pending', 'activity'];

/** The rows that there is room for. */
export function fitRows(rows: Row[], room: number, marks: Symbols): Row[] {
  let fitted = rows;
  for (const worth of DROPPED_FIRST) {
    const over = fitted.length - room;
    if (over <= 0) return fitted;
    fitted = dropLast(fitted, worth, over);
  }
  if (fitted.length <= room) return fitted;
  return foldRunning(fitted, room, marks);
}

function dropLast(rows: Row[], worth: Worth, most: number): Row[] {
  let left = most;
  return rows
    .reduceRight<Row[]>((kept, row) => {
      if (row.worth === worth && left > 0) left -= 1;
      else kept.push(row);
      return kept;
    }, [])
    .reverse();
}

/** What asks and fails is kept before what merely runs; the rest is counted. */
function foldRunning(rows: Row[], room: number, marks: Symbols): Row[] {
  const rank: Record<Worth, number> = {
    head: 0,
    asking: 1,
    failed: 2,
    running: 3,
    activity: 4,
    pending: 5,
    ended: 6,
  };
  const places = Math.max(1, room - 1);
  const chosen = new Set(
    rows
      .map((row, index) => ({ row, index }))
      .sort((a, b) => rank[a.row.worth] - rank[b.row.worth] || a.index - b.index)
      .slice(0, places)
      .map(({ index }) => index),
  );
  const kept = rows.filter((_, index) => chosen.has(index));
  if (room <= 1) return kept;
  const more = rows.length - kept.length;
  return [
    ...kept,
    { line: [piece('  '), piece(`${marks.ellipsis} and ${thousands(more)} more`, 'dim')], worth: 'running' },
  ];
}
