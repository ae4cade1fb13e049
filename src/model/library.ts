// library: what the compiler may ask for, and what it gets. The compiler is pure: files reach it as loaded text.

import type { Layer } from './workflow.ts';

export type LibraryKind = 'workflow' | 'agent' | 'prompt' | 'gate' | 'schema';

/** What the compiler asks for. */
export type FileNeed =
  | { by: 'name'; kind: LibraryKind; name: string }
  /** Relative to the file that names it (`from` is its id); may not leave that file's root. */
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
