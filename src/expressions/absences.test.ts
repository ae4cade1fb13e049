import { describe, expect, it } from 'vitest';
import type { Json } from '../model/json.ts';
import { absences } from './expressions.ts';

const roots: Record<string, Json> = { inputs: { here: 'x', list: [1] }, steps: {} };
const bindings = { lookup: (root: string) => roots[root], fact: () => undefined };

describe('absences', () => {
  it.each<[string, string[]]>([
    ['inputs.here', []],
    ['inputs.a', ['inputs.a']],
    ['inputs.a.b', ['inputs.a.b']],
    ['inputs["my-key"]', ['inputs["my-key"]']],
    ['text(inputs.a) == text(inputs.b)', ['inputs.a', 'inputs.b']],
    ['inputs.a == inputs.a', ['inputs.a']],
    ['inputs.a || inputs.b', ['inputs.a', 'inputs.b']],
    ['inputs.a || true', []],
    ['default(inputs.a, inputs.b)', ['inputs.b']],
    ['default(inputs.a, "x")', []],
    ['truthy(inputs.a) ? inputs.b : absent("steps.X.json")', ['steps.X.json']],
    ['inputs.a ? inputs.b : inputs.c', ['inputs.a']],
    ['inputs.a.b + (true ? inputs.a.b : "").c', ['inputs.a.b']],
    ['inputs.list[inputs.n]', ['inputs.n']],
    ['inputs.list[7].name', ['inputs.list[7]']],
    ['inputs.list.all(x, x == inputs.a)', ['inputs.a']],
    ['inputs.gone.all(x, x == inputs.a)', ['inputs.gone']],
    ['has(steps.x.output)', ['steps.x']],
    ['files("*.md") == inputs.a', ['inputs.a']],
    ['1 / 0 == inputs.here', []],
    ['not cel at', []],
  ])('rule 16: %s lacks %j', (cel, expected) => {
    expect(absences(cel, 'cel', bindings)).toEqual(expected);
  });

  it('looks at every part of a template, and only at the branch that is taken', () => {
    const template =
      'a {{ inputs.a }} b {{ inputs.b.c }}{% if inputs.here == "x" %}{{ inputs.d }}{% else %}{{ inputs.e }}{% endif %}';
    expect(absences(template, 'template', bindings)).toEqual(['inputs.a', 'inputs.b.c', 'inputs.d']);
  });

  it('looks into lists and maps, each name once', () => {
    const value = { x: ['{{ inputs.a }}', { y: '{{ inputs.b }}' }], z: '{{ inputs.a }}', n: 1 };
    expect(absences(value, 'template', bindings)).toEqual(['inputs.a', 'inputs.b']);
  });
});
