// bounded-cache: keeps what was made of a text, by the text, without ever growing past its bound.

/** What an entry weighs beside its text, so that a million tiny texts are bounded too. */
const ENTRY_WEIGHT = 200;

/** Two generations: what has not been asked for during one of them is forgotten with it. */
export class BoundedCache<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  #weight = 0;
  readonly #make: (source: string) => T;
  readonly #limit: number;

  /** `limit`: characters of source text it may hold on to, both generations together. */
  constructor(limit: number, make: (source: string) => T) {
    this.#limit = limit;
    this.#make = make;
  }

  get(source: string): T {
    const young = this.#young.get(source);
    if (young !== undefined) return young;
    const value = this.#old.get(source) ?? this.#make(source);
    this.#keep(source, value);
    return value;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #keep(source: string, value: T): void {
    const weight = source.length + ENTRY_WEIGHT;
    if (weight > this.#limit / 8) return;
    if (this.#weight + weight > this.#limit / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#weight += weight;
    this.#young.set(source, value);
  }
}
