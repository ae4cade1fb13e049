// template-token: where the `{{ }}` and `{% %}` of a text begin and end.

import { LONGEST_CEL } from './syntax.ts';
import type { ExpressionProblem } from './type.ts';

/** A piece of CEL inside a template. */
export interface Expression {
  source: string;
  /** Where it starts in the template. */
  offset: number;
}

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'output'; expression: Expression; start: number; end: number }
  | { kind: 'tag'; name: string; rest: Expression; start: number; end: number };

export interface Tokens {
  tokens: Token[];
  problems: ExpressionProblem[];
}

/** A text with more of them than this is no template. It also bounds the time that a hostile one can take. */
const MOST_UNREADABLE = 100;
const ENDRAW = /\{%\s*endraw\s*%\}/g;

export function tokensOf(source: string): Tokens {
  const tokens: Token[] = [];
  const problems: ExpressionProblem[] = [];
  const text = (from: number, to: number) => {
    if (to > from) tokens.push({ kind: 'text', text: source.slice(from, to) });
  };
  const opening = /\{[{%]/g;
  let done = 0;
  let unreadable = 0;
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const start = found.index;
    const close = found[0] === '{{' ? '}}' : '%}';
    const inner = endOfExpression(source, start + 2, close);
    if (!inner.readable) unreadable++;
    if (inner.end < 0 || unreadable > MOST_UNREADABLE) {
      problems.push(unclosed(start, found[0], close));
      return { tokens, problems };
    }
    const end = inner.end + 2;
    text(done, start);
    const token = tokenAt(source, start, end);
    done = end;
    if (token.kind === 'tag' && token.name === 'raw') {
      ENDRAW.lastIndex = end;
      const close = ENDRAW.exec(source);
      if (!close) {
        problems.push({
          code: 'template-unclosed',
          message: '`{% raw %}` is never closed',
          start,
          end,
          hint: 'Close it with `{% endraw %}`.',
        });
        return { tokens, problems };
      }
      text(end, close.index);
      done = close.index + close[0].length;
    } else {
      tokens.push(token);
    }
    opening.lastIndex = done;
  }
  text(done, source.length);
  return { tokens, problems };
}

function tokenAt(source: string, start: number, end: number): Token {
  const content = source.slice(start + 2, end - 2);
  if (source.charAt(start + 1) === '{') {
    return { kind: 'output', expression: { source: content, offset: start + 2 }, start, end };
  }
  const [lead = '', name = ''] = /^\s*(\S*)/.exec(content) ?? [];
  return {
    kind: 'tag',
    name,
    rest: { source: content.slice(lead.length), offset: start + 2 + lead.length },
    start,
    end,
  };
}

/**
 * Where the CEL that starts at `from` ends: at `close` outside of texts and of `{ }`. What cannot be read so (a quote
 * or a brace that is never closed) ends at the first `close`, and the parser will say what is wrong with it.
 */
function endOfExpression(source: string, from: number, close: string): { end: number; readable: boolean } {
  const limit = Math.min(source.length, from + LONGEST_CEL);
  let braces = 0;
  for (let at = from; at >= 0 && at < limit; at++) {
    const character = source.charAt(at);
    if (character === '"' || character === "'") {
      at = endOfText(source, at, limit);
      if (at < 0) break;
    } else if (braces === 0 && source.startsWith(close, at)) {
      return { end: at, readable: true };
    } else if (character === '{') {
      if (source.charAt(at + 1) === '{' || source.charAt(at + 1) === '%') break;
      braces++;
    } else if (character === '}' && braces > 0) {
      braces--;
    }
  }
  return { end: source.indexOf(close, from), readable: false };
}

/** The last character of the text that starts at `start`, or -1. */
function endOfText(source: string, start: number, limit: number): number {
  const quote = source.charAt(start);
  const triple = source.startsWith(quote.repeat(3), start);
  for (let at = start + (triple ? 3 : 1); at < limit; at++) {
    const character = source.charAt(at);
    if (character === '\\') at++;
    else if (character === quote && !triple) return at;
    else if (character === quote && source.startsWith(quote.repeat(3), at)) return at + 2;
    else if (character === '\n' && !triple) return -1;
  }
  return -1;
}

function unclosed(start: number, open: string, close: string): ExpressionProblem {
  return {
    code: 'template-unclosed',
    message: `\`${open}\` is never closed`,
    start,
    end: start + 2,
    hint: `Close it with \`${close}\`, or put the text between {% raw %} and {% endraw %} if it is meant as it stands.`,
  };
}
