// json: the only shape a value may have once it is journaled, and which of its shapes a value has.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A map by names; a list is none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty one where it is something else: what a program of others says may be anything. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
