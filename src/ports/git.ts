// git: how Lockstep starts git for itself. Whoever needs git asks for a start, and never runs `git` in a repository on
// its own: the repository's configuration names programs, and git would run them.

/** One start of git. Arguments go behind `command`. */
export interface GitStart {
  command: string;
  env: Record<string, string>;
  /** Options that come before git's own command. */
  options: string[];
  /** Clears what was laid out for it. Called once git has ended. */
  end(): void;
}

export interface OwnGit {
  /** `environment`: that of the process unless given. Faults `git-refused`. */
  start(folder: string, options?: { environment?: Record<string, string>; writes?: boolean }): GitStart;
}
