import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Json } from '../model/json.ts';
import { createMask, type Mask } from './mask.ts';

const TOKEN = 'ghp_a+b/c d=é"x\\9';
const mask = createMask([{ name: 'TOKEN', value: TOKEN }]);

/** What comes out when the bytes arrive cut at these places. */
function streamed(through: Mask, bytes: Uint8Array, cuts: number[] = []): Buffer {
  const stream = through.stream();
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    // A copy that is wiped afterwards: a stream must not rely on the buffer it was handed.
    const chunk = Uint8Array.from(bytes.subarray(from, cut));
    parts.push(Buffer.from(stream.write(chunk)));
    chunk.fill(0);
    from = cut;
  }
  parts.push(Buffer.from(stream.end()));
  return Buffer.concat(parts);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('spellings', () => {
  const table: [string, string, string][] = [
    ['the value itself', `a ${TOKEN} b`, 'a *** b'],
    ['twice in a row', TOKEN + TOKEN, '******'],
    ['inside JSON', JSON.stringify({ a: TOKEN }), '{"a":"***"}'],
    ['inside JSON with slashes escaped', JSON.stringify(TOKEN).replaceAll('/', '\\/'), '"***"'],
    ['inside ASCII JSON', JSON.stringify(TOKEN).replace('é', '\\u00e9'), '"***"'],
    ['inside ASCII JSON, upper case', JSON.stringify(TOKEN).replace('é', '\\u00E9'), '"***"'],
    ['URL-encoded', `?t=${encodeURIComponent(TOKEN)}&x`, '?t=***&x'],
    [
      'URL-encoded in lower case',
      encodeURIComponent(TOKEN).replace(/%../g, (escaped) => escaped.toLowerCase()),
      '***',
    ],
    ['as a form', new URLSearchParams({ t: TOKEN }).toString(), 't=***'],
    ['in base64', `x ${base64(TOKEN)} y`, 'x *** y'],
    ['in base64 without padding', base64(TOKEN).replace(/=+$/, ''), '***'],
    ['in URL-safe base64', base64url(TOKEN), '***'],
    ['in hex', Buffer.from(TOKEN).toString('hex'), '***'],
    ['in upper-case hex', Buffer.from(TOKEN).toString('hex').toUpperCase(), '***'],
  ];
  it.each(table)('S3: masks the secret %s', (_, text, expected) => {
    expect(mask.text(text)).toBe(expected);
  });

  it('S3: masks base64 wherever the secret falls in the groups of three', () => {
    for (const before of ['', 'u', 'us', 'use', 'user:']) {
      for (const after of ['', '\n', ':x', ':xy', ':xyz']) {
        for (const encode of [base64, base64url]) {
          const masked = mask.text(encode(before + TOKEN + after));
          // The digits that are shared with what surrounds it carry at most four bits of the secret.
          expect(masked).toContain('***');
          const around = Buffer.from(before).length + Buffer.from(after).length;
          expect(masked.replace('***', '').length).toBeLessThanOrEqual(Math.ceil((around * 8) / 6) + 4);
        }
      }
    }
  });

  it('S3: masks the lines that tools wrap long base64 into', () => {
    const long = createMask([{ name: 'KEY', value: 'k3y/'.repeat(60) }]);
    for (const width of [64, 76]) {
      const lines = base64('k3y/'.repeat(60)).match(new RegExp(`.{1,${width}}`, 'g')) as string[];
      expect(long.text(lines.join('\n'))).toBe('***');
      expect(long.text(`> ${lines[1]}`)).toBe('> ***');
    }
  });

  it('masks each line of a secret with several, and the value without its last newline', () => {
    const pem = createMask([
      { name: 'PEM', value: '-----BEGIN-----\r\nMIIEabcd\r\n  \r\nab\r\n-----END-----\n' },
    ]);
    expect(pem.text('key: MIIEabcd, ab,   .')).toBe('key: ***, ab,   .');
    expect(pem.text('-----BEGIN-----\r\nMIIEabcd\r\n  \r\nab\r\n-----END-----')).toBe('***');
  });

  it('covers overlapping secrets entirely', () => {
    const two = createMask([
      { name: 'A', value: 'abcdef' },
      { name: 'B', value: 'defghi' },
      { name: 'C', value: 'xabcdefy' },
    ]);
    expect(two.text('<abcdefghi>')).toBe('<***>');
    expect(two.text('<xabcdefy>')).toBe('<***>');
    expect(two.text('<xabcdefz>')).toBe('<x***z>');
    expect(two.text('abcde')).toBe('abcde');
  });

  it('covers a secret that repeats into itself as one stretch, without keeping the stream', () => {
    const waves = createMask([{ name: 'A', value: 'aaaa' }]);
    const stream = waves.stream();
    let out = '';
    for (let count = 0; count < 1000; count++)
      out += Buffer.from(stream.write(Buffer.from('aaa'))).toString();
    out += Buffer.from(stream.end()).toString();
    expect(out).toBe('***');
  });
});

describe('what cannot be masked', () => {
  it('rule 13: warns of values shorter than four characters and leaves them', () => {
    const short = createMask([
      { name: 'PIN', value: '123' },
      { name: 'BLANK', value: '      ' },
      { name: 'EMPTY', value: '' },
      { name: 'GOOD', value: '1234' },
    ]);
    expect(short.warnings).toHaveLength(2);
    expect(short.warnings[0]).toContain('PIN');
    expect(short.warnings[1]).toContain('BLANK');
    expect(short.text('123 1234')).toBe('123 ***');
    expect([...short.names]).toEqual(['PIN', 'BLANK', 'EMPTY', 'GOOD']);
  });

  it('M4: hands everything back as it came when there is no secret', () => {
    const none = createMask([]);
    const chunk = Buffer.from('hello');
    const value = { a: ['hello'] };
    expect(none.stream().write(chunk)).toBe(chunk);
    expect(none.deep(value)).toBe(value);
  });
});

describe('deep', () => {
  const numbers = createMask([{ name: 'N', value: '123456' }]);

  it('masks strings, keys and numbers, and leaves the rest', () => {
    expect(numbers.deep({ a: 'x123456', '123456': [123456, 1.5, null, true] })).toEqual({
      a: 'x***',
      '***': ['***', 1.5, null, true],
    });
  });

  it('keeps two keys apart that both hold the secret', () => {
    expect(numbers.deep({ '123456': 1, '***': 2 })).toEqual({ '***': 1, '****': 2 });
  });

  it('gives the very same value back where there is nothing to mask', () => {
    const value: Json = { a: [{ b: 'c' }], d: '\ud800' };
    expect(numbers.deep(value)).toBe(value);
  });

  it('keeps `__proto__` a key like any other', () => {
    const value = JSON.parse('{"__proto__": "123456"}') as Json;
    expect(JSON.stringify(numbers.deep(value))).toBe('{"__proto__":"***"}');
  });
});

/** No star: the mask itself could otherwise complete a secret. */
const secretValue = fc
  .string({ unit: fc.constantFrom(...'abAB01+/= \n"%é€😀'), minLength: 4, maxLength: 24 })
  .filter((value) => value.trim().length >= 4);

describe('streams', () => {
  it('S3: finds a secret cut at every place', () => {
    const bytes = Buffer.from(`é before ${TOKEN} after ${base64(TOKEN)} €`);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second += 7) {
        expect(streamed(mask, bytes, [first, second]).toString()).toBe('é before *** after *** €');
      }
    }
  });

  it('M1: gives what one chunk would have given, for any secrets, bytes and cuts', () => {
    fc.assert(
      fc.property(
        fc.array(secretValue, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(fc.nat(2), fc.string({ unit: fc.constantFrom(...'abAB01+/= \n"%é€😀') }))),
        fc.array(fc.nat(), { maxLength: 8 }),
        (values, parts, cuts) => {
          const any = createMask(values.map((value, index) => ({ name: `S${index}`, value })));
          const text = parts.map((part) => (typeof part === 'number' ? (values[part] ?? '') : part)).join('');
          const bytes = Buffer.from(text);
          const whole = streamed(any, bytes);
          expect(streamed(any, bytes, cuts).equals(whole)).toBe(true);
          expect(any.text(text)).toBe(whole.toString());
        },
      ),
      { numRuns: tries(300, 100) },
    );
  });

  it('S3: never leaks the secret, whatever surrounds it and wherever it is cut', () => {
    fc.assert(
      fc.property(
        secretValue,
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom<(value: string) => string>(
          (value) => value,
          base64,
          base64url,
          encodeURIComponent,
          (value) => JSON.stringify(value).slice(1, -1),
        ),
        fc.array(fc.nat(), { maxLength: 8 }),
        (value, before, after, spell, cuts) => {
          const any = createMask([{ name: 'S', value }]);
          const spelled = Buffer.from(spell(value));
          const bytes = Buffer.concat([before, spelled, after]);
          const out = streamed(any, bytes, cuts);
          expect(out.includes(spelled)).toBe(false);
          expect(out.includes('***')).toBe(true);
        },
      ),
      { numRuns: tries(500, 100) },
    );
  });

  it('leaves bytes that are no text as they are', () => {
    const bytes = Buffer.from([0, 255, 254, 0xc3, 0x28, 10, 13, 128]);
    expect(streamed(mask, bytes, [3, 4]).equals(bytes)).toBe(true);
  });

  it('M2: holds back only what could still become a secret', () => {
    const stream = mask.stream();
    expect(Buffer.from(stream.write(Buffer.from('progress 10%\n'))).toString()).toBe('progress 10%\n');
    expect(Buffer.from(stream.write(Buffer.from('see ghp_a'))).toString()).toBe('see ');
    expect(Buffer.from(stream.write(Buffer.from('xx'))).toString()).toBe('ghp_axx');
  });

  it('M2: takes a key of several kilobytes, and text made to look like it, in linear time', () => {
    const key = `${'a'.repeat(8000)}b`;
    const large = createMask([{ name: 'KEY', value: key }]);
    const bytes = Buffer.from('a'.repeat(7999).concat('c').repeat(500));
    const started = process.cpuUsage();
    const stream = large.stream();
    let out = 0;
    for (let from = 0; from < bytes.length; from += 65536) {
      out += stream.write(bytes.subarray(from, from + 65536)).length;
    }
    out += stream.end().length;
    // Quadratic would be 32 billion comparisons: minutes.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
    expect(out).toBe(bytes.length);
  });
});
