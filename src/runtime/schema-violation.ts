// schema-violation: what does not fit a schema, as sentences that an agent or a person can act on.

import type { ErrorObject } from 'ajv';

/** More than this nobody reads; mending these often mends the rest. */
const MOST = 20;
const MOST_CHOICES = 20;

export function sentencesOf(errors: readonly ErrorObject[]): string[] {
  const sentences = new Set<string>();
  // Where two alternatives fit, what a third one misses is beside the point.
  const ambiguous = errors.filter(
    (error) => error.keyword === 'oneOf' && error.params.passingSchemas !== null,
  );
  for (const error of errors) {
    if (ambiguous.some((one) => one !== error && error.schemaPath.startsWith(`${one.schemaPath}/`))) continue;
    const sentence = sentenceOf(error);
    if (sentence !== undefined) sentences.add(sentence);
  }
  const all = [...sentences];
  if (all.length <= MOST) return all;
  return [...all.slice(0, MOST), `and ${all.length - MOST} more that do not fit`];
}

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function sentenceOf(error: ErrorObject): string | undefined {
  const where = error.instancePath === '' ? 'the answer' : error.instancePath;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return `${where} must have the property ${JSON.stringify(params.missingProperty)}`;
    case 'additionalProperties':
      return `${where} must not have the property ${JSON.stringify(params.additionalProperty)}`;
    case 'unevaluatedProperties':
      return `${where} must not have the property ${JSON.stringify(params.unevaluatedProperty)}`;
    case 'type':
      return `${where} must be ${[params.type]
        .flat()
        .map((kind) => KINDS[String(kind)] ?? String(kind))
        .join(' or ')}`;
    case 'enum':
      return `${where} must be one of ${choices(params.allowedValues)}`;
    case 'const':
      return `${where} must be ${JSON.stringify(params.allowedValue)}`;
    case 'anyOf':
      return `${where} must fit one of the alternatives the schema gives`;
    case 'oneOf':
      return params.passingSchemas === null
        ? `${where} must fit one of the alternatives the schema gives`
        : `${where} must fit only one of the alternatives the schema gives`;
    case 'if':
      // What `then` or `else` found wrong stands beside it.
      return undefined;
    case 'uniqueItems':
      return `${where} must not have the same item twice (items ${params.j} and ${params.i})`;
    case 'not':
      return `${where} must not be what the schema excludes`;
    case 'false schema':
      return `${where} must not be there`;
    default:
      return `${where} ${(error.message ?? 'does not fit').replace('NOT', 'not')}`;
  }
}

function choices(values: unknown): string {
  const all = Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : [];
  if (all.length <= MOST_CHOICES) return all.join(', ');
  return `${all.slice(0, MOST_CHOICES).join(', ')} (and ${all.length - MOST_CHOICES} more)`;
}
