// sample-translation: for tests. A text of the orchestrate language, translated, with what is said about it.

import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { JsonObject } from '../../../model/json.ts';
import { type MapNode, toJson } from '../../read/node.ts';
import { sourceText } from '../../read/source.ts';
import { readYaml } from '../../read/yaml.ts';
import { report } from '../../report.ts';
import { translateOrchestrate } from './orchestrate.ts';

export interface Translated {
  node: MapNode;
  problems: Diagnostic[];
}

export function translated(text: string, path = 'w.yaml'): Translated {
  const problems = report();
  const document = readYaml(sourceText(path, text), problems);
  if (document?.kind !== 'map') throw new Error(`not a map: ${text}`);
  const file = { id: `/${path}`, path, text, layer: 'project' as const, shadows: [] };
  const node = translateOrchestrate(document, file, problems);
  if (node === undefined) throw new Error(`nothing came of ${text}`);
  return { node, problems: problems.diagnostics() };
}

export function nativeOf(text: string): JsonObject {
  return toJson(translated(text).node) as JsonObject;
}

export function problemsOf(text: string): Diagnostic[] {
  return translated(text).problems;
}
