// library: what the compiler may ask for, and what it gets. The compiler is pure: files reach it as loaded text.

import type { Layer } from './workflow.ts';

export type LibraryKind = 'workflow' | 'agent' | 'prompt' | 'gate' | 'schema';

/** What the compiler asks for. */
export type FileNeed =
  | { by: 'name'; kind: LibraryKind; name: string }
  /** Relative to the file that names it (`from` is its id); may not leave that file's root. */
  | { by: 'path'; kind: LibraryKind; path: string; from: string };

/**
 * A path of the workspace that the text spells out: does it lead outside as things are now? (S4; looked at again just
 * before it is used.)
 */
export interface PlaceNeed {
  by: 'place';
  path: string;
  /** It is a pattern, in this syntax; what matches must stay inside too. */
  glob?: 'extended' | 'posix';
}

/** A folder of definitions: which names are there? Each is then asked for as a file. */
export type FolderNeed =
  /** Below the kind's folder, in all layers together. */
  | { by: 'folder'; kind: LibraryKind; name: string }
  /** Relative to the file that names it, as a file is. */
  | { by: 'folder'; kind: LibraryKind; path: string; from: string };

export interface FolderFound {
  /** Without extensions, in byte order; not of folders below it. */
  names: string[];
  /** Where it was looked for. */
  looked: string[];
  problem?: 'not-found' | 'outside';
}

/** What leads outside, of a pattern perhaps several; empty: nothing does. */
export interface PlaceFound {
  outside: { path: string; leads: string }[];
}

export interface LoadedFile {
  /** Absolute, and unique: the key of the file. */
  id: string;
  /** For people. */
  path: string;
  text: string;
  layer: Layer;
  /** Same name in lower layers. */
  shadows: { layer: Layer; path: string }[];
}

/** Why there is none. */
export interface MissingFile {
  missing: true;
  /** Where it was looked for. */
  looked: string[];
  /** Names that exist, for "did you mean". */
  known: string[];
  problem?: 'not-found' | 'too-large' | 'unreadable' | 'outside';
}
