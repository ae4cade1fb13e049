// budget: data of a run within what a model can take at once. What is too long is named where it would stand, with the resource
// that has it whole.

import type { Json, JsonObject } from '../model/json.ts';

/** Bytes: of one value, and of all. */
const LONGEST_VALUE = 8 * 1024;
const LONGEST = 64 * 1024;

/** Of which of the run's data there is a resource. */
export const DATA_PARTS = ['inputs', 'vars', 'outputs'] as const;
export type DataPart = (typeof DATA_PARTS)[number];

export function withinBudget(run: string, part: DataPart, data: JsonObject): JsonObject {
  const uri = `lockstep://runs/${run}/${part}`;
  // Entries: a name may be `__proto__`.
  const shown: [string, Json][] = [];
  const names = Object.keys(data);
  let left = LONGEST;
  for (const [index, name] of names.entries()) {
    const bytes = Buffer.byteLength(JSON.stringify(data[name] ?? null));
    const isShort = bytes <= LONGEST_VALUE && bytes <= left;
    const value = isShort ? (data[name] ?? null) : `(${bytes} bytes: the resource ${uri} has it)`;
    left -= Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(value));
    if (left < 0) {
      shown.push(['…', `(${names.length - index} more: the resource ${uri} has them)`]);
      break;
    }
    shown.push([name, value]);
  }
  return Object.fromEntries(shown);
}
