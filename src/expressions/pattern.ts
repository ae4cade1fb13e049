// pattern: regular expressions that users write, in time linear in the text (RE2; no look-around, no back-references).

import { RE2JS } from 're2js';
import { BoundedCache } from './bounded-cache.ts';

export type Pattern =
  | { kind: 'pattern'; test(text: string): boolean }
  /** Not a pattern, and why. */
  | { kind: 'error'; message: string };

/** The compiled form takes many times the room of its text. */
const LONGEST_PATTERN = 5_000;

const patterns = new BoundedCache<Pattern>(100_000, compile);

/** True where the pattern is found anywhere in the text, as CEL's `matches` has it. */
export function linearPattern(source: string): Pattern {
  return patterns.get(source);
}

function compile(source: string): Pattern {
  if (source.length > LONGEST_PATTERN) {
    return { kind: 'error', message: `the pattern is longer than ${LONGEST_PATTERN} characters` };
  }
  try {
    const compiled = RE2JS.compile(source);
    return { kind: 'pattern', test: (text) => compiled.test(text) };
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    return { kind: 'error', message: `not a pattern: ${reason}` };
  }
}
