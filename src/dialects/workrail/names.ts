// names: what the names of a workrail text stand for in ours. A key of the context is a var, unless a loop around the step
// gives it: the item, its index, the number of the pass. `goal` is what the run was given.
//
// Every var that is read is declared, so that it is there from the start, as null.

import type { Conforming } from '../../source/grammar/conform.ts';
import { nameProblem } from '../../source/grammar/name.ts';
import { stringOf } from '../../source/read/node.ts';
import { FreeNames, member } from '../native-text.ts';
import { type ForeignStep, loopsAround, type Outline } from './outline.ts';

/** What of a loop has a name inside of it. */
type LoopValue = 'item' | 'index' | 'iteration';

const FIELDS: Readonly<Record<LoopValue, readonly [field: string, usual: string]>> = {
  item: ['itemVar', 'currentItem'],
  index: ['indexVar', 'currentIndex'],
  iteration: ['iterationVar', 'currentIteration'],
};

/** What our own expressions call the things that they go over. */
const TAKEN = ['it', 'word', 'level', 'name'];

export class Names {
  /** In the order in which they are first read. */
  readonly declared = new Set<string>();
  readonly #to: Conforming;
  readonly #items = new Map<ForeignStep, string>();
  readonly #carried = new Map<ForeignStep, Map<string, string>>();
  readonly #free: FreeNames;

  constructor(outline: Outline, to: Conforming) {
    this.#to = to;
    this.#free = new FreeNames(outline.all.map(({ id }) => id));
  }

  /** A key of the context, dots and all. `step` sees the loops around it; a loop's own test sees its passes too. */
  key(name: string, step: ForeignStep, own = false): string {
    return this.#inLoop(name, step, own) ?? this.#var(name);
  }

  /** `a.b` in a text: the way to a value. */
  path(path: readonly string[], step: ForeignStep): string {
    const [root = '', ...rest] = path;
    return rest.reduce(member, this.#inLoop(root, step, false) ?? this.#var(root));
  }

  /** Whether it is always there: what a loop gives to its passes. */
  isSet(path: readonly string[], step: ForeignStep): boolean {
    return path.length === 1 && (this.#inLoop(path[0] ?? '', step, false)?.startsWith('pass.') ?? false);
  }

  /** What the item of a `forEach` is called in ours. */
  item(loop: ForeignStep): string {
    const known = this.#items.get(loop);
    if (known !== undefined) return known;
    const wish = this.#named(loop, 'item') ?? 'item';
    const fits = nameProblem(wish, 'binding') === undefined && !TAKEN.includes(wish);
    const name = fits ? wish : this.#free.take('item');
    this.#items.set(loop, name);
    return name;
  }

  /** Values of a loop's passes that a loop inside of it would hide, by the var that carries them. */
  carried(loop: ForeignStep): ReadonlyMap<string, string> {
    return this.#carried.get(loop) ?? new Map();
  }

  #var(name: string): string {
    if (name === 'goal') return 'inputs.goal';
    if (nameProblem(name, 'variable') === undefined) this.declared.add(name);
    return member('vars', name);
  }

  #inLoop(name: string, step: ForeignStep, own: boolean): string | undefined {
    const around = loopsAround(step);
    const loops = own ? [step, ...around] : around;
    for (const [depth, loop] of loops.entries()) {
      const value = this.#valueNamed(name, loop);
      if (value !== undefined) return this.#valueOf(value, loop, loops.slice(0, depth));
    }
    return undefined;
  }

  #valueNamed(name: string, loop: ForeignStep): LoopValue | undefined {
    const values: LoopValue[] = isForEach(loop, this.#to) ? ['item', 'index', 'iteration'] : ['iteration'];
    return values.find((value) => this.#named(loop, value) === name);
  }

  #named(loop: ForeignStep, value: LoopValue): string | undefined {
    const [field, usual] = FIELDS[value];
    return stringOf(this.#to.get(this.#to.get(loop.node, 'loop'), field)) ?? usual;
  }

  /** `inner`: the loops between it and what reads it, which have passes of their own. */
  #valueOf(value: LoopValue, loop: ForeignStep, inner: readonly ForeignStep[]): string {
    if (value === 'item') return this.item(loop);
    const field = value === 'index' ? 'index' : 'number';
    if (inner.length === 0) return `pass.${field}`;
    const isEach = isForEach(loop, this.#to);
    if (isEach && !inner.some((each) => isForEach(each, this.#to))) return `pass.each.${field}`;
    const name = this.#named(loop, value) as string;
    const carried = this.#carried.get(loop) ?? new Map<string, string>();
    this.#carried.set(loop, carried.set(name, `pass.${field}`));
    return this.#var(name);
  }
}

export function isForEach(loop: ForeignStep, to: Conforming): boolean {
  return stringOf(to.get(to.get(loop.node, 'loop'), 'type')) === 'forEach';
}
