// git-outside: what changed meanwhile outside the worktree that a step works in: in the checkout of the person, its branches,
// the hooks and settings that all share. Pure.
// A person goes on working there, so a change alone says nothing of the step. It is laid at its door where it shows: a
// reference leads to work of this run, a call of the step names the place, or it is a setting that nobody changes by the way.

import type { RepositoryChanges } from '../../model/entry.ts';

export interface Outside {
  /** References that differ, each as it was and is. */
  references: { name: string; was?: string; is?: string }[];
  /** In the checkout of the person. */
  files: string[];
  repository?: RepositoryChanges;
}

export interface Suspicion {
  project: string;
  /** Commits that this run has made. */
  made: ReadonlySet<string>;
  /** What the calls of the step say: lines of commands, paths. */
  said: readonly string[];
}

const MOST_NAMED = 5;
/** Settings of who works there, and of what git says and keeps: no program, no path, nothing hidden. */
const HARMLESS =
  /^\.git\/config(?:\.worktree)?: (?:user|author|committer|advice|branch|color|column|gc|help|init|lfs|maintenance|merge|pull|push|rebase|rerere|status)\./;

/** `held`: a person is asked about these; `meanwhile`: they are told. */
export function weighOutside(
  { references, files, repository }: Outside,
  suspicion: Suspicion,
): { held: string[]; meanwhile: string[] } {
  const held: string[] = [];
  const meanwhile: string[] = [];
  const reaches = suspicion.said.some((line) => isOutside(line, suspicion.project));
  for (const { name, was, is } of references) {
    const how = is === undefined ? 'is gone' : `is at ${is.slice(0, 12)} now`;
    const text = `${name} was at ${was?.slice(0, 12)} and ${how}`;
    const isOurs = (is !== undefined && suspicion.made.has(is)) || namesReference(name, suspicion.said);
    (isOurs || reaches ? held : meanwhile).push(text);
  }
  if (files.length > 0) {
    const more = files.length - MOST_NAMED;
    const named = `${files.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    (reaches ? held : meanwhile).push(`in your checkout ${suspicion.project}: ${named}`);
  }
  for (const setting of repository?.settings ?? []) if (!HARMLESS.test(setting)) held.push(setting);
  return { held, meanwhile };
}

/** A way out of the worktree, or to the repository behind it. */
function isOutside(line: string, project: string): boolean {
  const plain = line.replaceAll(`${project}/.worktrees/`, '');
  return (
    plain.includes(project) ||
    /(?:^|[\s'"=:(/])\.\.(?:\/|[\s'";|&)]|$)|--git-dir|git-common-dir|GIT_DIR|--work-tree/.test(line)
  );
}

function namesReference(name: string, said: readonly string[]): boolean {
  const short = name.replace(/^refs\/(?:heads|tags)\//, '');
  const words = new RegExp(`(?:^|[\\s'":/=+])${escaped(short)}(?:$|[\\s'":;|&)])`);
  return said.some((line) => /\bgit\b/.test(line) && words.test(line));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
