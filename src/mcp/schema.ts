// schema: what tools take and give, as JSON Schema that every client reads, and the TypeScript type of the values that fit.
// Only what check-value.ts knows is used here, so that the schema which is shown is the one that is held.

import type { Json, JsonObject } from '../model/json.ts';

declare const value: unique symbol;

/** The type stands beside the schema and is never there at run time. */
export type Schema<T> = JsonObject & { readonly [value]?: T };
export type ValueOf<S> = S extends Schema<infer T> ? T : never;

type Properties = Record<string, Schema<unknown>>;
type Fitting<P extends Properties, R extends keyof P> = { [K in R]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, R>]?: ValueOf<P[K]> | undefined;
};

/** `most`: characters. */
export function text(description: string, { most }: { most?: number } = {}): Schema<string> {
  return { type: 'string', description, ...(most !== undefined && { maxLength: most }) };
}

export function choice<const C extends string>(choices: readonly C[], description: string): Schema<C> {
  return { type: 'string', enum: [...choices], description };
}

export function whole(
  description: string,
  { least, most }: { least?: number; most?: number } = {},
): Schema<number> {
  return {
    type: 'integer',
    description,
    ...(least !== undefined && { minimum: least }),
    ...(most !== undefined && { maximum: most }),
  };
}

export function flag(description: string): Schema<boolean> {
  return { type: 'boolean', description };
}

/** Never JSON Schema's `true`: some clients refuse a tool that has it. */
export function anything(description: string): Schema<Json> {
  return { description };
}

export function map(description: string): Schema<JsonObject> {
  return { type: 'object', description };
}

export function list<T>(
  items: Schema<T>,
  description: string,
  { most }: { most?: number } = {},
): Schema<T[]> {
  return { type: 'array', items: unsaid(items), description, ...(most !== undefined && { maxItems: most }) };
}

/** What the items of a list are is said by the list. */
function unsaid(items: JsonObject): JsonObject {
  const { description: _, ...rest } = items;
  return rest.type === undefined || rest.type === 'object' ? items : rest;
}

/** No other properties than these. */
export function object<P extends Properties, const R extends keyof P & string>(
  properties: P,
  required: readonly R[],
  description?: string,
): Schema<Fitting<P, R>> {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: properties as unknown as JsonObject,
    required: [...required],
    additionalProperties: false,
  };
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return { anyOf: [schema, { type: 'null' }] };
}
