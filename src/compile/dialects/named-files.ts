// named-files: what a dialect may look at beside the document it translates: files that the document names.
// A translation stays pure: what nobody has loaded yet is asked for, and the translation is made again once it is there.

import type { FileNeed, LoadedFile, MissingFile } from '../../model/library.ts';
import type { Node } from '../read/node.ts';

export interface NamedFiles {
  /**
   * The file. undefined: it is asked for, and `translate` is called again; or it is not there, which is reported at the
   * node with this code. Either way the translation goes on without it.
   */
  want(need: FileNeed, at: Node, code: string): LoadedFile | undefined;
  /** The same for what need not be there: nothing is reported. undefined: it is asked for. */
  look(need: FileNeed): LoadedFile | MissingFile | undefined;
}
