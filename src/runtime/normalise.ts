// normalise: a value as the journal will give it back, so that live and replayed state are equal.

import { Fault } from '../model/fault.ts';
import type { Json } from '../model/json.ts';

/** Deeper than any answer that means something, shallower than any recursion minds. */
const DEEPEST = 256;

export function normalise(value: unknown): Json {
  refuseDepth(value);
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** Throws where it is not JSON, or nested too deep. */
export function readJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  refuseDepth(value);
  return value;
}

/** Level by level: the value came from outside, and may be nested deeper than the stack. */
function refuseDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) {
      throw new Fault('value-too-deep', `the value is nested more than ${DEEPEST} levels deep`);
    }
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const inner of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
}
