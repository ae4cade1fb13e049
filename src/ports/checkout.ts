// checkout: what git has in a folder that a run works in. It looks past everything in the repository that makes git show
// something else: replaced objects, grafts, flags of the index, settings, ignored files that were not ignored when this
// process began. Reads only, but for `putBack`.

export interface CheckoutLook {
  /** '' where a commit is checked out, and no branch. */
  branch: string;
  /** '' before the first commit. */
  head: string;
  /** Where the repository of this work tree is. */
  gitFolder: string;
  /** By name, `refs/remotes/origin/main`; the branches that no work tree of this process works on, tags, and so on. */
  references: ReadonlyMap<string, string>;
}

export interface Work {
  commits: { id: string; subject: string }[];
  /** That differ from then: committed or not, untracked ones too. */
  files: string[];
}

/** Another work tree of the repository, as it was: to tell later what changed in it. */
export interface Bystander {
  changed(): Promise<string[]>;
}

export interface OnRemote {
  remote: string;
  /** The commit that the branch is at there; absent: it is not there. */
  head?: string;
  /** It could not be asked, and why. */
  problem?: string;
}

export interface Checkout {
  look(): Promise<CheckoutLook>;
  /** Whether `to` comes after `from`, or is it. */
  descends(from: string, to: string): Promise<boolean>;
  /** What was done since a commit. */
  work(since: string): Promise<Work>;
  /** Files that some commit since then touched, also where a later one took it back. */
  touched(since: string): Promise<string[]>;
  /** Of the commit, and of every file that differs from it or that it does not have. */
  digest(): Promise<string>;
  /** Of those of a tree that differ from its last commit, as `fingerprint` says them. */
  dirtyIn(fingerprint: string): string[];
  /** These files are again what they are in that commit, and it is checked out, on the same branch. */
  putBack(head: string, files: readonly string[]): Promise<void>;
  /** The work tree in another folder of the same repository. */
  watch(folder: string): Promise<Bystander | undefined>;
  /** Asks every remote for a branch. */
  onRemotes(branch: string): Promise<OnRemote[]>;
  /** Settings with which a child's git cannot push to the remotes of the repository. */
  fence(): [key: string, value: string][];
}
