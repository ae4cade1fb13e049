// json-schema: the grammar as JSON Schema, for editors: a union of strict objects, one per verb. Our own checker says
// more and says it better; this is for completion, descriptions and the first red line while typing.

import { HANDLERS, type HandlerArgument } from '../../model/handlers.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { namePattern } from './name.ts';
import { scriptShape } from './script-shape.ts';
import type { Branch, Fields, Shape, Variants } from './shape.ts';
import { stepShape } from './step-shape.ts';
import { testShape } from './test-shape.ts';
import { workflowShape } from './workflow-shape.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** Of a workflow. */
export function editorSchema(): JsonObject {
  const writer = schemaWriter();
  const { steps, ...rest } = workflowShape.fields;
  const root = strictObject({ ...rest }, writer);
  const stepList = (name: string): JsonObject => ({
    type: 'array',
    minItems: 1,
    items: { $ref: reference(name) },
  });
  writer.shape(stepShape);
  writer.define('changed-step', () => changedStep(writer));
  return {
    $schema: DRAFT,
    title: 'Lockstep workflow',
    ...root,
    properties: { ...(root.properties as JsonObject), steps: { description: steps?.description ?? '' } },
    // A child may give a step nothing but its id and a change: the verb is its parent's.
    if: { required: ['extends'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { steps: stepList('changed-step') } },
    else: {
      properties: { steps: stepList('step') },
      anyOf: [{ required: ['steps'] }, { required: ['events'] }],
    },
    definitions: writer.definitions(),
  };
}

/** Of a file of answers for the scripted agent. */
export function scriptSchema(): JsonObject {
  const writer = schemaWriter();
  const root = scriptShape.kind === 'object' ? strictObject(scriptShape.fields, writer) : {};
  return { $schema: DRAFT, title: 'Lockstep script', ...root, definitions: writer.definitions() };
}

/** Of a file of tests for a workflow. */
export function testSchema(): JsonObject {
  const writer = schemaWriter();
  const root = strictObject(testShape.fields, writer);
  return { $schema: DRAFT, title: 'Lockstep test', ...root, definitions: writer.definitions() };
}

interface SchemaWriter {
  shape(shape: Shape): JsonObject;
  define(name: string, make: () => JsonObject): void;
  definitions(): JsonObject;
}

function reference(name: string): string {
  return `#/definitions/${name}`;
}

function schemaWriter(): SchemaWriter {
  const made = new Map<string, JsonObject>();
  const writer: SchemaWriter = {
    shape(shape) {
      const name = shape.kind === 'object' || shape.kind === 'variants' ? shape.name : undefined;
      if (name === undefined) return written(shape, writer);
      writer.define(name, () => written(shape, writer));
      return { $ref: reference(name) };
    },
    define(name, make) {
      if (made.has(name)) return;
      made.set(name, {});
      made.set(name, make());
    },
    definitions: () => Object.fromEntries(made),
  };
  return writer;
}

function written(shape: Shape, writer: SchemaWriter): JsonObject {
  switch (shape.kind) {
    case 'text':
      return { type: 'string' };
    case 'literal':
      return { type: shape.loose ? ['string', 'number', 'boolean'] : 'string' };
    case 'argument':
      return { type: ['string', 'number', 'boolean'] };
    case 'cel':
      return { type: ['string', 'boolean'] };
    case 'each':
      return { type: 'string', pattern: '^\\s*\\S+\\s+in\\s+\\S' };
    case 'name':
      return nameSchema(shape.rule);
    case 'integer':
      return { type: 'integer', minimum: shape.min, ...(shape.max !== undefined && { maximum: shape.max }) };
    case 'number':
      return { type: 'number', ...(shape.above ? { exclusiveMinimum: 0 } : { minimum: 0 }) };
    case 'boolean':
      return { type: 'boolean' };
    case 'duration':
      return { type: 'string', pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$' };
    case 'size':
      return { type: ['string', 'integer'], pattern: '^\\d+(\\.\\d+)? ?(B|KiB|MiB|GiB)$', minimum: 1 };
    case 'choice':
      return { enum: [...shape.of] };
    case 'version':
      return { const: 1 };
    case 'list':
      return { type: 'array', items: writer.shape(shape.of), ...(shape.filled && { minItems: 1 }) };
    case 'record':
      return { type: 'object', ...keysOf(shape.keys), additionalProperties: writer.shape(shape.of) };
    case 'object':
      return strictObject(shape.fields, writer);
    case 'variants':
      return union(shape, writer);
    case 'either':
      return { anyOf: shape.of.map(writer.shape) };
    case 'json':
      return {};
    case 'json-map':
      return { type: 'object' };
    case 'open': {
      const { additionalProperties: _, ...known } = strictObject(shape.known, writer);
      return known;
    }
    case 'schema':
      return { type: ['string', 'object'] };
    case 'later':
      return writer.shape(shape.shape());
  }
}

function nameSchema(rule: Parameters<typeof namePattern>[0]): JsonObject {
  const pattern = namePattern(rule);
  return {
    type: 'string',
    ...(pattern !== undefined && { pattern }),
    ...(rule === 'id' && { not: { const: 'end' } }),
  };
}

function keysOf(rule: Parameters<typeof namePattern>[0]): JsonObject {
  const pattern = namePattern(rule);
  return pattern === undefined ? {} : { propertyNames: { pattern } };
}

function strictObject(fields: Fields, writer: SchemaWriter): JsonObject {
  const properties: JsonObject = {};
  for (const [key, field] of Object.entries(fields))
    properties[key] = described(writer.shape(field.shape), field.description);
  const required = Object.keys(fields).filter((key) => fields[key]?.required);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** In draft 7 what stands beside a `$ref` is not read. */
function described(schema: JsonObject, description: string): JsonObject {
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

function union(shape: Variants, writer: SchemaWriter): JsonObject {
  return {
    anyOf: shape.branches.map((branch) => {
      const name = `${branch.name}-${shape.name}`;
      writer.define(name, () => branchSchema(branch, shape, writer));
      return { $ref: reference(name) };
    }),
  };
}

function branchSchema(branch: Branch, { common }: Variants, writer: SchemaWriter): JsonObject {
  const handlers: JsonObject = branch.marks.includes('call') ? { allOf: handlerConditions() } : {};
  return {
    description: branch.description,
    ...strictObject({ ...common, ...branch.fields }, writer),
    ...handlers,
  };
}

/** `with` of each handler. */
function handlerConditions(): Json[] {
  const conditions = Object.entries(HANDLERS).map(([name, handler]): Json => {
    const needed = Object.keys(handler.arguments).filter((key) => handler.arguments[key]?.required);
    const properties = Object.fromEntries(
      Object.entries(handler.arguments).map(([key, argument]) => [
        key,
        { description: argument.description, ...argumentSchema(argument) },
      ]),
    );
    const given: JsonObject = {
      properties,
      additionalProperties: false,
      ...(needed.length > 0 && { required: needed }),
    };
    return {
      if: { properties: { call: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { with: given }, ...(needed.length > 0 && { required: ['with'] }) },
    };
  });
  return [{ properties: { call: { enum: Object.keys(HANDLERS) } } }, ...conditions];
}

/** A text may be a template that gives anything. */
function argumentSchema({ type }: HandlerArgument): JsonObject {
  const types = {
    text: [],
    texts: ['array'],
    boolean: ['boolean'],
    number: ['number'],
    map: ['object'],
    list: ['array'],
  };
  return type === 'any' ? {} : { type: ['string', ...types[type]] };
}

/** Every field of every verb, none needed but the id. */
function changedStep(writer: SchemaWriter): JsonObject {
  const all: Record<string, Fields[string]> = {};
  for (const fields of [stepShape.common, ...stepShape.branches.map((branch) => branch.fields)]) {
    for (const [key, field] of Object.entries(fields)) {
      const before = all[key];
      const shape: Shape =
        before === undefined ? field.shape : { kind: 'either', of: [before.shape, field.shape] };
      all[key] = {
        ...field,
        shape: before?.shape === field.shape ? field.shape : shape,
        required: key === 'id',
      };
    }
  }
  const { steps: _, ...rest } = all;
  const schema = strictObject(rest, writer);
  const inside: JsonObject = {
    description: 'The steps inside.',
    type: 'array',
    items: { $ref: reference('changed-step') },
  };
  return { ...schema, properties: { ...(schema.properties as JsonObject), steps: inside } };
}
