// rooms: clones of one commit in a folder of Lockstep's own, in which tests are run. Nothing of the user's repository is
// written, and what was done in a room goes with it. What is installed is kept beside them, once for each lock file.

export interface Rooms {
  /**
   * The commit that is checked out, beside the one that the work began from; a sentence where that cannot be told: no git,
   * or no such commit. Paths are from the workspace.
   */
  look(workspace: string, base: string): Promise<Commits | string>;
  /** Programs of ours that runners load to tell of each test: a folder. */
  readonly reporters: string;
}

export interface Commits {
  readonly base: string;
  readonly head: string;
  /** Files that differ between the two: in byte order. */
  readonly changed: readonly string[];
  /** All files of a commit. */
  files(commit: string): readonly string[];
  /** Undefined: there is none. */
  text(commit: string, path: string): string | undefined;
  /** `furnished`: with what git ignores in the workspace, such as dependencies and built files. */
  open(commit: string, furnished: boolean): Promise<Room>;
  /**
   * Settings outside of any commit that count for what runs in a room, changed since then (milliseconds since 1970): of
   * `home` in the home folder, of `above` in every folder above the rooms.
   */
  outside(since: number, above: readonly string[], home: readonly string[]): string[];
  /** Names of what git ignores in the workspace, the top of each. */
  ignored(): readonly string[];
  /** What was written down before under this key. */
  recall(key: string): string | undefined;
  remember(key: string, text: string): void;
}

export interface Room {
  /** Where the workspace is in it. */
  readonly root: string;
  /** An empty folder beside it, for results. */
  readonly results: string;
  read(path: string): string | undefined;
  write(path: string, text: string): void;
  remove(path: string): void;
  /** These files as they are in another commit. */
  takeFrom(commit: string, paths: readonly string[]): void;
  /** Files that runners wrote, and forgets them. */
  takeResults(): { name: string; text: string }[];
  /** Puts in what was installed under this key. False: nothing was. */
  furnish(key: string): Promise<boolean>;
  /** Keeps what was installed, for rooms to come. */
  keepInstalled(key: string): Promise<void>;
  /** Removes it. */
  leave(): void;
}
