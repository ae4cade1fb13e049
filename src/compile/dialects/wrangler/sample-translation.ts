// sample-translation: for tests. A text of the wrangler language with the files it names, translated, and what is said
// about it. Files are as in sample-library; the agents and prompts that Lockstep brings along are there too.

import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { FileNeed, LoadedFile } from '../../../model/library.ts';
import { type MapNode, toJson } from '../../read/node.ts';
import { sourceText } from '../../read/source.ts';
import { readYaml } from '../../read/yaml.ts';
import { report } from '../../report.ts';
import type { SampleFiles } from '../../sample-library.ts';
import { translateWrangler } from './wrangler.ts';

export interface Translated {
  node: MapNode | undefined;
  problems: Diagnostic[];
}

export function translated(text: string, files: SampleFiles = {}, path = 'w.yaml'): Translated {
  const problems = report();
  const document = readYaml(sourceText(path, text, `/${path}`), problems);
  if (document?.kind !== 'map') throw new Error(`not a map: ${text}`);
  const file = { id: `/${path}`, path, text, layer: 'project' as const, shadows: [] };
  const find = (need: FileNeed) => fileFor(need, files);
  const node = translateWrangler(document, file, problems, { want: find, look: find });
  return { node, problems: problems.diagnostics() };
}

function fileFor(need: FileNeed, files: SampleFiles): LoadedFile | undefined {
  if (need.by === 'folder') return undefined;
  const paths =
    need.by === 'name'
      ? ['', '.wrangler/'].map((root) => `${root}${need.kind}s/${need.name}.md`)
      : [new URL(need.path, `file://${need.from}`).pathname.slice(1)];
  const path = paths.find((each) => Object.hasOwn(files, each));
  if (path === undefined) return undefined;
  const layer = path.startsWith('.wrangler/') ? ('wrangler' as const) : ('project' as const);
  return { id: `/${path}`, path, text: files[path] ?? '', layer, shadows: [] };
}

export function nativeOf(text: string, files?: SampleFiles): JsonObject {
  const { node } = translated(text, files);
  if (node === undefined) throw new Error(`nothing came of ${text}`);
  return toJson(node) as JsonObject;
}

export function problemsOf(text: string, files?: SampleFiles): Diagnostic[] {
  return translated(text, files).problems;
}
