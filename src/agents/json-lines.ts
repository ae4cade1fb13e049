// json-lines: a stream of bytes → the JSON values of its lines, one at a time, in bounded memory (S5).
// A line that is no JSON is told, not fatal: clients print a stray line now and then. What is left without its newline
// at the end is the sign of a stream that broke off.

import { Buffer } from 'node:buffer';

export interface JsonLinesHandlers {
  onValue(value: unknown): void;
  /** A whole line that is no JSON; its beginning. */
  onStray(line: string): void;
  /** A line longer than `longest`, which was not kept. */
  onOverlong(): void;
}

export interface JsonLines {
  write(chunk: Uint8Array): void;
  /** Call once, at the end. A last line that lacks nothing but its newline counts; `brokeOff`: there was half a one. */
  end(): { brokeOff: boolean };
}

const LONGEST = 32 * 1024 * 1024;
const NEWLINE = 10;
const SHOWN = 200;

export function jsonLines(handlers: JsonLinesHandlers, longest = LONGEST): JsonLines {
  let parts: Uint8Array[] = [];
  let size = 0;
  let overlong = false;

  function add(part: Uint8Array): void {
    if (overlong || part.length === 0) return;
    size += part.length;
    if (size > longest) {
      overlong = true;
      parts = [];
      handlers.onOverlong();
    } else parts.push(part);
  }

  /** Whether it was a value, or nothing. */
  function finishLine(isLast: boolean): boolean {
    const text = overlong ? '' : Buffer.concat(parts).toString('utf8').trim();
    const wasOverlong = overlong;
    parts = [];
    size = 0;
    overlong = false;
    if (text === '') return !wasOverlong;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (!isLast) handlers.onStray(text.slice(0, SHOWN));
      return false;
    }
    handlers.onValue(value);
    return true;
  }

  return {
    write(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, at));
        finishLine(false);
        from = at + 1;
      }
      // A copy: the chunk's memory belongs to whoever read it.
      if (from < chunk.length) add(Uint8Array.prototype.slice.call(chunk, from));
    },
    end: () => ({ brokeOff: !finishLine(true) }),
  };
}
