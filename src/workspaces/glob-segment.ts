// glob-segment: one part of a pattern between two slashes, matched against one name.
// The usual translation into a regular expression backtracks: `*a*a*a*a*b` against two hundred letters takes it
// sixteen seconds. Here only the last `*` is ever tried again, so the cost is at most pattern × name.

import type { GlobSyntax } from '../ports/workspace.ts';

type Token = '*' | '?' | { char: string } | { negated: boolean; ranges: [number, number][] };

export type Segment =
  /** `**`: any number of folders. */
  { kind: 'any' } | { kind: 'literal'; text: string } | { kind: 'wild'; tokens: Token[] };

/** In posix two stars are one. */
export function parseSegment(text: string, syntax: GlobSyntax = 'extended'): Segment {
  if (text === '**' && syntax === 'extended') return { kind: 'any' };
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) as number);
    const list = char === '[' ? readList(text, at) : undefined;
    if (list) {
      tokens.push(list.token);
      at = list.end;
    } else if (char === '\\' && at + 1 < text.length) {
      const escaped = String.fromCodePoint(text.codePointAt(at + 1) as number);
      tokens.push({ char: escaped });
      at += 1 + escaped.length;
    } else {
      if (char === '?') tokens.push('?');
      else if (char !== '*') tokens.push({ char });
      else if (tokens.at(-1) !== '*') tokens.push('*');
      at += char.length;
    }
  }
  const literal = tokens.every((token) => typeof token === 'object' && 'char' in token);
  return literal
    ? { kind: 'literal', text: tokens.map((token) => (token as { char: string }).char).join('') }
    : { kind: 'wild', tokens };
}

/** A name that begins with a dot is hidden: only a pattern that begins with one finds it. */
export function matchesSegment(segment: Segment, name: string, hidden: boolean): boolean {
  if (segment.kind === 'literal') return segment.text === name;
  const mayHide = hidden || !name.startsWith('.');
  if (segment.kind === 'any') return mayHide;
  const [first] = segment.tokens;
  const saysDot = typeof first === 'object' && 'char' in first && first.char === '.';
  return (mayHide || saysDot) && matchesTokens(segment.tokens, name);
}

function matchesTokens(tokens: Token[], name: string): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    const width = charWidth(name, at);
    if (current === '*') {
      star = token++;
      starAt = at;
    } else if (current !== undefined && matchesChar(current, name, at, width)) {
      token += 1;
      at += width;
    } else if (star >= 0) {
      // The star takes one character more. Stars before it need not change: what they took can only get longer.
      starAt += charWidth(name, starAt);
      at = starAt;
      token = star + 1;
    } else return false;
  }
  while (tokens[token] === '*') token += 1;
  return token === tokens.length;
}

function matchesChar(token: Exclude<Token, '*'>, name: string, at: number, width: number): boolean {
  if (token === '?') return true;
  if ('char' in token) return width === token.char.length && name.startsWith(token.char, at);
  const code = name.codePointAt(at) as number;
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
}

function charWidth(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

const classes: Record<string, string> = {
  alpha: 'azAZ',
  digit: '09',
  alnum: 'azAZ09',
  upper: 'AZ',
  lower: 'az',
  xdigit: '09afAF',
  space: '\t\r  ',
  punct: '!/:@[`{~',
};

/** `[abc]`, `[a-z]`, `[!a]`, `[[:digit:]]`. Undefined where it is not closed: the bracket is then itself. */
function readList(text: string, start: number): { token: Token; end: number } | undefined {
  const ranges: [number, number][] = [];
  let at = start + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at += 1;
  for (const first = at; at < text.length; ) {
    if (text[at] === ']' && at > first) return { token: { negated, ranges }, end: at + 1 };
    const named = /^\[:([a-z]+):\]/.exec(text.slice(at, at + 12));
    const pairs = classes[named?.[1] ?? ''];
    if (named && pairs !== undefined) {
      for (let pair = 0; pair < pairs.length; pair += 2)
        ranges.push([pairs.charCodeAt(pair), pairs.charCodeAt(pair + 1)]);
      at += named[0].length;
      continue;
    }
    const low = readChar(text, at);
    const dash = text[low.end] === '-' && low.end + 1 < text.length && text[low.end + 1] !== ']';
    const high = dash ? readChar(text, low.end + 1) : low;
    ranges.push([low.code, high.code]);
    at = high.end;
  }
  return undefined;
}

function readChar(text: string, at: number): { code: number; end: number } {
  const from = text[at] === '\\' && at + 1 < text.length ? at + 1 : at;
  const code = text.codePointAt(from) as number;
  return { code, end: from + (code > 0xffff ? 2 : 1) };
}
