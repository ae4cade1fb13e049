// sample-library: for tests. Compiles a text with the files of a folder that is written out as a map:
// `agents/reviewer.md`, `prompts/review.md`, `schemas/review.json`, `workflows/base.yaml`, or any other path; below
// `.wrangler/` the same of that layer.

import type { FileNeed, LoadedFile, MissingFile } from '../model/library.ts';
import type { Workflow } from '../model/workflow.ts';
import { type CompileResult, compile, needKey } from './compile.ts';
import { sourceFrame } from './read/frame.ts';

export type SampleFiles = Record<string, string>;

const FOLDERS = {
  workflow: 'workflows',
  agent: 'agents',
  prompt: 'prompts',
  gate: 'gates',
  schema: 'schemas',
};
const EXTENSIONS = ['.yaml', '.json', '.md'];

export function compileSample(text: string, files: SampleFiles = {}, main = 'w.yaml'): CompileResult {
  return compiled(text, files, main).result;
}

interface Compiled {
  main: LoadedFile;
  /** All that was asked for. */
  loaded: ReadonlyMap<string, LoadedFile | MissingFile>;
  result: CompileResult;
}

export function compiled(text: string, files: SampleFiles = {}, main = 'w.yaml'): Compiled {
  const loaded = new Map<string, LoadedFile | MissingFile>();
  const known = new Map<string, LoadedFile>();
  const fileAt = (path: string): LoadedFile | undefined => {
    const content = path === main ? text : Object.hasOwn(files, path) ? files[path] : undefined;
    if (content === undefined) return undefined;
    const layer = path.startsWith('.wrangler/') ? 'wrangler' : 'project';
    const file = known.get(path) ?? { id: `/${path}`, path, text: content, layer, shadows: [] };
    known.set(path, file);
    return file;
  };
  const mainFile = fileAt(main) as LoadedFile;
  for (let round = 0; round < 100; round++) {
    const result = compile({ main: mainFile, files: loaded, hash: (given) => `hash-${given.length}` });
    if (result.kind !== 'needs') return { main: mainFile, loaded, result };
    for (const need of result.needs)
      if (need.by !== 'place') loaded.set(needKey(need), find(need, files, fileAt));
  }
  throw new Error('compile keeps asking for files');
}

function find(
  need: FileNeed,
  files: SampleFiles,
  fileAt: (path: string) => LoadedFile | undefined,
): LoadedFile | MissingFile {
  const folder = FOLDERS[need.kind];
  if (need.by === 'folder') {
    const at = 'name' in need ? `${folder}/${need.name}` : fromFile(need.path, need.from).replace(/\/$/, '');
    const names = Object.keys(files)
      .filter((path) => path.startsWith(`${at}/`) && path.endsWith('.md'))
      .map((path) => path.slice(at.length + 1, -'.md'.length))
      .filter((name) => !name.includes('/'));
    return {
      id: `/${at}`,
      path: at,
      text: names.sort().join('\n'),
      folder: true,
      layer: 'project',
      shadows: [],
    };
  }
  const paths =
    need.by === 'name'
      ? ['', '.wrangler/'].flatMap((root) =>
          EXTENSIONS.map((extension) => `${root}${folder}/${need.name}${extension}`),
        )
      : [fromFile(need.path, need.from)];
  for (const path of paths) {
    const file = fileAt(path);
    if (file !== undefined) return file;
  }
  const names = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
  return {
    missing: true,
    looked: need.by === 'name' ? [`.lockstep/${folder}`, `~/.lockstep/${folder}`] : paths,
    known:
      need.by === 'name'
        ? names.map((path) => path.slice(folder.length + 1).replace(/\.\w+$/, ''))
        : Object.keys(files),
  };
}

function fromFile(path: string, from: string): string {
  return new URL(path, `file://${from}`).pathname.slice(1);
}

/** As the command line shows it, but for colour. */
export function rendered(result: CompileResult): string {
  if (result.kind === 'needs') return 'needs files';
  const texts = new Map(result.sources.map((source) => [source.path, source.text]));
  return result.diagnostics
    .map(({ code, severity, message, span, hint }) => {
      const place = span === undefined ? '' : `${span.file}:${span.line}:${span.column}: `;
      const frame = span === undefined ? [] : [sourceFrame(texts.get(span.file) ?? '', span)];
      return [
        `${place}${severity}: ${message} [${code}]`,
        ...frame,
        ...(hint === undefined ? [] : [`  ${hint}`]),
      ].join('\n');
    })
    .join('\n\n');
}

export function compiledSample(text: string, files: SampleFiles = {}): Workflow {
  const result = compileSample(text, files);
  if (result.kind !== 'compiled') throw new Error(rendered(result));
  return result.workflow;
}
