// mask-tracker: looks for secrets in symbols instead of bytes: digits, decoded characters. Each symbol remembers where
// in the stream it stood, so that what is found is covered there, with everything between.

import type { SecretTrie } from './mask-trie.ts';

/** Offsets into the whole stream. */
export type Found = (start: number, end: number, symbols: number) => void;

/** One way to read a stream. Positions are offsets into the whole stream. */
export interface Lens {
  /** Which bytes it need not be given while nothing is under way in it. */
  readonly quiet: Quiet;
  /**
   * Reads at least one byte, and on until nothing is under way; answers where it stopped. An offset into `data` and
   * `shift` make an offset into the stream. `before` is the byte before `from`.
   */
  read(data: Uint8Array, from: number, shift: number, before: number): number;
  /** Something is under way: the next byte counts, whatever it is. */
  isBusy(): boolean;
  /** Nothing follows. */
  end(position: number): void;
  /** What may still become part of a secret begins here; `Infinity`: nothing does. */
  held(position: number): number;
}

/** A lens for each stream; what it needs to know of the secrets is worked out once. */
export type LensMaker = (found: Found) => Lens;

/** More than this between two symbols, and they do not belong together: what is held back stays bounded. */
const MOST_BETWEEN = 256;

/** Which bytes leave a lens as it is while nothing is under way in it. */
export interface Quiet {
  /** Whatever follows. */
  alone: Uint8Array;
  /** Where a certain byte follows: by the byte, times 256, plus the next. */
  before: Uint8Array;
}

/** `isQuietBefore` is asked only about bytes that are not quiet alone. */
export function quietBytes(
  isQuiet: (byte: number) => boolean,
  isQuietBefore: (byte: number, next: number) => boolean,
): Quiet {
  const alone = new Uint8Array(256);
  const before = new Uint8Array(256 * 256);
  for (let byte = 0; byte < 256; byte++) {
    if (isQuiet(byte)) {
      alone[byte] = 1;
      before.fill(1, byte * 256, byte * 256 + 256);
      continue;
    }
    for (let next = 0; next < 256; next++) if (isQuietBefore(byte, next)) before[byte * 256 + next] = 1;
  }
  return { alone, before };
}

export class Tracker {
  readonly #trie: SecretTrie;
  readonly #found: Found;
  #state = 0;
  /** Where the symbols of the current state began: a ring, as long as the state is deep. */
  #starts = new Float64Array(64);
  #first = 0;
  #length = 0;
  #lastEnd = 0;

  constructor(trie: SecretTrie, found: Found) {
    this.#trie = trie;
    this.#found = found;
  }

  push(symbol: number, start: number, end: number): void {
    if (this.#length > 0 && start - this.#lastEnd > MOST_BETWEEN) this.reset();
    const trie = this.#trie;
    const state = trie.step(this.#state, symbol);
    this.#state = state;
    this.#lastEnd = end;
    if (state === 0) {
      this.#length = 0;
      return;
    }
    this.#append(start);
    const depth = trie.depth(state);
    this.#first = (this.#first + this.#length - depth) & (this.#starts.length - 1);
    this.#length = depth;
    const longest = trie.longest(state);
    if (longest > 0) this.#found(this.#startOf(depth - longest), end, longest);
  }

  /** Nothing that was read could still become part of a secret. */
  isIdle(): boolean {
    return this.#length === 0;
  }

  reset(): void {
    this.#state = 0;
    this.#length = 0;
  }

  held(position: number): number {
    if (this.#length === 0) return Number.POSITIVE_INFINITY;
    if (position - this.#lastEnd > MOST_BETWEEN) {
      this.reset();
      return Number.POSITIVE_INFINITY;
    }
    return this.#startOf(0);
  }

  #startOf(index: number): number {
    return this.#starts[(this.#first + index) & (this.#starts.length - 1)] as number;
  }

  #append(start: number): void {
    const size = this.#starts.length;
    if (this.#length === size) {
      const larger = new Float64Array(size * 2);
      for (let index = 0; index < size; index++) larger[index] = this.#startOf(index);
      this.#starts = larger;
      this.#first = 0;
    }
    this.#starts[(this.#first + this.#length) & (this.#starts.length - 1)] = start;
    this.#length += 1;
  }
}
