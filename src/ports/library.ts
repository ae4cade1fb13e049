// library: layered look-up of definitions. Project, then user, then built-in: the first match wins.

import type { Layer } from '../model/workflow.ts';

export type LibraryKind = 'workflow' | 'agent' | 'prompt' | 'gate' | 'schema';

/** What the compiler asks for. */
export type FileNeed =
  | { by: 'name'; kind: LibraryKind; name: string }
  /** Relative to the file that names it; may not leave that file's root. */
  | { by: 'path'; kind: LibraryKind; path: string; from: string };

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

export interface Library {
  load(need: FileNeed): LoadedFile | MissingFile;
  /** A file named on the command line, relative to where one stands. */
  loadFile(path: string): LoadedFile | MissingFile;
  list(
    kind: LibraryKind,
  ): { name: string; layer: Layer; path: string; shadows: { layer: Layer; path: string }[] }[];
}
