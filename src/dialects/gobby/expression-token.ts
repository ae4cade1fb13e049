// expression-token: the words of an expression. They look like Python's.

import { inexactNumber } from '../../text/exact-number.ts';

export type Token =
  | { kind: 'name'; text: string; start: number; end: number }
  | { kind: 'number'; value: number; start: number; end: number }
  | { kind: 'string'; value: string; start: number; end: number }
  | { kind: 'sign'; text: string; start: number; end: number }
  | { kind: 'end'; start: number; end: number };

/** Offsets are in the text of the expression. */
export class ExpressionProblem extends Error {
  readonly start: number;
  readonly end: number;
  readonly hint: string | undefined;

  constructor(message: string, at: { start: number; end: number }, hint?: string) {
    super(message);
    this.start = at.start;
    this.end = at.end;
    this.hint = hint;
  }
}

const LONGEST = 10_000;
const SIGNS = [
  '**',
  '//',
  '==',
  '!=',
  '>=',
  '<=',
  '>',
  '<',
  '+',
  '-',
  '*',
  '/',
  '%',
  '~',
  '|',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  ':',
  '=',
];
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y;

/** Throws ExpressionProblem. */
export function tokensOf(text: string): Token[] {
  if (text.length > LONGEST)
    throw new ExpressionProblem(`an expression of more than ${LONGEST} characters`, {
      start: 0,
      end: text.length,
    });
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    if (at >= text.length) break;
    const token = tokenAt(text, at, take);
    tokens.push(token);
    at = token.end;
  }
  return [...tokens, { kind: 'end', start: text.length, end: text.length }];
}

function tokenAt(text: string, start: number, take: (pattern: RegExp) => string | undefined): Token {
  const name = take(NAME);
  if (name !== undefined) return { kind: 'name', text: name, start, end: start + name.length };
  const number = take(NUMBER);
  if (number !== undefined) {
    const token = { kind: 'number' as const, value: Number(number), start, end: start + number.length };
    const inexact = inexactNumber(number, token.value);
    if (inexact !== undefined) throw new ExpressionProblem(inexact, token);
    return token;
  }
  const string = take(STRING);
  if (string !== undefined)
    return { kind: 'string', value: unescaped(string.slice(1, -1)), start, end: start + string.length };
  const sign = SIGNS.find((each) => text.startsWith(each, start));
  if (sign !== undefined) return { kind: 'sign', text: sign, start, end: start + sign.length };
  const shown = String.fromCodePoint(text.codePointAt(start) ?? 0);
  throw new ExpressionProblem(
    `\`${shown}\` means nothing here`,
    { start, end: start + shown.length },
    HINTS[shown],
  );
}

const HINTS: Readonly<Record<string, string>> = {
  '&': 'And is written `and`.',
  '!': 'Not is written `not`.',
  '"': 'A text is written "so" or \'so\'.',
  "'": 'A text is written "so" or \'so\'.',
};

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, letter: string) =>
    Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] as string) : letter,
  );
}
