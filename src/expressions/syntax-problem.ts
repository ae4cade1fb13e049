// syntax-problem: what the parser says, said so that a person knows what to change.

import type { ParseError } from '@marcbachmann/cel-js';
import { problemAt } from './inspection.ts';
import type { ExpressionProblem } from './type.ts';

/** The parser's names of what it expected. */
const symbols: Record<string, string> = {
  RPAREN: 'a closing `)`',
  RBRACKET: 'a closing `]`',
  RBRACE: 'a closing `}`',
  COLON: '`:`',
  IDENTIFIER: 'a name',
};

/** By the text that could not be read. */
const hints: [RegExp, string][] = [
  [/^=(?!=)/, 'Two values are compared with `==`.'],
  [/^and\b/, 'Write `&&`.'],
  [/^or\b/, 'Write `||`.'],
  [/^(not\b)/, 'Write `!x`, or `!(x in y)`.'],
  [/^(is\b)/, 'Write `==`.'],
  [/^&/, 'Write `&&`.'],
  [/^\|/, 'Write `||`; there are no filters, functions are called: `size(x)`.'],
  [/^[#^]/, 'Mustache sections are not part of templates: write `{% if … %}` or `{% for x in … %}`.'],
  [/^\$/, 'Names are written without `$`.'],
  [/^@/, 'Names are letters, digits and `_`.'],
  [/^`/, 'Texts are written in "double" or \'single\' quotes.'],
  [/^(in\b)/, 'A field with this name is read as x["in"].'],
  [/^\?/, '`default(x, y)` says what absence means.'],
];

export function inOurWords(source: string, error: ParseError): ExpressionProblem {
  const range = error.range ?? { start: 0, end: source.length };
  const start = Math.min(range.start, source.length);
  const end = Math.min(Math.max(range.end, start), source.length);
  const rest = source.slice(start);
  const code = error.code === 'limit_exceeded' ? 'cel-too-large' : 'cel-syntax';
  return problemAt({ start, end }, code, messageOf(source, error, rest, end - start), hintOf(error, rest));
}

function messageOf(source: string, error: ParseError, rest: string, length: number): string {
  if (source.trim() === '') return 'the expression is empty';
  const ends = rest.trim() === '';
  const text = wordAt(rest, length);
  switch (error.code) {
    case 'expected_token': {
      const expected = symbols[/^Expected (\w+)/.exec(error.summary)?.[1] ?? ''] ?? 'something else';
      return ends
        ? `${expected} is missing: the expression ends before it`
        : `${expected} is expected before \`${text}\``;
    }
    case 'unexpected_token':
      return ends
        ? 'the expression ends where a value is expected'
        : `a value is expected before \`${text}\``;
    case 'unexpected_character':
      return `\`${text}\` cannot stand here`;
    case 'unterminated_string':
    case 'unterminated_triple_quoted_string':
      return 'the text is not closed: its end quote is missing';
    case 'newline_in_string':
      return 'a text in single quotes cannot go over the end of a line';
    case 'reserved_identifier':
      return `\`${text}\` is a reserved word and cannot be a name`;
    case 'limit_exceeded':
      return `the expression is too large: ${limitOf(error.summary)}`;
    case 'invalid_macro_argument':
      return error.summary.replace(
        /^(\w+)\(.*$/,
        '$1() needs the name of its variable first, such as $1(x, …)',
      );
    default:
      return error.summary.charAt(0).toLowerCase() + error.summary.slice(1);
  }
}

function limitOf(summary: string): string {
  if (summary.includes('maxDepth')) return 'it is nested too deeply';
  if (summary.includes('maxAstNodes')) return 'it has too many parts';
  return 'a list, map or call in it has too many entries';
}

/** The word or sign that stands there, whole. */
function wordAt(rest: string, length: number): string {
  return /^\w+/.exec(rest)?.[0] ?? (rest.slice(0, Math.max(length, 1)).trim() || rest.trim().charAt(0));
}

function hintOf(error: ParseError, rest: string): string | undefined {
  if (error.code === 'reserved_identifier')
    return 'A field with this name is read as x["…"]; a step or an output needs another one.';
  if (error.code === 'newline_in_string') return 'Use three quotes, or write the line break as \\n.';
  if (error.code === 'limit_exceeded') return 'Split it: let one step make a value that the next one tests.';
  return hints.find(([pattern]) => pattern.test(rest))?.[1];
}
