// reach: which steps can have ended before another begins. Our own checks ask for it: there a reference to what cannot
// have run is an error of the workflow, and here it is a failure of the step, so such a reference must not get there.

import type { ForeignList, ForeignStep } from './outline.ts';

export type Jump = ForeignStep | 'end';

/** What may come after a step. `completes`: whether it can end by itself, which a loop may not. */
export interface Ways {
  jumps(step: ForeignStep, completes: boolean): readonly Jump[];
  /** Whether the following step may come after it. */
  fallsThrough(step: ForeignStep, completes: boolean): boolean;
  mayBeEmpty(loop: ForeignStep): boolean;
}

export class Reach {
  readonly #ways: Ways;
  /** Where a step, or something inside it, may jump to in its own list. */
  readonly #jumps = new Map<ForeignStep, Set<number>>();
  /** Those that may leave their list, or something inside them does. */
  readonly #leaving = new Set<ForeignStep>();
  readonly #after = new Map<ForeignStep, Set<number>>();
  readonly #entered = new Map<ForeignList, Set<number>>();

  constructor(root: ForeignList, ways: Ways) {
    this.#ways = ways;
    this.#walk(root);
  }

  /** Whether `step` can have ended when `here` begins: `here` is in the same list, or inside something of it. */
  canHaveEnded(step: ForeignStep, here: ForeignStep | undefined): boolean {
    for (let at = here; at; at = at.list.owner) {
      if (at.list === step.list) return this.#following(step).has(at.index) && this.#isPartOfPass(step);
      if (!this.#isPartOfPass(at)) return false;
    }
    return false;
  }

  /** Whether a pass can end after this step has; `fails` says of a step whether its failure ends the pass. */
  endsPass(step: ForeignStep, fails: (step: ForeignStep) => boolean): boolean {
    if (!this.#isPartOfPass(step)) return false;
    const { steps } = step.list;
    const following = this.#following(step);
    const later = [...following].flatMap((index) => steps[index] ?? []);
    const ends = (each: ForeignStep) => this.#leaving.has(each) || fails(each);
    return following.has(steps.length) || [step, ...later].some(ends);
  }

  /** Notes all jumps within the list, and answers with those that leave it. From the inside out. */
  #walk(list: ForeignList): Jump[] {
    const leaving = new Map<ForeignStep, Jump[]>();
    for (const step of list.steps) {
      const inner = step.body ? this.#walk(step.body) : [];
      const jumps = [...inner, ...this.#ways.jumps(step, this.#completes(step))];
      const inside = jumps.flatMap((jump) => (jump !== 'end' && jump.list === list ? [jump.index] : []));
      this.#jumps.set(step, new Set(inside));
      const outside = jumps.filter((jump) => jump === 'end' || jump.list !== list);
      if (outside.length > 0) leaving.set(step, outside);
    }
    // What no pass reaches jumps nowhere.
    return [...leaving].flatMap(([step, jumps]) => {
      if (!this.#isPartOfPass(step)) return [];
      this.#leaving.add(step);
      return jumps;
    });
  }

  /** A loop whose every pass is left by a jump never comes to its end, unless it has nothing to go over. */
  #completes({ body }: ForeignStep): boolean {
    if (body?.owner === undefined || this.#ways.mayBeEmpty(body.owner)) return true;
    return this.#fromStart(body).has(body.steps.length);
  }

  /** A pass has only what it can reach; outside of loops our checks do not ask. */
  #isPartOfPass({ list, index }: ForeignStep): boolean {
    return list.owner === undefined || this.#fromStart(list).has(index);
  }

  #fromStart(list: ForeignList): Set<number> {
    const known = this.#entered.get(list) ?? this.#from([0], list);
    this.#entered.set(list, known);
    return known;
  }

  /**
   * What may come after it. Outside of loops our checks think of what a person may do too: leave a step out
   * (`--skip-step`), or go on past its failure (`--on-error continue`).
   */
  #following(step: ForeignStep): Set<number> {
    const known = this.#after.get(step);
    if (known !== undefined) return known;
    const isOutside = step.list.owner === undefined;
    const follows = isOutside || this.#ways.fallsThrough(step, this.#completes(step));
    const next = [...(this.#jumps.get(step) ?? []), ...(follows ? [step.index + 1] : [])];
    const reached = this.#from(next, step.list);
    this.#after.set(step, reached);
    return reached;
  }

  /** These steps and all that may come after them, by number; one past the last: the end of the list. */
  #from(starts: readonly number[], { steps }: ForeignList): Set<number> {
    const reached = new Set(starts);
    // A set goes on to what is added on the way.
    for (const index of reached) {
      const step = steps[index];
      if (step === undefined) continue;
      for (const target of this.#jumps.get(step) ?? []) reached.add(target);
      if (this.#ways.fallsThrough(step, this.#completes(step))) reached.add(index + 1);
    }
    return reached;
  }
}
