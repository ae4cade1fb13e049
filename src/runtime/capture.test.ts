import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Capture } from '../model/workflow.ts';
import { startCapture } from './capture.ts';
import { startExtract, startTail } from './extract.ts';
import { createMask } from './mask.ts';

const mask = createMask([{ name: 'N', value: '98765432' }]);

function capture(shape: Partial<Capture>, text: string | Uint8Array, cuts: number[] = []) {
  const capturing = startCapture(
    { as: 'text', limit: 1000, onParseError: 'fail', ...shape },
    mask,
    'all of it is in the log',
  );
  const bytes = Buffer.from(text as string);
  const masking = mask.stream();
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    const chunk = bytes.subarray(from, cut);
    capturing.write(chunk, masking.write(chunk));
    from = cut;
  }
  capturing.write(new Uint8Array(0), masking.end());
  return capturing.finish();
}

describe('text', () => {
  it('drops one last newline and no more', () => {
    expect(capture({}, 'a\n')).toEqual({ output: 'a' });
    expect(capture({}, 'a\r\n')).toEqual({ output: 'a' });
    expect(capture({}, 'a\n\n')).toEqual({ output: 'a\n' });
    expect(capture({}, '')).toEqual({ output: '' });
  });

  it('S5: keeps the beginning and the end, marks the cut and says how much there was', () => {
    const captured = capture({ limit: 10 }, '0123456789abcdefghij');
    expect(captured).toEqual({
      output: '01234\n[… 10 bytes left out; all of it is in the log …]\nfghij',
      truncated: { bytes: 20, kept: 10 },
    });
  });

  it('keeps a text of exactly the limit whole', () => {
    expect(capture({ limit: 10 }, '0123456789')).toEqual({ output: '0123456789' });
  });

  it('S3: masks before it cuts, so no half of a secret is left at the edge', () => {
    const captured = capture({ limit: 30 }, `${'x'.repeat(11)}98765432${'y'.repeat(100)}`);
    expect(captured.output).toMatch(/^x{11}\*\*\*y\n\[/);
    expect(String(captured.output)).not.toContain('9');
  });
});

describe('exact text', () => {
  const exact = { exact: true } as const;

  it('keeps the first bytes as they came: no mark, the newline too', () => {
    expect(capture(exact, 'a\r\nb\n\n')).toEqual({ output: 'a\r\nb\n\n' });
    expect(capture({ ...exact, limit: 10 }, '0123456789abcdefghij')).toEqual({
      output: '0123456789',
      truncated: { bytes: 20, kept: 10 },
    });
    expect(capture({ ...exact, limit: 10 }, '0123456789')).toEqual({ output: '0123456789' });
    expect(capture({ ...exact, limit: 8192 }, `${'x'.repeat(8192)}\n`).truncated).toEqual({
      bytes: 8193,
      kept: 8192,
    });
  });

  it('C3: cuts no character in two', () => {
    expect(capture({ ...exact, limit: 10 }, `${'é'.repeat(4)}€€`)).toEqual({
      output: 'éééé',
      truncated: { bytes: 14, kept: 8 },
    });
  });

  it('S3: masks before it cuts', () => {
    const { output } = capture({ ...exact, limit: 15 }, `${'x'.repeat(11)}98765432 and more`);
    expect(output).toBe(`${'x'.repeat(11)}*** `);
  });

  it('is a prefix of what came, however it is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.nat(40),
        fc.array(fc.nat()),
        (plain, limit, cuts) => {
          const { output, truncated } = capture({ ...exact, limit }, plain, cuts);
          const bytes = Buffer.from(plain);
          expect(plain.startsWith(output as string)).toBe(true);
          expect(bytes.length > limit).toBe(truncated !== undefined);
          const kept = Buffer.byteLength(output as string);
          if (truncated) expect(kept).toBeGreaterThan(limit - 4);
          expect(kept).toBeLessThanOrEqual(Math.min(limit, bytes.length));
        },
      ),
    );
  });
});

describe('json that is kept as text', () => {
  const keep = { as: 'json', onParseError: 'keep', exact: true, limit: 30, textLimit: 8 } as const;

  it('says why it is no JSON, and keeps as much text as is said', () => {
    expect(capture(keep, '{"a": 1}\n')).toEqual({ output: { a: 1 } });
    expect(capture(keep, 'no json\n')).toEqual({ output: 'no json\n', unparsed: 'invalid' });
    expect(capture(keep, 'not json at all')).toEqual({
      output: 'not json',
      truncated: { bytes: 15, kept: 8 },
      unparsed: 'invalid',
    });
    expect(capture(keep, `["${'x'.repeat(40)}"]`)).toEqual({
      output: '["xxxxxx',
      truncated: { bytes: 44, kept: 8 },
      unparsed: 'overflow',
    });
    expect(capture({ ...keep, textLimit: undefined }, '[1, 2').output).toBe('[1, 2');
  });

  it('is read up to its limit, and one byte more is too much', () => {
    const fits = JSON.stringify('x'.repeat(28));
    expect(capture(keep, fits)).toEqual({ output: 'x'.repeat(28) });
    expect(capture({ ...keep, onParseError: 'fail' }, `${fits}\n`).failure).toMatchObject({
      class: 'output',
      details: { json_parse_error: 'overflow' },
    });
  });
});

describe('lines', () => {
  it('are counted: the limit and no more, CRLF taken as LF', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}\r\n`).join('');
    expect(capture({ as: 'lines', limit: 3 }, many(3))).toEqual({ output: ['0', '1', '2'] });
    expect(capture({ as: 'lines', limit: 3 }, many(4))).toEqual({
      output: ['0', '1', '2'],
      truncated: { bytes: 12, kept: 9 },
    });
  });

  it('splits at LF and CRLF, keeps empty lines, and ends no line that is not there', () => {
    expect(capture({ as: 'lines' }, 'a\r\nb\n\nc').output).toEqual(['a', 'b', '', 'c']);
    expect(capture({ as: 'lines' }, 'a\n').output).toEqual(['a']);
    expect(capture({ as: 'lines' }, '\n').output).toEqual(['']);
    expect(capture({ as: 'lines' }, '').output).toEqual([]);
    expect(capture({ as: 'lines' }, 'a\rb\n').output).toEqual(['a\rb']);
  });

  it('SEC-CUT-CHOSEN: says whether the limit that was reached is one the author chose', () => {
    const lines = (text: string, limit: number) =>
      capture({ as: 'lines', limit, chosen: true }, text).truncated;
    expect(lines('a\nb\nc\n', 2)).toEqual({ bytes: 6, kept: 4, chosen: true });
    // Nobody chose the bound on all lines together.
    const long = `${'x'.repeat(1 << 20)}\n`.repeat(11);
    expect(lines(long, 1_000_000)).toEqual({ bytes: long.length, kept: 9 * ((1 << 20) + 1) });
    expect(capture({ limit: 2, chosen: true }, 'abcdef').truncated).toEqual({
      bytes: 6,
      kept: 2,
      chosen: true,
    });
    expect(capture({ limit: 2 }, 'abcdef').truncated).toEqual({ bytes: 6, kept: 2 });
  });

  it('keeps the first lines up to the limit and says that there were more', () => {
    expect(capture({ as: 'lines', limit: 2 }, 'a\nb\nc\n')).toEqual({
      output: ['a', 'b'],
      truncated: { bytes: 6, kept: 4 },
    });
    expect(capture({ as: 'lines', limit: 2 }, 'a\nb\n')).toEqual({ output: ['a', 'b'] });
  });

  it('C1: leaves out a line too long to keep, whole', () => {
    const capturing = startCapture({ as: 'lines', limit: 5, onParseError: 'fail' }, mask, '');
    capturing.write(Buffer.from('first\n'), Buffer.from('first\n'));
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 20; count++) capturing.write(chunk, chunk);
    const captured = capturing.finish();
    expect(captured.output).toEqual(['first']);
    expect(captured.truncated).toEqual({ bytes: 20 * 1024 * 1024 + 6, kept: 6 });
  });

  it('is the same however the output is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '\n', '\r', '😀') }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (text, cuts) => {
          const expected = text.split('\n').map((line) => line.replace(/\r$/, ''));
          // Nothing follows the last newline.
          if (text === '' || text.endsWith('\n')) expected.pop();
          expect(capture({ as: 'lines' }, text, cuts).output).toEqual(expected);
        },
      ),
    );
  });
});

describe('json', () => {
  it('parses, with or without a byte order mark', () => {
    expect(capture({ as: 'json' }, '\uFEFF {"a": [1, 2]}\n')).toEqual({ output: { a: [1, 2] } });
    expect(capture({ as: 'json' }, '7')).toEqual({ output: 7 });
  });

  it('S3: masks what it parsed, a number too', () => {
    expect(capture({ as: 'json' }, '{"a": 98765432, "b": "x98765432"}').output).toEqual({
      a: '***',
      b: 'x***',
    });
  });

  const broken: [string, string, string][] = [
    ['not JSON', 'hello 98765432', 'invalid'],
    ['empty', ' \n', 'invalid'],
    ['nested too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'invalid'],
    ['too large', JSON.stringify('x'.repeat(300_000)), 'overflow'],
  ];
  it.each(broken)(
    'fails with class output when it is %s, and keeps the text when told to',
    (_, text, reason) => {
      const failed = capture({ as: 'json', limit: 250_000 }, text);
      expect(failed.failure).toMatchObject({ class: 'output', details: { json_parse_error: reason } });
      expect(failed.failure?.message).not.toContain('98765432');
      const kept = capture({ as: 'json', limit: 250_000, onParseError: 'keep' }, text);
      expect(kept.failure).toBeUndefined();
      expect(typeof kept.output).toBe('string');
      expect(kept.truncated !== undefined).toBe(reason === 'overflow');
    },
  );
});

describe('extract', () => {
  it('C1, C3: stays within its limit, whole characters only, for any text and any cuts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), maxLength: 200 }),
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (text, limit, cuts) => {
          const bytes = Buffer.from(text);
          for (const extract of [startExtract(limit, 'log'), startTail(limit, 'log')]) {
            let from = 0;
            for (const cut of [
              ...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b),
              bytes.length,
            ]) {
              extract.write(bytes.subarray(from, cut));
              from = cut;
            }
            const shown = extract.text();
            expect(shown).not.toContain('\uFFFD');
            expect(extract.cut()).toBe(bytes.length > limit);
            if (!extract.cut()) {
              expect(shown).toBe(text);
              continue;
            }
            const parts = shown.split(/\n?\[… (\d+) bytes left out; log …\]\n/);
            expect(parts).toHaveLength(3);
            expect(text.startsWith(parts[0] as string)).toBe(true);
            expect(text.endsWith(parts[2] as string)).toBe(true);
            const kept = Buffer.byteLength(parts[0] + (parts[2] as string));
            expect(kept).toBeLessThanOrEqual(limit);
            expect(extract.kept()).toBe(kept);
            expect(Number(parts[1]) + kept).toBe(bytes.length);
          }
        },
      ),
      { numRuns: tries(300, 100) },
    );
  });
});

it('SEC-SECRET-CUT: a message about output that is no JSON quotes no piece of a secret', () => {
  const value = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const hiding = createMask([{ name: 'T', value }]);
  for (const printed of [value, `{"a": ${value}}`, `{"a": "${value}" x}`, `[1, "${value}"`]) {
    const capturing = startCapture({ as: 'json', limit: 1000, onParseError: 'fail' }, hiding, 'the log');
    const masked = hiding.text(printed);
    capturing.write(Buffer.from(printed), Buffer.from(masked));
    const { failure, output } = capturing.finish();
    expect(failure?.message).toContain('not JSON');
    for (let at = 0; at + 6 <= value.length; at++) {
      expect(`${failure?.message} ${output}`).not.toContain(value.slice(at, at + 6));
    }
  }
});
