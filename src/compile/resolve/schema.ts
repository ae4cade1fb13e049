// schema: a name in the library, a path, or JSON Schema in place → the schema itself, looked over as far as can be
// told without any data: what the keywords may hold, patterns that run in linear time, references that stay inside.

import { linearPattern } from '../../expressions/expressions.ts';
import type { JsonObject } from '../../model/json.ts';
import type { LoadedFile } from '../../model/library.ts';
import { readDocument } from '../../source/read/document.ts';
import { child, headSpan, type MapNode, type Node, stringOf, toJson } from '../../source/read/node.ts';
import { type Compilation, needFor } from '../compilation.ts';

export interface ResolvedSchema {
  name: string;
  schema: JsonObject;
  source?: number;
}

export function resolveSchema(node: Node, compilation: Compilation): ResolvedSchema | undefined {
  if (node.kind === 'map') {
    return looksRight(node, compilation) ? { name: 'inline', schema: toJson(node) as JsonObject } : undefined;
  }
  const reference = stringOf(node);
  if (reference === undefined) return undefined;
  const file = compilation.want(needFor('schema', reference, node), node, 'missing-schema');
  if (file === undefined) return undefined;
  const source = compilation.source('schema', reference, file);
  const schema = schemaOf(file, compilation);
  return schema && { name: reference, schema, source };
}

/** `{ file: path }` and nothing else: a file of the workspace, read when the answer is there. No JSON Schema has it. */
export function fileOfSchema(node: Node): Node | undefined {
  const file = child(node, 'file');
  return node.kind === 'map' && node.entries.size === 1 && stringOf(file) !== undefined ? file : undefined;
}

function schemaOf(file: LoadedFile, compilation: Compilation): JsonObject | undefined {
  return compilation.once('schema', file, () => {
    // What comes with Lockstep is JSON that its tests have looked over: a quarter of the time that its workflows take to load.
    if (file.layer === 'builtin') return JSON.parse(file.text) as JsonObject;
    const node = readDocument(file, compilation.report);
    if (node === undefined) return undefined;
    if (node.kind !== 'map') {
      compilation.report.error('schema-invalid', headSpan(node), 'a JSON Schema must be a map here');
      return undefined;
    }
    return looksRight(node, compilation) ? (toJson(node) as JsonObject) : undefined;
  });
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** Keywords that hold a schema, a list of them, or a map of them. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

function looksRight(schema: MapNode, compilation: Compilation): boolean {
  const problems: [Node, string, string?][] = [];
  look(schema, problems);
  for (const [node, message, hint] of problems)
    compilation.report.error('schema-invalid', headSpan(node), message, hint);
  return problems.length === 0;
}

function look(schema: Node, problems: [Node, string, string?][]): void {
  if (schema.kind === 'scalar' && (typeof schema.value === 'boolean' || schema.broken)) return;
  if (schema.kind !== 'map') {
    problems.push([schema, 'a schema must be a map, or true or false']);
    return;
  }
  lookAtType(child(schema, 'type'), problems);
  lookAtRest(schema, problems);
  for (const key of ONE) lookInside(child(schema, key), problems);
  for (const key of LIST) {
    const list = child(schema, key);
    if (list?.kind === 'list') for (const item of list.items) look(item, problems);
    else if (list !== undefined) problems.push([list, `\`${key}\` must be a list of schemas`]);
  }
  for (const key of MAP) {
    const map = child(schema, key);
    if (map?.kind === 'map') for (const { value } of map.entries.values()) look(value, problems);
    else if (map !== undefined) problems.push([map, `\`${key}\` must be a map of schemas`]);
  }
}

function lookInside(node: Node | undefined, problems: [Node, string, string?][]): void {
  // The older form of `items` is a list.
  if (node?.kind === 'list') for (const item of node.items) look(item, problems);
  else if (node !== undefined) look(node, problems);
}

function lookAtType(type: Node | undefined, problems: [Node, string, string?][]): void {
  const all = type?.kind === 'list' ? type.items : type === undefined ? [] : [type];
  for (const each of all) {
    if (TYPES.includes(stringOf(each) ?? '')) continue;
    problems.push([each, '`type` must be a type of JSON Schema', `They are ${TYPES.join(', ')}.`]);
  }
}

function lookAtRest(schema: MapNode, problems: [Node, string, string?][]): void {
  const required = child(schema, 'required');
  if (
    required !== undefined &&
    (required.kind !== 'list' || required.items.some((each) => stringOf(each) === undefined))
  ) {
    problems.push([required, '`required` must be a list of names']);
  }
  const reference = child(schema, '$ref');
  if (reference !== undefined && !stringOf(reference)?.startsWith('#')) {
    problems.push([
      reference,
      '`$ref` must stay inside the schema',
      'It starts with `#`, for example `#/$defs/item`.',
    ]);
  }
  const enumeration = child(schema, 'enum');
  if (enumeration !== undefined && enumeration.kind !== 'list')
    problems.push([enumeration, '`enum` must be a list']);
  lookAtPattern(child(schema, 'pattern'), problems);
  const patterns = child(schema, 'patternProperties');
  if (patterns?.kind === 'map')
    for (const { keyNode } of patterns.entries.values()) lookAtPattern(keyNode, problems);
}

function lookAtPattern(node: Node | undefined, problems: [Node, string, string?][]): void {
  if (node === undefined) return;
  const pattern = linearPattern(node.kind === 'scalar' ? String(node.value) : '');
  if (pattern.kind === 'error')
    problems.push([
      node,
      pattern.message,
      'Patterns run in linear time: no look-around, no back-references.',
    ]);
}
