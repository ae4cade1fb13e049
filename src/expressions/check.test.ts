import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import {
  checkCel,
  checkTemplate,
  type ExpressionProblem,
  evaluate,
  type Type,
  type TypeEnvironment,
} from './expressions.ts';

const any: Type = { kind: 'any' };
const string: Type = { kind: 'string' };
const int: Type = { kind: 'int' };
const bool: Type = { kind: 'bool' };
const object = (fields: Record<string, Type>, denied?: Record<string, string>): Type => ({
  kind: 'object',
  fields,
  ...(denied && { denied }),
});
const list = (of: Type): Type => ({ kind: 'list', of });

const task = object({ id: int, title: string });
const environment: TypeEnvironment = {
  roots: {
    steps: object(
      {
        plan: object({ status: string, output: object({ tasks: list(task), n: int }) }),
        'a-b': object({ output: string }),
        'step-1': any,
      },
      { later: 'step `later` cannot have run yet' },
    ),
    inputs: object({ name: string, count: int, ready: bool, ratio: { kind: 'number' } }),
    vars: { kind: 'map', of: any },
    item: any,
    nothing: { kind: 'null' },
  },
  denied: { output: '`output` is only there once the step has answered' },
};

/** `code: the text it is about: message. hint` */
function shown(source: string, problems: ExpressionProblem[]): string[] {
  return problems.map(
    ({ code, message, start, end, hint }) =>
      `${code} [${source.slice(start, end)}] ${message}${hint ? ` → ${hint}` : ''}`,
  );
}

function cel(source: string, expects: 'bool' | 'list' | 'any' = 'any'): string[] {
  return shown(source, checkCel(source, environment, expects));
}

describe('checkCel', () => {
  it.each([
    ['steps.plan.output.n > 3 && inputs.ready', 'bool'],
    ['steps["a-b"].output == "x"', 'bool'],
    ['steps.plan.output.tasks', 'list'],
    ['steps.plan.output.tasks.filter(t, t.id > 1).map(t, t.title)', 'list'],
    ['item.whatever.it[0].holds', 'any'],
    ['item', 'bool'],
    ['item', 'list'],
    ['vars.x > 1 && vars["y-z"] == null', 'bool'],
    ['inputs.name == null || nothing == 1', 'bool'],
    ['inputs.count + 1.5 < inputs.ratio', 'bool'],
    ['inputs.count == 1.0', 'bool'],
    ['inputs.ready ? 1 : "a"', 'any'],
    ['[1, "a"] + [null]', 'list'],
    ['{"a": 1}.a + 1', 'any'],
    ['{inputs.name: 1}.b', 'any'],
    ['size(files("*.md")) > 0 && changed("src/**").exists(f, f.endsWith(".ts"))', 'bool'],
    ['default(steps.plan.output.n, 0) + 1', 'any'],
    ['truthy(item.x) && same(item.x, 1) && mentions(inputs.name, "x")', 'bool'],
    [
      'includes(steps.plan.output.tasks, item) && includes(inputs.name, "a") && includes(inputs, "name")',
      'bool',
    ],
    ['parse_json(inputs.name).anything', 'any'],
    ['user_says("go") || command_runs("npm test")', 'bool'],
    ['has(steps.plan.output) && has(steps["a-b"])', 'bool'],
    ['"title" in steps.plan.output && "x" in ["x"] && inputs.count in [1.5]', 'bool'],
    ['inputs.name.matches("^[a-z]+$") && inputs.name.trim().size() > 1', 'bool'],
    ['type(item) == int || type(item) == string', 'bool'],
    ['timestamp(item) < timestamp("2026-01-01T00:00:00Z") && duration("1h") > duration("1m")', 'bool'],
    ['cel.bind(x, inputs.count, x + 1) > 1', 'bool'],
    ['steps.map(id, id)', 'list'],
    ['inputs.count-1', 'any'],
    ['item.count-1 > item.a - inputs.count', 'bool'],
    ['-inputs.count < -1', 'bool'],
    ['steps.plan.output.tasks[inputs.count].title', 'any'],
    ['inputs[item] == 1', 'bool'],
    ['b"a" == b"b" && 1u < 2u', 'bool'],
  ] as const)('finds nothing wrong with %s', (source, expects) => {
    expect(cel(source, expects)).toEqual([]);
  });

  it.each<[string, string[]]>([
    // Names.
    ['step.plan', ['cel-unknown-name [step] there is nothing called `step` here → Did you mean `steps`?']],
    [
      'plan.output',
      ['cel-unknown-name [plan] there is nothing called `plan` here → Did you mean `steps.plan`?'],
    ],
    ['name', ['cel-unknown-name [name] there is nothing called `name` here → Did you mean `inputs.name`?']],
    ['output.x', ['cel-unknown-name [output] `output` is only there once the step has answered']],
    [
      'constructor',
      [
        'cel-unknown-name [constructor] there is nothing called `constructor` here → There are `steps`, `inputs`, `vars`, `item` and `nothing`. A text is written in quotes: "constructor".',
      ],
    ],
    [
      'item.map(x, x + y)',
      [
        'cel-unknown-name [y] there is nothing called `y` here → There are `x`, `steps`, `inputs`, `vars`, `item` and `nothing`. A text is written in quotes: "y".',
      ],
    ],
    // Fields.
    ['steps.pln.output', ['cel-unknown-field [pln] `steps` has no `pln` → Did you mean `steps.plan`?']],
    [
      'steps["a_b"].output',
      ['cel-unknown-field ["a_b"] `steps` has no `a_b` → Did you mean `steps["a-b"]`?'],
    ],
    ['steps.later.output', ['cel-unknown-field [later] step `later` cannot have run yet']],
    [
      'steps.plan.output.constructor',
      [
        'cel-unknown-field [constructor] `steps.plan.output` has no `constructor` → There are `tasks` and `n`.',
      ],
    ],
    [
      'default(inputs.nme, 1)',
      ['cel-unknown-field [nme] `inputs` has no `nme` → Did you mean `inputs.name`?'],
    ],
    ['has(inputs.nme)', ['cel-unknown-field [nme] `inputs` has no `nme` → Did you mean `inputs.name`?']],
    [
      'steps.plan.output.tasks.map(t, t.titel)',
      ['cel-unknown-field [titel] `t` has no `titel` → Did you mean `t.title`?'],
    ],
    [
      'steps.plan.output.tasks.length > 3',
      [
        'cel-unknown-field [length] `steps.plan.output.tasks` is a list, which has no field `length` → Write size(steps.plan.output.tasks).',
      ],
    ],
    [
      'inputs.name.first',
      ['cel-unknown-field [first] `inputs.name` is a string, which has no field `first`'],
    ],
    ['{"a": 1}.b.c', ['cel-unknown-field [b] `(…)` has no `b` → There is `a`.']],
    // Hyphens.
    [
      'steps.a-b.output == "x"',
      [
        'cel-hyphen [steps.a-b] `steps.a-b` is a subtraction: a name with a hyphen is read in brackets → Write `steps["a-b"]`.',
      ],
    ],
    [
      'steps.step-1.output',
      [
        'cel-hyphen [steps.step-1] `steps.step-1` is a subtraction: a name with a hyphen is read in brackets → Write `steps["step-1"]`.',
      ],
    ],
    [
      'steps.x-y-z.output',
      [
        'cel-hyphen [steps.x-y-z] `steps.x-y-z` is a subtraction: a name with a hyphen is read in brackets → Write `steps["x-y-z"]`.',
      ],
    ],
    [
      'item.a-b',
      [
        'cel-hyphen [item.a-b] `item.a-b` is a subtraction: a name with a hyphen is read in brackets → Write `item["a-b"]`.',
      ],
    ],
    // Functions.
    ['len(inputs.name)', ['cel-unknown-function [len] there is no function len() → Write size(x).']],
    [
      'user_sayz("x")',
      ['cel-unknown-function [user_sayz] there is no function user_sayz() → Did you mean user_says()?'],
    ],
    [
      'inputs.name.includes("a")',
      ['cel-unknown-function [includes] there is no method .includes() → Write includes(x, y).'],
    ],
    [
      'item.default(1)',
      ['cel-unknown-function [default] there is no method .default() → default is a function: default(x).'],
    ],
    [
      'trim(inputs.name)',
      ['cel-unknown-function [trim] there is no function trim() → trim is a method: x.trim(…).'],
    ],
    [
      'item.constructor(1)',
      [
        'cel-unknown-function [constructor] there is no method .constructor() → `lockstep explain cel-unknown-function` says what there is.',
      ],
    ],
    [
      'inputs.name.trim(1)',
      ['cel-arguments [inputs.name.trim(1)] .trim() takes 0 arguments, and 1 is given'],
    ],
    ['command_runs()', ['cel-arguments [command_runs()] command_runs() takes 1 argument, and 0 are given']],
    [
      'item.substring()',
      ['cel-arguments [item.substring()] .substring() takes 1 or 2 arguments, and 0 are given'],
    ],
    ['has(inputs)', ['cel-arguments [has(inputs)] has() needs one field, such as has(x.field)']],
    ['has()', ['cel-arguments [has()] has() needs one field, such as has(x.field)']],
    [
      'item.all(item)',
      [
        'cel-arguments [item.all(item)] .all() needs the name of its variable and what to do with it, such as item.all(x, …)',
      ],
    ],
    ['size(1)', ['cel-type [1] size() needs a string, a list or a map, and this is an int']],
    ['inputs.count.trim()', ['cel-type [inputs.count] .trim() is for a string, and this is an int']],
    ['inputs.name.contains(1)', ['cel-type [1] .contains() needs a string, and this is an int']],
    ['files(inputs.count)', ['cel-type [inputs.count] files() needs a string, and this is an int']],
    // Operators.
    [
      'inputs.name + 1',
      [
        'cel-type [inputs.name + 1] `+` cannot be used between a string and an int → string(x) makes a text of a number; int(x) and double(x) make a number of a text.',
      ],
    ],
    ['inputs.ready - 1', ['cel-type [inputs.ready - 1] `-` cannot be used between a bool and an int']],
    ['item + {}', ['cel-type [item + {}] `+` cannot be used between a value and a map']],
    [
      'inputs.count < "3"',
      [
        'cel-type [inputs.count < "3"] an int and a string have no order: `<` cannot compare them → string(x) makes a text of a number; int(x) and double(x) make a number of a text.',
      ],
    ],
    [
      'inputs.ready == "yes"',
      [
        'cel-type [inputs.ready == "yes"] a bool and a string are never equal → same(a, b) compares a text with a number or a bool as people would.',
      ],
    ],
    [
      '"x" in inputs.name',
      [
        'cel-type ["x" in inputs.name] `in` needs a list or a map on its right, and this is a string → text.contains(part) looks into a text.',
      ],
    ],
    [
      '1 in ["a"]',
      [
        'cel-type [1 in ["a"]] an int is never in a list of strings → string(x) makes a text of a number; int(x) and double(x) make a number of a text.',
      ],
    ],
    ['1 in inputs', ['cel-type [1 in inputs] the keys of a map are strings: an int is never one of them']],
    [
      '!inputs.count',
      [
        'cel-type [inputs.count] `!` needs true or false, and this is an int → truthy(x) makes a bool of anything.',
      ],
    ],
    ['-inputs.name', ['cel-type [-inputs.name] `-` cannot be used on a string']],
    [
      'inputs.name ? 1 : 2',
      [
        'cel-type [inputs.name] `?:` needs true or false, and this is a string → truthy(x) makes a bool of anything.',
      ],
    ],
    [
      'inputs.name && inputs.count',
      [
        'cel-type [inputs.name] `&&` needs true or false, and this is a string → truthy(x) makes a bool of anything.',
        'cel-type [inputs.count] `&&` needs true or false, and this is an int → truthy(x) makes a bool of anything.',
      ],
    ],
    [
      'steps.plan.output.tasks["x"]',
      [
        'cel-unknown-field ["x"] `steps.plan.output.tasks` is a list, which has no field `x` → Its items are steps.plan.output.tasks[0], steps.plan.output.tasks[1] …; steps.plan.output.tasks.map(item, item.x) reads it from each.',
      ],
    ],
    [
      'steps.plan.output.tasks[inputs.name]',
      ['cel-type [inputs.name] `steps.plan.output.tasks` is a list and is read by an int, not by a string'],
    ],
    ['inputs[1]', ['cel-type [1] `inputs` is a map and is read by a string, not by an int']],
    ['inputs.name[0]', ['cel-type [inputs.name[0]] `inputs.name` is a string, which has no items']],
    [
      'inputs.name.map(x, x)',
      ['cel-type [inputs.name] .map() goes over a list or a map, and `inputs.name` is a string'],
    ],
    [
      'steps.plan.output.tasks.filter(t, t.title)',
      [
        'cel-type [t.title] `filter` needs true or false, and this is a string → truthy(x) makes a bool of anything.',
      ],
    ],
    ['{1.5: 1}', ['cel-type [1.5] the key of a map is a string, an int or a bool, and this is a number']],
    [
      '99999999999999999999',
      [
        'cel-number [99999999999999999999] 99999999999999999999 is beyond ±9007199254740991, where JSON numbers are no longer exact',
      ],
    ],
    [
      'inputs.name.matches("(")',
      [
        'cel-pattern ["("] not a pattern: missing closing ): `(` → Patterns are RE2: no look-around and no back-references. A backslash is doubled, or the text is raw: r"\\d+".',
      ],
    ],
    // Syntax.
    ['', ['cel-syntax [] the expression is empty']],
    ['   ', ['cel-syntax [] the expression is empty']],
    ['a = b', ['cel-syntax [=] `=` cannot stand here → Two values are compared with `==`.']],
    ['a and b', ['cel-syntax [and] `and` cannot stand here → Write `&&`.']],
    [
      'a | length',
      [
        'cel-syntax [|] `|` cannot stand here → Write `||`; there are no filters, functions are called: `size(x)`.',
      ],
    ],
    ['x not in y', ['cel-syntax [not] `not` cannot stand here → Write `!x`, or `!(x in y)`.']],
    ['(1', ['cel-syntax [] a closing `)` is missing: the expression ends before it']],
    ['[1, 2', ['cel-syntax [] a closing `]` is missing: the expression ends before it']],
    ['f(1 2)', ['cel-syntax [2] a closing `)` is expected before `2`']],
    ['1 +', ['cel-syntax [] the expression ends where a value is expected']],
    ['1 + * 2', ['cel-syntax [*] a value is expected before `*`']],
    ['a.', ['cel-syntax [] a name is missing: the expression ends before it']],
    ['a.in', ['cel-syntax [in] a name is expected before `in` → A field with this name is read as x["in"].']],
    ['"abc', ['cel-syntax ["abc] the text is not closed: its end quote is missing']],
    [
      'loop.x',
      [
        'cel-syntax [loop] `loop` is a reserved word and cannot be a name → A field with this name is read as x["…"]; a step or an output needs another one.',
      ],
    ],
    ['item.map(1, 2)', ['cel-syntax [1] map() needs the name of its variable first, such as map(x, …)']],
    ['item.?x', ['cel-syntax [?] a name is expected before `?` → `default(x, y)` says what absence means.']],
    [String.raw`"\q"`, [String.raw`cel-syntax [\q] invalid escape sequence: \q`]],
  ])('%s', (source, expected) => {
    expect(cel(source)).toEqual(expected);
  });

  it.each<[string, 'bool' | 'list', string]>([
    ['inputs.name', 'bool', 'true or false is expected here, and this is a string'],
    ['steps.plan.output.tasks', 'bool', 'true or false is expected here, and this is a list'],
    ['nothing', 'bool', 'true or false is expected here, and this is null'],
    ['inputs.name', 'list', 'a list is expected here, and this is a string'],
    ['inputs', 'list', 'a list is expected here, and this is a map'],
  ])('%s is not a %s', (source, expects, message) => {
    expect(checkCel(source, environment, expects)).toMatchObject([
      { code: 'cel-type', message, start: 0, end: source.length },
    ]);
  });

  it('finds all problems of an expression at once, in the order they stand in', () => {
    expect(
      cel('nope && steps.pln.x == inputs.name + 1 && inputs.count && lenn(item)', 'bool').map(
        (problem) => problem.split(']')[0],
      ),
    ).toEqual([
      'cel-unknown-name [nope',
      'cel-unknown-field [pln',
      'cel-type [inputs.name + 1',
      'cel-type [inputs.count',
      'cel-unknown-function [lenn',
    ]);
  });

  it('rule 16: what may merely be absent at run time is no problem', () => {
    expect(cel('item.a.b.c && vars.never.set', 'bool')).toEqual([]);
    expect(cel('steps.plan.output.tasks[99].title')).toEqual([]);
  });

  it('X6: what is too large is one problem', () => {
    for (const source of [
      '('.repeat(10_000),
      '!'.repeat(10_000),
      `${'a || '.repeat(10_000)}a`,
      `"${'x'.repeat(100_000)}"`,
    ]) {
      expect(checkCel(source, environment, 'any')).toMatchObject([{ code: 'cel-too-large' }]);
    }
  });

  it('X6: looks at each part once, however they are nested', () => {
    const wrapped = (open: string, close: string) => `${open.repeat(70)}item.a-b${close.repeat(70)}`;
    const before = performance.now();
    for (const source of [
      wrapped('(', ').c-d'),
      wrapped('[', '][0].c-d'),
      wrapped('default(', ', 1).c-d'),
      wrapped('has(', '.c-d)'),
    ]) {
      expect(checkCel(source, environment, 'any').length).toBeGreaterThan(0);
    }
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('X1: answers for any text, with problems that lie inside of it', () => {
    const words = fc.constantFrom(
      'item',
      'steps',
      '.plan',
      '-b',
      '["a-b"]',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '1',
      ' + ',
      ' == ',
      ' && ',
      '!',
      '.map(x, ',
      'x',
      'size(',
      ', ',
      '"',
      '?',
      ':',
      '{',
      '}',
      'has(',
      'default(',
      ' in ',
    );
    const sane = (source: string) => {
      for (const problem of [
        ...checkCel(source, environment, 'bool'),
        ...checkTemplate(source, environment),
        ...checkTemplate(`{{${source}}}`, environment),
      ]) {
        expect(problem.message).not.toBe('');
        expect(problem.start).toBeGreaterThanOrEqual(0);
        expect(problem.end).toBeGreaterThanOrEqual(problem.start);
        expect(problem.end).toBeLessThanOrEqual(source.length + 4);
      }
    };
    fc.assert(fc.property(fc.string({ unit: 'binary' }), sane), { numRuns: tries(1_000, 200) });
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 15 }).map((parts) => parts.join('')),
        sane,
      ),
      { numRuns: tries(1_500, 300) },
    );
  });

  it('what it finds nothing wrong with is never refused for its syntax, its names or its functions when it runs', () => {
    const words = fc.constantFrom(
      'item',
      'inputs',
      '.count',
      '.name',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '1',
      ' + ',
      ' == ',
      ' && ',
      '!',
      '.map(x, ',
      'x',
      'size(',
      ', ',
      'default(',
      ' in ',
      'truthy(',
    );
    const values: Record<string, never> = {};
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
        (source) => {
          fc.pre(checkCel(source, environment, 'any').length === 0);
          const evaluation = evaluate(source, { lookup: (root) => values[root], fact: () => undefined });
          if (evaluation.kind === 'error')
            expect(evaluation.message).not.toMatch(
              /there is no (function|method)|cannot stand here|is expected before/,
            );
        },
      ),
      { numRuns: tries(2_000, 400) },
    );
  });
});

describe('checkTemplate', () => {
  it.each([
    'plain text with { braces } and %',
    'Hello {{ inputs.name }}',
    '{% if inputs.ready %}{{ inputs.name }}{% elsif inputs.count > 1 %}b{% else %}c{% endif %}',
    '{% for t in steps.plan.output.tasks %}{{ t.title }}{% endfor %}',
    '{% for id in steps %}{{ id.trim() }}{% endfor %}',
    '{% for x in item %}{{ x.anything }}{% endfor %}',
    '{% raw %}{{ nope }} {% nope %}{% endraw %}',
  ])('finds nothing wrong with %s', (source) => {
    expect(checkTemplate(source, environment)).toEqual([]);
  });

  it.each<[string, string[]]>([
    [
      '{{ nope }} and {{ inputs.nme }}',
      [
        'cel-unknown-name [nope] there is nothing called `nope` here → There are `steps`, `inputs`, `vars`, `item` and `nothing`. A text is written in quotes: "nope".',
        'cel-unknown-field [nme] `inputs` has no `nme` → Did you mean `inputs.name`?',
      ],
    ],
    [
      '{% if inputs.name %}x{% endif %}',
      [
        'cel-type [inputs.name] true or false is expected here, and this is a string → Compare it with something, or write truthy(x).',
      ],
    ],
    [
      '{% for x in inputs.name %}{{ x.y }}{% endfor %}',
      ['cel-type [inputs.name] `for` goes over a list or a map, and this is a string'],
    ],
    [
      '{% for t in steps.plan.output.tasks %}{{ t.titel }}{% endfor %}{{ t }}',
      [
        'cel-unknown-field [titel] `t` has no `titel` → Did you mean `t.title`?',
        'cel-unknown-name [t] there is nothing called `t` here → There are `steps`, `inputs`, `vars`, `item` and `nothing`. A text is written in quotes: "t".',
      ],
    ],
    [
      'a {{ inputs.name',
      [
        'template-unclosed [{{] `{{` is never closed → Close it with `}}`, or put the text between {% raw %} and {% endraw %} if it is meant as it stands.',
      ],
    ],
    [
      '{% if inputs.ready',
      [
        'template-unclosed [{%] `{%` is never closed → Close it with `%}`, or put the text between {% raw %} and {% endraw %} if it is meant as it stands.',
      ],
    ],
    [
      '{% if inputs.ready %}',
      ['template-unclosed [{% if inputs.ready %}] `{% if %}` is never closed → Close it with `{% endif %}`.'],
    ],
    [
      '{% for x in item %}',
      ['template-unclosed [{% for x in item %}] `{% for %}` is never closed → Close it with `{% endfor %}`.'],
    ],
    [
      '{% raw %} x',
      ['template-unclosed [{% raw %}] `{% raw %}` is never closed → Close it with `{% endraw %}`.'],
    ],
    [
      '{% endif %}{% endfor %}{% endraw %}',
      [
        'template-syntax [{% endif %}] `{% endif %}` closes nothing',
        'template-syntax [{% endfor %}] `{% endfor %}` closes nothing',
        'template-syntax [{% endraw %}] `{% endraw %}` closes nothing → Open it with `{% raw %}`.',
      ],
    ],
    [
      '{% for x in item %}{% if x %}{% endfor %}',
      [
        'template-syntax [{% endfor %}] `{% endfor %}` closes nothing → `{% if %}` is open and needs `{% endif %}` first.',
      ],
    ],
    ['{% else %}', ['template-syntax [{% else %}] `{% else %}` stands outside of an `if`']],
    [
      '{% if item %}{% else %}{% elsif item %}{% endif %}',
      ['template-syntax [{% elsif item %}] `{% elsif %}` comes after `{% else %}`'],
    ],
    [
      '{% if item %}{% else if item %}{% endif %}',
      [
        'template-syntax [{% else if item %}] `else` stands alone: `if item` cannot follow it → A further condition is `{% elsif … %}`.',
      ],
    ],
    ['{% iff item %}', ['template-tag [{% iff item %}] there is no tag `iff` → Did you mean `if`?']],
    ['{% elif item %}', ['template-tag [{% elif item %}] there is no tag `elif` → Did you mean `elsif`?']],
    [
      '{% %}',
      [
        'template-tag [{% %}] the tag is empty → There are if, elsif, else, endif, for, endfor, raw and endraw; text that is meant as it stands goes between {% raw %} and {% endraw %}.',
      ],
    ],
    [
      '{%- if item -%}',
      [
        'template-tag [{%- if item -%}] `-` is not a tag: white space around tags is kept as it stands → Write the tag without the sign.',
      ],
    ],
    [
      '{% for item %}{% endfor %}',
      ['template-syntax [{% for item %}] `for` needs a name and a list → Write `{% for x in list %}`.'],
    ],
    [
      '{% for loop in item %}{% endfor %}',
      ['template-syntax [{% for loop in item %}] `loop` is a reserved word and cannot be a name'],
    ],
    ['{% if %}x{% endif %}', ['cel-syntax [] the expression is empty']],
    [
      '{{#each item}}',
      [
        'cel-syntax [#] `#` cannot stand here → Mustache sections are not part of templates: write `{% if … %}` or `{% for x in … %}`.',
      ],
    ],
    [
      "{{ it's }} {{ nope }}",
      [
        "cel-syntax ['s ] the text is not closed: its end quote is missing",
        'cel-unknown-name [nope] there is nothing called `nope` here → There are `steps`, `inputs`, `vars`, `item` and `nothing`. A text is written in quotes: "nope".',
      ],
    ],
  ])('%s', (source, expected) => {
    const found = shown(source, checkTemplate(source, environment));
    for (const each of expected) expect(found).toContain(each);
    expect(found.length).toBeGreaterThanOrEqual(expected.length);
  });

  it('finds the problems of all parts at once, at their places in the template', () => {
    const source = '{{ nope }}\n{% if inputs.name %}\n{% iff x %}\n{{ 1 + }}\n{% endif %}';
    expect(
      checkTemplate(source, environment).map(({ code, start }) => [
        code,
        source.slice(0, start).split('\n').length,
      ]),
    ).toEqual([
      ['cel-unknown-name', 1],
      ['cel-type', 2],
      ['template-tag', 3],
      ['cel-syntax', 4],
    ]);
  });
});

describe('error pages', () => {
  const shape: TypeEnvironment = {
    roots: { inputs: object({ name: string, count: int }), steps: object({ 'run-tests': any }) },
    denied: {},
  };

  it.each([
    'cel-syntax',
    'cel-too-large',
    'cel-unknown-name',
    'cel-unknown-field',
    'cel-hyphen',
    'cel-unknown-function',
    'cel-arguments',
    'cel-type',
    'cel-number',
    'cel-pattern',
    'template-syntax',
    'template-tag',
    'template-unclosed',
  ])('%s has a page whose example is that error', (code) => {
    const page = readFileSync(new URL(`../../docs/errors/${code}.md`, import.meta.url), 'utf8');
    expect(page.startsWith(`# ${code}\n`)).toBe(true);
    const [, kind, example = ''] = /```(cel|template)\n(.*)\n```/.exec(page) ?? [];
    const problems = kind === 'cel' ? checkCel(example, shape, 'any') : checkTemplate(example, shape);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });
});
