// work-done: which files each attempt of a run wrote, and which commits it made, as far as git can tell: a commit, or
// a file that was never committed, belongs to the attempt in whose time it was made. Between two that ran at once
// nobody can tell: then the shorter one has it.

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OwnGit } from '../../ports/git.ts';
import { runOwnGit } from '../run-own-git.ts';
import type { Attempt } from './attempts.ts';

export interface Done {
  write: Record<string, string>;
  remove: string[];
  commit?: string;
}

export interface History {
  /** By attempt; several commits are several. */
  done: Map<Attempt, Done[]>;
  /** What could not be taken over, one sentence each. */
  missing: string[];
  /** A file as it was when the run began. */
  original(path: string): string | undefined;
}

/** Larger files make a test that nobody reads. */
const LARGEST = 64 * 1024;

export function workDone(
  { workspace, base }: { workspace: string; base: string | undefined },
  attempts: Attempt[],
  ownGit: OwnGit,
): History {
  const git = (...args: string[]): string | undefined => {
    try {
      return runOwnGit(ownGit.start(workspace), workspace, args);
    } catch {
      return undefined;
    }
  };
  const history: History = {
    done: new Map(),
    missing: [],
    original: (path) => (base === undefined ? undefined : git('cat-file', 'blob', `${base}:./${path}`)),
  };
  if (base === undefined) {
    history.missing.push(
      'the project is no git repository: what agents wrote, and the files that were there, are left out',
    );
    return history;
  }
  const add = (attempt: Attempt, done: Done) =>
    history.done.set(attempt, [...(history.done.get(attempt) ?? []), done]);

  // Before the first commit the base is a tree without anything, and everything is new.
  const range = git('cat-file', '-t', base)?.trim() === 'tree' ? 'HEAD' : `${base}..HEAD`;
  const log =
    git('log', '--no-show-signature', '--reverse', '--first-parent', '--format=%H %ct %s', range) ?? '';
  const objects = objectsFolder(git('rev-parse', '--absolute-git-dir')?.trimEnd() ?? workspace);
  for (const line of log.split('\n').filter((text) => text !== '')) {
    // A commit in a pack has no time of its own there.
    const [commit = '', seconds = '0', ...words] = line.split(' ');
    const made = lstatSync(join(objects, commit.slice(0, 2), commit.slice(2)), {
      throwIfNoEntry: false,
    })?.mtimeMs;
    // Git itself counts in seconds, and cuts.
    const attempt = made ? attemptAt(attempts, made, 5) : attemptAt(attempts, Number(seconds) * 1000, 999);
    const subject = words.join(' ');
    if (!attempt) {
      history.missing.push(`the commit "${subject}" was made by none of the steps`);
      continue;
    }
    const done: Done = { write: {}, remove: [], commit: subject };
    const changes =
      git('diff-tree', '-r', '--root', '--no-commit-id', '--no-renames', '--name-status', '-z', commit) ?? '';
    for (const [status, path] of pairs(changes)) {
      if (status === 'D') done.remove.push(path);
      else take(done, path, git('cat-file', 'blob', `${commit}:${path}`), history.missing);
    }
    add(attempt, done);
  }

  const status =
    git(
      'status',
      '--porcelain',
      '-z',
      '--no-renames',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '.',
    ) ?? '';
  for (const entry of status.split('\0').filter((text) => text !== '')) {
    const path = entry.slice(3);
    const file = join(workspace, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const attempt = stats && attemptAt(attempts, stats.mtimeMs, 5);
    if (!stats?.isFile() || !attempt) continue;
    const done: Done = { write: {}, remove: [] };
    take(done, path, readFileSync(file, 'utf8'), history.missing);
    add(attempt, done);
  }
  return history;
}

/** Where commits come to lie; in a worktree that is in the repository it belongs to. */
function objectsFolder(gitFolder: string): string {
  const file = join(gitFolder, 'commondir');
  const common = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '.';
  return resolve(gitFolder, common, 'objects');
}

function take(done: Done, path: string, text: string | undefined, missing: string[]): void {
  if (path.startsWith('.lockstep/')) return;
  if (text === undefined || text.includes('\0') || text.includes('\uFFFD'))
    missing.push(`${path} is no text, and is left out`);
  else if (text.length > LARGEST) missing.push(`${path} has more than ${LARGEST} bytes, and is left out`);
  else done.write[path] = text;
}

/** The shortest in whose time it was; of equals the one that began last. */
function attemptAt(attempts: Attempt[], at: number, slack: number): Attempt | undefined {
  let best: Attempt | undefined;
  for (const attempt of attempts) {
    if (attempt.verb !== 'prompt' && attempt.verb !== 'run') continue;
    if (at + slack < attempt.startedAt || at > attempt.endedAt) continue;
    if (!best || attempt.endedAt - attempt.startedAt <= best.endedAt - best.startedAt) best = attempt;
  }
  return best;
}

function pairs(text: string): [string, string][] {
  const words = text.split('\0').filter((word) => word !== '');
  return Array.from({ length: words.length >> 1 }, (_, index) => [
    words[2 * index] as string,
    words[2 * index + 1] as string,
  ]);
}
