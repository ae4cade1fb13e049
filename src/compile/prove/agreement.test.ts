// The proof against a second opinion: runs of small random workflows, every choice tried in turn. The walker below
// shares nothing with the graph; it follows the rules of the language step by step, as the engine does.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grow, type Seed, seeds } from '../../../test/support/random-workflow.ts';
import type { Next, Step, Workflow } from '../../model/workflow.ts';
import { buildFlow } from '../flow/build.ts';
import { findViolation } from './violation.ts';

// ── Walking ─────────────────────────────────────────────────────────────────────────────────────

/** The walk grew longer than we care to follow. */
class TooLong {}

/** Where a failed list goes on when it is run again. */
interface Again {
  index: number;
  inside?: Inside;
}
type Inside =
  | { list: Again }
  | { fan: Map<number, Inside | undefined>; open: number[] }
  | { pass: number; list: Again };
type End = { to: 'follow' } | { to: 'stop'; inside?: Inside } | { to: 'goto'; target: string };
type Work =
  | { to: 'ok' }
  | { to: 'fail'; refused?: boolean }
  | { to: 'inside'; inside: Inside }
  | { to: 'goto'; target: string };
type Walk<T> = Generator<void, T>;

class Walker {
  /** Whether the latest visit of a step has ended done. */
  #done = new Map<string, boolean>();
  #last?: Step;
  #visits = new Map<Step, number>();
  #patience = 1;
  readonly choose: (options: number) => number;
  /** `x y`: x was seen to start while y had not ended done. */
  readonly #violated: Set<string>;
  constructor(choose: (options: number) => number, violated: Set<string>) {
    this.choose = choose;
    this.#violated = violated;
  }

  whole({ steps }: Workflow): void {
    // Nothing is to be seen after the last start.
    const last = steps.at(-1);
    if (last && last.next.length === 0 && !('steps' in last.work)) this.#last = last;
    for (const id of steps.flatMap(idsIn)) this.#done.set(id, false);
    let again: Again | undefined;
    for (;;) {
      const end = drain(this.list(steps, again));
      if (end.to !== 'stop') return;
      // A failed run can be resumed.
      if (this.choose(2) === 0) return;
      this.#impatient();
      again = (end.inside as { list: Again }).list;
    }
  }

  #impatient(): void {
    if (this.#patience-- === 0) throw new TooLong();
  }

  #ended(step: Step, how: string): void {
    this.#done.set(step.id, how === 'done');
  }

  *list(steps: Step[], again?: Again): Walk<End> {
    let inside = again?.inside;
    for (let index = again?.index ?? 0; index < steps.length; ) {
      const end: End = yield* this.step(steps[index] as Step, inside);
      inside = undefined;
      if (end.to === 'follow') index++;
      else if (end.to === 'stop') return { to: 'stop', inside: { list: { index, inside: end.inside } } };
      else {
        index = steps.findIndex((step) => step.id === end.target);
        if (index < 0) return end;
      }
    }
    return { to: 'follow' };
  }

  *step(step: Step, inside?: Inside): Walk<End> {
    yield;
    if (!inside) {
      const visits = (this.#visits.get(step) ?? 0) + 1;
      this.#visits.set(step, visits);
      if (visits > 3) throw new TooLong();
      // An `if` that cannot be evaluated fails the step: for a leaf that is the same as failing at work.
      const goes =
        step.if === undefined ? 0 : step.if === 'false' ? 1 : this.choose('steps' in step.work ? 3 : 2);
      if (goes === 1) {
        this.#ended(step, 'skipped');
        return { to: 'follow' };
      }
      if (goes === 2) return yield* this.#failed(step, undefined);
      for (const [id, done] of this.#done) if (!done) this.#violated.add(`${step.id} ${id}`);
      if (step === this.#last) throw new TooLong();
    }
    this.#ended(step, 'running');
    yield;
    const work = yield* this.#work(step, inside);
    if (work.to === 'goto') {
      this.#ended(step, 'left');
      return work;
    }
    if (work.to === 'fail') return yield* this.#failed(step, undefined, { refused: work.refused ?? false });
    if (work.to === 'inside') return yield* this.#failed(step, work.inside);
    return yield* this.#finished(step);
  }

  *#finished(step: Step): Walk<End> {
    this.#ended(step, 'done');
    const rule = this.#rule(step.next, 'done');
    if (rule === 'unknown') return yield* this.#failed(step, undefined, { rules: [] });
    return rule?.goto === undefined ? { to: 'follow' } : { to: 'goto', target: rule.goto };
  }

  *#failed(
    step: Step,
    inside: Inside | undefined,
    { rules = step.next, refused = false }: { rules?: Next[]; refused?: boolean } = {},
  ): Walk<End> {
    this.#ended(step, 'failed');
    yield;
    const rule = this.#rule(rules, 'failed');
    if (rule !== 'unknown' && rule?.goto !== undefined) return { to: 'goto', target: rule.goto };
    const policy = step.onFail ?? (refused ? 'pause' : 'stop');
    if (policy === 'continue') return { to: 'follow' };
    const answer = policy === 'stop' ? 'fail' : (['fail', 'accept', 'again'] as const)[this.choose(3)];
    if (answer !== 'fail') this.#impatient();
    if (answer === 'again') {
      return yield* this.step(step, inside);
    }
    if (answer === 'accept') {
      for (const id of idsIn(step)) this.#done.set(id, true);
      return yield* this.#finished(step);
    }
    return { to: 'stop', inside };
  }

  #rule(rules: Next[], status: 'done' | 'failed'): Next | undefined | 'unknown' {
    for (const rule of rules) {
      if (rule.when === undefined) return rule;
      if (rule.when.startsWith('status')) {
        if (rule.when.includes(status)) return rule;
        continue;
      }
      const value = this.choose(3);
      if (value === 2) return 'unknown';
      if (value === 1) return rule;
    }
    return undefined;
  }

  *#work({ work, onFail }: Step, inside?: Inside): Walk<Work> {
    switch (work.kind) {
      case 'sequence':
        return asWork(yield* this.list(work.steps, inside && 'list' in inside ? inside.list : undefined));
      case 'parallel':
        return yield* this.#parallel(work.steps, inside && 'fan' in inside ? inside : undefined);
      case 'loop': {
        let again = inside && 'list' in inside ? inside.list : undefined;
        for (let pass = 1; ; pass++) {
          if (!again && (work.test.kind === 'while' || pass > 1)) {
            const test = this.choose(3);
            if (test === 2) return { to: 'fail' };
            if (test === 0) return { to: 'ok' };
            if (pass > 2) return { to: 'fail', refused: true };
          }
          const end = yield* this.list(work.steps, again);
          again = undefined;
          if (end.to !== 'follow') return asWork(end);
        }
      }
      case 'each': {
        let at = inside && 'pass' in inside ? inside : undefined;
        let failed = false;
        if (!at && this.choose(2) === 1) return { to: 'fail' };
        for (let pass = at?.pass ?? 0; at || (pass < 2 && this.choose(2) === 1); pass++) {
          if (!at) for (const id of work.steps.flatMap(idsIn)) this.#done.set(id, false);
          const end = yield* this.list(work.steps, at?.list);
          at = undefined;
          if (end.to === 'goto') return end;
          if (end.to !== 'stop') continue;
          failed = true;
          const { list } = end.inside as { list: Again };
          if (onFail !== 'continue') return { to: 'inside', inside: { pass, list } };
        }
        return failed ? { to: 'inside', inside: { pass: 9, list: { index: 9 } } } : { to: 'ok' };
      }
      default:
        return this.choose(2) === 0 ? { to: 'ok' } : { to: 'fail' };
    }
  }

  *#parallel(steps: Step[], again?: { fan: Map<number, Inside | undefined>; open: number[] }): Walk<Work> {
    const which = again ? [...again.fan.keys(), ...again.open] : steps.map((_, index) => index);
    const begun = new Set<number>();
    const branches = new Map(
      which.map((index) => [index, this.step(steps[index] as Step, again?.fan.get(index))]),
    );
    const failures = new Map<number, Inside | undefined>();
    while (branches.size > 0) {
      yield;
      const open = [...branches.keys()];
      const index = open[this.choose(open.length)] as number;
      begun.add(index);
      const turn = branches.get(index)?.next();
      if (!turn?.done) continue;
      branches.delete(index);
      const end = turn.value;
      if (end.to === 'stop') failures.set(index, end.inside);
      if (end.to === 'goto') {
        for (const other of branches.keys())
          if (!begun.has(other)) this.#ended(steps[other] as Step, 'cancelled');
        return end;
      }
    }
    return failures.size > 0 ? { to: 'inside', inside: { fan: failures, open: [] } } : { to: 'ok' };
  }
}

function asWork(end: End): Work {
  if (end.to === 'follow') return { to: 'ok' };
  return end.to === 'goto' ? end : { to: 'inside', inside: end.inside as Inside };
}

function drain<T>(walk: Walk<T>): T {
  for (;;) {
    const turn = walk.next();
    if (turn.done) return turn.value;
  }
}

function idsIn(step: Step): string[] {
  return [step.id, ...('steps' in step.work ? step.work.steps.flatMap(idsIn) : [])];
}

/** What is violated in some run. Tries every sequence of choices; where there are too many, others at random. */
function tryAll(whole: Workflow, patience: number): { violated: Set<string>; complete: boolean } {
  const violated = new Set<string>();
  const walk = (choose: (options: number) => number) => {
    try {
      new Walker(choose, violated).whole(whole);
    } catch (thrown) {
      if (!(thrown instanceof TooLong)) throw thrown;
    }
  };
  let script: { chosen: number; options: number }[] = [];
  for (let walks = 0; walks < patience; walks++) {
    let at = 0;
    const taken: typeof script = [];
    walk((options) => {
      const chosen = script[at++]?.chosen ?? 0;
      taken.push({ chosen, options });
      return chosen;
    });
    while (taken.length > 0 && (taken.at(-1)?.chosen ?? 0) + 1 >= (taken.at(-1)?.options ?? 0)) taken.pop();
    const last = taken.pop();
    if (!last) return { violated, complete: true };
    script = [...taken, { ...last, chosen: last.chosen + 1 }];
  }
  let random = 1;
  for (let walks = 0; walks < patience; walks++) {
    walk((options) => {
      random = (random * 48271) % 2147483647;
      return random % options;
    });
  }
  return { violated, complete: false };
}

describe('rule 15: the proof and the runs agree', () => {
  it('for every two steps of a random workflow, a violation is found exactly where some run has one', () => {
    const seen = { violated: 0, kept: 0, incomplete: 0 };
    const agree = (top: Seed[]) => {
      const whole = grow(top);
      const flow = buildFlow(whole);
      const { violated, complete } = tryAll(whole, 4000);
      const ids = whole.steps.flatMap(idsIn);
      for (const every of ids) {
        for (const after of ids.filter((id) => id !== every)) {
          const found = findViolation(flow, every, after) !== undefined;
          const happened = violated.has(`${every} ${after}`);
          if (happened || complete) expect([every, after, found]).toEqual([every, after, happened]);
          seen[happened ? 'violated' : complete ? 'kept' : 'incomplete']++;
        }
      }
    };
    fc.assert(fc.property(seeds, agree), { numRuns: Number(process.env.RUNS ?? 150) });
    // The comparison must have had something to compare.
    expect(seen.violated).toBeGreaterThan(200);
    expect(seen.kept).toBeGreaterThan(200);
  });
});
