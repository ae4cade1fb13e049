// mended: a value after what the suggested fixes of the MCP server say was done to it.

import type { Json, JsonObject } from '../../src/model/json.ts';

const POINTER = /(?:"(?:[^"\\]|\\.)*"|[\w/~$-]+)/.source;
const FIX = new RegExp(
  `Set (?<set>${POINTER}) to (?<json>.+?)\\.(?= Set | Leave out | Shorten |$)|Leave out (?<out>${POINTER})\\.|Shorten (?<short>${POINTER}) to (?<most>\\d+)\\.`,
  'g',
);

export function mended(value: Json, fixes: string): Json {
  const result = structuredClone(value) as JsonObject;
  for (const { groups = {} } of fixes.matchAll(FIX)) {
    const { set, json, out, short, most } = groups;
    const written = set ?? out ?? short ?? '';
    const pointer = written.startsWith('"') ? (JSON.parse(written) as string) : written;
    const names = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop() ?? '';
    let at = result;
    for (const name of names) at = (at[name] ?? {}) as JsonObject;
    if (set !== undefined) at[last] = JSON.parse(json ?? '') as Json;
    else if (out !== undefined) delete at[last];
    else at[last] = (at[last] as string | Json[]).slice(0, Number(most)) as Json;
  }
  return result;
}
