import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../../test/support/tries.ts';
import { checkTemplate, renderText } from '../../../expressions/expressions.ts';
import type { Json } from '../../../model/json.ts';
import { report } from '../../../source/diagnostics.ts';
import { readMarkdown } from '../../../source/read/markdown.ts';
import type { ScalarNode } from '../../../source/read/node.ts';
import { locateIn } from '../../../source/read/node.ts';
import { sourceText } from '../../../source/read/source.ts';
import { translateText } from './translate.ts';

function translated(text: string): { body: ScalarNode; names: string[]; problems: string[] } {
  const problems = report();
  const page = readMarkdown(sourceText('prompts/p.md', text), problems);
  if (page === undefined) throw new Error('not a text');
  const { body, names } = translateText(page.body, problems);
  const told = problems
    .diagnostics()
    .map(({ code, span, message }) => `${span?.line}:${span?.column} ${code}: ${message}`);
  return { body, names: [...names], problems: told };
}

function rendered(template: string, roots: Record<string, Json>): string {
  const result = renderText(template, {
    lookup: (root) => (Object.hasOwn(roots, root) ? roots[root] : undefined),
    fact: () => undefined,
  });
  if (result.kind !== 'value') throw new Error(JSON.stringify(result));
  return result.value as string;
}

function filled(text: string, roots: Record<string, Json> = {}): string {
  const { body, problems } = translated(text);
  expect(problems).toEqual([]);
  return rendered(String(body.value), roots);
}

const TASK = { id: 'T1', title: 'Add', requirements: ['fast', 'small'], size: 0, owner: null, done: false };

describe('a text of Mustache or Handlebars, translated, renders what it does there', () => {
  it.each<[string, string, string, Record<string, Json>?]>([
    ['a value', 'Task: {{task.title}}', 'Task: Add'],
    ['spaces in the tag', '{{ task.title }}|{{{ task.title }}}|{{& task.title }}', 'Add|Add|Add'],
    ['no HTML escapes', '{{x}} {{{x}}}', '<a> & "b" <a> & "b"', { x: '<a> & "b"' }],
    ['absent', '[{{missing}}][{{task.nothing}}][{{task.title.deeper}}][{{missing.a.b}}]', '[][][][]'],
    [
      'null is nothing, zero and false are not',
      '[{{task.owner}}][{{task.size}}][{{task.done}}]',
      '[][0][false]',
    ],
    ['a list and a map as JSON', '{{task.requirements}} {{m}}', '["fast","small"] {"a":1}', { m: { a: 1 } }],
    [
      'an item by its number',
      '{{task.requirements.1}}{{task.requirements.[0]}}{{task.requirements.9}}',
      'smallfast',
    ],
    [
      'how many',
      '{{task.requirements.length}} {{task.title.length}} {{m.length}} [{{task.size.length}}]',
      '2 3 long []',
      { m: { length: 'long' } },
    ],
    ['a key in brackets', '{{m.[a b]}}{{m.c-d}}', '12', { m: { 'a b': 1, 'c-d': 2 } }],
    [
      'what is rendered is not rendered again',
      '{{x}}',
      '{{task.title}}{% if %}',
      { x: '{{task.title}}{% if %}' },
    ],

    ['each', '{{#each task.requirements}}\n- {{this}}\n{{/each}}\n.', '- fast\n- small\n.'],
    ['each with .', '{{#each task.requirements}}<{{.}}>{{/each}}', '<fast><small>'],
    [
      'each with index, first and last',
      '{{#each l}}{{@index}}{{#if @first}}F{{/if}}{{#unless @last}},{{/unless}}{{/each}}',
      '0F,1,2',
      { l: ['a', 'b', 'c'] },
    ],
    ['each over a map', '{{#each m}}{{@key}}={{this}};{{/each}}', 'x=1;y=2;', { m: { x: 1, y: 2 } }],
    [
      'each over nothing',
      '{{#each missing}}a{{else}}none{{/each}}{{#each l}}a{{else}}empty{{/each}}',
      'noneempty',
      { l: [] },
    ],
    ['each over what is no list', '[{{#each task.title}}x{{/each}}{{#each task.size}}x{{/each}}]', '[]'],
    [
      'each as names',
      '{{#each l as |item i|}}{{i}}:{{item.a}} {{/each}}',
      '0:1 1:2 ',
      { l: [{ a: 1 }, { a: 2 }] },
    ],
    [
      'each in each',
      '{{#each l}}{{#each this}}{{this}}{{@index}}{{@../index}} {{/each}}{{/each}}',
      '100 210 301 ',
      { l: [[1, 2], [3]] },
    ],
    ['fields of an item', '{{#each l}}{{a}}{{this.a}}{{./a}}{{/each}}', '111', { l: [{ a: 1 }] }],
    ['../', '{{#each l}}{{a}}{{../a}}{{/each}}', '12', { l: [{ a: 1 }], a: 2 }],
    ['@root', '{{#each l}}{{@root.a}}{{/each}}', '2', { l: [{ a: 1 }], a: 2 }],
    ['a name that the item has not', '{{#each l}}{{task.title}} {{/each}}', 'Add Add ', { l: [1, { b: 1 }] }],
    [
      'null in the item hides what is outside',
      '[{{#each l}}{{a}}{{/each}}]',
      '[]',
      { l: [{ a: null }], a: 2 },
    ],

    ['if', '{{#if task.title}}yes{{else}}no{{/if}} {{#if missing}}yes{{else}}no{{/if}}', 'yes no'],
    [
      'if: what does not hold',
      '{{#each l}}{{#if this}}1{{else}}0{{/if}}{{/each}}',
      '000001111',
      { l: [0, '', false, null, [], 'a', 1, [0], {}] },
    ],
    ['else if', '{{#if a}}A{{else if b}}B{{else}}C{{/if}}', 'B', { b: true }],
    ['else if, further down', '{{#if a}}A{{else if b}}B{{else if c}}D{{else}}C{{/if}}', 'C'],
    ['unless', '{{#unless missing}}no{{/unless}}{{#unless task.title}}x{{else}}has{{/unless}}', 'nohas'],
    [
      'with',
      '{{#with task}}{{title}} {{../a}}{{/with}}{{#with missing}}x{{else}}-{{/with}}',
      'Add 1-',
      { a: 1 },
    ],

    ['a section over a list', '{{#l}}<{{name}}>{{/l}}', '<a><b>', { l: [{ name: 'a' }, { name: 'b' }] }],
    ['a section over texts', '{{#task.requirements}}{{.}};{{/task.requirements}}', 'fast;small;'],
    ['a section of a map', '{{#task}}{{title}}{{/task}}', 'Add'],
    [
      'a section as a test',
      '{{#flag}}on{{/flag}}{{#task.done}}done{{/task.done}}{{#missing}}x{{/missing}}',
      'on',
      { flag: true },
    ],
    ['a section of an empty list', '[{{#l}}x{{/l}}]', '[]', { l: [] }],
    ['a section of a text', '{{#task.title}}<{{.}}>{{/task.title}}', '<Add>'],
    [
      'inverted',
      '{{^missing}}none{{/missing}}{{^l}}empty{{/l}}{{^task.title}}x{{/task.title}}',
      'noneempty',
      { l: [] },
    ],
    [
      'a name that CEL has too',
      '[{{type}}{{list}}{{#if map}}x{{/if}}]{{#each list}}{{.}}{{/each}}',
      '[[1]]1',
      { list: [1] },
    ],
    ['inverted, in the middle', '{{#task.done}}a{{^}}b{{/task.done}}', 'b'],
    [
      'names are looked up outward, the rest strictly inside',
      '{{#a}}[{{b.c}}]{{/a}}',
      '[]',
      { a: { b: {} }, b: { c: 'outer' } },
    ],

    ['comments', 'a{{! no }}b{{!-- }} {{x}} --}}c', 'abc'],
    ['a block alone on its line takes the line', 'a\n  {{#if task.title}}\nb\n  {{/if}}\nc', 'a\nb\nc'],
    ['so does a comment', 'a\n {{! note }}\nb', 'a\nb'],
    ['not one with something beside it', 'a {{#if task.title}}\nb\n{{/if}} c', 'a \nb\n c'],
    ['at the very end', 'a\n{{#if task.title}}\nb\n{{/if}}', 'a\nb\n'],
    ['~ takes white space', 'a  \n {{~task.title~}} \n b', 'aAddb'],
    ['braces that are meant', '\\{{x}} \\\\{{task.title}} { {x} {% y %} }}', '{{x}} \\Add { {x} {% y %} }}'],
    ['a brace before a tag', '{ {{~task.title}} {{#if task.title}}a{ {{~/if}}', '{Add a{'],
  ])('%s: %j', (_, text, expected, roots = {}) => {
    expect(filled(text, { task: TASK, ...roots })).toBe(expected);
  });
});

describe('what cannot be translated', () => {
  it.each([
    ['a\n{{> footer}}', '2:1 template-partial: `{{> footer}}`: a text cannot take in another one'],
    ['{{#> layout}}x{{/layout}}', '1:1 template-partial: `{{> layout}}`: a text cannot take in another one'],
    [
      'a {{upper task.title}}',
      '1:3 template-helper: `upper task.title` calls a helper, and there are none beside the blocks',
    ],
    [
      '{{#if (eq a b)}}x{{/if}}',
      '1:1 template-helper: `(eq a b)` calls a helper, and there are none beside the blocks',
    ],
    [
      '{{#repeat 3 times}}x{{/repeat}}',
      '1:1 template-helper: `repeat 3 times` calls a helper, and there are none beside the blocks',
    ],
    ['{{"text"}}', '1:1 template-helper: `"text"` calls a helper, and there are none beside the blocks'],
    ['{{#if a}}x{{else switch b}}y{{/if}}', '1:11 template-helper: `{{else switch}}` cannot follow'],
    ['{{* inline}}', '1:1 template-helper: decorators (`{{*…}}`) are not read'],
    ['{{=<% %>=}}', '1:1 template-syntax: other delimiters than `{{ }}` cannot be set here'],
    ['{{{{raw}}}}x{{{{/raw}}}}', '1:1 template-syntax: raw blocks (four braces) are not read'],
    ['a {{}}', '1:3 template-syntax: the tag is empty'],
    ['{{#each}}x{{/each}}', '1:1 template-syntax: `#each` needs a name'],
    ['{{a+b}}', '1:1 template-syntax: `a+b` is not a name'],
    ['{{@wrong}}', '1:1 template-syntax: `@wrong` is not a name'],
    ['---\nname: x\n---\n\nHello {{ name }', '5:7 template-unclosed: `{{` is never closed'],
    ['a\n  {{#each l}} b', '2:3 template-unclosed: `{{#each l}}` is never closed'],
    ['{{#if a}}{{#each l}}x{{/if}}', '1:22 template-syntax: `{{/if}}` closes nothing'],
    ['{{/if}}', '1:1 template-syntax: `{{/if}}` closes nothing'],
    ['{{else}}', '1:1 template-syntax: `{{else}}` stands outside of a block'],
    ['{{#if a}}{{else}}{{else}}{{/if}}', '1:18 template-syntax: a second `{{else}}` in one block'],
    ['{{this}}', '1:1 template-unbound: nothing can be called `this` here, so it renders as nothing'],
    ['{{@index}}', '1:1 template-unbound: nothing can be called `@index` here, so it renders as nothing'],
    ['a {{event}}', '1:3 template-unbound: nothing can be called `event` here, so it renders as nothing'],
    [
      '{{session.id}}',
      '1:1 template-unbound: nothing can be called `session` here, so it renders as nothing',
    ],
  ])('%j: %s', (text, problem) => {
    expect(translated(text).problems).toEqual([problem]);
  });

  it('every problem is told, and what is left still renders', () => {
    const { body, problems } = translated('{{> a}}\n{{> b}}\n{{x}}');
    expect(problems).toHaveLength(2);
    expect(rendered(String(body.value), { x: 'X' })).toBe('X');
  });
});

describe('names and places', () => {
  it('tells every name that the text may read from outside', () => {
    const { names } = translated(
      '{{a.b}} {{#each list as |it n|}}{{it}}{{n}}{{this}}{{field}}{{@index}}{{@root.c}}{{/each}}{{^d}}{{/d}}',
    );
    expect(names.sort()).toEqual(['a', 'c', 'd', 'field', 'list']);
  });

  it('every part of the template points at the tag that it was made from', () => {
    const { body } = translated('---\nname: x\n---\nHello\n  {{#if task.title}}{{ nme }}{{/if}}');
    const value = String(body.value);
    const at = (text: string) => {
      const start = value.indexOf(text);
      const { line, column, endColumn } = locateIn(body)(start, start + text.length);
      return [line, column, endColumn];
    };
    expect(at('task.title')).toEqual([5, 3, 21]);
    expect(at('nme')).toEqual([5, 21, 30]);
  });

  it('is quiet about names only inside a context', () => {
    const { body } = translated('{{a}}{{#each l}}{{b}}{{/each}}{{#if c}}{{d}}{{/if}}');
    const value = String(body.value);
    const quiet = (name: string) => {
      const start = new RegExp(`\\b${name}, `).exec(value)?.index ?? value.search(new RegExp(`: ${name}\\)`));
      return body.lenient?.quiet.some((part) => start >= part.start && start < part.end);
    };
    expect(['a', 'b', 'd'].map(quiet)).toEqual([false, true, false]);
  });
});

const words = [
  '{{',
  '}}',
  '{{{',
  '}}}',
  '#each',
  '#if',
  '/if',
  '/each',
  'else',
  'this',
  '@index',
  '../',
  'a.b',
  'a',
  '~',
  '!',
  '--',
  '^',
  '/a',
  '#a',
  '&',
  ' ',
  '\n',
  '\\',
  '{%',
  '%}',
  '{',
  'text',
  '[',
  ']',
  '"',
  '|',
  '(',
  'as |x|',
];
const anyText = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((all) => all.join('')),
  fc
    .array(
      fc.constantFrom(
        '{{a}}',
        '{{#each a}}',
        '{{/each}}',
        '{{#if b.c}}',
        '{{else}}',
        '{{/if}}',
        '{{#a}}',
        '{{/a}}',
        '{{^a}}',
        '{{this}}',
        '{{b.length}}',
        '{{a.0}}',
        '{{@first}}',
        '{{../a}}',
        ' x\n',
        '{',
        '{%',
      ),
      { maxLength: 25 },
    )
    .map((all) => all.join('')),
);
const anyContext = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue(), {
  maxKeys: 3,
}) as fc.Arbitrary<Record<string, Json>>;

describe('whatever the text', () => {
  it('never throws, makes a template that can be read, and no context makes that fail', () => {
    fc.assert(
      fc.property(anyText, anyContext, (text, roots) => {
        const problems = report();
        const page = readMarkdown(sourceText('p.md', text), problems);
        if (page === undefined) return;
        const { body } = translateText(page.body, problems);
        const template = String(body.value);
        const bad = checkTemplate(template, { roots: {}, denied: {} }).filter(
          ({ code }) => !code.startsWith('cel-unknown-name'),
        );
        expect(bad).toEqual([]);
        expect(rendered(template, roots)).toBeTypeOf('string');
      }),
      { numRuns: tries(400, 100) },
    );
  });

  it('a text without tags is the same text', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{{') && !text.startsWith('---')),
        (text) => {
          const page = readMarkdown(sourceText('p.md', text), report());
          if (page) expect(filled(text)).toBe(String(page.body.value));
        },
      ),
    );
  });

  it('takes time in proportion to its length', () => {
    const long = 100_000;
    for (const text of [
      ' '.repeat(long),
      `${' '.repeat(long)}{{#a}}x`,
      '{{'.repeat(long),
      `{{${'['.repeat(long)}}}`,
      '{{a}} '.repeat(long / 10),
      '{{#a}}'.repeat(long / 10),
      '\\{{'.repeat(long),
      `{{!--${'-'.repeat(long)}`,
    ]) {
      const from = performance.now();
      translateText(
        {
          ...(readMarkdown(sourceText('p.md', 'x'), report())?.body as ScalarNode),
          value: text,
          style: 'built',
        },
        report(),
      );
      expect(performance.now() - from).toBeLessThan(10_000);
    }
  });
});
