// Loops of workrail workflows: who ends them, what their passes see, and that none ends another.

import { afterEach, describe, expect, it } from 'vitest';
import { claim, decides, type Walk, type WalkOptions, walk } from './walk.ts';

const open: Walk[] = [];
function walked(steps: string, options: WalkOptions = {}): Walk {
  const one = walk(`id: w\nsteps:\n${steps}\n`, {
    ...options,
    options: ['--input', 'autonomy=full_auto_never_stop'],
  });
  open.push(one);
  expect(one.ended.exitCode, one.ended.stdout + one.ended.stderr).toBe(0);
  return one;
}
afterEach(() => {
  for (const { project } of open.splice(0)) project.remove();
});

const CONTROL = 'outputContract: { contractRef: wr.contracts.loop_control }';
const byArtifact = (id: string, max: number) =>
  `{ type: while, conditionSource: { kind: artifact_contract, contractRef: wr.contracts.loop_control, loopId: ${id} }, maxIterations: ${max} }`;
const texts = (one: Walk) => one.prompted().map((path) => one.prompt(path).trim());

describe('RAIL-LOOP-ARTIFACT: a loop that an artifact ends', () => {
  it('is entered without one, goes on until its own step says stop, and is left quietly at the maximum', () => {
    const one = walked(
      `
  - { id: first, type: loop, loop: ${byArtifact('first', 5)}, body: [{ id: a, prompt: x }, { id: say, prompt: x, ${CONTROL} }] }
  - { id: second, type: loop, loop: ${byArtifact('second', 2)}, body: [{ id: tell, prompt: x, ${CONTROL} }, { id: b, prompt: x }] }
  - { id: after, prompt: x }`,
      { answers: { say: [decides('continue'), decides('stop')], tell: decides('continue') } },
    );
    expect(one.prompted()).toEqual([
      'first#1/a',
      'first#1/say',
      'first#2/a',
      'first#2/say',
      'second#1/tell',
      'second#1/b',
      'second#2/tell',
      'second#2/b',
      'after',
    ]);
    expect(one.entries('step-failed')).toEqual([]);
  });

  it('is told by the contract of a step where it does not say so itself, and is ended by no loop inside of it', () => {
    const one = walked(
      `
  - id: outer
    type: loop
    loop: { type: while, maxIterations: 2 }
    body:
      - { id: inner, type: loop, loop: { type: while, maxIterations: 3 }, body: [{ id: say, prompt: x, ${CONTROL} }] }
      - { id: tell, prompt: x, ${CONTROL} }`,
      {
        answers: { say: [decides('continue'), decides('stop'), decides('stop')], tell: decides('continue') },
      },
    );
    expect(one.prompted()).toEqual([
      'outer#1/inner#1/say',
      'outer#1/inner#2/say',
      'outer#1/tell',
      'outer#2/inner#1/say',
      'outer#2/tell',
    ]);
  });

  it('takes one artifact, that says continue or stop, for this loop', () => {
    const one = walked(
      `  - { id: l, type: loop, loop: ${byArtifact('mine', 1)}, body: [{ id: say, prompt: x, ${CONTROL} }] }`,
      {
        answers: {
          say: [
            claim(),
            claim({}, [{ kind: 'wr.loop_control', decision: 'perhaps' }]),
            decides('stop', { loopId: 'other' }),
            claim({}, [
              { kind: 'wr.loop_control', decision: 'stop' },
              { kind: 'wr.loop_control', decision: 'continue' },
            ]),
            decides('stop', { loopId: 'mine' }),
          ],
        },
      },
    );
    expect(one.entries('work-rejected').map(({ reasons }) => (reasons as string[]).length)).toEqual([
      1, 1, 1, 1,
    ]);
  });
});

describe('RAIL-LOOPS: loops by the context', () => {
  it('while: tested before each pass; until: after it; both are left quietly at the maximum', () => {
    const one = walked(
      `
  - { id: start, prompt: x }
  - { id: never, type: loop, loop: { type: while, condition: { var: more, equals: false }, maxIterations: 3 }, body: [{ id: a, prompt: x }] }
  - { id: some, type: loop, loop: { type: while, condition: { var: more, equals: true }, maxIterations: 9 }, body: [{ id: b, prompt: x }] }
  - { id: once, type: loop, loop: { type: until, condition: { var: more, equals: false }, maxIterations: 9 }, body: [{ id: c, prompt: x }] }
  - { id: full, type: loop, loop: { type: until, conditionSource: { kind: context_variable, condition: { var: more, equals: true } }, maxIterations: 2 }, body: [{ id: d, prompt: x }] }
  - { id: capped, type: loop, loop: { type: while, condition: { var: more, equals: false }, maxIterations: 2 }, body: [{ id: e, prompt: x }] }`,
      { answers: { start: claim({ more: 'yes' }), b: [claim(), claim({ more: false })] } },
    );
    expect(one.prompted().slice(1)).toEqual([
      'some#1/b',
      'some#2/b',
      'once#1/c',
      'full#1/d',
      'full#2/d',
      'capped#1/e',
      'capped#2/e',
    ]);
  });

  it('for: so many times, by a number or a key; with the number of the pass', () => {
    const one = walked(
      `
  - { id: start, prompt: x }
  - { id: two, type: loop, loop: { type: for, count: 2, maxIterations: 5 }, body: [{ id: a, prompt: 'pass {{currentIteration}}' }] }
  - { id: by-key, type: loop, loop: { type: for, count: times, maxIterations: 5, iterationVar: round }, body: [{ id: b, prompt: 'round {{round}}', runCondition: { var: round, gt: 1 } }] }
  - { id: capped, type: loop, loop: { type: for, count: 9, maxIterations: 1 }, body: [{ id: c, prompt: capped }] }
  - { id: none, type: loop, loop: { type: for, count: gone, maxIterations: 5 }, body: [{ id: d, prompt: never }] }`,
      { answers: { start: claim({ times: '3' }) } },
    );
    expect(texts(one).slice(1)).toEqual(['pass 1', 'pass 2', 'round 2', 'round 3', 'capped']);
  });

  it('forEach: over a list, with item and index, up to the maximum; nothing where there is no list', () => {
    const one = walked(
      `
  - { id: start, prompt: x }
  - { id: all, type: loop, loop: { type: forEach, items: parts, maxIterations: 2 }, body: [{ id: a, prompt: '{{currentItem.name}} {{currentItem}} {{currentIndex}} {{currentIteration}}' }] }
  - { id: named, type: loop, loop: { type: forEach, items: '{{parts}}', itemVar: output, indexVar: at }, body: [{ id: b, prompt: '{{output.name}} {{at}}', runCondition: { var: at, gt: 0 } }] }
  - { id: none, type: loop, loop: { type: forEach, items: gone }, body: [{ id: c, prompt: never }] }
  - { id: literal, type: loop, loop: { type: forEach, items: [1, two], itemVar: it }, body: [{ id: d, prompt: 'literal {{it}}', runCondition: { var: it, in: [1, TWO] } }] }`,
      { answers: { start: claim({ parts: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] }) } },
    );
    expect(texts(one).slice(1)).toEqual([
      'x {"name":"x"} 0 1',
      'y {"name":"y"} 1 2',
      'y 1',
      'z 2',
      'literal 1',
      'literal two',
    ]);
  });

  it('inside one another: the names of the outer one are still its own', () => {
    const one = walked(
      `
  - { id: start, prompt: x }
  - id: outer
    type: loop
    loop: { type: forEach, items: parts, itemVar: part, indexVar: partIndex }
    body:
      - id: middle
        type: loop
        loop: { type: for, count: 2, iterationVar: round }
        body:
          - { id: inner, type: loop, loop: { type: forEach, items: letters, itemVar: letter }, body: [{ id: a, prompt: '{{part}}{{partIndex}} {{round}} {{letter}}{{currentIndex}}' }] }
          - { id: b, prompt: '{{part}}{{partIndex}} {{round}}' }`,
      { answers: { start: claim({ parts: ['p', 'q'], letters: ['u', 'v'] }) } },
    );
    const part = (name: string, index: number) =>
      [1, 2].flatMap((round) => [
        `${name}${index} ${round} u0`,
        `${name}${index} ${round} v1`,
        `${name}${index} ${round}`,
      ]);
    expect(texts(one).slice(1)).toEqual([...part('p', 0), ...part('q', 1)]);
  });

  it('a body may be the id of a step, which sees the item and is done there only', () => {
    const one = walked(
      `
  - { id: start, prompt: x }
  - { id: one, prompt: 'do {{currentItem}}' }
  - { id: all, type: loop, loop: { type: forEach, items: parts }, body: one }
  - { id: end, prompt: last }`,
      { answers: { start: claim({ parts: ['p', 'q'] }) } },
    );
    expect(one.prompted()).toEqual(['start', 'all[0]/one', 'all[1]/one', 'end_2']);
    expect(texts(one).slice(1)).toEqual(['do p', 'do q', 'last']);
  });

  it('with a condition of its own, and a confirmation when it is over', () => {
    const one = walk(
      `id: w
steps:
  - { id: start, prompt: x }
  - { id: off, type: loop, runCondition: { var: go, equals: true }, loop: { type: for, count: 1 }, body: [{ id: a, prompt: x }] }
  - { id: on, title: All of it, type: loop, requireConfirmation: true, loop: { type: for, count: 2 }, body: [{ id: b, prompt: x }] }
`,
    );
    open.push(one);
    expect(one.prompted()).toEqual(['start', 'on#1/b', 'on#2/b']);
    one.agree();
    expect(one.asked()).toEqual(['on']);
    expect(one.entries('run-completed')).toHaveLength(1);
  });
});
