// file-library: definitions in folders, in layers: the project's `.lockstep/`, the user's, the package's `builtin/`.
// Owns: which file a name means, and which files it shadows. Never: reads a definition's content as anything but text.
// L1. First match wins: project, user, built-in.   L2. Nothing outside its layer is read, through a symlink either (S4).
// L3. A file larger than a definition may be is refused before it is read.

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileNeed, LibraryKind, LoadedFile, MissingFile } from '../model/library.ts';
import type { Layer } from '../model/workflow.ts';
import type { Library } from '../ports/library.ts';

export interface FileLibraryFolders {
  /** The project's root; its definitions are under `.lockstep/`. */
  project: string;
  /** The user's folder of definitions. */
  user: string;
  /** The package's. */
  builtin: string;
  /** Where one stands: what paths on the command line are relative to. */
  cwd: string;
}

/** As the compiler has it; a larger file is not even read. */
const LARGEST = 4 * 1024 * 1024;
const DATA = ['.yaml', '.yml', '.json'];
const KINDS: Record<LibraryKind, { folder: string; extensions: string[] }> = {
  workflow: { folder: 'workflows', extensions: DATA },
  agent: { folder: 'agents', extensions: ['.md'] },
  prompt: { folder: 'prompts', extensions: ['.md'] },
  gate: { folder: 'gates', extensions: ['.md'] },
  schema: { folder: 'schemas', extensions: DATA },
};

interface Found {
  layer: Layer;
  file: string;
}

export function fileLibrary({ project, user, builtin, cwd }: FileLibraryFolders): Library {
  const layers: { layer: Layer; root: string }[] = [
    { layer: 'project', root: join(project, '.lockstep') },
    { layer: 'user', root: user },
    { layer: 'builtin', root: builtin },
  ];
  const shown = (file: string) => {
    const inside = relative(cwd, file);
    return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside) ? inside : file;
  };
  const folderOf = (root: string, kind: LibraryKind) => join(root, KINDS[kind].folder);

  function find(kind: LibraryKind, name: string): Found[] {
    if (!isPlainName(name)) return [];
    return layers.flatMap(({ layer, root }) => {
      const folder = folderOf(root, kind);
      const file = KINDS[kind].extensions.map((extension) => join(folder, name + extension)).find(isFile);
      return file !== undefined && staysIn(folder, file) ? [{ layer, file }] : [];
    });
  }

  function namesOf(kind: LibraryKind): string[] {
    const names = new Set<string>();
    for (const { root } of layers) for (const name of namesIn(folderOf(root, kind), kind)) names.add(name);
    return [...names].sort();
  }

  function loadNamed(kind: LibraryKind, name: string): LoadedFile | MissingFile {
    const [first, ...others] = find(kind, name);
    if (!first) {
      const looked = layers.map(({ root }) => shown(folderOf(root, kind)));
      return { missing: true, looked, known: namesOf(kind), problem: 'not-found' };
    }
    const shadows = others.map(({ layer, file }) => ({ layer, path: shown(file) }));
    return read(first.file, first.layer, shadows, shown);
  }

  /** Relative to the file that names it, within the folder that file's layer or folder is. */
  function loadRelative(kind: LibraryKind, path: string, from: string): LoadedFile | MissingFile {
    const layer = layers.find(({ root }) => isWithin(root, from) || isWithin(realOr(root), from));
    const boundary = layer
      ? realOr(layer.root)
      : isWithin(realOr(project), from)
        ? realOr(project)
        : dirname(from);
    const file = resolve(dirname(from), path);
    if (isAbsolute(path) || !staysIn(boundary, file)) {
      return { missing: true, looked: [shown(file)], known: [], problem: 'outside' };
    }
    if (!isFile(file)) {
      const known = namesOf(kind);
      return { missing: true, looked: [shown(file)], known, problem: 'not-found' };
    }
    return read(file, layer?.layer ?? 'file', [], shown);
  }

  return {
    load: (need: FileNeed) =>
      need.by === 'name' ? loadNamed(need.kind, need.name) : loadRelative(need.kind, need.path, need.from),

    loadFile(path) {
      const file = resolve(cwd, path);
      if (!isFile(file))
        return { missing: true, looked: [shown(file)], known: neighbours(file), problem: 'not-found' };
      const layer = layers.find(({ root }) => isWithin(root, file));
      return read(file, layer?.layer ?? 'file', [], shown);
    },

    list: (kind) =>
      namesOf(kind).flatMap((name) => {
        const [first, ...others] = find(kind, name);
        if (!first) return [];
        const shadows = others.map(({ layer, file }) => ({ layer, path: shown(file) }));
        return [{ name, layer: first.layer, path: shown(first.file), shadows }];
      }),
  };
}

/** `review`, `team/review`; nothing that climbs or hides. */
function isPlainName(name: string): boolean {
  return (
    name !== '' &&
    !name.includes('\0') &&
    name.split('/').every((part) => part !== '' && !part.startsWith('.'))
  );
}

function read(
  file: string,
  layer: Layer,
  shadows: LoadedFile['shadows'],
  shown: (file: string) => string,
): LoadedFile | MissingFile {
  const missing = (problem: MissingFile['problem']): MissingFile => ({
    missing: true,
    looked: [shown(file)],
    known: [],
    problem,
  });
  try {
    if (statSync(file).size > LARGEST) return missing('too-large');
    return { id: realpathSync(file), path: shown(file), text: readFileSync(file, 'utf8'), layer, shadows };
  } catch {
    return missing('unreadable');
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** Where it really lies, for what does not exist yet: where it would. */
function realOr(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function staysIn(folder: string, file: string): boolean {
  return (
    isWithin(realOr(folder), realOr(file)) &&
    isWithin(realOr(folder), join(realOr(dirname(file)), file.slice(dirname(file).length)))
  );
}

function namesIn(folder: string, kind: LibraryKind): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const extension = extname(path);
    const name = path
      .slice(0, path.length - extension.length)
      .split(sep)
      .join('/');
    return KINDS[kind].extensions.includes(extension) && isPlainName(name) ? [name] : [];
  });
}

/** Files beside one that is not there, for "did you mean". */
function neighbours(file: string): string[] {
  try {
    return readdirSync(dirname(file)).filter((name) => DATA.includes(extname(name)));
  } catch {
    return [];
  }
}
