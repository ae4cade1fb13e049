import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

describe('vars', () => {
  it('are declared before they are set, and keep the type of their first value', () => {
    expect(
      problemsOf(`
vars: { count: 1, any: null, text: x }
events: { stop: [{ set: { coutn: 1 } }] }
steps:
  - id: a
    run: x
    enter: [{ set: { cuont: 1, other: 2 } }]
    exit: [{ set: { count: '{{ output }}', any: [1], text: 'a {{ output }}' } }]
    next: [{ do: [{ set: { count: many } }] }]
`),
    ).toEqual([
      '4: unknown-variable: the variable `coutn` is not declared → Did you mean "count"?',
      '8: unknown-variable: the variables `cuont`, `other` are not declared → Did you mean "count"?',
      '10: wrong-type: the variable `count` is a number, as its first value says, and this sets it to a string → Declare it as `null` where it may be of any type.',
    ]);
  });

  it('take an object from `output: vars`, whose fields are declared', () => {
    const schema = (fields: string) => `done: { schema: { type: object, properties: { ${fields} } } }`;
    expect(
      problemsOf(`
vars: { count: 1 }
steps:
  - { id: a, run: x, output: vars }
  - { id: b, run: x, capture: json, output: vars }
  - { id: c, prompt: { text: x }, output: vars, ${schema('count: { type: number }')} }
  - { id: d, prompt: { text: x }, output: vars, ${schema('count: { type: number }, total: { type: number }')} }
  - { id: e, ask: which?, choices: [x], output: vars }
`),
    ).toEqual([
      '5: wrong-type: `output: vars` merges an object into vars, and the output of `a` is a string → Read its output as JSON: `capture: json`.',
      '8: unknown-variable: the variable `total` is not declared → Declare it: vars: { total: null }',
      '9: wrong-type: `output: vars` merges an object into vars, and the output of `e` is a string',
    ]);
  });
});

describe('output: { vars, extra }', () => {
  const schema = (fields: string) => `done: { schema: { type: object, properties: { ${fields} } } }`;

  it('merges an object that stands in the output, whose fields are declared unless the rest is kept', () => {
    const context = 'context: { type: object, properties: { count: {}, total: {} } }';
    expect(
      problemsOf(`
vars: { count: 1 }
steps:
  - { id: a, prompt: { text: x }, output: { vars: context }, ${schema(context)} }
  - { id: b, prompt: { text: x }, output: { vars: context, extra: keep }, ${schema(context)} }
  - { id: c, prompt: { text: x }, output: { vars: contxt }, ${schema(context)} }
  - { id: d, prompt: { text: x }, output: { vars: notes }, ${schema('notes: { type: string }')} }
  - { id: e, run: x, capture: json, output: { vars: deep.down } }
`),
    ).toEqual([
      '5: unknown-variable: the variable `total` is not declared → Declare it: vars: { total: null }',
      '7: cel-unknown-field: `output: { vars: contxt }`: the output of `c` has no `contxt`',
      '8: wrong-type: `output: vars` merges an object into vars, and `notes` in the output of `d` is a string',
    ]);
  });

  it('is a name, or a map with a way to the object', () => {
    const [empty, unknown] = problemsOf(`
steps:
  - { id: a, run: x, capture: json, output: { vars: 'a..b' } }
  - { id: b, run: x, capture: json, output: { vars: a, extras: keep } }
`);
    expect(empty).toMatch(/^4: bad-name: .*"a\.\.b" is not a name/);
    expect(unknown).toMatch(/^5: unknown-field: .*`extras`.*extra/);
  });

  it('with `keep`, what is not declared may be read; without, it is an error at load', () => {
    const flow = (extra: string) => `
vars: { known: 1 }
steps:
  - { id: a, run: x, capture: json, output: { vars: context, extra: ${extra} } }
  - { id: b, if: 'default(vars.other, 1) == vars.known && vars["a.b"] != 2', run: x }
`;
    expect(problemsOf(flow('keep'))).toEqual([]);
    expect(problemsOf(flow('refuse')).map((line) => line.replace(/→.*/, '').trim())).toEqual([
      '6: cel-unknown-field: `vars` has no `other`',
      '6: cel-unknown-field: `vars` has no `a.b`',
    ]);
  });
});

describe('rule 1: siblings of a parallel', () => {
  it('bind no name twice, at any depth, but for what a pass of an each keeps to itself', () => {
    expect(
      problemsOf(`
vars: {}
steps:
  - id: both
    parallel: true
    steps:
      - { id: a, run: x, output: review }
      - { id: b, steps: [{ id: c, run: x, output: review }, { id: d, run: x, output: mine }] }
      - { id: e, each: 'i in [1]', exit: [{ run: [x], output: review }], steps: [{ id: f, run: x, output: review }] }
      - { id: g, run: x, output: all, next: [{ do: [{ run: [x], output: mine }] }] }
      - { id: h, run: x, capture: json, output: vars }
      - { id: i, run: x, capture: json, output: vars }
  - { id: later, run: x, output: review }
`),
    ).toEqual([
      '9: parallel-output: `c` and `a` run side by side in `both`, and both bind `review` → Give one of them another name.',
      '11: parallel-output: `g` and `d` run side by side in `both`, and both bind `mine` → Give one of them another name.',
    ]);
  });
});
