// schema: the JSON Schema of a workflow, a script or a test, for editors.

import { editorSchema, scriptSchema, testSchema } from '../../source/grammar/json-schema.ts';
import type { Services } from '../services.ts';

const SCHEMAS = { workflow: editorSchema, script: scriptSchema, test: testSchema };

export async function schema(services: Services, what: keyof typeof SCHEMAS): Promise<number> {
  services.stdout.write(`${JSON.stringify(SCHEMAS[what](), undefined, 2)}\n`);
  return 0;
}
