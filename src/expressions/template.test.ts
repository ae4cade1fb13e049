import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Json } from '../model/json.ts';
import {
  checkTemplate,
  hasExpressions,
  isSoleExpression,
  references,
  render,
  renderDeep,
  renderText,
} from './expressions.ts';

const roots: Record<string, Json> = {
  name: 'World',
  n: 5,
  half: 2.5,
  yes: true,
  no: false,
  nothing: null,
  list: ['a', 'b'],
  numbers: [1, 2],
  map: { k: 'v', other: 'w' },
  braces: '{{ name }} {% if %}',
};
const bindings = {
  lookup: (root: string) => (Object.hasOwn(roots, root) ? roots[root] : undefined),
  fact: () => undefined,
};

describe('render', () => {
  it.each<[string, Json]>([
    ['plain text', 'plain text'],
    ['', ''],
    ['Hello {{ name }}!', 'Hello World!'],
    ['{{name}}{{name}}', 'WorldWorld'],
    ['n is {{ n }}, half {{ half }}', 'n is 5, half 2.5'],
    ['{{ yes }} {{ nothing }}', 'true null'],
    ['list: {{ list }}', 'list: ["a","b"]'],
    ['map: {{ map }}', 'map: {"k":"v","other":"w"}'],
    ['{{ "}}" }} {{ "%}" }}', '}} %}'],
    ['x{{ {"a": {"b": 1}} }}', 'x{"a":{"b":1}}'],
    ["{{ 'it''s' }}".replace("''", '"'), 'it"s'],
    ['{{ """a\n}}b""" }}.', 'a\n}}b.'],
    ['a } b }} c %} d { e', 'a } b }} c %} d { e'],
    // A text that is one {{ }} keeps the type.
    ['{{ n }}', 5],
    ['{{ half * 2 }}', 5],
    ['{{ list }}', ['a', 'b']],
    ['{{ nothing }}', null],
    ['{{ name }}', 'World'],
    [' {{ n }}', ' 5'],
    ['{{ n }}\n', '5\n'],
    // Tags.
    ['{% if yes %}A{% endif %}', 'A'],
    ['{% if no %}A{% endif %}', ''],
    ['{% if no %}A{% else %}B{% endif %}', 'B'],
    ['{% if no %}A{% elsif n == 5 %}B{% elsif yes %}C{% else %}D{% endif %}', 'B'],
    ['{%if yes%}A{%endif%}', 'A'],
    ['{% if n % 2 == 1 %}odd{% endif %}', 'odd'],
    ['{% for x in list %}<{{ x }}>{% endfor %}', '<a><b>'],
    ['{% for x in map %}{{ x }}={{ map[x] }};{% endfor %}', 'k=v;other=w;'],
    ['{% for x in [] %}never{% endfor %}', ''],
    ['{% for x in numbers %}{% for y in numbers %}{{ x * y }} {% endfor %}{% endfor %}', '1 2 2 4 '],
    ['{% for n in numbers %}{{ n }}{% endfor %}{{ n }}', '125'],
    ['{% for x in list %}{{ numbers.map(y, string(y) + x) }}{% endfor %}', '["1a","2a"]["1b","2b"]'],
    ['{% raw %}{{ name }} {% if %}{% endraw %}', '{{ name }} {% if %}'],
    ['a{% raw %}{% endraw %}b', 'ab'],
    // White space is kept as it stands.
    ['a\n{% if yes %}\nb\n{% endif %}\nc', 'a\n\nb\n\nc'],
    // What does not matter may be absent.
    ['{% if yes || missing %}A{% else %}{{ missing }}{% endif %}', 'A'],
    ['{% if no %}{{ missing }}{% endif %}', ''],
    ['{{ default(missing, "none") }}', 'none'],
  ])('%j renders to %j', (template, expected) => {
    expect(render(template, bindings)).toEqual({ kind: 'value', value: expected });
  });

  it.each([
    ['Hello {{ missing.field }}', 'missing'],
    ['{{ map.missing }}', 'map.missing'],
    ['{% if missing %}{% endif %}', 'missing'],
    ['{% for x in missing %}{% endfor %}', 'missing'],
  ])('rule 16: %s is an error that names `%s`', (template, absent) => {
    expect(render(template, bindings)).toMatchObject({ kind: 'error', absent });
  });

  it.each([
    ['{% if name %}x{% endif %}', '`{% if %}` needs true or false, and this is a string'],
    ['{% for x in n %}x{% endfor %}', '{% for %} goes over a list or a map, and this is an int'],
    ['{% if yes %}', '`{% if %}` is never closed'],
    ['{{ n', '`{{` is never closed'],
    ['{{ n + }}', 'the expression ends where a value is expected'],
    ['{% nope %}', 'there is no tag `nope`'],
    ['{{ }}', 'the expression is empty'],
  ])('%s is an error that says: %s', (template, message) => {
    expect(render(template, bindings)).toMatchObject({
      kind: 'error',
      message: expect.stringContaining(message),
    });
  });

  it('X7: asks for all missing facts of all parts at once', () => {
    const template =
      '{{ files("a") }} {% if size(changed("b")) > 0 %}{{ files("not reached") }}{% endif %}{% for x in files("c") %}{{ x }}{% endfor %}{{ files("a") }}';
    expect(render(template, bindings)).toEqual({
      kind: 'needs',
      needs: [
        { kind: 'files', pattern: 'a' },
        { kind: 'changed', pattern: 'b' },
        { kind: 'files', pattern: 'c' },
      ],
    });
    expect(render('{{ files("a") }} {{ missing }}', bindings)).toMatchObject({
      kind: 'error',
      absent: 'missing',
    });
  });

  it('X5: what a value renders to is never rendered again', () => {
    expect(render('a {{ braces }}', bindings)).toEqual({ kind: 'value', value: 'a {{ name }} {% if %}' });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{{', '}}', '{%', '%}', ' name ', 'x', '{', '}', ' raw ', ' endraw ', '"')),
        (pieces) => {
          const text = pieces.join('');
          const from = {
            lookup: (root: string) => (root === 'text' ? text : undefined),
            fact: () => undefined,
          };
          expect(render('<{{ text }}>', from)).toEqual({ kind: 'value', value: `<${text}>` });
          expect(render('{{ text }}', from)).toEqual({ kind: 'value', value: text });
          expect(render('{% for x in [text] %}{{ x }}{% endfor %}', from)).toEqual({
            kind: 'value',
            value: text,
          });
          expect(renderDeep({ k: ['{{ text }}'] }, from)).toEqual({ kind: 'value', value: { k: [text] } });
        },
      ),
    );
  });

  it('leaves a text without tags as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/\{[{%]/.test(text)),
        (text) => {
          expect(render(text, bindings)).toEqual({ kind: 'value', value: text });
        },
      ),
    );
  });

  it('any text between raw and endraw comes out as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{{', '}}', '{%', '%}', 'if', ' ', 'x', '"', 'raw')), (pieces) => {
        const text = pieces.join('');
        expect(render(`a{% raw %}${text}{% endraw %}b`, bindings)).toEqual({
          kind: 'value',
          value: `a${text}b`,
        });
      }),
    );
  });

  it('X1: answers for any template', () => {
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      ' if ',
      'for x in ',
      'endif',
      'endfor',
      'else',
      'elsif ',
      'raw',
      'endraw',
      'list',
      'yes',
      'n',
      ' ',
      '"',
      "'",
      '{',
      '}',
      '\n',
      'x',
    );
    const answers = ['value', 'needs', 'error'];
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const template = parts.join('');
        expect(answers).toContain(render(template, bindings).kind);
        expect(answers).toContain(render(template, bindings, { quote: 'shell' }).kind);
        expect(answers).toContain(renderText(template, bindings).kind);
      }),
      { numRuns: tries(3_000, 600) },
    );
  });

  it('X6: a hostile template takes bounded time', () => {
    const before = performance.now();
    for (const piece of [
      '{{ " }}',
      '{{',
      '{%',
      "{{ '\n",
      '{{ { ',
      '{% if yes %}',
      '{% for x in list %}',
      '{% raw %}',
      '{{ """ }}',
      '{% endif %}',
    ]) {
      expect(['value', 'error']).toContain(render(piece.repeat(50_000), bindings).kind);
      checkTemplate(piece.repeat(50_000), { roots: {}, denied: {} });
      references(piece.repeat(50_000), 'template');
    }
    expect(performance.now() - before).toBeLessThan(30_000);
  });
});

describe('renderText', () => {
  it.each([
    ['{{ n }}', '5'],
    ['{{ list }}', '["a","b"]'],
    ['{{ name }}', 'World'],
    ['{{ timestamp(0) }}', '1970-01-01T00:00:00.000Z'],
    ['text', 'text'],
  ])('%s is always text: %j', (template, expected) => {
    expect(renderText(template, bindings)).toEqual({ kind: 'value', value: expected });
  });
});

describe('renderDeep', () => {
  it('renders every string inside, keeps the types of sole expressions, and leaves keys alone', () => {
    const value = {
      '{{ n }}': '{{ n }}',
      list: ['{{ list }}', 'x {{ n }}', 7, null, true],
      nested: { deep: { text: '{{ name }}' } },
    };
    expect(renderDeep(value, bindings)).toEqual({
      kind: 'value',
      value: { '{{ n }}': 5, list: [['a', 'b'], 'x 5', 7, null, true], nested: { deep: { text: 'World' } } },
    });
  });

  it('X4: keeps hostile keys as data', () => {
    const rendered = renderDeep(
      JSON.parse('{"__proto__": {"a": "{{ n }}"}, "constructor": "{{ n }}"}') as Json,
      bindings,
    );
    expect(JSON.stringify(rendered)).toBe('{"kind":"value","value":{"__proto__":{"a":5},"constructor":5}}');
  });

  it('X7: collects what all strings need; an error anywhere is the answer', () => {
    expect(
      renderDeep(['{{ files("a") }}', { k: '{{ changed("b") }}' }, '{{ files("a") }}'], bindings),
    ).toEqual({
      kind: 'needs',
      needs: [
        { kind: 'files', pattern: 'a' },
        { kind: 'changed', pattern: 'b' },
      ],
    });
    expect(renderDeep(['{{ files("a") }}', '{{ missing }}'], bindings)).toMatchObject({
      kind: 'error',
      absent: 'missing',
    });
  });

  it('X6: refuses a value of any depth', () => {
    let value: Json = '{{ n }}';
    for (let level = 0; level < 10_000; level++) value = [value];
    expect(renderDeep(value, bindings)).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('levels deep'),
    });
  });

  it('leaves any JSON without tags as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        fc.pre(!/\{[{%]/.test(JSON.stringify(json)));
        expect(renderDeep(json as Json, bindings)).toEqual({ kind: 'value', value: json });
      }),
    );
  });
});

describe('isSoleExpression and hasExpressions', () => {
  it.each([
    ['{{ inputs.x }}', 'inputs.x', true],
    ['{{inputs.x}}', 'inputs.x', true],
    ['{{ {"a": {}} }}', '{"a": {}}', true],
    ['{{ "}}" }}', '"}}"', true],
    [' {{ x }}', undefined, true],
    ['{{ x }}{{ y }}', undefined, true],
    ['{{ x }} }}', undefined, true],
    ['{% if x %}{% endif %}', undefined, true],
    ['{% raw %}x{% endraw %}', undefined, true],
    ['{{ x', undefined, true],
    ['text', undefined, false],
    ['{ { x } }', undefined, false],
    ['', undefined, false],
  ])('%j: %j, %s', (template, sole, has) => {
    expect(isSoleExpression(template)).toBe(sole);
    expect(hasExpressions(template)).toBe(has);
  });
});
