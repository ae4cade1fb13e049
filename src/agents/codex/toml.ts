// toml: a JSON value as codex's `-c key=value` takes it.

import type { Json } from '../../model/json.ts';

/** On one line. There is no null in TOML: what is null is left out. */
export function tomlValue(value: Json): string {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.filter((item) => item !== null).map(tomlValue)}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return `{${pairs.map(([key, item]) => `${tomlString(key)}=${tomlValue(item)}`)}}`;
}

/** JSON's escapes are TOML's, but for DEL, which JSON leaves as it is. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
