// random-workflow: for tests. Small workflows of every shape, whose conditions hold or not as the world pleases.

import fc from 'fast-check';
import type { Next, OnFail, Step, Workflow } from '../../src/model/workflow.ts';
import { each, loop, parallel, run, sequence, workflow } from './workflow.ts';

/** Depends on nothing in the workflow. */
const MAYBE = 'size(files("maybe")) > 0';

export interface Seed {
  kind: 'sequence' | 'parallel' | 'while' | 'until' | 'each';
  if: string | undefined;
  onFail: OnFail | undefined;
  rule: { when: string | undefined; goto: number } | undefined;
  inner: Seed[];
}

const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 2 * others.length, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );

/** A list with depths, from which the tree follows: nothing is thrown away for being too large. */
export const seeds: fc.Arbitrary<Seed[]> = fc
  .array(
    fc.record({
      rise: fc.constantFrom(1, 1, 0, 0, -1, -2),
      kind: fc.constantFrom<Seed['kind'][]>('sequence', 'parallel', 'while', 'until', 'each'),
      if: often<string | undefined>(undefined, MAYBE, 'false'),
      onFail: often<OnFail | undefined>(undefined, 'stop', 'pause', 'continue', 'continue'),
      rule: fc.option(
        fc.record({
          when: fc.constantFrom(undefined, MAYBE, 'status == "failed"', 'status == "done"'),
          goto: fc.nat({ max: 9 }),
        }),
        { nil: undefined, freq: 2 },
      ),
    }),
    { minLength: 1, maxLength: 4, size: 'max' },
  )
  .map((entries) => {
    const top: Seed[] = [];
    let lists = [top];
    for (const { rise, ...entry } of entries) {
      lists = lists.slice(0, Math.max(1, lists.length - 1 + rise));
      const made: Seed = { ...entry, inner: [] };
      lists.at(-1)?.push(made);
      lists = [...lists, made.inner];
    }
    return top;
  });

/** Only targets that can be jumped to are kept. */
export function grow(top: Seed[]): Workflow {
  let count = 0;
  const build = (list: Seed[], inParallel: boolean, outer: string[]): Step[] => {
    const ids = list.map(() => `s${count++}`);
    const targets = [...outer, ...(inParallel ? [] : ids), 'end'];
    return list.map((one, index) => {
      const goto = one.rule && targets[one.rule.goto % targets.length];
      const next: Next[] =
        one.rule && goto ? [{ goto, do: [], ...(one.rule.when ? { when: one.rule.when } : {}) }] : [];
      const parts = {
        next,
        ...(one.if ? { if: one.if } : {}),
        ...(one.onFail ? { onFail: one.onFail } : {}),
      };
      const id = ids[index] as string;
      const kind = one.inner.length === 0 ? ('run' as const) : one.kind;
      const inner =
        kind === 'run' ? [] : build(one.inner, kind === 'parallel', inParallel ? outer : [...outer, ...ids]);
      if (kind === 'run') return run(id, parts);
      if (kind === 'sequence') return sequence(id, inner, parts);
      if (kind === 'parallel') return parallel(id, inner, parts);
      if (kind === 'each') return each(id, 'files("items")', inner, parts);
      return loop(id, kind === 'while' ? { while: MAYBE } : { until: MAYBE }, 3, inner, parts);
    });
  };
  // The last step makes it show how everything before it can end.
  return workflow([...build(top, false, []), run('last')]);
}
