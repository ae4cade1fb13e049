// A secret in every spelling that ordinary programs give it: made by encoders of our own and by the programs themselves,
// cut anywhere, and looked for afterwards by an oracle that shares no code with the mask and decodes all it can.

import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import { createMask } from './mask.ts';

/** Letters, digits and the marks that encoders treat specially. */
const secretValue = fc
  .string({ unit: fc.constantFrom(...'abcXYZ0189_-+/=.~!@"\'\\$%& é€'), minLength: 10, maxLength: 60 })
  // Enough of it is left when all quotes are taken out.
  .filter((value) => value.replace(/[^\w]/g, '').length >= 8 && value === value.trim());
const plainToken = fc.string({ unit: fc.constantFrom(...'abcdefXYZ0189_'), minLength: 12, maxLength: 80 });

const lines = (text: string, width: number, join: string) =>
  (text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []).join(join);
const hex = (text: string) => Buffer.from(text).toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const bytes = (text: string) => [...Buffer.from(text)];
const two = (byte: number) => byte.toString(16).padStart(2, '0');
const json = (text: string) => JSON.stringify(text);
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

function xxd(text: string): string {
  const all = bytes(text);
  const rows: string[] = [];
  for (let at = 0; at < all.length; at += 16) {
    const row = all.slice(at, at + 16);
    const groups = lines(row.map(two).join(''), 4, ' ').padEnd(39);
    const shown = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${at.toString(16).padStart(8, '0')}: ${groups}  ${shown}`);
  }
  return `${rows.join('\n')}\n`;
}

function quotedPrintable(text: string): string {
  const encoded = bytes(text)
    .map((byte) =>
      byte === 61 || byte > 126 || byte < 32 ? `=${two(byte).toUpperCase()}` : String.fromCharCode(byte),
    )
    .join('');
  return lines(encoded.replace(/(=..)/g, '$1'), 75, '=\n');
}

const ENCODERS: [name: string, encode: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['JSON', json],
  ['JSON in JSON', (text) => json(json(text))],
  ['JSON in JSON in JSON', (text) => json(json(json(text)))],
  ['JSON four deep', (text) => json(json(json(json(text))))],
  [
    'ASCII JSON',
    (text) =>
      json(text).replace(/[^\x00-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  [
    'every character as \\u',
    (text) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  [
    'every byte as \\x',
    (text) =>
      bytes(text)
        .map((byte) => `\\x${two(byte)}`)
        .join(''),
  ],
  [
    'every byte as \\ooo',
    (text) =>
      bytes(text)
        .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
        .join(''),
  ],
  ['single quotes of a shell', (text) => `'${text.replaceAll("'", `'\\''`)}'`],
  ['single quotes of a shell, the other way', (text) => `'${text.replaceAll("'", `'"'"'`)}'`],
  ['double quotes of a shell', (text) => `"${text.replace(/["\\$`]/g, '\\$&')}"`],
  ['backslashes before all that is special', (text) => text.replace(/[^\w]/gu, '\\$&')],
  ['SQL', (text) => `'${text.replaceAll("'", "''")}'`],
  ['CSV', (text) => `"${text.replaceAll('"', '""')}"`],
  ['HTML', html],
  ['HTML in JSON', (text) => json(html(text))],
  ['entities of numbers', (text) => [...text].map((c) => `&#${c.codePointAt(0)};`).join('')],
  [
    'entities of hex numbers',
    (text) => [...text].map((c) => `&#x${c.codePointAt(0)?.toString(16)};`).join(''),
  ],
  ['URL', encodeURIComponent],
  ['URL in URL', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['URL in JSON', (text) => json(encodeURIComponent(text))],
  [
    'all of it in percents',
    (text) =>
      bytes(text)
        .map((byte) => `%${two(byte)}`)
        .join(''),
  ],
  ['a form', (text) => new URLSearchParams({ a: text }).toString()],
  ['quoted-printable', quotedPrintable],
  ['hex', hex],
  ['upper-case hex', (text) => hex(text).toUpperCase()],
  ['wrapped hex', (text) => lines(hex(text), 60, '\n')],
  ['hex in short lines', (text) => lines(hex(text), 7, '\r\n    ')],
  ['hex bytes', (text) => bytes(text).map(two).join(' ')],
  ['hex with colons', (text) => bytes(text).map(two).join(':')],
  [
    'hex in C',
    (text) =>
      `{ ${bytes(text)
        .map((byte) => `0x${two(byte)}`)
        .join(', ')} }`,
  ],
  ['hex in JSON lines', (text) => json(lines(hex(text), 32, '\n'))],
  ['xxd', xxd],
  ['base64', base64],
  ['base64 in URLs', (text) => Buffer.from(text).toString('base64url')],
  ['base64 in lines of 64', (text) => lines(base64(text), 64, '\n')],
  ['base64 in lines of 19', (text) => lines(base64(`user:${text}`), 19, '\n  ')],
  ['base64 in lines in JSON', (text) => json(lines(base64(text), 20, '\n'))],
  ['base64 inside a longer text', (text) => base64(`a${text}zz`)],
  ['a Buffer as JSON', (text) => json(JSON.stringify(Buffer.from(text)))],
  ['a Buffer in lines', (text) => JSON.stringify(Buffer.from(text), null, 2)],
  ['colours inside', (text) => lines(text, 4, '\x1b[0m\x1b[1;31m')],
  ['UTF-16', (text) => Buffer.from(text, 'utf16le').toString('latin1')],
];

/** Programs that are there, with what they read from standard input. */
const PROGRAMS: string[][] = [
  ['xxd'],
  ['xxd', '-p'],
  ['xxd', '-u', '-c', '8'],
  ['xxd', '-i'],
  ['od', '-An', '-tx1'],
  ['od', '-tx1'],
  ['od', '-A', 'x', '-t', 'x1z'],
  ['od', '-An', '-tu1'],
  ['od', '-x'],
  ['hexdump', '-C'],
  ['hexdump'],
  ['base64'],
  ['base64', '-w', '23'],
  ['openssl', 'base64'],
  ['jq', '-Rs', '.'],
  ['jq', '-Rs', 'tojson | tojson'],
  ['jq', '-Rrs', '@uri'],
  ['jq', '-Rrs', '@html'],
  ['jq', '-Rrs', '@sh'],
  ['python3', '-c', 'import sys; print(repr(sys.stdin.buffer.read()))'],
  ['python3', '-c', 'import sys; print(ascii(sys.stdin.read()))'],
  ['python3', '-c', 'import sys, json; print(json.dumps(json.dumps(sys.stdin.read())))'],
  [
    'python3',
    '-c',
    'import sys, quopri; sys.stdout.buffer.write(quopri.encodestring(sys.stdin.buffer.read()))',
  ],
  ['node', '-e', 'console.log({ a: [require("fs").readFileSync(0, "utf8")] })'],
  ['node', '-e', 'console.log(JSON.stringify(JSON.stringify(require("fs").readFileSync(0, "utf8"))))'],
  ['node', '-e', 'console.log(JSON.stringify(require("fs").readFileSync(0)))'],
  ['bash', '-c', 'printf %q "$(cat)"'],
  ['bash', '-c', 's=$(cat); echo "${s@Q}"; echo "${s@E}"; export s; declare -p s'],
  ['bash', '-c', 'exec 2>&1; s=$(cat); set -x; true "$s"'],
  ['bash', '-c', '"$(cat)" 2>&1; ls -- "$(cat)" 2>&1'],
  ['fold', '-w', '11'],
];

/** Readings of a text that a person with a shell could make. Written apart from the mask, and lavish. */
function readings(text: string): string[] {
  const decoded = (given: string) =>
    given
      .replace(/\\+u\{?([0-9a-fA-F]{4,6})\}?/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/\\+x([0-9a-fA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\+([0-3][0-7]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      .replace(/&#x([0-9a-fA-F]+);/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replace(/=\r?\n/g, '')
      .replace(/[%=]([0-9a-fA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const plain = [text, decoded(text), decoded(decoded(text))];
  const fromHex = (digits: string) =>
    [digits, digits.slice(1)].map((part) => Buffer.from(part, 'hex').toString('latin1'));
  const withoutOffsets = text.replace(/^[0-9a-fA-F]{6,16}:?\s/gm, '').replace(/(?: {2}|[|>]).*$/gm, '');
  const numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number < 256);
  return [
    ...plain,
    ...fromHex(text.replace(/0x/g, '').replace(/[^0-9a-fA-F]/g, '')),
    ...(text.match(/[0-9a-fA-F][0-9a-fA-F\s:]{12,}/g) ?? []).flatMap((run) =>
      fromHex(run.replace(/[\s:]/g, '')),
    ),
    ...fromHex(withoutOffsets.replace(/[^0-9a-fA-F]/g, '')),
    ...[0, 1, 2, 3].map((from) =>
      Buffer.from(text.replace(/\\n|[^\w+/-]/g, '').slice(from), 'base64').toString('latin1'),
    ),
    Buffer.from(numbers).toString('latin1'),
  ];
}

/** Only letters and digits count, so that no quote can hide it. */
const bare = (text: string) => text.replace(/[^A-Za-z0-9]/g, '');

function leaks(masked: string, value: string): boolean {
  const wanted = bare(Buffer.from(value).toString('latin1'));
  return readings(masked).some((reading) => bare(reading).includes(wanted));
}

function through(value: string, given: Uint8Array, cuts: number[] = []): string {
  const stream = createMask([{ name: 'S', value }]).stream();
  const out: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (given.length + 1)).sort((a, b) => a - b), given.length]) {
    out.push(Buffer.from(stream.write(Uint8Array.from(given.subarray(from, cut)))));
    from = cut;
  }
  out.push(Buffer.from(stream.end()));
  return Buffer.concat(out).toString('latin1');
}

describe('SEC-SECRET-SPELLINGS: no reading of the masked text gives the secret', () => {
  it.each(ENCODERS)('%s', (name, encode) => {
    fc.assert(
      fc.property(
        /colours|UTF-16/.test(name) ? plainToken : secretValue,
        fc.constantFrom('', 'before ', 'key: ', '[', '\n'),
        fc.constantFrom('', ' after', '\n', ']', '"'),
        fc.array(fc.nat(), { maxLength: 6 }),
        (value, before, after, cuts) => {
          const encoding = name === 'UTF-16' ? 'latin1' : 'utf8';
          const given = Buffer.from(`${before}${encode(value)}${after}`, encoding);
          const masked = through(value, given, cuts);
          expect(masked).toContain('***');
          expect(leaks(masked, value)).toBe(false);
          // M1: whatever the cuts.
          expect(masked).toBe(through(value, given));
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each(PROGRAMS.map((argv) => [argv.join(' '), argv] as const))('%s', (_, argv) => {
    const values = [
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      `p"ss'w\\rd $HOME & co/with=é€ 100%`,
      'sk-ant-api03-Zm9vYmFyYmF6cXV4-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4-AA',
    ];
    for (const value of values) {
      for (const before of ['user:']) {
        const [program = '', ...words] = argv;
        const ran = spawnSync(program, words, {
          input: `${before}${value}`,
          env: { ...process.env, LC_ALL: 'C.UTF-8' },
        });
        // A program that is not installed here proves nothing.
        if (ran.error) continue;
        expect(ran.stdout.length).toBeGreaterThan(0);
        const masked = through(value, ran.stdout, [7, 31, 64]);
        expect(masked).toContain('***');
        expect([masked, leaks(masked, value)]).toEqual([masked, false]);
      }
    }
  });

  it('the oracle finds the secret in what was not masked', () => {
    for (const [name, encode] of ENCODERS) {
      if (/colours|in lines of 19|longer text|UTF-16|four deep|in JSON in JSON|every byte as .ooo/.test(name))
        continue;
      expect([
        name,
        leaks(
          Buffer.from(encode('ghp_16C7e42F292c6912E7710')).toString('latin1'),
          'ghp_16C7e42F292c6912E7710',
        ),
      ]).toEqual([name, true]);
    }
  });
});

describe('SEC-SECRET-CUT: the beginning of a secret that a message cuts', () => {
  const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const mask = createMask([{ name: 'T', value: TOKEN }]);
  it.each([
    [
      `Unexpected token 'g', "ghp_16C7e4"... is not valid JSON`,
      `Unexpected token 'g', "***"... is not valid JSON`,
    ],
    ['token ghp_16C7e42F2… is wrong', 'token ***… is wrong'],
    ['wrong: ghp_16C7e42F29...', 'wrong: ***...'],
    ['wrong: ghp_16C7e42F29', 'wrong: ***'],
    ['all tokens begin with ghp_... here', 'all tokens begin with ghp_... here'],
    ['ghp_16C7e4 is another word', 'ghp_16C7e4 is another word'],
  ])('%s', (given, expected) => {
    expect(mask.text(given)).toBe(expected);
    for (let cut = 0; cut < given.length; cut++) {
      const stream = mask.stream();
      const all = [Buffer.from(given).subarray(0, cut), Buffer.from(given).subarray(cut)];
      const out = all.map((part) => Buffer.from(stream.write(part)).toString('latin1')).join('');
      expect(Buffer.from(out + Buffer.from(stream.end()).toString('latin1'), 'latin1').toString()).toBe(
        expected,
      );
    }
  });
});

describe('SEC-SECRET-HONEST: text without a secret stays as it is', () => {
  const word = fc.constantFrom(
    ...'the cafe added face dead beef 0x41 31 32 33 34, 35 100% &amp; a=3D "quoted" \\n C:\\dir\\41 \x1b[31m *** é \n \t 00000010: > | $\'x\' %20'.split(
      ' ',
    ),
    'YWJjZGVm',
    '7333 6372',
    'sk-ant-',
  );
  it('for any secrets', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: fc.constantFrom(...'QRSTUVWqrstuvw23456789_-'), minLength: 4, maxLength: 40 }),
          { minLength: 1, maxLength: 4 },
        ),
        fc.array(fc.oneof(word, fc.string({ maxLength: 12 })), { maxLength: 60 }),
        fc.constantFrom(' ', '', '\n'),
        (values, words, join) => {
          const mask = createMask(values.map((value, index) => ({ name: `S${index}`, value })));
          const text = words.join(join);
          // Quotes may hide it, nothing else does in so short a text.
          fc.pre(!values.some((value) => bare(text).includes(bare(value))));
          expect(mask.text(text)).toBe(text);
        },
      ),
      { numRuns: tries(500, 100) },
    );
  });
});
