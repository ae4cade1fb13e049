// comprehension: `map`, `filter`, `all`, `exists`, `exists_one` over the items of a list or the keys of a map.

import { attempt, type Code, type Run, spend } from './code.ts';
import { truthOf } from './logic.ts';
import { Missing, Trouble } from './trouble.ts';
import { described, Items, isMap, keysOf, type Value } from './value.ts';

/** What a comprehension makes of its items; `second` is there when a filter comes before it (`map` only). */
type Loop = (run: Run, items: readonly Value[], slot: number, first: Code, second: Code | undefined) => Value;

const loops: Record<string, { loop: Loop; arities: readonly number[] }> = {
  all: { loop: (run, items, slot, test) => quantified(run, items, slot, test, false), arities: [2] },
  exists: { loop: (run, items, slot, test) => quantified(run, items, slot, test, true), arities: [2] },
  exists_one: { loop: existsOne, arities: [2] },
  filter: { loop: filter, arities: [2] },
  map: { loop: map, arities: [2, 3] },
};

/** How many arguments a comprehension takes, its variable included; undefined: it is none. */
export function comprehensionArities(name: string): readonly number[] | undefined {
  return Object.hasOwn(loops, name) ? loops[name]?.arities : undefined;
}

/** `bodies`: what follows the variable. */
export function comprehension(name: string, range: Code, slot: number, bodies: readonly [Code, Code?]): Code {
  const loop = loops[name]?.loop;
  if (!loop) throw new Error(`there is no comprehension ${name}`);
  const [first, second] = bodies;
  return (run) => loop(run, itemsOf(range(run), `${name}()`, run), slot, first, second);
}

/** What `{% for %}` and comprehensions go over. */
export function itemsOf(value: Value, what: string, run: Run): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (isMap(value)) {
    const keys = keysOf(value);
    spend(run, keys.length);
    return keys;
  }
  throw new Trouble(`${what} goes over a list or a map, and this is ${described(value)}`);
}

/** One item decides, so what cannot be told of the others does not matter then. */
function quantified(run: Run, items: readonly Value[], slot: number, test: Code, decisive: boolean): boolean {
  let missing: Missing | undefined;
  let trouble: Trouble | undefined;
  for (const item of items) {
    spend(run, 1);
    run.slots[slot] = item;
    const found = attempt(run, (each) => truthOf(test(each), decisive ? 'exists' : 'all'));
    if (found === decisive) return decisive;
    if (found instanceof Missing) missing = missing ? missing.and(found) : found;
    else if (found instanceof Trouble) trouble ??= found;
  }
  if (missing) throw missing;
  if (trouble) throw trouble;
  return !decisive;
}

/** Goes on past missing facts, so that one look at the world answers for all items. */
function visitAll(run: Run, items: readonly Value[], slot: number, visit: (item: Value) => void): void {
  let missing: Missing | undefined;
  for (const item of items) {
    spend(run, 1);
    run.slots[slot] = item;
    try {
      visit(item);
    } catch (thrown) {
      if (!(thrown instanceof Missing)) throw thrown;
      missing = missing ? missing.and(thrown) : thrown;
    }
  }
  if (missing) throw missing;
}

function map(run: Run, items: readonly Value[], slot: number, first: Code, second: Code | undefined): Value {
  const made = new Items();
  visitAll(run, items, slot, () => {
    if (!second) made.push(first(run));
    else if (truthOf(first(run), 'map')) made.push(second(run));
  });
  return made;
}

function filter(run: Run, items: readonly Value[], slot: number, test: Code): Value {
  const kept = new Items();
  visitAll(run, items, slot, (item) => {
    if (truthOf(test(run), 'filter')) kept.push(item);
  });
  return kept;
}

function existsOne(run: Run, items: readonly Value[], slot: number, test: Code): Value {
  let found = 0;
  visitAll(run, items, slot, () => {
    if (truthOf(test(run), 'exists_one')) found++;
  });
  return found === 1;
}
