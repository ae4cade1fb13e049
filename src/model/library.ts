// library: what the compiler may ask for, and what it gets. The compiler is pure: files reach it as loaded text.

import type { Layer } from './workflow.ts';

export type LibraryKind = 'workflow' | 'agent' | 'prompt' | 'gate' | 'schema';

/** What the compiler asks for. */
export type FileNeed =
  | { by: 'name'; kind: LibraryKind; name: string }
  /** Relative to the file that names it (`from` is its id); may not leave that file's root. */
  | { by: 'path'; kind: LibraryKind; path: string; from: string }
  /**
   * Which definitions a folder holds, not those of folders below it: below the kind's folder, in all layers together.
   * The text of what is found are their names, a line each, in byte order; each is then asked for itself.
   */
  | { by: 'folder'; kind: LibraryKind; name: string }
  /** The same, relative to the file that names it. */
  | { by: 'folder'; kind: LibraryKind; path: string; from: string };

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
  /** A folder: the text is what it holds. */
  folder?: true;
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
