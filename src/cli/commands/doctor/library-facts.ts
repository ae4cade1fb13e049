// library-facts: what the library has, and which workflows of it have errors.

import type { LibraryFacts } from '../../../doctor/doctor.ts';
import { loadWorkflow } from '../../../drivers/run/load.ts';
import type { LibraryKind } from '../../../model/library.ts';
import { definitionsOf } from '../../find-workflow.ts';
import type { Services } from '../../services.ts';

const KINDS: LibraryKind[] = ['workflow', 'agent', 'prompt', 'gate', 'schema'];

export async function libraryFacts(services: Services): Promise<LibraryFacts> {
  const definitions = await definitionsOf(services);
  const { library } = definitions;
  const items = KINDS.flatMap((kind) => library.list(kind).map((item) => ({ kind, ...item })));
  const counts = Object.fromEntries(
    KINDS.map((each) => [each, items.filter(({ kind }) => kind === each).length]),
  ) as LibraryFacts['counts'];
  const invalid: LibraryFacts['invalid'] = [];
  for (const { kind, name, layer } of items) {
    if (kind !== 'workflow') continue;
    const file = library.load({ by: 'name', kind, name });
    if ('missing' in file) {
      invalid.push({ name, layer, errors: 1, first: `it cannot be read (${file.problem ?? 'not-found'})` });
      continue;
    }
    const { diagnostics } = loadWorkflow(definitions, file);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    if (first !== undefined) invalid.push({ name, layer, errors: errors.length, first: first.message });
  }
  const project = items.some(({ layer }) => layer === 'project' || layer === 'wrangler' || layer === 'gobby');
  return { project, counts, invalid };
}
