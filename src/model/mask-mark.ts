// mask-mark: what stands for a secret, and how a running workflow knows it from three stars that somebody wrote.
// In everything that is written a secret is `***`. An entry whose values hold such a mask says so (`masked`), and `fold`
// then puts a mark before each of them. The mark exists in memory only: it goes wherever the value goes, through
// expressions, variables and items, and is taken off where a text is for people or agents, and before it is journaled.

import type { Json } from './json.ts';

export const MASK = '***';

/** A code point that Unicode keeps for a program's own use: no text has it. */
const MARK = '\uFDD0';
const MASKED = `${MARK}${MASK}`;

export function hasMark(text: string): boolean {
  return text.includes(MASKED);
}

/** Every mask in it, with its mark. */
export function withMarks<T>(value: T): T {
  return mapTexts(value, (text) =>
    text.includes(MASK) ? text.replaceAll(MASKED, MASK).replaceAll(MASK, MASKED) : text,
  );
}

/** The very same value where there is no mark. */
export function withoutMarks<T>(value: T): T {
  return mapTexts(value, (text) => (hasMark(text) ? text.replaceAll(MASKED, MASK) : text));
}

/** `value` is JSON, or an interface of the model that is written as JSON. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  return mapped(value as Json | undefined, change) as T;
}

function mapped(value: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, change) as Json);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const entry: [string, Json] = [change(key), mapped(item, change) as Json];
    if (entry[0] !== key || entry[1] !== item) changed = true;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : value;
}
