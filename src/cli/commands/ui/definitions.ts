// definitions: the workflows of the library as the page shows them. Read anew each time, so the page follows the files.

import { loadWorkflow } from '../../../drivers/run/load.ts';
import { Fault } from '../../../model/fault.ts';
import type { ListedWorkflow, ShownWorkflow } from '../../../ui/wire.ts';
import { definitionsOf, findDefinition } from '../../find-workflow.ts';
import type { Services } from '../../services.ts';

export async function shownWorkflows(services: Services): Promise<ListedWorkflow[]> {
  const { library } = await definitionsOf(services);
  return library.list('workflow').map(({ name, layer, path }) => ({ name, layer, path, description: '' }));
}

export async function shownWorkflow(services: Services, name: string): Promise<ShownWorkflow> {
  try {
    const definitions = await definitionsOf(services);
    const { workflow, diagnostics } = loadWorkflow(definitions, findDefinition(definitions.library, name));
    return {
      ...(workflow && { workflow }),
      diagnostics: diagnostics.map(({ severity, code, message, span, hint }) => ({
        ...{ severity, code, message },
        where: span ? `${span.file}:${span.line}:${span.column}` : '',
        ...(hint !== undefined && { hint }),
      })),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, message, hint } = error;
    return {
      diagnostics: [{ severity: 'error', code, message, where: '', ...(hint !== undefined && { hint }) }],
    };
  }
}
