// schema: Claude gives a structured answer as the input of a tool, which is always an object. Any other schema is put
// into one, as `value`, and taken out again.

import type { JsonObject } from '../../model/json.ts';

export interface AskedSchema {
  schema: JsonObject;
  /** From what the client gave to what was asked for. */
  unwrap(value: unknown): unknown;
}

export function askedSchema(schema: JsonObject): AskedSchema {
  if (schema.type === 'object') return { schema, unwrap: (value) => value };
  // What references point at stays at the root.
  const { $schema, $defs, definitions, ...value } = schema;
  return {
    schema: {
      ...($schema !== undefined && { $schema }),
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
