// workspace: the folder a run works in. Path safety and globbing live behind it, once (S4).
// Every path is relative to the workspace, with `/`; one that leaves it (absolute, `..`, through a symlink)
// is a Fault `path-outside`, looked at again just before use.

import type { ChangedFile, KeptTree, RepositoryChanges } from '../model/entry.ts';
import type { OwnPlace } from '../model/own-place.ts';
import type { Checkout } from './checkout.ts';

/**
 * What a pattern means. extended: `**`, braces, and folders that nobody means (.git, node_modules) left out.
 * posix: `*` `?` `[…]` alone, and nothing is left out but names with a leading dot that the pattern does not have.
 */
export type GlobSyntax = 'extended' | 'posix';

export interface Workspace {
  readonly root: string;
  /** The branch checked out, or '' where there is none. */
  readonly branch: string;
  /** The absolute path, safe now. */
  resolve(path: string): string;
  /**
   * Any path that somebody else wrote down, absolute or from the workspace: as it is spelt, and where it leads, links
   * followed, there or not. Relative where that is inside, else absolute. For judging only: nothing is opened by it.
   * `inside`: it lies in a folder that only git or Lockstep write. Fault `path-outside` where it cannot be told.
   */
  locate(path: string): { spelt: string; real: string; inside?: OwnPlace };
  /** Files (and directories) that match, byte order, relative; extended unless said otherwise. */
  glob(pattern: string, syntax?: GlobSyntax): string[];
  /** Files that differ from the start of the run: committed, uncommitted, untracked. */
  changed(pattern: string, syntax?: GlobSyntax): Promise<string[]>;
  /** Files that differ from the last commit: staged or not, untracked; not those that git ignores, nor our own. */
  uncommitted(pattern: string, syntax?: GlobSyntax): Promise<string[]>;
  /** What a file was at the start of the run; undefined where it was not there, or that cannot be known. */
  atStart(path: string): Promise<Uint8Array | undefined>;
  /** Made since the start of the run, oldest first. */
  commits(): { id: string; subject: string }[];
  exists(path: string): boolean;
  read(path: string): Uint8Array;
  /** To read part by part, or to hand on to a child: a regular file or a folder, which has no bytes. */
  open(path: string): OpenFile;
  /** Makes parent folders; replaces atomically. Fault `path-protected` of `.git` and the runs, here and below. */
  write(path: string, content: string | Uint8Array): void;
  /** Nothing is overwritten: Fault `file-exists`. Fault `file-not-found` names what is missing. */
  move(from: string, to: string): void;
  /** A stream to a file, truncated first. */
  sink(path: string): { write(chunk: Uint8Array): void; end(): void };
  /**
   * What the tree looks like, to tell later whether anything changed; undefined where that cannot be known. Whoever asks gets
   * a look that began afterwards, and may share it.
   */
  fingerprint(): Promise<string | undefined>;
  /**
   * Looks at the repository itself: configuration, hooks, references. The answer, called later, says what changed since.
   * Undefined outside git. `quick` looks at fewer files.
   */
  watchRepository(care: 'quick' | 'thorough'): (() => RepositoryChanges | undefined) | undefined;
  /** What git has here; absent outside git. */
  readonly checkout?: Checkout;
  /** Files that differ between then and now; of those, where a pattern is given, the ones that match. */
  changedSince(fingerprint: string, pattern?: string): Promise<string[]>;
  /**
   * Keeps the tree as it is now in a folder of ours, so that it can be compared later, line by line. Nothing is written
   * anywhere else. Undefined where what changes cannot be known.
   */
  keep(folder: string): Promise<KeptTree | undefined>;
  /** What lies between two trees that were kept in this folder. Fault `kept-tree-gone` where one is not there any more. */
  compare(folder: string, from: KeptTree, to: KeptTree): Promise<TreeChanges>;
}

export interface TreeChanges {
  /** In byte order. */
  files: ChangedFile[];
  /** All of it, as a patch; undefined where the content is not there to be shown. */
  patch?: Uint8Array;
}

export interface OpenFile {
  readonly kind: 'file' | 'folder';
  readonly bytes: number;
  /** When it was last changed, in milliseconds since 1970. */
  readonly modified: number;
  readonly descriptor: number;
  /** How many bytes it put there; 0 at the end. */
  read(into: Uint8Array, position: number): number;
  close(): void;
}

export interface Workspaces {
  /**
   * `since`: the commit the run began at, from `mark`; absent at start. `run`: where the records of the run are, which are
   * not to be written through it. Fault `workspace-gone`.
   */
  open(root: string, since?: string, run?: string): Workspace;
  /** What a person should know before a run works there, one sentence each. */
  warnings(root: string): string[];
  /** A commit id to compare with later; undefined outside git. */
  mark(root: string): string | undefined;
}
