// sheet: the text of state.json while it is written, and how much room is left on it. A run may have more to show than
// a file that people read should hold, or than a program can read at all: then long values are shown by their
// beginning, and what stands in their place says where the whole of them is.

import { note } from '../outline/note.ts';
import type { Noted } from '../outline/shape.ts';

/** In characters. */
export interface Room {
  /** For values of more than `LONG` characters, together. */
  long: number;
  /** For everything: half of what a program that reads the file with JavaScript can hold as one text. */
  all: number;
}

export const ROOM: Room = { long: 2 ** 26, all: 2 ** 28 };
const LONG = 4096;
/** A value of this length is there in any case: what stands for one is no shorter. */
const SHORT = 1024;

export interface Sheet {
  readonly pieces: string[];
  /** Taken so far. */
  readonly used: Room;
  /** Names of what is not shown whole. */
  readonly leftOut: Noted<string>;
  /** What has to be there. */
  put(text: string): void;
  /** Whether there is room for a text of this length; `isLong`: it is one value. */
  fits(length: number, isLong?: boolean): boolean;
  /** The value as it is, or what stands for it. undefined: too long to be a text at all. */
  value(name: string, text: string | undefined, shorter: () => string): void;
}

export function createSheet(room: Room): Sheet {
  const pieces: string[] = [];
  const used: Room = { long: 0, all: 0 };
  const leftOut: Noted<string> = { count: 0, kept: [] };
  const put = (text: string): void => {
    pieces.push(text);
    used.all += text.length;
  };
  const fits = (length: number, isLong = false): boolean =>
    used.all + length <= room.all && (!isLong || length <= LONG || used.long + length <= room.long);
  return {
    pieces,
    used,
    leftOut,
    put,
    fits,
    value(name, text, shorter) {
      if (text !== undefined && (text.length <= SHORT || fits(text.length, true))) {
        if (text.length > LONG) used.long += text.length;
        return put(text);
      }
      note(leftOut, name);
      put(shorter());
    },
  };
}

/** undefined: longer than a text can be. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
