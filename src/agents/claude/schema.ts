// schema: Claude gives a structured answer as the input of a tool, which is always an object. Any other schema is put
// into one, as `value`, and taken out again. Which draft it is of is not said: Claude refuses a schema whose draft it does
// not know, 2020-12 among them, and what it lets through is checked by Lockstep anyway.

import type { JsonObject } from '../../model/json.ts';

export interface AskedSchema {
  schema: JsonObject;
  /** From what the client gave to what was asked for. */
  unwrap(value: unknown): unknown;
}

export function askedSchema(schema: JsonObject): AskedSchema {
  const { $schema: _, ...asked } = schema;
  if (schema.type === 'object') return { schema: asked, unwrap: (value) => value };
  // What references point at stays at the root.
  const { $defs, definitions, ...value } = asked;
  return {
    schema: {
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
      type: 'object',
      properties: { value },
      required: ['value'],
      additionalProperties: false,
    },
    unwrap: (given) =>
      typeof given === 'object' && given !== null ? (given as { value?: unknown }).value : undefined,
  };
}
