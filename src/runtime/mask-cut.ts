// mask-cut: the beginning of a secret that a message quotes and cuts: `"ghp_a1b2c3"... is not valid JSON`. It counts where
// it is long enough to matter and something says that it was cut: dots, or the end of the text.

import { type Found, type Lens, type LensMaker, type Quiet, quietBytes } from './mask-tracker.ts';
import type { SecretTrie } from './mask-trie.ts';

/** Fewer characters are a kind of token (`ghp_`), not the token. */
const SHORTEST_PART = 8;
const DOT = 46;
/** Three bytes in UTF-8. */
const ELLIPSIS = [0xe2, 0x80, 0xa6];
const QUOTES = new Set([...'\'"`)]'].map((quote) => quote.charCodeAt(0)));

/** `trie` holds the secrets as they are. */
export function cutLens(trie: SecretTrie): LensMaker {
  const quiet = quietBytes(
    (byte) => !trie.begins(byte),
    (byte, next) => !trie.beginsWith(byte, next),
  );
  return (found) => readCut(trie, quiet, found);
}

function readCut(trie: SecretTrie, quiet: Quiet, found: Found): Lens {
  let state = 0;
  /** A part of a secret that has just ended, and what came after it. */
  let part: { start: number; end: number; dots: number; marks: number; quotes: number } | undefined;

  const follow = (byte: number) => {
    if (part === undefined) return;
    if (byte === DOT && part.marks === 0) part.dots += 1;
    else if (byte === ELLIPSIS[part.marks] && part.dots === 0) part.marks += 1;
    else if (QUOTES.has(byte) && part.dots === 0 && part.marks === 0 && part.quotes < 2) part.quotes += 1;
    else {
      part = undefined;
      return;
    }
    if (part.dots < 3 && part.marks < 3) return;
    found(part.start, part.end, 0);
    part = undefined;
  };
  const isBusy = () => state !== 0 || part !== undefined;
  return {
    quiet,
    isBusy,
    read(data, from, shift) {
      for (let index = from; index < data.length; index++) {
        const byte = data[index] as number;
        const at = shift + index;
        const depth = trie.depth(state);
        const next = trie.step(state, byte);
        // It went on otherwise than the secret does.
        const isEnd = depth >= SHORTEST_PART && trie.longest(state) === 0 && trie.depth(next) <= depth;
        if (isEnd) part = { start: at - depth, end: at, dots: 0, marks: 0, quotes: 0 };
        follow(byte);
        state = next;
        if (!isBusy()) return index + 1;
      }
      return data.length;
    },
    end(position) {
      const depth = trie.depth(state);
      if (depth >= SHORTEST_PART && trie.longest(state) === 0) found(position - depth, position, 0);
    },
    held(position) {
      const depth = trie.depth(state);
      return Math.min(part?.start ?? Number.POSITIVE_INFINITY, position - depth);
    },
  };
}
