import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { tries } from '../../../test/support/tries.ts';
import { report } from '../diagnostics.ts';
import { LARGEST_FILE } from './limits.ts';
import { child, locateIn, type Node, type ScalarNode, toJson } from './node.ts';
import { sourceText } from './source.ts';
import { readYaml } from './yaml.ts';

function read(text: string) {
  const problems = report();
  const node = readYaml(sourceText('w.yaml', text), problems);
  return { node, problems: problems.diagnostics() };
}

function said(text: string): string[] {
  return read(text).problems.map(
    ({ code, message, span, hint }) =>
      `${span?.line}:${span?.column} ${code}: ${message}${hint ? ` | ${hint}` : ''}`,
  );
}

const BEYOND = 'beyond ±9007199254740991, where whole numbers are no longer exact';
const AS_TEXT = 'Write it as text, in quotes, if it must be kept as it is.';

describe('readYaml', () => {
  it('takes numbers that are what was written, keys as they are written, and -0 as 0', () => {
    const { node, problems } = read(
      'a: 9007199254740991\nb: 1e20\nc: "9007199254740993"\n9007199254740993: x\n? 1e400\n: y\nz: -0\n',
    );
    expect(problems).toEqual([]);
    const json = toJson(node as Node) as Record<string, unknown>;
    expect(json).toEqual({
      ...{ a: 9007199254740991, b: 1e20, c: '9007199254740993' },
      ...{ '9007199254740993': 'x', '1e400': 'y', z: 0 },
    });
    expect(Object.is(json.z, 0)).toBe(true);
  });

  it.each<[string, string, string[]]>([
    [
      'a tag where a text was meant',
      'if: !ready',
      [
        "1:5 yaml-tag: `!ready` is a YAML tag here, and would vanish | Put the text in single quotes: '!ready'",
      ],
    ],
    [
      'a tag that swallows half of an expression',
      'a: 1\nif: !a.b && c  # why\n',
      [
        "2:5 yaml-tag: `!a.b` is a YAML tag here, and would vanish | Put the text in single quotes: '!a.b && c'",
      ],
    ],
    [
      'a lonely exclamation mark',
      "if: ! x == 'y'",
      [
        "1:5 yaml-tag: `!` is a YAML tag here, and would vanish | Put the text in single quotes: '! x == ''y'''",
      ],
    ],
    [
      'a tag on a map',
      'a: !ruby/object {b: 1}',
      [
        "1:4 yaml-tag: `!ruby/object` is a YAML tag here, and would vanish | Put the text in single quotes: '!ruby/object {b: 1}'",
      ],
    ],
    [
      'binary data',
      'a: !!binary aGk=',
      [
        "1:4 yaml-tag: `!!binary` is a YAML tag here, and would vanish | Put the text in single quotes: '!!binary aGk='",
      ],
    ],
    [
      'unquoted braces',
      'title: {{ x }}',
      [
        "1:8 yaml-braces: `{{` without quotes starts a YAML map, not a template | Put the text in quotes: '{{ x }}'",
      ],
    ],
    [
      'unquoted braces in a list',
      'a:\n  - {{ x.y }}',
      [
        "2:5 yaml-braces: `{{` without quotes starts a YAML map, not a template | Put the text in quotes: '{{ x.y }}'",
      ],
    ],
    [
      'unquoted braces before more text',
      'title: {{ inputs.x }} and so on\nb: 1\n',
      [
        "1:8 yaml-braces: `{{` without quotes starts a YAML map, not a template | Put the text in quotes: '{{ inputs.x }} and so on'",
      ],
    ],
    ['tabs', 'a:\n\tb: 1', ['2:1 yaml-tab: a tab is used as indentation | Indent with spaces.']],
    [
      'two documents',
      'a: 1\n---\nb: 2\n',
      [
        '2:1 yaml-documents: a second document starts here (`---`), and would not be read | Keep one document in a file.',
      ],
    ],
    [
      'a repeated key',
      'a: 1\nb: 2\na: 3\n',
      [
        '3:1 yaml-duplicate-key: the key `a` is here a second time; the first is on line 1 | Keep one of them.',
      ],
    ],
    [
      'a colon in a text',
      'title: Fix: all',
      [
        '1:8 yaml-syntax: a second `: ` on this line cannot be read | A text that contains `: ` needs quotes; a nested map goes on lines of its own.',
      ],
    ],
    [
      'a quote that is never closed',
      'a: "x\nb: 1\n',
      ['1:4 yaml-syntax: the " that opens here is never closed'],
    ],
    [
      'an alias to nothing',
      'a: *b',
      [
        '1:4 yaml-alias: the alias `*b` is not an anchor above it | A plain text that starts with `*` needs quotes.',
      ],
    ],
    [
      'an alias to itself',
      'a: &b [*b]',
      ['1:8 yaml-alias: the alias `*b` contains itself | A plain text that starts with `*` needs quotes.'],
    ],
    ['a key that is a list', '? [a, b]\n: 1', ['1:3 yaml-key: a key must be a plain text']],
    ['infinity', 'a: .inf', [`1:4 yaml-number: .inf is not a number that JSON can hold | ${AS_TEXT}`]],
    [
      'a whole number that would be rounded',
      'a:\n  - 9007199254740993',
      [`2:5 yaml-number: 9007199254740993 is ${BEYOND} | ${AS_TEXT}`],
    ],
    [
      'its neighbour, which is the same double',
      '9007199254740992',
      [`1:1 yaml-number: 9007199254740992 is ${BEYOND} | ${AS_TEXT}`],
    ],
    [
      'a large number in hexadecimal',
      'a: 0x20000000000001',
      [`1:4 yaml-number: 0x20000000000001 is ${BEYOND} | ${AS_TEXT}`],
    ],
    [
      'a large number in octal',
      'a: 0o400000000000000001',
      [`1:4 yaml-number: 0o400000000000000001 is ${BEYOND} | ${AS_TEXT}`],
    ],
    [
      'a text that a tag makes a number',
      'a: !!int "9007199254740993"',
      [`1:10 yaml-number: 9007199254740993 is ${BEYOND} | ${AS_TEXT}`],
    ],
    [
      'a number that would be infinite',
      'a: 1e400',
      [`1:4 yaml-number: 1e400 is larger than any number that can be kept | ${AS_TEXT}`],
    ],
    [
      'a number that would be 0',
      'a: 1e-400',
      [`1:4 yaml-number: 1e-400 is so close to zero that 0 would be kept | ${AS_TEXT}`],
    ],
    [
      'a decimal that would be another whole number',
      'a: 9007199254740993.0',
      [
        `1:4 yaml-number: 9007199254740993.0 would be kept as 9007199254740992, which is another number | ${AS_TEXT}`,
      ],
    ],
    ['nothing at all', '# only a comment\n', ['1:1 file-empty: there is nothing in here']],
    [
      'a NUL byte',
      'a: x\0y',
      [
        '1:5 text-encoding: a control character (U+0000) is not allowed here | Remove it, or write it as an escape inside double quotes.',
      ],
    ],
    [
      'broken UTF-8',
      'a: 1\nb: \uFFFD',
      [
        '2:4 text-encoding: the text is not valid UTF-8 here | Save the file as UTF-8. The character U+FFFD itself is written "\\uFFFD", in double quotes.',
      ],
    ],
  ])('says what is wrong with %s', (_, text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it('reads JSON indented with tabs, CRLF and a byte order mark', () => {
    const { node, problems } = read('\uFEFF{\r\n\t"a": [1, "b\\u00e9"],\r\n\t"c": null\r\n}\r\n');
    expect(problems).toEqual([]);
    expect(node && toJson(node)).toEqual({ a: [1, 'bé'], c: null });
  });

  it('Y4: reads merge keys: what a map says itself goes before, of several maps the first', () => {
    const text =
      'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 0}\nd:\n  <<: *a\n  k: 1\ne: {"<<": 1}\n';
    const { node, problems } = read(text);
    expect(problems).toEqual([]);
    expect(node && toJson(node)).toEqual({
      a: { x: 1, y: 1 },
      b: { y: 2, z: 2 },
      c: { x: 0, y: 1, z: 2 },
      d: { k: 1, x: 1, y: 1 },
      e: { '<<': 1 },
    });
    expect(said('a: {<<: 1}')).toEqual([
      '1:5 yaml-merge: a merge key takes a map, or a list of maps | Give it an alias of a map: `<<: *name`.',
    ]);
  });

  it('reads aliases, and standard tags that change nothing', () => {
    const { node, problems } = read('a: &x {n: 1}\nb: [*x, *x]\nc: !!str 1.10\n');
    expect(problems).toEqual([]);
    expect(node && toJson(node)).toEqual({ a: { n: 1 }, b: [{ n: 1 }, { n: 1 }], c: '1.10' });
  });

  it('keeps __proto__ and constructor as ordinary keys', () => {
    const { node } = read('__proto__: {polluted: 1}\nconstructor: 2\n');
    const json = node && (toJson(node) as Record<string, unknown>);
    expect(Object.keys(json ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('remembers how a number was written, and what comment follows a plain text', () => {
    const { node } = read('a: 1.10\nb: x == "y # z"\nc: "q" # fine\n');
    expect(child(node, 'a')).toMatchObject({ value: 1.1, written: '1.10' });
    expect(child(node, 'b')).toMatchObject({ value: 'x == "y', comment: { start: 19, end: 23 } });
    expect(child(node, 'c')).not.toHaveProperty('comment');
  });
});

describe('Y1: hostile texts are refused in bounded time', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let n = 1; n < 30; n++)
    bomb.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    );
  const chain = ['a0: &a0 [x]'];
  for (let n = 1; n < 10_000; n++) chain.push(`a${n}: &a${n} [*a${n - 1}]`);
  let ladder = '';
  for (let n = 0; n < 2000; n++) ladder += `${' '.repeat(n)}a:\n`;
  it.each<[string, string, string]>([
    ['an alias bomb', bomb.join('\n'), 'yaml-alias'],
    ['10,000 open brackets', '['.repeat(10_000), 'yaml-too-deep'],
    ['10,000 open braces', '{a: '.repeat(10_000), 'yaml-too-deep'],
    ['10,000 dashes', '- '.repeat(10_000), 'yaml-too-deep'],
    ['10,000 question marks', '? '.repeat(10_000), 'yaml-too-deep'],
    ['a ladder of maps', ladder, 'yaml-too-deep'],
    ['10,000 aliases inside each other', chain.join('\n'), 'yaml-too-deep'],
    ['a 50 MB file', 'x'.repeat(50_000_000), 'file-too-large'],
    ['4 MiB of tiny values', '- x\n'.repeat(LARGEST_FILE / 4), 'file-too-large'],
    ['4 MiB of documents', '---\n'.repeat(LARGEST_FILE / 4), 'file-too-large'],
  ])('%s', (_, text, code) => {
    const started = performance.now();
    expect(read(text).problems.map((problem) => problem.code)).toEqual([code]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('nests as deep with aliases as without', () => {
    const anchors = ['a0: &a0 [x]'];
    for (let n = 1; n < 98; n++) anchors.push(`a${n}: &a${n} [*a${n - 1}]`);
    expect(read(anchors.join('\n')).problems).toEqual([]);
  });

  it('40,000 keys in one map are read in linear time', () => {
    let text = '';
    for (let n = 0; n < 40_000; n++) text += `k${n}: 1\n`;
    expect(read(text).problems).toEqual([]);
  });

  it('never throws, and points only into the file', () => {
    const pieces = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '!',
      '&a ',
      '*a',
      '#',
      ' #',
      '|',
      '>',
      '\t',
      '? ',
      ',',
      '\\',
      '---\n',
      '%',
      '{{ x }}',
      '\r\n',
      '\0',
      '__proto__: ',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        const lines = given.replace(/^\uFEFF/, '').split('\n');
        for (const { span } of read(given).problems) {
          expect(span).toBeDefined();
          if (span === undefined) continue;
          expect(span.line).toBeLessThanOrEqual(lines.length);
          expect(span.column).toBeLessThanOrEqual((lines[span.line - 1] ?? '').length + 1);
          expect(span.endLine).toBeGreaterThanOrEqual(span.line);
        }
      }),
      { numRuns: tries(2_000, 400) },
    );
  });
});

describe('locateIn', () => {
  function places(text: string, word: string): string {
    const node = child(read(text).node, 'a') as ScalarNode;
    const at = String(node.value).indexOf(word);
    const { line, column, endLine, endColumn } = locateIn(node)(at, at + word.length);
    return `${line}:${column}-${endLine}:${endColumn}`;
  }

  it.each<[string, string, string, string]>([
    ['a plain text', 'a: one two', 'two', '1:8-1:11'],
    ['a plain text over two lines', 'a: one\n   two three', 'three', '2:8-2:13'],
    ['single quotes with a doubled one', "a: 'it''s two'", 'two', '1:11-1:14'],
    ['double quotes with escapes', 'a: "\\t\\u00e9\\x41 \\"two\\""', 'two', '1:20-1:23'],
    ['an escape beyond the basic plane', 'a: "\\U0001F600 two"', 'two', '1:16-1:19'],
    ['double quotes with a continued line', 'a: "one \\\n     two"', 'two', '2:6-2:9'],
    ['double quotes over an empty line', 'a: "one\n\n   two"', 'two', '3:4-3:7'],
    ['a literal block', 'a: |\n  one\n    two\n', 'two', '3:5-3:8'],
    ['a folded block', 'a: >-\n  one\n  and\n\n  two\n', 'two', '5:3-5:6'],
    ['a block with a comment in its header', 'a: |2 # x two\n   one two\n', 'two', '2:8-2:11'],
    ['CRLF', 'a: |\r\n  one\r\n  two\r\n', 'two', '3:3-3:6'],
  ])('finds a word in %s', (_, text, word, expected) => {
    expect(places(text, word)).toBe(expected);
  });

  it('Y2: finds any word of any text, however it is written', () => {
    const word = fc.constantFrom(
      'alpha',
      'beta',
      "it's",
      '"quoted"',
      '{{ x }}',
      'a: b',
      '#no',
      'é😀',
      '\\n',
      'tab\there',
    );
    const gap = fc.constantFrom(' ', '  ', '\n', '\n\n', '\n  ');
    const text = fc
      .tuple(fc.array(fc.tuple(word, gap), { maxLength: 8 }))
      .map(([parts]) => `${parts.flat().join('')}§ end`);
    const style = fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
    fc.assert(
      fc.property(text, style, fc.integer({ min: 20, max: 120 }), (value, defaultStringType, lineWidth) => {
        const yaml = stringify({ a: value }, { defaultStringType: defaultStringType as 'PLAIN', lineWidth });
        const node = child(read(yaml).node, 'a') as ScalarNode;
        const at = String(node.value).indexOf('§');
        const span = locateIn(node)(at, at + 1);
        const line = yaml.split('\n')[span.line - 1] ?? '';
        expect(line.slice(span.column - 1, span.endColumn - 1)).toBe('§');
      }),
      { numRuns: tries(2_000, 400) },
    );
  });
});

it('toJson gives back what was written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const { node, problems } = read(JSON.stringify({ value }));
      if (problems.length > 0) return; // control characters are refused, which has tests of its own
      expect(toJson(node as Node)).toEqual({ value: JSON.parse(JSON.stringify(value)) });
    }),
  );
});

describe('a closing quote right under its key', () => {
  it.each([
    ['a:\n  b: ["x\n    y\n  "]\n  c: 1\n', { a: { b: ['x y '], c: 1 } }],
    ["a:\n  b: 'x\n\n  '\n  c: 1\n", { a: { b: 'x\n', c: 1 } }],
    ['a: ["x\r\n  y\r\n"]\r\nc: 1\r\n', { a: ['x y '], c: 1 }],
  ])('is taken: %j', (text, value) => {
    const { node, problems } = read(text);
    expect(problems).toEqual([]);
    expect(node && toJson(node)).toEqual(value);
  });

  it('a quote that was forgotten is still told where it is missing, and one further left is not taken', () => {
    expect(said('a: "x\n  y\nb: "z"\n')[0]).toMatch(/^[12]:\d+ yaml-syntax/);
    expect(said('a:\n  b: ["x\n    y\n"]\n')[0]).toMatch(/yaml-syntax/);
  });
});
