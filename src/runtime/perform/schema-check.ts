// schema-check: what of an output does not fit the step's schema, which is pinned or a file of the workspace.

import type { RunCommand } from '../../model/command.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { readJson } from '../../text/read-json.ts';
import type { PerformContext } from './context.ts';
import type { FileMeter } from './file-meter.ts';
import { Breakdown, UNPERFORMABLE } from './outcome.ts';
import { readNamed } from './workspace-file.ts';

export interface Schema {
  name: string;
  schema: JsonObject;
}

type Asking = Pick<RunCommand, 'path' | 'part' | 'schema' | 'schemaFile'>;

/** A file is read now: the step, or one before it, may have written it. Throws where it cannot be had. */
export function schemaOf(command: Asking, context: PerformContext, meter: FileMeter): Schema | undefined {
  const { schemaFile } = command;
  if (schemaFile === undefined) return command.schema;
  const content = meter.count(() => readNamed('the schema', schemaFile, context));
  context.debug?.(command, 'files', `read the schema ${schemaFile} (${content.length} bytes)`);
  return { name: schemaFile, schema: parsed(schemaFile, content.toString('utf8')) };
}

function parsed(path: string, text: string): JsonObject {
  const read = readJson(text.replace(/^\uFEFF/, ''));
  if ('problem' in read) {
    const { why, message } = read.problem;
    throw unusable(path, why === 'syntax' ? `it is not JSON: ${message}` : message);
  }
  const { value } = read;
  if (isObject(value)) return value;
  throw unusable(path, 'a JSON Schema is an object');
}

function unusable(path: string, why: string): Breakdown {
  return new Breakdown(
    { class: 'error', message: `the schema ${JSON.stringify(path)} cannot be used: ${why}` },
    UNPERFORMABLE,
  );
}

/** Patterns and ajv are loaded with the first schema: most runs have none. */
export async function violationsOf({ name, schema }: Schema, value: Json): Promise<string[]> {
  const { violations } = await import('../schema.ts');
  return violations(name, schema, value);
}
