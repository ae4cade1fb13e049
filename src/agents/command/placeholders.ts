// placeholders: `{{ name }}` in the words of a command. Names only: these are filled in by the agent, once, when
// everything about the request is known. What was put in is not looked at again.

import type { JsonObject } from '../../model/json.ts';

const PLACE = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

export function placeholdersOf(words: readonly string[]): Set<string> {
  return new Set(words.flatMap((word) => Array.from(word.matchAll(PLACE), (match) => match[1] as string)));
}

/** Text as it is, anything else as JSON; null is no value. All that have none are named at once. */
export function fillIn(
  words: readonly string[],
  values: JsonObject,
): { argv: string[] } | { missing: string[] } {
  const missing = [...placeholdersOf(words)].filter(
    (name) => !Object.hasOwn(values, name) || values[name] === null,
  );
  if (missing.length > 0) return { missing };
  const argv = words.map((word) =>
    word.replace(PLACE, (_, name: string) => {
      const value = values[name];
      return typeof value === 'string' ? value : JSON.stringify(value);
    }),
  );
  return { argv };
}
