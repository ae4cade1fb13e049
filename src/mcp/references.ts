// references: the documents that a workflow names. They are listed with the first step and wherever a client comes back;
// what they say is a resource. One that is not there is a warning, and never keeps a run from starting.

import type { Turn } from '../drivers/guide/guide.ts';
import type { Reference } from '../model/workflow.ts';
import { readRunIn } from './reading.ts';
import { type ShownReference, shownReferences } from './step-outline.ts';
import type { Workplace } from './workplace.ts';

export async function referencesOf(
  place: Workplace,
  { run }: Turn,
): Promise<{ references: ShownReference[]; warnings: string[] }> {
  const { workflow } = (await readRunIn(place, run.id)).pinned;
  const warnings: string[] = [];
  for (const reference of workflow.references) {
    const text = await referenceText(place, reference);
    if (text === undefined)
      warnings.push(`the reference "${reference.id}" (${reference.source}) is not there; go on without it`);
  }
  return { references: shownReferences(run.workflow, workflow.references), warnings };
}

/** undefined: there is none, or it cannot be read. */
export async function referenceText(
  place: Workplace,
  { source, from }: Reference,
): Promise<string | undefined> {
  try {
    return from === 'package' ? await place.readPackaged(source) : await place.readFile(source);
  } catch {
    return undefined;
  }
}
