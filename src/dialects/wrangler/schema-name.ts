// schema-name: `outputSchema: schemas/review.ts#ReviewResultSchema` → the built-in schema that is meant. Only the name
// after `#`, or without one the name of the file, counts: nothing of that file is read.

import { celText } from '../native-text.ts';

export const RESULT_SCHEMAS = [
  'analysis',
  'implementation',
  'review',
  'fix',
  'verification',
  'publish',
] as const;
export type ResultSchema = (typeof RESULT_SCHEMAS)[number];

/** What the schemas are called there where it is not what the files are. */
const ALIASES: Readonly<Record<string, ResultSchema>> = {
  analyze: 'analysis',
  analyse: 'analysis',
  implement: 'implementation',
  verify: 'verification',
};

export function schemaName(reference: string): { name: ResultSchema } | { problem: string; hint: string } {
  const [path = '', fragment] = reference.split('#');
  const said = fragment ?? path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  const stem = said
    .trim()
    .replace(/Schema$/i, '')
    .replace(/Results?$/i, '')
    .toLowerCase();
  const name =
    RESULT_SCHEMAS.find((each) => each === stem) ??
    (Object.hasOwn(ALIASES, stem) ? ALIASES[stem] : undefined);
  if (name !== undefined) return { name };
  return {
    problem: `there is no result schema ${celText(said.slice(0, 100))}`,
    hint: `There are ${RESULT_SCHEMAS.join(', ')}; another one is written as JSON Schema, in \`done.schema\` of a native workflow.`,
  };
}
