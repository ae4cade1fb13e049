// read-json: text → the JSON value it says, or why there is none. For JSON that comes from outside: a command, an
// agent, a person, a file. What Lockstep wrote itself is read with JSON.parse.
//
// RJ1. A value that comes back is the value that was written: no number was rounded, became infinite or vanished, and
//      no key hides another one.
// RJ2. A problem names the place as a JSON path (`$.items[2].id`) and the number as it was written.
// RJ3. The exact scan runs only where the parsed value shows that it is needed.

import type { Json } from '../model/json.ts';
import { inexactNumber, LARGEST_EXACT, mayBeRounded, WRITE_AS_TEXT } from './exact-number.ts';
import { jsonPath } from './json-path.ts';
import { scanJson } from './scan-json.ts';

export type JsonProblem = {
  /** `syntax`: it is no JSON. Everything else is JSON that cannot be kept as it was written. */
  why: 'syntax' | 'number' | 'repeated-key' | 'depth';
  message: string;
  hint?: string;
};
export type ReadJson = { value: Json } | { problem: JsonProblem };

/** Deeper than any answer that means something, shallower than any recursion minds. */
const DEEPEST_JSON = 256;
const MOST_TOLD = 5;

export function readJson(text: string): ReadJson {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { problem: { why: 'syntax', message: (error as Error).message } };
  }
  const seen = survey(value);
  if (seen.tooDeep) return { problem: tooDeep() };
  if (seen.large || (seen.zero && MAY_VANISH.test(text)) || keysWritten(text) !== seen.keys) {
    const problem = lossOf(text);
    if (problem !== undefined) return { problem };
  }
  // `-0` is zero, and the journal has no other way to write it.
  return { value: seen.negativeZero ? (JSON.parse(JSON.stringify(value)) as Json) : value };
}

/** The same for a value that somebody else has parsed: undefined where nothing in it can have been rounded. */
export function parsedProblem(value: unknown): JsonProblem | undefined {
  const seen = survey(value);
  if (seen.tooDeep) return tooDeep();
  if (!seen.large) return undefined;
  const found: string[] = [];
  visitNumbers(value, [], (number, path) => {
    if (mayBeRounded(number)) found.push(`${number} at ${jsonPath(path)}`);
  });
  return {
    why: 'number',
    message: `${listed(found)}: beyond ±${LARGEST_EXACT} whole numbers are no longer exact, and another program may have rounded it`,
    hint: 'Ask for it as text, in quotes.',
  };
}

const MAY_VANISH = /[eE]-\d{3}|\d{300}/;

interface Seen {
  tooDeep: boolean;
  /** A number that may not be what was written. */
  large: boolean;
  zero: boolean;
  negativeZero: boolean;
  keys: number;
}

/** Level by level: the value came from outside, and may be nested deeper than the stack. */
function survey(root: unknown): Seen {
  const seen: Seen = { tooDeep: false, large: false, zero: false, negativeZero: false, keys: 0 };
  let level: object[] = [];
  const look = (value: unknown, next: object[]) => {
    if (typeof value === 'object' && value !== null) next.push(value);
    else if (typeof value === 'number') {
      if (value === 0) {
        seen.zero = true;
        if (Object.is(value, -0)) seen.negativeZero = true;
      } else if (!(Math.abs(value) <= LARGEST_EXACT)) seen.large = true;
    }
  };
  look(root, level);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_JSON) return { ...seen, tooDeep: true };
    const next: object[] = [];
    for (const item of level) {
      const inner: unknown[] = Array.isArray(item) ? item : Object.values(item);
      if (inner !== item) seen.keys += inner.length;
      for (const value of inner) look(value, next);
    }
    level = next;
  }
  return seen;
}

/** At least as many as there are: a text may hold what looks like a key. */
function keysWritten(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (isBlank(text.charCodeAt(before))) before--;
    if (text.charCodeAt(before) === 34) count++;
  }
  return count;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function lossOf(text: string): JsonProblem | undefined {
  const numbers: string[] = [];
  const keys: string[] = [];
  scanJson(text, {
    number(written, path) {
      const inexact = inexactNumber(written, Number(written));
      if (inexact !== undefined) numbers.push(`the number at ${jsonPath(path)}: ${inexact}`);
    },
    repeatedKey(path) {
      keys.push(jsonPath(path));
    },
  });
  if (numbers.length > 0) return { why: 'number', message: listed(numbers), hint: WRITE_AS_TEXT };
  if (keys.length === 0) return undefined;
  return {
    why: 'repeated-key',
    message: `${listed(keys)}: the key is there more than once, and only one of the values would be read`,
    hint: 'Keep one of them.',
  };
}

function listed(found: string[]): string {
  const more = found.length - MOST_TOLD;
  return `${found.slice(0, MOST_TOLD).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function tooDeep(): JsonProblem {
  return { why: 'depth', message: `the value is nested more than ${DEEPEST_JSON} levels deep` };
}

function visitNumbers(
  value: unknown,
  path: (string | number)[],
  tell: (number: number, path: (string | number)[]) => void,
): void {
  if (typeof value === 'number') tell(value, path);
  else if (Array.isArray(value))
    for (const [at, item] of value.entries()) visitNumbers(item, [...path, at], tell);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) visitNumbers(item, [...path, key], tell);
}
