import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { references } from './expressions.ts';

/** `root.path (text)` */
function cel(source: string): string[] {
  return references(source, 'cel').map(
    ({ root, path, start, end }) => `${[root, ...path].join('/')} (${source.slice(start, end)})`,
  );
}

describe('references', () => {
  it.each<[string, string[]]>([
    ['steps.x.output', ['steps/x/output (steps.x.output)']],
    ['steps["a-b"].output', ['steps/a-b/output (steps["a-b"].output)']],
    ['steps.x.output[0].title', ['steps/x/output (steps.x.output)']],
    ['steps[name].output', ['steps (steps)', 'name (name)']],
    ['steps.x.output.trim().size()', ['steps/x/output (steps.x.output)']],
    ['a + b.c == d["e"].f', ['a (a)', 'b/c (b.c)', 'd/e/f (d["e"].f)']],
    ['list.map(x, x.y + z)', ['list (list)', 'z (z)']],
    ['x.all(x, x > 1)', ['x (x)']],
    ['list.map(x, list.map(y, x + y + w))', ['list (list)', 'list (list)', 'w (w)']],
    ['list.map(x, x > a, x + b)', ['list (list)', 'a (a)', 'b (b)']],
    ['cel.bind(x, a.b, x + x.c + d)', ['a/b (a.b)', 'd (d)']],
    ['default(steps.x.output, inputs.y)', ['steps/x/output (steps.x.output)', 'inputs/y (inputs.y)']],
    ['has(steps.x.output)', ['steps/x/output (steps.x.output)']],
    ['c ? t.x : f.y', ['c (c)', 't/x (t.x)', 'f/y (f.y)']],
    ['{"k": v.w}', ['v/w (v.w)']],
    ['!a && -b > 1', ['a (a)', 'b (b)']],
    ['type(x) == int', ['x (x)']],
    ['list == map', ['list (list)', 'map (map)']],
    ['"steps.x"', []],
    ['a.', []],
    ['x.notAComprehension(y, z)', ['x (x)', 'y (y)', 'z (z)']],
  ])('%s', (source, expected) => {
    expect(cel(source)).toEqual(expected);
  });

  it('finds them in templates, at their places, without the variables of loops', () => {
    const source =
      '{{ steps.x }} {% for i in vars.l %}{{ i.a }}{{ y }}{% endfor %}{{ i }}{% if a.b %}{{ c }}{% elsif d %}{% endif %}{% raw %}{{ r }}{% endraw %}';
    expect(references(source, 'template').map(({ start, end }) => source.slice(start, end))).toEqual([
      'steps.x',
      'vars.l',
      'y',
      'i',
      'a.b',
      'c',
      'd',
    ]);
  });

  it('X1: answers for any text', () => {
    fc.assert(
      fc.property(
        fc.string(),
        (source) => references(source, 'cel').length >= 0 && references(source, 'template').length >= 0,
      ),
    );
  });
});
