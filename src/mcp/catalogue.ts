// catalogue: the workflows that a client can be led through, and which one it means. A workflow is known by its name in the
// library, and where its text gives it another id, by that as well.

import type { LoadedWorkflow } from '../drivers/run/load.ts';
import { Fault } from '../model/fault.ts';
import type { LoadedFile } from '../model/library.ts';
import type { Layer, Workflow } from '../model/workflow.ts';
import { didYouMean } from '../text/closest-name.ts';
import { Refused } from './refusal.ts';
import type { Workplace } from './workplace.ts';

export interface Listed {
  id: string;
  layer: Layer;
  path: string;
  loaded: LoadedWorkflow;
}

export async function catalogue(place: Workplace): Promise<Listed[]> {
  const { library } = await place.definitions();
  const found: Listed[] = [];
  for (const { name, layer, path } of library.list('workflow')) {
    const file = library.load({ by: 'name', kind: 'workflow', name });
    if (!('missing' in file)) found.push({ id: name, layer, path, loaded: await place.load(file) });
  }
  return found;
}

export interface Found {
  file: LoadedFile;
  loaded: LoadedWorkflow;
  workflow: Workflow;
}

/** Refused `workflow-not-found`, `workflow-invalid`. */
export async function findWorkflow(place: Workplace, id: string): Promise<Found> {
  const file = await fileOf(place, id);
  const loaded = await place.load(file);
  if (loaded.workflow) return { file, loaded, workflow: loaded.workflow };
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  const lines = errors
    .slice(0, 5)
    .map(({ message, span }) => (span ? `${message} (line ${span.line})` : message));
  throw new Refused({
    code: 'workflow-invalid',
    message: `"${id}" (${file.path}) has ${errors.length === 1 ? 'a problem' : `${errors.length} problems`}: ${lines.join('; ')}`,
    suggestedFix: `A person has to mend the file: \`lockstep validate ${file.path}\` shows every problem with its place.`,
  });
}

async function fileOf(place: Workplace, id: string): Promise<LoadedFile> {
  try {
    return await place.find(id);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'workflow-not-found') throw error;
    const all = await catalogue(place);
    const named = all.find(({ loaded }) => loaded.workflow?.name === id);
    if (named) return named.loaded.main;
    const ids = all.map((one) => one.id);
    const near = didYouMean(id, ids);
    throw new Refused({
      code: 'workflow-not-found',
      message: `there is no workflow "${id}" for ${place.root}`,
      suggestedFix: `${near === undefined ? '' : `${near} `}Call list_workflows; there are: ${ids.slice(0, 30).join(', ')}.`,
    });
  }
}
