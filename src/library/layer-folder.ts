// layer-folder: one layer on disk: `workflows/`, `agents/`, `prompts/`, `gates/`, `schemas/` below one folder.

import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, join, relative, sep } from 'node:path';
import type { LibraryKind } from '../model/library.ts';
import type { Layer } from '../model/workflow.ts';

export interface LayerFolder {
  layer: Layer;
  root: string;
  /** Where its workflows lie, and nothing else: a layer of another system has no agents and prompts of ours. */
  folder?: string;
  /** What everything in it must really lie in. Absent: links may lead anywhere, as people keep their own files. */
  within?: string;
}

const data = ['.yaml', '.yml', '.json'];
const kinds: Record<LibraryKind, { folder: string; extensions: string[] }> = {
  workflow: { folder: 'workflows', extensions: data },
  agent: { folder: 'agents', extensions: ['.md'] },
  prompt: { folder: 'prompts', extensions: ['.md'] },
  gate: { folder: 'gates', extensions: ['.md'] },
  schema: { folder: 'schemas', extensions: data },
};

export function kindFolder({ root, layer, folder }: LayerFolder, kind: LibraryKind): string {
  if (folder !== undefined && kind === 'workflow') return `${root}${sep}${folder}`;
  return `${root}${sep}${isBesideWorkflows(layer, kind) ? kinds.workflow.folder : kinds[kind].folder}`;
}

/** In `.wrangler/` gates lie beside the workflows, in folders that are called so: `workflows/review-gates/`. */
function isBesideWorkflows(layer: Layer, kind: LibraryKind): boolean {
  return layer === 'wrangler' && kind === 'gate';
}

/** `path`: below the folder of the kind. Beside workflows there are agents too. */
function isOfKind({ layer }: LayerFolder, kind: LibraryKind, path: string): boolean {
  // Only workflows lie there; those below `templates/` are a layer of their own, by their plain names.
  if (layer === 'gobby' || layer === 'gobby-user')
    return kind === 'workflow' && !path.startsWith('templates/');
  return !isBesideWorkflows(layer, kind) || /(?:^|[/-])gates\//.test(path);
}

/** Files that have the name; more than one where they differ in their extension, the one that counts first. */
export function filesNamed(folder: LayerFolder, kind: LibraryKind, name: string): string[] {
  if (!isOfKind(folder, kind, name)) return [];
  const beginning = `${kindFolder(folder, kind)}${sep}${name}`;
  return kinds[kind].extensions.map((extension) => beginning + extension).filter(isFile);
}

/** Definitions that lie in a folder of the kind's, not below it. */
export function namesInFolder(folder: LayerFolder, kind: LibraryKind, name: string): string[] {
  return isOfKind(folder, kind, `${name}/`) ? definitionsIn(join(kindFolder(folder, kind), name), kind) : [];
}

/** Names without extensions. What explains a folder is no definition of it. */
export function definitionsIn(folder: string, kind: LibraryKind): string[] {
  return list(folder)
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && kinds[kind].extensions.includes(extname(name)))
    .filter((name) => name.toLowerCase() !== 'readme.md' && isFile(join(folder, name)))
    .map((name) => name.slice(0, -extname(name).length));
}

/** Whether the file, links followed, lies where this layer's files must. */
export function staysInside({ root, within }: LayerFolder, file: string): boolean {
  if (within === undefined) return true;
  const [real, layer, boundary] = [realOr(file), realOr(root), realOr(within)];
  return isWithin(boundary, layer) && isWithin(layer, real);
}

/** `review`, `team/review`; nothing that climbs or hides. */
export function isPlainName(name: string): boolean {
  return !name.includes('\0') && name.split('/').every((part) => part !== '' && !part.startsWith('.'));
}

/** Of all files of the kind. Each real folder is entered once, so links in a circle come to an end. */
export function namesIn(folder: LayerFolder, kind: LibraryKind): string[] {
  const names: string[] = [];
  const top = kindFolder(folder, kind);
  const entered = new Set<string>();
  const left = [''];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const real = realOr(join(top, at));
    if (entered.has(real)) continue;
    entered.add(real);
    for (const entry of list(join(top, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.name.startsWith('.') || !staysInside(folder, join(top, path))) continue;
      const extension = extname(path);
      if (isFolder(entry, join(top, path))) left.push(path);
      else if (
        kinds[kind].extensions.includes(extension) &&
        !isBeside(kind, path) &&
        isOfKind(folder, kind, path)
      )
        names.push(path.slice(0, -extension.length));
    }
  }
  return names;
}

/** `ship.test.yaml` beside `ship.yaml` holds its tests, `x.schema.json` what an editor knows of it: they are no workflows. */
function isBeside(kind: LibraryKind, path: string): boolean {
  return kind === 'workflow' && /\.test\.[^.]+$|(?:^|[./])schema\.json$/.test(path);
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or not ours to read
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && stats(path)?.isDirectory() === true);
}

export function isFile(path: string): boolean {
  return stats(path)?.isFile() ?? false;
}

function stats(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // also a name that is too long, a circle of links, a file where a folder should be
  }
}

export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

export function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
