// reference-schema: the JSON Schema of workrail workflows as we read them, made from the table that the reader uses.

import { documentShape, STEPS } from '../../src/dialects/workrail/grammar.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Field, Shape } from '../../src/source/grammar/shape.ts';

/** What contains itself is written once. */
const NAMED: Record<string, string> = { 'var,equals': 'condition', 'type,value': 'criterion' };

export function workrailSchema(): JsonObject {
  const definitions: JsonObject = {};
  const step: JsonObject = {};
  const write = (shape: Shape): JsonObject => {
    switch (shape.kind) {
      case 'later':
        return write(shape.shape());
      case 'object': {
        const name = NAMED[Object.keys(shape.fields).slice(0, 2).join()];
        if (name === undefined || 'kind' in shape.fields) return object(shape.fields);
        if (definitions[name] === undefined) {
          definitions[name] = {};
          definitions[name] = object(shape.fields);
        }
        return { $ref: `#/definitions/${name}` };
      }
      case 'list':
        return { type: 'array', items: write(shape.of), ...(shape.filled && { minItems: 1 }) };
      case 'record':
        return { type: 'object', additionalProperties: write(shape.of) };
      case 'open':
        return { type: 'object', properties: properties(shape.known) };
      case 'json-map':
        return { type: 'object' };
      case 'either':
        return { anyOf: shape.of.map(write) };
      case 'literal':
        return { type: shape.loose ? ['string', 'number', 'boolean'] : 'string' };
      case 'choice':
        return { enum: [...shape.of] };
      case 'boolean':
      case 'number':
        return { type: shape.kind };
      case 'integer':
        return { type: 'integer', minimum: shape.min };
      case 'json':
        return {};
      default:
        throw new Error(`nothing is written for ${shape.kind}`);
    }
  };
  const properties = (fields: Readonly<Record<string, Field>>): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).map(([key, field]): [string, Json] => [
        key,
        { description: field.description, ...write(field.shape) },
      ]),
    );
  const object = (fields: Readonly<Record<string, Field>>): JsonObject => {
    const required = Object.keys(fields).filter((key) => fields[key]?.required);
    return {
      type: 'object',
      properties: properties(fields),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  };
  const list: JsonObject = { type: 'array', minItems: 1, items: { $ref: '#/definitions/step' } };
  const steps = Object.entries(STEPS).map(([kind, shape]): [string, JsonObject] => [kind, write(shape)]);
  const inside = Object.fromEntries(steps);
  const loop = inside.loop as { properties: { body: JsonObject } };
  loop.properties.body.anyOf = [{ type: 'string' }, list];
  step.anyOf = steps.map(([kind]) => ({ $ref: `#/definitions/${kind}-step` }));
  const root = write(documentShape);
  const top = root.properties as Record<string, JsonObject>;
  top.steps = { description: 'At least one step.', ...list };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A workrail workflow, as Lockstep reads it',
    ...root,
    definitions: {
      step,
      ...Object.fromEntries(steps.map(([kind, each]) => [`${kind}-step`, each])),
      ...definitions,
    },
  };
}
