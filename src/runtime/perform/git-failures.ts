// git-failures: how a step failed by git, in words: what git has, and what a person can do about it. Pure.

import type { Failure } from '../../model/entry.ts';
import type { LeftBehind } from '../../model/git-checks.ts';
import type { CheckoutLook, OnRemote, Work } from '../../ports/checkout.ts';
import { listed } from './outcome.ts';

const MOST_NAMED = 10;

export function noRepository(root: string): Failure {
  return {
    class: 'git',
    message: `${root} is no longer the worktree that git made for this run`,
    hint: 'Look at .git there: it is a file that leads to the repository. `git worktree repair` in the project may put it back. Then resume the run.',
  };
}

export function otherBranch(
  root: string,
  branch: string,
  { branch: other, references }: CheckoutLook,
  last: string,
): Failure {
  const isThere = references.size === 0 || references.has(`refs/heads/${branch}`);
  const on = other === '' ? 'no branch' : `the branch ${other}`;
  const back = isThere
    ? `git -C ${root} switch ${branch}`
    : other === ''
      ? `git -C ${root} switch -c ${branch} ${last}`
      : `git -C ${root} branch -m ${other} ${branch}`;
  const keep = isThere
    ? ` Commits that were made elsewhere are taken over by \`git merge ${other || 'COMMIT'}\`.`
    : '';
  return {
    class: 'git',
    message: `the worktree is on ${on}, and this run works on ${branch}`,
    hint: `Put it back: ${back}.${keep} Then resume the run.`,
    details: { branch: other, expected: branch },
  };
}

export function commitsDropped(root: string, branch: string, from: string, head: string): Failure {
  return {
    class: 'git',
    message: `the branch ${branch} no longer has the commit ${from.slice(0, 12)} that it had: commits were dropped or rewritten`,
    hint: `To have them again: git -C ${root} reset --hard ${from.slice(0, 12)}; what was made instead is in ${head.slice(0, 12)}. Then resume the run. If you rewrote it yourself: lockstep resume --without branch.`,
    details: { from, head },
  };
}

export function committed(commits: Work['commits'], head: string): Failure {
  const named = commits
    .slice(0, MOST_NAMED)
    .map(({ id, subject }) => `${id.slice(0, 12)} ${JSON.stringify(subject)}`);
  return {
    class: 'changed-files',
    message: `it committed ${named.length > 0 ? listed(named) : head.slice(0, 12)}, and has no tool that writes: this step only reads`,
    hint: 'It is taken away before the step, or another, begins again. If the step is to write, give it Write or Edit in `tools`.',
    details: { commits: commits.slice(0, 100).map(({ id }) => id) },
  };
}

export function takenAway({ by, head, files }: LeftBehind): string {
  const what = files.length > 0 ? named(files) : 'commits';
  return `what ${by} had left, though it may not write, was taken away: ${what}; the worktree is at ${head.slice(0, 12)} again`;
}

export function notPutBack(root: string, { by, head, files }: LeftBehind, why?: string): Failure {
  return {
    class: 'changed-files',
    message: `${by} may not write, and what it left is still there: ${named(files)}${why === undefined ? '' : ` (${why})`}`,
    hint: `It is not taken away by itself, because ${files.length === 0 ? 'git did not do it' : 'other work that is not committed lies in these files'}. Look at ${root}: put the files back (they belong to ${head.slice(0, 12)}), or commit what is to stay. Then resume the run.`,
    details: { files: files.slice(0, 100) },
  };
}

type Verified = { by: string; head: string };

export function otherCommit(
  root: string,
  { by, head }: Verified,
  is: string,
  when: 'before' | 'after',
): Failure {
  const what = `the worktree is at ${is.slice(0, 12)}, and ${by} verified ${head.slice(0, 12)}`;
  return {
    class: 'git',
    message:
      when === 'before'
        ? `${what}: nothing is published that was not verified`
        : `${what}: a step that publishes commits nothing`,
    hint: `To publish what was verified: git -C ${root} reset --hard ${head.slice(0, 12)}, then resume the run. What came later needs a run, or a ${by}, of its own.`,
    details: { verified: head, head: is },
  };
}

export function otherTree(root: string, { by, head }: Verified, when: 'before' | 'after'): Failure {
  return {
    class: 'git',
    message:
      when === 'before'
        ? `files have changed since ${by} verified them: nothing is published that was not verified`
        : `files changed while this step published: what was verified is not there any more`,
    hint: `See git -C ${root} status. Put the files back as they were at ${head.slice(0, 12)}, then resume the run.`,
    details: { verified: head },
  };
}

export function pushed(references: readonly string[]): Failure {
  return {
    class: 'git',
    message: `work of this run was pushed: ${named(references)}. Only a step with \`publishes\` pushes`,
    hint: 'Look at the remote, and take away there what nobody verified. Then resume the run.',
    details: { references: references.slice(0, 100) },
  };
}

export function pushedBefore(branch: string, { remote, head = '' }: OnRemote): Failure {
  return {
    class: 'git',
    message: `${remote} has the branch ${branch} already, at ${head.slice(0, 12)}: it was pushed before this step, and only this step pushes`,
    hint: `Look at it, and take it away (git push ${remote} --delete ${branch}); then resume the run. If you pushed it yourself: lockstep resume --without push.`,
    details: { remote, head },
  };
}

export function heldOutside(what: string): string {
  return `outside the worktree something changed while this step ran: ${what}. If that was you, accept; else put it back first`;
}

function named(names: readonly string[]): string {
  if (names.length <= MOST_NAMED) return listed([...names]);
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}
