// library: layered look-up of definitions. The project's, the user's, the built-in ones: the first match wins.

import type {
  FileNeed,
  LibraryKind,
  LoadedFile,
  MissingFile,
  PlaceFound,
  PlaceNeed,
} from '../model/library.ts';
import type { Layer } from '../model/workflow.ts';

export type { FileNeed, LibraryKind, LoadedFile, MissingFile } from '../model/library.ts';

export interface Library {
  load(need: FileNeed): LoadedFile | MissingFile;
  /** Where a path of the workspace leads now. Never throws: what cannot be told is told before use. */
  place(need: PlaceNeed): PlaceFound;
  /** A file named on the command line, relative to where one stands. */
  loadFile(path: string): LoadedFile | MissingFile;
  list(
    kind: LibraryKind,
  ): { name: string; layer: Layer; path: string; shadows: { layer: Layer; path: string }[] }[];
}
