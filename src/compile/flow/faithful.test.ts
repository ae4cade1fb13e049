// F1 against the engine itself: whatever it does with a workflow, the graph has a path for it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grow, type Seed, seeds } from '../../../test/support/random-workflow.ts';
import { failed, rehearse } from '../../../test/support/rehearsal.ts';
import type { Json } from '../../model/json.ts';
import type { Workflow } from '../../model/workflow.ts';
import { findViolation } from '../prove/violation.ts';
import { buildFlow } from './build.ts';
import { reach } from './graph.ts';
import { type Outline, outline, stepsOf, within } from './outline.ts';

/** Answers every name with what `give` says. */
const always = <T>(give: (name: string) => T) =>
  new Proxy({} as Record<string, T>, {
    get: (_, name) => (typeof name === 'string' ? give(name) : undefined),
  });

/** Each step says, when it starts, which steps have ended how: in its command, or in an `enter` action. */
function telling(whole: Workflow): void {
  const { spots } = outline(whole);
  const told = spots.map(({ step: { id } }) => `{{ default(steps.${id}.status, "none") }}`);
  for (const { step } of spots) {
    if (step.work.kind === 'run')
      step.work = { kind: 'run', command: { kind: 'argv', argv: [step.id, ...told] } };
    else if (step.work.kind !== 'each') {
      step.enter.push({ work: { kind: 'run', command: { kind: 'argv', argv: [step.id, ...told] } } });
    }
  }
}

/** One run, by chance; what each step that started has told. */
function tellOf(whole: Workflow, chance: (options: number) => number): { id: string; statuses: string[] }[] {
  let answers = 3;
  const answer = (path: string): Json | undefined => {
    if (answers-- <= 0) return undefined;
    const id = path.replace(/^.*\/|~\d+$/g, '');
    const isBlock = outline(whole)
      .named(id)
      .some(({ step }) => stepsOf(step).length > 0);
    // What is accepted counts as done with all that is in it (P2), which a status does not show.
    return (isBlock ? ['again', 'fail'] : ['again', 'fail', 'accept'])[chance(isBlock ? 2 : 3)];
  };
  const played = rehearse(whole, {
    replies: always(() => () => (chance(3) === 0 ? failed(1) : null)),
    files: always((pattern) =>
      Array.from({ length: chance(pattern === 'items' ? 3 : 2) }, (_, n) => `f${n}`),
    ),
    answers: always((path) => ({ shift: () => answer(path) }) as unknown as Json[]),
    lastFirst: chance(2) === 0,
  });
  return played.commands.flatMap((command) => {
    if (command.kind !== 'run-command' || command.command.kind !== 'argv') return [];
    const [id = '', ...statuses] = command.command.argv;
    return [{ id, statuses }];
  });
}

const only = ({ named }: Outline, id: string) => named(id)[0] as NonNullable<ReturnType<typeof named>[0]>;

describe('F1: every way a run can take is a path of the graph', () => {
  it('what the engine starts can be reached, and what it starts without another is found to be a violation', () => {
    let seen = 0;
    const isFaithful = (top: Seed[], numbers: number[]) => {
      const whole = grow(top);
      whole.limits.visits = 4;
      telling(whole);
      const flow = buildFlow(whole);
      const shape = flow.outline;
      const ids = shape.spots.map(({ step }) => step.id);
      const reached = reach(flow.begin);
      let at = 0;
      for (const { id, statuses } of tellOf(
        whole,
        (options) => (numbers[at++ % numbers.length] ?? 0) % options,
      )) {
        const spot = only(shape, id);
        expect([id, flow.of(spot, 'start').some((node) => reached.has(node))]).toEqual([id, true]);
        for (const [index, after] of ids.entries()) {
          // A pass keeps its steps to itself: from outside their status is not seen.
          const { scope } = only(shape, after);
          if (after === id || statuses[index] === 'done' || (scope && !within(spot, scope))) continue;
          expect([id, after, findViolation(flow, id, after) !== undefined]).toEqual([id, after, true]);
          seen++;
        }
      }
    };
    fc.assert(fc.property(seeds, fc.array(fc.nat({ max: 5 }), { minLength: 7, maxLength: 40 }), isFaithful), {
      numRuns: Number(process.env.RUNS ?? 200),
    });
    expect(seen).toBeGreaterThan(100);
  });
});
