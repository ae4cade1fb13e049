// clock: time and chance, so that nothing else has any.

export interface Clock {
  /** Milliseconds since 1970. May jump back: nothing may rely on it growing. */
  now(): number;
  /** Milliseconds that only grow, for durations. */
  monotonic(): number;
  /** Calls back once; the answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Lower-case hex digits. */
  random(digits: number): string;
}
