// evaluation: what expressions see, and what comes of evaluating one.

import type { Need } from '../model/entry.ts';
import type { Json } from '../model/json.ts';

/** A map whose members are looked up when they are asked for (`steps`, scopes). */
export interface LazyMap {
  readonly lazy: true;
  get(key: string): Json | undefined;
  keys(): Iterable<string>;
}

/** What an expression may name. `undefined` is absence (rule 16). */
export interface Bindings {
  lookup(root: string): Json | LazyMap | undefined;
  /** What the world was seen to be; undefined: nobody has looked yet. */
  fact(need: Need): string[] | undefined;
}

export type Evaluation<T = Json> =
  | { kind: 'value'; value: T }
  /** The value depends on facts that are not there yet. */
  | { kind: 'needs'; needs: Need[] }
  /** A value that is not there, or cannot be used so; the message names it. */
  | { kind: 'error'; message: string; absent?: string };
