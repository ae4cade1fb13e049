// fill-braces: `{summary}` and `{handoff.notes}` in a text that a workflow gives a handler. What the engine fills in is `{{ … }}`,
// and is done by then; these values are only known here. A name that stands for nothing stays as it is written.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';

export function fillBraces(template: string, values: JsonObject): string {
  return template.replace(/\{([a-z_]+(?:\.[A-Za-z0-9_-]+)*)\}/g, (written, path: string) => {
    let value: Json | undefined = values;
    for (const name of path.split('.'))
      value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return value === undefined ? written : inWords(value);
  });
}

function inWords(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((item) => `- ${oneLine(item)}`).join('\n');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, item]) => `### ${name}\n\n${inWords(item)}`)
      .join('\n\n');
  return String(value);
}

function oneLine(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
