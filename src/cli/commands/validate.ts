// validate: check workflows and everything they name; nothing is run, nothing is made.

import { type LoadedWorkflow, loadWorkflow } from '../../drivers/run/load.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Fault } from '../../model/fault.ts';
import { definitionsOf, dialectNamed, findDefinition } from '../find-workflow.ts';
import { printDiagnostics } from '../print-problems.ts';
import type { Services } from '../services.ts';

export async function validate(
  services: Services,
  references: string[],
  options: { json?: boolean; dialect?: string },
): Promise<number> {
  const definitions = await definitionsOf(services);
  const dialect = dialectNamed(options.dialect);
  const all: Diagnostic[] = [];
  const texts = new Map<string, string>();
  const good: string[] = [];
  for (const reference of references) {
    try {
      const loaded = loadWorkflow(definitions, findDefinition(definitions.library, reference), dialect);
      for (const [path, text] of loaded.texts) texts.set(path, text);
      addNew(all, loaded.diagnostics);
      if (loaded.workflow) good.push(`${reference}: "${loaded.workflow.name}" is valid${writtenIn(loaded)}`);
      for (const { what, where } of loaded.workflow?.refused ?? [])
        good.push(`  ${what} (${where}) needs a live session`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      addNew(all, [{ code: error.code, severity: 'error', message: error.message, hint: error.hint }]);
    }
  }
  const failed = all.some((diagnostic) => diagnostic.severity === 'error');
  if (options.json)
    services.stdout.write(`${JSON.stringify({ valid: !failed, diagnostics: all }, undefined, 2)}\n`);
  else {
    printDiagnostics(services, all, texts);
    if (good.length > 0) services.stdout.write(`${good.join('\n')}\n`);
  }
  return failed ? 2 : 0;
}

function writtenIn({ workflow }: LoadedWorkflow): string {
  const dialect = workflow?.sources[0]?.dialect;
  return dialect === undefined ? '' : ` (${dialect})`;
}

/** Two workflows may share a prompt: its problems are told once. */
function addNew(all: Diagnostic[], more: Diagnostic[]): void {
  const seen = new Set(all.map((diagnostic) => JSON.stringify(diagnostic)));
  all.push(...more.filter((diagnostic) => !seen.has(JSON.stringify(diagnostic))));
}
