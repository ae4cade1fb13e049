// mask-tracker: looks for secrets in symbols instead of bytes: digits, decoded characters. Each symbol remembers where
// in the stream it stood, so that what is found is covered there, with everything between.

import type { SecretTrie } from './mask-trie.ts';

/** Offsets into the whole stream. */
export type Found = (start: number, end: number, symbols: number) => void;

/** One way to read a stream. Positions are offsets into the whole stream. */
export interface Lens {
  read(data: Uint8Array, from: number, position: number): void;
  /** Nothing follows. */
  end(position: number): void;
  /** What may still become part of a secret begins here; `Infinity`: nothing does. */
  held(position: number): number;
}

/** More than this between two symbols, and they do not belong together: what is held back stays bounded. */
const MOST_BETWEEN = 256;

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
