import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecretShapes, maskShapesIn } from './secret-shapes.ts';

const from = (characters: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max });
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORD = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const URL_SAFE = `${WORD}_-`;

/** A secret of every kind, and what of it must not be seen. */
const SECRETS = fc.oneof(
  from(URL_SAFE, 20, 60).map((text) => ({ text: `sk-ant-${text}`, secret: text })),
  from(WORD, 10, 30).map((text) => ({ text: `sk_live_${text}`, secret: text })),
  fc
    .tuple(fc.constantFrom('p', 'o', 'u', 's', 'r'), from(WORD, 36, 36))
    .map(([kind, text]) => ({ text: `gh${kind}_${text}`, secret: text })),
  from(`${WORD}_`, 22, 80).map((text) => ({ text: `github_pat_${text}`, secret: text })),
  from(URL_SAFE, 20, 20).map((text) => ({ text: `glpat-${text}`, secret: text })),
  from(`${WORD}-`, 12, 50).map((text) => ({ text: `xoxb-${text}`, secret: text })),
  from(`${LETTERS.toUpperCase()}0123456789`, 16, 16).map((text) => ({ text: `AKIA${text}`, secret: text })),
  from(URL_SAFE, 35, 35).map((text) => ({ text: `AIza${text}`, secret: text })),
  from(WORD, 36, 36).map((text) => ({ text: `npm_${text}`, secret: text })),
  fc
    .tuple(from(URL_SAFE, 10, 40), from(URL_SAFE, 10, 90), from(URL_SAFE, 20, 43))
    .map(([head, body, sign]) => ({ text: `eyJ${head}.${body}.${sign}`, secret: body })),
  fc
    .tuple(fc.constantFrom('RSA ', 'EC ', 'OPENSSH ', ''), from(`${WORD}+/`, 60, 200))
    .map(([kind, body]) => ({
      text: `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`,
      secret: body,
    })),
  fc
    .tuple(
      fc.constantFrom('password', 'DB_PASSWORD', 'api_key', 'apiKey', 'CLIENT-SECRET', 'auth_token', 'pwd'),
      fc.constantFrom('=', ' = ', '="', "='"),
      from(`${WORD}!?#%`, 8, 30),
    )
    .map(([name, sign, value]) => ({
      text: `${name}${sign}${value}${sign.endsWith('"') ? '"' : sign.endsWith("'") ? "'" : ''}`,
      secret: value,
    })),
  from(WORD, 8, 20).map((value) => ({ text: `"token": "${value}"`, secret: value })),
  from(WORD, 8, 20).map((value) => ({ text: `postgres://app:${value}@db/main`, secret: value })),
  from(WORD, 20, 40).map((value) => ({ text: `Authorization: Bearer ${value}`, secret: value })),
);
/** What stands around it: nothing that a value could go on with. */
const AROUND = fc.constantFrom('', ' ', 'use ', ' please.', '\n', 'x: ', ' – and “this”', '(', ')');

describe('secret-shapes', () => {
  it('property: no secret of a known shape survives, wherever in a text or a value it stands', () => {
    fc.assert(
      fc.property(AROUND, SECRETS, AROUND, (before, { text, secret }, after) => {
        const masked = maskSecretShapes(`${before}${text} ${after}`);
        expect(masked).not.toContain(secret);
        expect(masked).toContain('***');
        expect(JSON.stringify(maskShapesIn({ a: [{ b: `${before}${text}` }], [text]: 1 }))).not.toContain(
          JSON.stringify(secret).slice(1, -1),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('K2: property: masking twice is masking once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            SECRETS,
            fc.string().map((text) => ({ text })),
          ),
          { maxLength: 5 },
        ),
        (parts) => {
          const masked = maskSecretShapes(parts.map(({ text }) => text).join(' '));
          expect(maskSecretShapes(masked)).toBe(masked);
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    'Read the file before you edit it.',
    'The tokens of a step: 1200 in, 300 out',
    'tokenizer = makeTokenizer()',
    'the password: it must have eight characters',
    'password=$PASSWORD token={{ vars.token }} secret=<yours> api_key=***',
    'if (token === undefined) return; map((token) => token.text)',
    'commit 8f3c2a7be01d4c5f9a6b7c8d9e0f1a2b3c4d5e6f',
    'sk-learn is a package; ask-me-anything is not a key',
    'https://example.com:8080/a@b',
    'risk_live_data and ghp_short',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  ])('K1: what is none comes back as it is: %s', (text) => {
    expect(maskSecretShapes(text)).toBe(text);
  });

  it.each([
    ['password="a b c"', 'password="***"'],
    ['{"password": "hunter22"}', '{"password": "***"}'],
    ['token: 8f3c2a7b9d', 'token: ***'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE and the text was cut', '***'],
    ['key -----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY----- end', 'key *** end'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG', 'aws_secret_access_key = ***'],
    ['git clone https://me:pa55@host/x', 'git clone https://me:***@host/x'],
  ])('%j becomes %j', (text, masked) => {
    expect(maskSecretShapes(text)).toBe(masked);
  });

  it('a value under a name that says what it is goes, whatever it looks like', () => {
    expect(maskShapesIn({ db_password: 'bee', user: 'bee', tokens: 'bee' })).toEqual({
      db_password: '***',
      user: 'bee',
      tokens: 'bee',
    });
  });

  it('K1: a value without any comes back as the very same value', () => {
    const value = { a: ['b', { c: 1 }], d: null };
    expect(maskShapesIn(value)).toBe(value);
  });

  it('K3: reads every part of a text that is made of beginnings a bounded number of times', () => {
    // The square of these lengths would take minutes; the time-out of the test is the measure.
    for (const piece of [
      'eyJ',
      'sk-',
      'password=',
      '"token": "',
      '-----BEGIN PRIVATE KEY',
      '://a:',
      'bearer ',
    ])
      maskSecretShapes(piece.repeat(1_000_000 / piece.length));
  });
});
