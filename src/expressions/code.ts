// code: what a parsed expression is compiled to, and the one run of it.

import type { Bindings } from './evaluation.ts';
import { Exhausted, Missing, Trouble } from './trouble.ts';
import type { Value } from './value.ts';

export interface Run {
  readonly bindings: Bindings;
  /** Variables of comprehensions and `{% for %}`, by the depth they are declared at. */
  readonly slots: Value[];
  fuel: number;
}

export type Code = (run: Run) => Value;

/** About one unit per item looked at, or per line of text: well under a second in all. */
const FUEL = 3_000_000;
/** What is thrown and caught again costs this much more than an item. */
const COST_OF_TROUBLE = 10;
/** In characters. Past it a text is a mistake, or an attempt to fill the memory. */
export const LONGEST_TEXT = 64 * 1024 * 1024;

export function start(bindings: Bindings): Run {
  return { bindings, slots: [], fuel: FUEL };
}

export function spend(run: Run, units: number): void {
  run.fuel -= units;
  if (run.fuel < 0) throw new Exhausted();
}

export function spendText(run: Run, text: string): void {
  spend(run, 1 + (text.length >> 6));
}

/** The value, or why there is none, for what can live without it. */
export function attempt(run: Run, code: Code): Value | Trouble | Missing {
  try {
    return code(run);
  } catch (thrown) {
    if (!(thrown instanceof Trouble || thrown instanceof Missing)) throw thrown;
    spend(run, COST_OF_TROUBLE);
    return thrown;
  }
}

/** undefined: absent. Other troubles, and facts to be looked at first, go on up. */
export function valueOrAbsent(run: Run, code: Code): Value | undefined {
  const found = attempt(run, code);
  if (found instanceof Missing) throw found;
  if (!(found instanceof Trouble)) return found;
  if (found.absent === undefined) throw found;
  return undefined;
}

/**
 * All values, in order. When facts are missing the others are still asked for theirs, so that one look at the
 * world is enough; a trouble outweighs them, since no fact can mend it.
 */
export function evaluateAll(run: Run, codes: readonly Code[]): Value[] {
  const values: Value[] = [];
  let missing: Missing | undefined;
  for (const code of codes) {
    try {
      values.push(code(run));
    } catch (thrown) {
      if (!(thrown instanceof Missing)) throw thrown;
      missing = missing ? missing.and(thrown) : thrown;
    }
  }
  if (missing) throw missing;
  return values;
}

/** The same for two, without a list: most of what expressions do. */
export function strictly(left: Code, right: Code, operate: (a: Value, b: Value, run: Run) => Value): Code {
  return (run) => {
    let a: Value;
    try {
      a = left(run);
    } catch (thrown) {
      if (!(thrown instanceof Missing)) throw thrown;
      const other = attempt(run, right);
      if (other instanceof Missing) throw thrown.and(other);
      throw other instanceof Trouble ? other : thrown;
    }
    return operate(a, right(run), run);
  };
}
