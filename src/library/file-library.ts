// file-library: definitions in folders, in layers: the project's `.lockstep/`, `.wrangler/` and `.gobby/`, the user's, the
// package's `builtin/`.
// Owns: which file a name means, and which files it shadows. Never: reads a definition's content as anything but text.
//
// L1. First match wins: project, wrangler (`.wrangler/`, then `.wrangler/orchestration/`), gobby, user, the user's gobby, built-in. In one layer `.yaml` comes before `.yml` and `.json`; the
//     others are listed as shadowed, so nobody wonders why theirs is not read.
// L2. A file of the project's layers really lies in it, links followed (S4): a project may come from anybody. One that
//     does not is a problem that is named, never a reason to go on to the next layer. The user's own links are theirs.
// L3. A file larger than a definition may be is refused before it is read.
// L4. Nothing here throws: what cannot be had is a MissingFile that says why.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import type {
  FileNeed,
  LibraryKind,
  LoadedFile,
  MissingFile,
  PlaceFound,
  PlaceNeed,
} from '../model/library.ts';
import type { Layer } from '../model/workflow.ts';
import type { Library } from '../ports/library.ts';
import {
  definitionsIn,
  filesNamed,
  isFile,
  isPlainName,
  isWithin,
  kindFolder,
  type LayerFolder,
  namesIn,
  namesInFolder,
  realOr,
  staysInside,
} from './layer-folder.ts';
import { readDefinition } from './read-definition.ts';

export interface FileLibraryFolders {
  /** The project's root; its definitions are under `.lockstep/`. */
  project: string;
  /** The user's folder of definitions. */
  user: string;
  /** The user's `.gobby/`. Absent: nobody looks there. */
  userGobby?: string;
  /** The package's. */
  builtin: string;
  /** Where one stands: what paths on the command line are relative to. */
  cwd: string;
  /** Looks at a path of the workspace. Absent: nobody does at load, only before use. */
  look?: (need: PlaceNeed) => PlaceFound;
}

interface Found {
  folder: LayerFolder;
  file: string;
}

export function fileLibrary(folders: FileLibraryFolders): Library {
  const layers = layerFolders(folders);
  const shown = (file: string) => {
    const inside = relative(folders.cwd, file);
    return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : file;
  };
  const find = (kind: LibraryKind, name: string): Found[] =>
    layers.flatMap((folder) => filesNamed(folder, kind, name).map((file) => ({ folder, file })));
  const shadowed = (found: Found[]) =>
    found.map(({ folder, file }) => ({ layer: folder.layer, path: shown(file) }));
  const namesOf = (kind: LibraryKind) =>
    [...new Set(layers.flatMap((folder) => namesIn(folder, kind)))].sort();
  const missing = (problem: MissingFile['problem'], looked: string[], known: string[] = []): MissingFile => ({
    missing: true,
    looked: looked.map(shown),
    known,
    problem,
  });

  function read(file: string, layer: Layer, shadows: LoadedFile['shadows'] = []): LoadedFile | MissingFile {
    const definition = readDefinition(file);
    if ('problem' in definition) return missing(definition.problem, [file]);
    return { id: realOr(file), path: shown(file), text: definition.text, layer, shadows };
  }

  function loadNamed(kind: LibraryKind, name: string): LoadedFile | MissingFile {
    const looked = () => layers.filter(isThere).map((folder) => kindFolder(folder, kind));
    if (!isPlainName(name)) return missing(name === '' ? 'not-found' : 'outside', looked(), namesOf(kind));
    const [first, ...others] = find(kind, name);
    if (first === undefined) return missing('not-found', looked(), namesOf(kind));
    if (!staysInside(first.folder, first.file)) return missing('outside', [first.file]);
    return read(first.file, first.folder.layer, shadowed(others));
  }

  /** Relative to the file that names it, within that file's layer; a file of no layer, within the project or its folder. */
  function loadRelative(kind: LibraryKind, path: string, from: string): LoadedFile | MissingFile {
    const { file, layer, isOutside } = relativeTo(path, from);
    if (isOutside) return missing('outside', [file]);
    return isFile(file) ? read(file, layer?.layer ?? 'file') : missing('not-found', [file], namesOf(kind));
  }

  function relativeTo(path: string, from: string) {
    const file = resolve(dirname(from), path);
    if (path.includes('\0') || isAbsolute(path)) return { file, layer: undefined, isOutside: true };
    const layer = layers.find(({ root }) => isWithin(root, from) || isWithin(realOr(root), from));
    const project = realOr(folders.project);
    const boundary = layer ? realOr(layer.root) : isWithin(project, from) ? project : dirname(from);
    const linksAreTheirs = layer !== undefined && layer.within === undefined;
    const isInside = isWithin(boundary, file) && (linksAreTheirs || isWithin(boundary, realOr(file)));
    return { file, layer, isOutside: !isInside };
  }

  const listing = (folder: string, layer: Layer, names: string[]): LoadedFile => ({
    id: folder,
    path: shown(folder),
    text: [...new Set(names)].sort().join('\n'),
    folder: true,
    layer,
    shadows: [],
  });

  /** The union of all layers: which file a name means is asked for each of them (L1, L2). */
  function listFolder(need: FileNeed & { by: 'folder' }): LoadedFile | MissingFile {
    if (!('name' in need)) {
      const { file, layer, isOutside } = relativeTo(need.path, need.from);
      if (isOutside) return missing('outside', [file]);
      return listing(file, layer?.layer ?? 'file', definitionsIn(file, need.kind));
    }
    const looked = layers.map((folder) => join(kindFolder(folder, need.kind), need.name));
    if (!isPlainName(need.name)) return missing(need.name === '' ? 'not-found' : 'outside', looked);
    const names = layers.flatMap((folder) => namesInFolder(folder, need.kind, need.name));
    return listing(looked[0] ?? need.name, 'project', names);
  }

  return {
    load: (need: FileNeed) =>
      need.by === 'folder'
        ? listFolder(need)
        : need.by === 'name'
          ? loadNamed(need.kind, need.name)
          : loadRelative(need.kind, need.path, need.from),

    place: (need) => folders.look?.(need) ?? { outside: [] },

    loadFile(path) {
      const file = resolve(folders.cwd, path);
      if (!isFile(file)) return missing('not-found', [file], neighbours(file));
      const layer = layers.find(({ root }) => isWithin(root, file));
      return read(file, layer?.layer ?? 'file');
    },

    list: (kind) =>
      namesOf(kind).flatMap((name) => {
        const [first, ...others] = find(kind, name);
        if (first === undefined) return [];
        return [{ name, layer: first.folder.layer, path: shown(first.file), shadows: shadowed(others) }];
      }),
  };
}

/** Where the home folder is the project, its `.lockstep/` is one layer, not two. What gobby installs itself comes after a user's own. */
function layerFolders({ project, user, userGobby, builtin }: FileLibraryFolders): LayerFolder[] {
  const gobby = (layer: Layer, root: string, within?: string): LayerFolder[] => [
    { layer, root, ...(within !== undefined && { within }) },
    { layer, root, folder: 'workflows/templates', ...(within !== undefined && { within }) },
  ];
  const layers: LayerFolder[] = [
    { layer: 'project', root: join(project, '.lockstep'), within: project },
    { layer: 'wrangler', root: join(project, '.wrangler'), within: project },
    // Where wrangler itself looks; its specification says the one before.
    { layer: 'wrangler', root: join(project, '.wrangler/orchestration'), within: project },
    ...gobby('gobby', join(project, '.gobby'), project),
    { layer: 'user', root: user },
    ...(userGobby === undefined ? [] : gobby('gobby-user', userGobby)),
    { layer: 'builtin', root: builtin },
  ];
  const seen = new Set<string>();
  const keyOf = ({ root, folder = '' }: LayerFolder) => `${realOr(root)}\0${folder}`;
  return layers.filter((each) => !seen.has(keyOf(each)) && seen.add(keyOf(each)));
}

/** Who has no `.wrangler/` need not be told that nothing was found in it. */
function isThere({ layer, root, folder }: LayerFolder): boolean {
  return !FOREIGN.includes(layer) || existsSync(join(root, folder ?? ''));
}

const FOREIGN: readonly Layer[] = ['wrangler', 'gobby', 'gobby-user'];

/** Files beside one that is not there, for "did you mean". */
function neighbours(file: string): string[] {
  try {
    return readdirSync(dirname(file)).filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name)));
  } catch {
    return [];
  }
}
