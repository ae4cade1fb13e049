import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

describe('rule 7: what no run comes to', () => {
  it('is warned of once, at the first of a row, and not inside what is switched off', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x, next: [{ goto: d }] }
  - { id: b, steps: [{ id: inner, run: x }] }
  - { id: c, run: x }
  - { id: d, if: 'false', steps: [{ id: off, run: x }] }
  - { id: e, loop: { while: 'false', max: 3 }, steps: [{ id: never, run: x }] }
  - { id: f, steps: [{ id: g, run: x, next: [{ goto: end }] }, { id: h, run: x }] }
`),
    ).toEqual([
      '5: unreachable-step: step `b` can never be reached → What comes before it always goes elsewhere; see `next` of `a`.',
      '9: unreachable-step: step `h` can never be reached → What comes before it always goes elsewhere; see `next` of `g`.',
    ]);
  });

  it('is not said of a step that a failure, a skip or another goto leads to', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x, next: [{ when: 'status == "done"', goto: c }], on_fail: continue }
  - { id: b, run: x }
  - { id: c, run: x, if: 'steps.a.status == "done"', next: [{ goto: end }] }
  - { id: d, run: x }
`),
    ).toEqual([]);
  });

  it('an empty list is warned of', () => {
    expect(problemsOf("steps: [{ id: e, each: 'x in []', steps: [{ id: a, run: x }] }]\n")).toEqual([
      '3: empty-each: `e` goes over an empty list: its steps never run',
    ]);
  });
});

describe('rule 7: a circle that nothing leads out of', () => {
  it('is warned of once', () => {
    expect(
      problemsOf(`
steps:
  - { id: start, run: x }
  - { id: a, run: x }
  - { id: b, run: x, next: [{ goto: a }] }
`),
    ).toEqual([
      '6: endless-circle: `a`, `b` go round in a circle that nothing but a failure ends → Give one of the jumps a `when`, or use a `loop`, which has a `max`.',
    ]);
    expect(problemsOf('steps: [{ id: a, run: x, next: [{ goto: a }] }]\n')).toEqual([
      expect.stringContaining('`a` goes round in a circle'),
    ]);
  });

  it('closed from inside a block is one, too', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x }
  - { id: s, steps: [{ id: b, run: x, next: [{ goto: a }] }] }
`),
    ).toEqual([expect.stringContaining('5: endless-circle: `a`, `s`, `b` go round')]);
  });

  it.each([
    ['a when', `next: [{ when: 'output == ""', goto: a }]`],
    ['a failure that goes on', `next: [{ when: 'status == "done"', goto: a }], on_fail: continue`],
    ['another rule', `next: [{ when: 'output == ""', goto: end }, { goto: a }]`],
  ])('is none with a way out: %s', (_, next) => {
    expect(problemsOf(`steps:\n  - { id: a, run: x }\n  - { id: b, run: x, ${next} }\n`)).toEqual([]);
  });
});
