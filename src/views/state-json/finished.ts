// finished: the passes of an `each` that are over, as text. The outline has dropped their records, so this is all that is
// left of them for state.json. Whole blocks of them are kept as one text each: what a rendering of state.json costs
// then hardly depends on how many there are.

import { note } from '../outline/note.ts';
import type { Noted } from '../outline/shape.ts';
import type { Room, Sheet } from './sheet.ts';

const BLOCK = 256;
/** Stands for a pass for which there is no room; `for_each` and the journal tell what became of it. */
const NO_ROOM = '{"lockstep":{"left_out":true}}';
const NOT_STARTED = '{}';
const NAMED = 50;

interface Block {
  /** By place in the block; empty once they are one text. */
  texts: string[];
  count: number;
  whole?: { text: string; starts: number[] };
}

export interface Finished {
  room: Room;
  blocks: Block[];
  /** The highest number of a pass, and one. */
  length: number;
  used: Room;
  /** By pass, where it was long or is not whole. */
  costs: Map<number, { long: number; leftOut: number }>;
  leftOut: Noted<string>;
}

export function noneFinished(room: Room): Finished {
  return {
    room,
    blocks: [],
    length: 0,
    used: { long: 0, all: 0 },
    costs: new Map(),
    leftOut: { count: 0, kept: [] },
  };
}

export function roomLeft({ room, used }: Finished): Room {
  return { long: room.long - used.long, all: room.all - used.all };
}

/** `sheet`: the pass as it was written, with the room that was left. One that was kept before is replaced. */
export function keepFinished(finished: Finished, number: number, path: string, sheet: Sheet): void {
  const hasRoom = sheet.used.all <= roomLeft(finished).all;
  account(finished, number, hasRoom ? sheet : { used: { long: 0 }, leftOut: { count: 1, kept: [path] } });
  finished.length = Math.max(finished.length, number + 1);
  const at = Math.floor(number / BLOCK);
  const block: Block = finished.blocks[at] ?? { texts: [], count: 0 };
  finished.blocks[at] = block;
  if (block.whole) takeApart(block);
  const place = number % BLOCK;
  const before = block.texts[place];
  const text = hasRoom ? sheet.pieces.join('') : NO_ROOM;
  block.texts[place] = text;
  finished.used.all += text.length - (before?.length ?? 0);
  if (before === undefined) block.count += 1;
  if (block.count === BLOCK) join(block);
}

function account(
  { used, costs, leftOut }: Finished,
  number: number,
  now: { used: Pick<Room, 'long'>; leftOut: Noted<string> },
): void {
  const before = costs.get(number) ?? { long: 0, leftOut: 0 };
  used.long += now.used.long - before.long;
  leftOut.count += now.leftOut.count - before.leftOut;
  for (const name of now.leftOut.kept)
    if (leftOut.kept.length < NAMED && !leftOut.kept.includes(name)) leftOut.kept.push(name);
  if (now.used.long + now.leftOut.count > 0)
    costs.set(number, { long: now.used.long, leftOut: now.leftOut.count });
  else costs.delete(number);
}

/** Those of the `each` at this path, in order, and among them those that are under way (again). */
export function writeFinished(
  finished: Finished,
  path: string,
  open: ReadonlyMap<number, unknown>,
  sheet: Sheet,
  writeOpen: (number: number) => void,
): void {
  let length = finished.length;
  const touched = new Set<number>();
  for (const number of open.keys()) {
    length = Math.max(length, number + 1);
    touched.add(Math.floor(number / BLOCK));
  }
  for (let from = 0; from < length; from += BLOCK) {
    if (from > 0) sheet.put(',');
    const at = from / BLOCK;
    const block = finished.blocks[at];
    if (block?.whole && !touched.has(at) && sheet.fits(block.whole.text.length)) sheet.put(block.whole.text);
    else
      for (let number = from; number < Math.min(length, from + BLOCK); number += 1) {
        if (number > from) sheet.put(',');
        if (open.has(number)) writeOpen(number);
        else writeOne(textOf(block, number % BLOCK), sheet, `${path}[${number}]`);
      }
  }
}

function writeOne(text: string, sheet: Sheet, name: string): void {
  if (text === NO_ROOM || sheet.fits(text.length)) return sheet.put(text);
  note(sheet.leftOut, name);
  sheet.put(NO_ROOM);
}

function join(block: Block): void {
  const starts: number[] = [];
  let start = 0;
  for (const text of block.texts) {
    starts.push(start);
    start += text.length + 1;
  }
  block.whole = { text: block.texts.join(','), starts };
  block.texts = [];
}

function takeApart(block: Block): void {
  block.texts = Array.from({ length: BLOCK }, (_, place) => textOf(block, place));
  block.whole = undefined;
}

function textOf(block: Block | undefined, place: number): string {
  if (!block?.whole) return block?.texts[place] ?? NOT_STARTED;
  const { text, starts } = block.whole;
  return text.slice(starts[place], (starts[place + 1] ?? text.length + 1) - 1);
}
