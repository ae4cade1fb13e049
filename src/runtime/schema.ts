// schema: does a value fit a JSON Schema that a user brought? ajv, loaded when the first schema is checked.
// Owns: which draft, which patterns, how much is reported. Never: fetches a schema that another one refers to.

import type { Options, ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import type { Json, JsonObject } from '../model/json.ts';
import { Breakdown, UNPERFORMABLE } from './perform/outcome.ts';
import { sentencesOf } from './schema-violation.ts';

/** Above this, the first problem is enough: all of a large answer's would not fit in memory. */
const THOROUGH_BYTES = 256 * 1024;

/** Promises: steps that end together ask before the first of them has its answer. */
interface Validators {
  all?: Promise<ValidateFunction>;
  first?: Promise<ValidateFunction>;
}

/** Compiling takes milliseconds, and the same schema comes with every try of a step, */
const compiled = new WeakMap<JsonObject, Validators>();
/** and read again from what was pinned with every resume in this process, as tests of workflows do. */
const byText = new Map<string, Validators>();
const MOST_TEXTS = 200;

/** One sentence for each thing that does not fit. Throws where the schema itself cannot be used. */
export async function violations(name: string, schema: JsonObject, value: Json): Promise<string[]> {
  const thorough = JSON.stringify(value).length <= THOROUGH_BYTES;
  try {
    const validate = await validatorFor(schema, thorough ? 'all' : 'first');
    return validate(value) ? [] : sentencesOf(validate.errors ?? []);
  } catch (error) {
    throw new Breakdown(
      { class: 'error', message: `the schema \`${name}\` cannot be used: ${(error as Error).message}` },
      UNPERFORMABLE,
    );
  }
}

function validatorFor(schema: JsonObject, mode: 'all' | 'first'): Promise<ValidateFunction> {
  const known = compiled.get(schema) ?? sameText(schema);
  compiled.set(schema, known);
  known[mode] ??= compile(schema, mode === 'all');
  return known[mode];
}

function sameText(schema: JsonObject): Validators {
  const text = JSON.stringify(schema);
  const known = byText.get(text) ?? {};
  if (byText.size >= MOST_TEXTS) byText.clear();
  byText.set(text, known);
  return known;
}

async function compile(schema: JsonObject, allErrors: boolean): Promise<ValidateFunction> {
  // What `$schema` says has been read; ajv would look for a meta-schema of that very name. `$async` would make the
  // check answer later, with a promise that looks like "fits".
  const { $schema, $async: _async, ...rest } = schema;
  const ajv = await engineFor(typeof $schema === 'string' ? $schema : '', rest, {
    allErrors,
    strict: false,
    // Formats that nobody knows say nothing.
    logger: false,
    code: { regExp: linearRegExp },
    // The values come from outside: an own `__proto__` or `constructor` is not an inherited one.
    ownProperties: true,
  });
  const formats = await import('ajv-formats');
  (formats.default as unknown as (ajv: unknown) => void)(ajv);
  return ajv.compile(rest);
}

async function engineFor(draft: string, schema: JsonObject, options: Options) {
  if (draft.includes('2019-09')) {
    const { Ajv2019 } = await import('ajv/dist/2019.js');
    return new Ajv2019(options);
  }
  if (/draft-0[3-7]/.test(draft) || (!draft.includes('2020-12') && hasTuple(schema))) {
    const { Ajv } = await import('ajv');
    return new Ajv(options);
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020(options);
}

/** `items: [ … ]` is how drafts before 2020-12 wrote `prefixItems`. */
function hasTuple(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasTuple);
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value.items) || Object.values(value).some(hasTuple);
}

/** No pattern takes longer than the text is long. What RE2 has not (look-around) is an error in the schema. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiledPattern = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return {
      test: (text: string) => compiledPattern.test(text),
      // ajv tells patterns apart by this.
      toString: () => `/${pattern}/`,
    };
  },
  { code: 'linearRegExp' },
);
