// beginning: as much of a value as there is room for, where state.json cannot hold all of it.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { jsonText } from './sheet.ts';

/** Characters of JSON of one field. */
const KEPT = 1024;

/** A step whose long fields are cut; `lockstep.cut` names them, with their lengths where they are known. */
export function cutStep(step: JsonObject, path: string): JsonObject {
  const cut: JsonObject = {};
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(step)) {
    const length = jsonText(value)?.length;
    const isShort = length !== undefined && length <= KEPT;
    kept[name] = isShort ? value : beginningOf(value);
    if (!isShort) cut[name] = length ?? null;
  }
  const ours = isObject(kept.lockstep) ? kept.lockstep : {};
  return { ...kept, lockstep: { ...ours, cut, whole: `journal.jsonl, attempt-finished of ${path}` } };
}

/** Of a text its first characters, of a list or map its first members. */
export function beginningOf(value: Json): Json {
  return part(value, KEPT).value;
}

function part(value: Json, room: number): { value: Json; left: number } {
  if (typeof value === 'string') {
    const kept = value.slice(0, Math.max(0, room));
    return { value: kept, left: room - kept.length - 2 };
  }
  if (Array.isArray(value)) {
    const kept: Json[] = [];
    let left = room - 2;
    for (const item of value) {
      if (left <= 0) break;
      const taken = part(item, left);
      kept.push(taken.value);
      left = taken.left - 1;
    }
    return { value: kept, left };
  }
  if (!isObject(value)) return { value, left: room - String(value).length };
  const kept: [string, Json][] = [];
  let left = room - 2;
  for (const name of Object.keys(value)) {
    left -= name.length + 4;
    if (left <= 0) break;
    const taken = part(value[name] as Json, left);
    kept.push([name, taken.value]);
    left = taken.left;
  }
  return { value: Object.fromEntries(kept), left };
}
