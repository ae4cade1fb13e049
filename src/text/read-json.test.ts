import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Json } from '../model/json.ts';
import { parsedProblem, readJson } from './read-json.ts';

const problemOf = (text: string) => {
  const read = readJson(text);
  return 'problem' in read ? `${read.problem.why}: ${read.problem.message}` : read.value;
};

describe('SEC-NUM-READ: numbers that are not what was written', () => {
  const refused: [string, string][] = [
    ['9007199254740992', '$: 9007199254740992 is beyond ±9007199254740991'],
    ['9007199254740993', '$: 9007199254740993 is beyond'],
    ['-9007199254740993', '$: -9007199254740993 is beyond'],
    ['{"a": [1, {"b c": 12345678901234567890}]}', '$.a[1]["b c"]: 12345678901234567890 is beyond'],
    ['{"__proto__": 9007199254740993}', '$.__proto__: '],
    ['[1e400]', '$[0]: 1e400 is larger than any number'],
    ['[-1E400]', '$[0]: -1E400 is larger than any number'],
    [`[${'9'.repeat(400)}]`, '$[0]: 9999999999999999999999999999999999999999… is larger than any number'],
    ['[1e-400]', '$[0]: 1e-400 is so close to zero that 0 would be kept'],
    [`[0.${'0'.repeat(400)}1]`, 'so close to zero'],
    [
      '[9007199254740993.0]',
      '$[0]: 9007199254740993.0 would be kept as 9007199254740992, which is another number',
    ],
    ['[9.007199254740993e15]', 'would be kept as 9007199254740992'],
    ['[9007199254740993.5]', 'would be kept as 9007199254740994'],
    ['[9007199254740991.5]', 'would be kept as 9007199254740992'],
    ['[123456789012345678901e0]', 'would be kept as 123456789012345680000'],
    ['{"text": "\\": 9007199254740993", "n": 9007199254740993}', '$.n: '],
  ];
  it.each(refused)('%s is refused, with the place and the number as written', (text, message) => {
    expect(problemOf(text)).toContain('number: the number at ');
    expect(problemOf(text)).toContain(message);
  });

  const taken: [string, Json][] = [
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['"9007199254740993"', '9007199254740993'],
    [
      '{"sha": "1234567890123456789012345678901234567890", "e": "1e400"}',
      { sha: '1234567890123456789012345678901234567890', e: '1e400' },
    ],
    ['[0, 0.0, 0e999, 1.5, 1e3, 0.1]', [0, 0, 0, 1.5, 1000, 0.1]],
    ['[1e20, 1e23, 1.0e16, 1.7976931348623157e308, 5e-324]', [1e20, 1e23, 1e16, Number.MAX_VALUE, 5e-324]],
    ['[9007199254740992.0, 99999999999999991611392.000]', [2 ** 53, 1e23]],
    ['[3.14159265358979323846264338327950288]', [Math.PI]],
  ];
  it.each(taken)('%s is taken', (text, value) => {
    expect(readJson(text)).toEqual({ value });
  });

  it('-0 is zero, as the journal writes it', () => {
    const read = readJson('{"a": [-0, -0.0, 0]}') as { value: { a: number[] } };
    expect(read.value.a.every((each) => Object.is(each, 0))).toBe(true);
  });

  it('names five of many, and says how many more there are', () => {
    const message = String(problemOf(`[${Array(8).fill('9007199254740993').join(', ')}]`));
    expect(message).toContain('$[4]');
    expect(message).not.toContain('$[5]');
    expect(message).toContain('and 3 more');
  });
});

describe('SEC-NUM-KEYS: a key that hides another', () => {
  it.each([
    ['{"approved": false, "approved": true}', '$.approved'],
    ['[{"a": {"b" : 1, "\\u0062"\n:2}}]', '$[0].a.b'],
    ['{"a": 9007199254740993, "a": 1}', '$.a: 9007199254740993'],
  ])('%s is refused', (text, place) => {
    expect(problemOf(text)).toContain(place);
  });
  it.each([
    '{"a": {"a": {"a": 1}}}',
    '[{"a": 1}, {"a": 2}]',
    '{"a": "\\"b\\": \\"b\\":", "b": ":"}',
    '{"": 1, " ": 2}',
  ])('%s is taken', (text) => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text) });
  });
});

describe('a value that another program has parsed', () => {
  it('is refused where a number in it may have been rounded, or is none', () => {
    expect(parsedProblem({ a: [1, 2 ** 53] })?.message).toContain('9007199254740992 at $.a[1]');
    expect(parsedProblem({ a: Number.POSITIVE_INFINITY })?.message).toContain('Infinity at $.a');
    expect(parsedProblem([Number.NaN])?.message).toContain('NaN at $[0]');
    expect(parsedProblem({ a: 2 ** 53 - 1, b: 0.1, c: null })).toBeUndefined();
  });
});

describe('RJ1, RJ2: whatever is written', () => {
  const edge = 2n ** 53n;
  /** Written numbers with what an oracle that knows no doubles makes of them. */
  const integer = fc
    .oneof(
      fc.bigInt({ min: -1000n, max: 1000n }),
      fc.bigInt({ min: edge - 5n, max: edge + 5n }),
      fc.bigInt({ min: -edge - 5n, max: -edge + 5n }),
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    )
    .map((value) => ({ value, text: String(value), exact: value < edge && value > -edge }));
  type Node = { text: string; paths: string[]; value: unknown };
  const blank = fc.constantFrom('', ' ', '\n ', '\t');
  const key = fc.oneof(fc.constantFrom('a', 'b', 'id', '__proto__', '":', '\\'), fc.string({ maxLength: 5 }));
  const { node } = fc.letrec<{ node: Node; leaf: Node; list: Node; map: Node }>((tie) => ({
    leaf: fc.oneof(
      integer.map(({ value, text, exact }) => ({ text, paths: exact ? [] : [''], value: Number(value) })),
      fc.string().map((text) => ({ text: JSON.stringify(text), paths: [], value: text })),
      fc.constantFrom(true, false, null).map((value) => ({ text: String(value), paths: [], value })),
    ),
    list: fc.tuple(fc.array(tie('node'), { maxLength: 4 }), blank).map(([items, space]) => ({
      text: `[${space}${items.map(({ text }) => text).join(`${space},${space}`)}]`,
      paths: items.flatMap(({ paths }, at) => paths.map((path) => `[${at}]${path}`)),
      value: items.map(({ value }) => value),
    })),
    map: fc
      .tuple(fc.uniqueArray(fc.tuple(key, tie('node')), { maxLength: 4, selector: ([name]) => name }), blank)
      .map(([entries, space]) => ({
        text: `{${space}${entries.map(([name, { text }]) => `${JSON.stringify(name)}${space}:${space}${text}`).join(',')}}`,
        paths: entries.flatMap(([name, { paths }]) =>
          paths.map(
            (path) => `${/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}${path}`,
          ),
        ),
        value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
      })),
    node: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('map')),
  }));

  it('SEC-NUM-PROPERTY: the exact value comes back, or an error that names the path of each number that is not exact', () => {
    fc.assert(
      fc.property(node, ({ text, paths, value }) => {
        const read = readJson(text);
        if (paths.length === 0) {
          expect(read).toEqual({ value });
          return;
        }
        if (!('problem' in read)) throw new Error(`taken: ${text}`);
        expect(read.problem.why).toBe('number');
        for (const path of paths.slice(0, 5)) expect(read.problem.message).toContain(`at $${path}:`);
        if (paths.length > 5) expect(read.problem.message).toContain(`and ${paths.length - 5} more`);
      }),
      { numRuns: tries(3_000, 600) },
    );
  });

  it('SEC-NUM-DECIMALS: a number with a fraction or an exponent that is taken is the double it says', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,24}$/);
    fc.assert(
      fc.property(
        digits,
        fc.stringMatching(/^\d{0,5}$/),
        fc.integer({ min: 0, max: 12 }),
        (whole, part, power) => {
          const text = `${whole}${part === '' ? '' : `.${part}`}e${power}`;
          const read = readJson(text);
          // The number times 10^5 as a whole one: an oracle without doubles.
          const said = BigInt(whole + part.padEnd(5, '0')) * 10n ** BigInt(power);
          const isBeyond = Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER;
          if (!isBeyond) {
            expect(read).toEqual({ value: Number(text) });
            return;
          }
          const exact = BigInt(Number(text)) * 100_000n === said;
          const shortest = String(Number(text)).replace(/e\+/, 'e');
          const [mantissa = '', exponent = '0'] = shortest.split('e');
          const [front = '', back = ''] = mantissa.split('.');
          const written =
            BigInt(front + back) * 10n ** BigInt(Number(exponent) - back.length) * 100_000n === said;
          expect('value' in read, text).toBe(exact || written);
        },
      ),
      { numRuns: tries(2_000, 400) },
    );
  });

  it('no text makes it throw, and what JSON.parse refuses it refuses', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', 'e', '\\', ' ') }),
        (text) => {
          const read = readJson(text);
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          expect('problem' in read && read.problem.why === 'syntax').toBe(!valid);
        },
      ),
      { numRuns: tries(3_000, 600) },
    );
  });
});
