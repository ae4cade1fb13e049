// graph: draw a workflow.

import { mermaidGraph, textGraph } from '../../views/graph.ts';
import { loadOrReport } from '../find-workflow.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';

export async function graph(
  services: Services,
  reference: string,
  options: { format: string; dialect?: string },
): Promise<number> {
  const loaded = await loadOrReport(services, reference, { dialect: options.dialect });
  if (!loaded) return 2;
  const { workflow } = loaded;
  const text = options.format === 'text' ? textGraph(workflow, lookOf(services)) : mermaidGraph(workflow);
  services.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}
