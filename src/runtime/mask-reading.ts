// mask-reading: one pass over a stream for all lenses. Nearly every byte of nearly every output matters to none of them,
// so one table says, for a byte and the one after it, which lenses must look. A lens that looks reads on by itself
// until nothing is under way in it any more.

import type { Found, Lens, LensMaker, Quiet } from './mask-tracker.ts';

export interface Reading {
  /** The bytes from `from` on; what stands before them was read already. `position` is where `from` is in the stream. */
  read(data: Uint8Array, from: number, position: number): void;
  /** Nothing follows. */
  end(position: number): void;
  /** What may still become part of a secret begins here; `Infinity`: nothing does. */
  held(position: number): number;
}

const NEWLINE = 10;

export function readingWith(makers: readonly LensMaker[]): (found: Found) => Reading {
  // What the lenses need to know of the bytes depends on the secrets only.
  const quiets = makers.map((make) => make(() => {}).quiet);
  const { before, alone } = lookers(quiets);
  return (found) => {
    const lenses = makers.map((make) => make(found));
    /** Up to where each lens has read. */
    const resume = new Float64Array(lenses.length);
    let last = NEWLINE;

    function look(data: Uint8Array, index: number, shift: number, which: number): void {
      for (let bits = which, at = 0; bits !== 0; bits >>= 1, at++) {
        if ((bits & 1) === 0 || index < (resume[at] as number)) continue;
        const previous = index > 0 ? (data[index - 1] as number) : last;
        resume[at] = (lenses[at] as Lens).read(data, index, shift, previous);
      }
    }
    return {
      read(data, from, position) {
        if (from === data.length) return;
        const shift = position - from;
        let busy = 0;
        for (const [at, lens] of lenses.entries()) if (lens.isBusy()) busy |= 1 << at;
        resume.fill(from);
        look(data, from, shift, busy);
        const end = data.length - 1;
        for (let index = from; index < end; index++) {
          const which = before[((data[index] as number) << 8) | (data[index + 1] as number)] as number;
          if (which !== 0) look(data, index, shift, which);
        }
        look(data, end, shift, alone[data[end] as number] as number);
        last = data[end] as number;
      },
      end: (position) => {
        for (const lens of lenses) lens.end(position);
      },
      held: (position) => Math.min(...lenses.map((lens) => lens.held(position))),
    };
  };
}

/** By a byte and the next one, a bit for each lens that must look; and the same by the last byte alone. */
function lookers(quiets: readonly Quiet[]): { before: Uint8Array; alone: Uint8Array } {
  const before = new Uint8Array(256 * 256);
  const alone = new Uint8Array(256);
  for (const [at, quiet] of quiets.entries()) {
    const bit = 1 << at;
    for (let byte = 0; byte < 256; byte++) {
      if (quiet.alone[byte] === 1) continue;
      alone[byte] = (alone[byte] as number) | bit;
      for (let pair = byte * 256; pair < byte * 256 + 256; pair++)
        if (quiet.before[pair] === 0) before[pair] = (before[pair] as number) | bit;
    }
  }
  return { before, alone };
}
