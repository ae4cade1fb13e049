// schema: the JSON Schema of a workflow, or of a script, for editors.

import { editorSchema, scriptSchema } from '../../compile/grammar/json-schema.ts';
import type { Services } from '../services.ts';

export async function schema(services: Services, what: 'workflow' | 'script'): Promise<number> {
  services.stdout.write(
    `${JSON.stringify(what === 'script' ? scriptSchema() : editorSchema(), undefined, 2)}\n`,
  );
  return 0;
}
