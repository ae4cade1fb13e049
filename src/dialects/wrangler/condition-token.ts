// condition-token: the words of a condition. They look like JavaScript, and only what that language lists is one.

import { inexactNumber } from '../../text/exact-number.ts';

export type Token =
  | { kind: 'name'; text: string; start: number; end: number }
  | { kind: 'number'; value: number; start: number; end: number }
  | { kind: 'string'; value: string; start: number; end: number }
  | { kind: 'sign'; text: string; start: number; end: number }
  | { kind: 'end'; start: number; end: number };

export interface ConditionProblem {
  /** `condition-syntax`, unless it is said. */
  code?: string;
  message: string;
  hint?: string;
  start: number;
  end: number;
}

/** Longer ones are nobody's intention. */
const LONGEST = 10_000;

const SIGNS = ['===', '!==', '==', '!=', '>=', '<=', '&&', '||', '!', '>', '<', '(', ')', '[', ']', '.', ','];
const SPACE = /\s+/y;
const NAME = /[A-Za-z_$][\w$]*/y;
const NUMBER = /-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;

export function tokensOf(text: string): Token[] | ConditionProblem {
  if (text.length > LONGEST)
    return { message: `a condition of more than ${LONGEST} characters`, start: 0, end: text.length };
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const token = word(take, at) ?? sign(text, at);
    if (token === undefined) return unknown(text, at);
    if (token.kind === 'number') {
      const inexact = inexactNumber(text.slice(token.start, token.end), token.value);
      if (inexact !== undefined) return { message: inexact, start: token.start, end: token.end };
    }
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', start: at, end: at });
  return tokens;
}

function word(take: (pattern: RegExp) => string | undefined, start: number): Token | undefined {
  const name = take(NAME);
  if (name !== undefined) return { kind: 'name', text: name, start, end: start + name.length };
  const number = take(NUMBER);
  if (number !== undefined)
    return { kind: 'number', value: Number(number), start, end: start + number.length };
  const string = take(STRING);
  if (string === undefined) return undefined;
  return { kind: 'string', value: unescaped(string.slice(1, -1)), start, end: start + string.length };
}

function sign(text: string, start: number): Token | undefined {
  const found = SIGNS.find((each) => text.startsWith(each, start));
  return found === undefined ? undefined : { kind: 'sign', text: found, start, end: start + found.length };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) =>
    Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] as string) : letter,
  );
}

const HINTS: [RegExp, string][] = [
  [/^=/, 'Two values are compared with `==`.'],
  [/^\?\./, 'Write `.`: what is not there is false by itself.'],
  [/^[?:]/, 'There is no `a ? b : c` here: write it as two steps with a condition each.'],
  [/^&/, 'And is written `&&`.'],
  [/^\|/, 'Or is written `||`.'],
  [/^[-+*/%]/, 'Conditions compare values and do not calculate. A name with a hyphen is read as `x["a-b"]`.'],
  [/^["'`]/, 'A text is written "so" or \'so\', on one line.'],
  [/^\{/, 'A condition is written without `{{ }}`.'],
];

function unknown(text: string, start: number): ConditionProblem {
  const rest = text.slice(start);
  const hint = HINTS.find(([pattern]) => pattern.test(rest))?.[1];
  const shown = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return {
    message: `\`${shown}\` means nothing here`,
    ...(hint !== undefined && { hint }),
    start,
    end: start + shown.length,
  };
}
