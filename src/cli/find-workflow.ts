// find-workflow: what a person calls a workflow (a name in the library, or a file) → compiled, or all its problems.

import { type Definitions, type LoadedWorkflow, loadWorkflow } from '../drivers/run/load.ts';
import { DIALECT_NAMES, type DialectName } from '../model/dialect.ts';
import { Fault } from '../model/fault.ts';
import type { LoadedFile } from '../model/library.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Library } from '../ports/library.ts';
import { didYouMean } from '../text/closest-name.ts';
import { printDiagnostics } from './print-problems.ts';
import type { Services } from './services.ts';

/** A path is told by its look and anything else is a name; what is not there as the one is looked for as the other. */
export function findDefinition(library: Library, reference: string): LoadedFile {
  const looksLikePath = reference.includes('/') || /\.(ya?ml|json)$/i.test(reference);
  const found = looksLikePath
    ? library.loadFile(reference)
    : library.load({ by: 'name', kind: 'workflow', name: reference });
  if (!('missing' in found)) return found;
  const other = looksLikePath
    ? library.load({ by: 'name', kind: 'workflow', name: reference })
    : library.loadFile(reference);
  if (!('missing' in other)) return other;
  throw new Fault(
    'workflow-not-found',
    looksLikePath
      ? `cannot read the workflow file ${reference}${reason(found.problem)}`
      : `there is no workflow "${reference}"`,
    {
      hint:
        didYouMean(reference, found.known) ??
        (found.looked.length > 0 && !looksLikePath
          ? `Looked for it in ${found.looked.join(', ')}.`
          : '`lockstep list` shows what there is.'),
      exitCode: 2,
    },
  );
}

function reason(problem: string | undefined): string {
  switch (problem) {
    case 'too-large':
      return ': it is larger than a definition may be (4 MiB)';
    case 'unreadable':
      return ': it cannot be opened';
    default:
      return ': there is no such file';
  }
}

/** The command line offers no other names. */
export function dialectNamed(name: string | undefined): DialectName | undefined {
  return DIALECT_NAMES.find((dialect) => dialect === name);
}

export async function definitionsOf(services: Services): Promise<Definitions> {
  const [library, dialects] = await Promise.all([services.library(), services.dialects()]);
  return { library, hash: services.hash, dialects };
}

interface LoadOptions {
  json?: boolean;
  dialect?: string;
  /** Instead of `defaults.model`. */
  model?: string;
}

/** All its problems are printed; with errors it has no workflow. */
export async function loadAndPrint(
  services: Services,
  reference: string,
  options: LoadOptions,
): Promise<LoadedWorkflow> {
  const definitions = await definitionsOf(services);
  const main = findDefinition(definitions.library, reference);
  const loaded = loadWorkflow(definitions, main, dialectNamed(options.dialect), options.model);
  printDiagnostics(services, loaded.diagnostics, loaded.texts, options.json);
  return loaded;
}

export type Loadable = LoadedWorkflow & { workflow: Workflow };

/** Undefined: it has errors, and they are printed. Warnings are printed too. */
export async function loadOrReport(
  services: Services,
  reference: string,
  options: LoadOptions,
): Promise<Loadable | undefined> {
  const loaded = await loadAndPrint(services, reference, options);
  return loaded.workflow === undefined ? undefined : { ...loaded, workflow: loaded.workflow };
}
