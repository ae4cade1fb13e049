// workspace: the folder a run works in. Path safety and globbing live behind it, once (S4).
// Every path is relative to the workspace, with `/`; one that leaves it (absolute, `..`, through a symlink)
// is a Fault `path-outside`, looked at again just before use.

export interface Workspace {
  readonly root: string;
  /** The branch checked out, or '' where there is none. */
  readonly branch: string;
  /** The absolute path, safe now. */
  resolve(path: string): string;
  /** Files (and directories) that match, byte order, relative. */
  glob(pattern: string): string[];
  /** Files that differ from the start of the run: committed, uncommitted, untracked. */
  changed(pattern: string): string[];
  exists(path: string): boolean;
  read(path: string): Uint8Array;
  /** Makes parent folders; replaces atomically. */
  write(path: string, content: string | Uint8Array): void;
  move(from: string, to: string): void;
  /** A stream to a file, truncated first. */
  sink(path: string): { write(chunk: Uint8Array): void; end(): void };
  /** What the tree looks like, to tell later whether anything changed; undefined where that cannot be known. */
  fingerprint(): string | undefined;
  /** Files that differ between then and now. */
  changedSince(fingerprint: string): string[];
}

export interface Workspaces {
  /** `since`: the commit the run began at, from `mark`; absent at start. Fault `workspace-gone`. */
  open(root: string, since?: string): Workspace;
  /** A commit id to compare with later; undefined outside git. */
  mark(root: string): string | undefined;
}
