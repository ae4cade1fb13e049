// painter: the live area at the bottom of a terminal, and the permanent lines that scroll away above it.
// P1. One write per frame: permanent lines, then the live area, then whatever was left of the old one cleared.
// P2. A live line never wraps, so its rows can be counted; after a terminal has become narrower it is the terminal
//     that has wrapped the old lines, and those rows are counted too.
// P3. The cursor is hidden while there is a live area and shown again when it is gone.

import { displayWidth } from '../../views/text/width.ts';
import type { Output, Size } from './terminal.ts';

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
const SGR = /\x1b\[[0-9;]*m/g;

export interface Painter {
  /** Replaces the live area. `permanent` lines go above it for good. */
  paint(permanent: string[], live: string[], size: Size): void;
  /** The cursor as it was, from any state, at once. What is painted next starts afresh below. */
  restore(): void;
}

export function createPainter(stream: Output): Painter {
  let widths: number[] = [];
  let isHidden = false;

  /** Rows the old live area takes now: a line that has become too long for the terminal takes several. */
  const oldRows = (columns: number): number =>
    widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / columns)), 0);

  return {
    paint(permanent, live, size) {
      const up = oldRows(size.columns);
      let text = BEGIN;
      if (live.length > 0 && !isHidden) text += HIDE;
      text += up > 0 ? `\x1b[${up}A\r` : '\r';
      if (permanent.length > 0 || live.length === 0) text += CLEAR_BELOW;
      for (const line of permanent) text += `${line}\n`;
      if (live.length > 0) {
        text += NO_WRAP;
        for (const line of live) text += `${line}${CLEAR_LINE}\n`;
        text += WRAP + CLEAR_BELOW;
      } else if (isHidden) text += SHOW;
      isHidden = live.length > 0;
      widths = live.map((line) => displayWidth(line.replace(SGR, '')));
      stream.write(text + END);
    },
    restore() {
      widths = [];
      if (!isHidden) return;
      isHidden = false;
      stream.write(WRAP + SHOW + END);
    },
  };
}
