// repository-watch: what changed in the repository itself while a step ran: its configuration, its hooks, what it ignores
// and converts, its references. Files are read, git is not started. Most steps change none of it, so what was read once is
// kept, and taken again as long as the files look untouched.
//
// RW1. Commits on the branch that the step works on are its work, and are not reported. So are commits on branches that
//      other steps of this process work on at the same time.
// RW2. A value that may hold a credential is not repeated.

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join, relative } from 'node:path';
import type { RepositoryChanges } from '../../model/entry.ts';
import { commonFolder, findGitRoot } from '../git-root.ts';
import { parseConfig } from './config-text.ts';
import { readReferences, readShort } from './references.ts';

interface Look {
  /** What `.git` leads to. */
  gitFolder: string;
  head: string;
  /** By name, `.git/config`. */
  files: Map<string, string>;
  /** `.git/config core.hooksPath`, with its values. */
  settings: Map<string, string>;
  references: Map<string, string>;
  /** What is looked at to see that nothing changed: path and how it looked. */
  places: Map<string, string>;
}

/** How many places are looked at where it has to be quick. */
const FEW = 96;
/** How many changes of one kind are told. */
const MOST_TOLD = 20;

const kept = new Map<string, Look>();
/** Branches that steps of this process work on now, for each watch those that it has met. */
const watches = new Set<{ folder: string; met: Set<string> }>();

/** The answer, called when the step has ended, says what changed. Undefined outside git. */
export function watchRepository(
  folder: string,
  care: 'quick' | 'thorough',
): (() => RepositoryChanges | undefined) | undefined {
  const before = look(folder, care);
  if (before === undefined) return undefined;
  const watch = { folder, met: new Set([before.head]) };
  for (const other of watches) {
    other.met.add(before.head);
    watch.met.add(headOf(other.folder));
  }
  watches.add(watch);
  return () => {
    watches.delete(watch);
    const after = look(folder, care);
    if (after === before) return undefined;
    for (const other of watches) if (after) other.met.add(after.head);
    if (after === undefined) return { settings: ['.git is gone, or no repository any more'] };
    return told(before, after, watch.met);
  };
}

/** Lockstep made this branch itself: no step did. */
export function expectBranch(branch: string): void {
  for (const { met } of watches) met.add(`refs/heads/${branch}`);
}

function headOf(folder: string): string {
  const root = findGitRoot(folder);
  return root === undefined ? '' : branchIn(root.gitFolder);
}

/** The name of the branch; '' where a commit is checked out, which then moves as a branch would. */
function branchIn(gitFolder: string): string {
  return /^ref: (.+)$/.exec(readShort(join(gitFolder, 'HEAD')))?.[1] ?? '';
}

function look(folder: string, care: 'quick' | 'thorough'): Look | undefined {
  const root = findGitRoot(folder);
  if (root === undefined) return undefined;
  const known = kept.get(root.top);
  if (known !== undefined && known.gitFolder === root.gitFolder && isUntouched(known, care)) return known;
  const seen = read(root.top, root.gitFolder);
  kept.set(root.top, seen);
  return seen;
}

function isUntouched({ places }: Look, care: 'quick' | 'thorough'): boolean {
  let left = care === 'quick' ? FEW : Number.POSITIVE_INFINITY;
  for (const [path, looked] of places) {
    if (left === 0) return true;
    if (looksOf(path) !== looked) return false;
    left -= 1;
  }
  return true;
}

function looksOf(path: string): string {
  const stats = statsOf(path);
  if (stats === undefined) return '';
  return `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.mode}`;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // in a folder that may not be read
  }
}

function read(top: string, gitFolder: string): Look {
  const common = commonFolder(gitFolder);
  const files = new Map<string, string>();
  const settings = new Map<string, string>();
  const places = new Map<string, string>();
  // How it looks is taken before it is read: what changes in between is then seen the next time.
  const note = (path: string) => places.set(path, looksOf(path));
  const addFile = (path: string, name: string) => {
    note(path);
    const content = contentOf(path);
    if (content === undefined) return;
    if (/(?:^|\/)config(?:\.worktree)?$/.test(name)) addSettings(settings, name, content.text);
    files.set(name, content.hash);
  };
  note(join(top, '.git'));
  note(join(gitFolder, 'HEAD'));
  addFile(join(gitFolder, 'config.worktree'), '.git/config.worktree');
  for (const repository of [common, ...modulesOf(common)]) {
    const name = (path: string) => join('.git', relative(common, join(repository, path)));
    addFile(join(repository, 'config'), name('config'));
    addFile(join(repository, 'objects/info/alternates'), name('objects/info/alternates'));
    for (const below of ['info', 'hooks']) {
      note(join(repository, below));
      for (const each of namesIn(join(repository, below)))
        if (!isUnused(below, each)) addFile(join(repository, below, each), name(`${below}/${each}`));
    }
  }
  const references = readReferences(common, note);
  return { gitFolder, head: branchIn(gitFolder), files, settings, references, places };
}

/** Samples of hooks never run; git keeps a list of references for old web servers, and what is sparse in it. */
function isUnused(below: string, name: string): boolean {
  return below === 'hooks' ? name.endsWith('.sample') : name === 'refs' || name === 'sparse-checkout';
}

function modulesOf(common: string, below = 'modules', depth = 0): string[] {
  if (depth > 8) return [];
  return namesIn(join(common, below)).flatMap((name) => {
    const module = join(below, name);
    if (!statsOf(join(common, module))?.isDirectory()) return [];
    const isRepository = statsOf(join(common, module, 'HEAD')) !== undefined;
    if (!isRepository) return modulesOf(common, module, depth + 1);
    return [join(common, module), ...modulesOf(common, join(module, 'modules'), depth + 1)];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

const MOST_BYTES = 4 * 1024 * 1024;

function contentOf(path: string): { text: string; hash: string } | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  const mode = stats.mode & 0o111 ? 'runs ' : '';
  if (!stats.isFile() || stats.size > MOST_BYTES)
    return { text: '', hash: `${mode}${stats.mode} ${stats.size} ${stats.mtimeMs}` };
  try {
    const text = readFileSync(path, 'utf8');
    return { text, hash: `${mode}${createHash('sha256').update(text).digest('hex')}` };
  } catch {
    return { text: '', hash: `${mode}unreadable` };
  }
}

function addSettings(settings: Map<string, string>, file: string, text: string): void {
  for (const { section, subsection, key, value = 'true' } of parseConfig(text)) {
    const name = `${file} ${section}.${subsection === undefined ? '' : `${subsection}.`}${key}`;
    const before = settings.get(name);
    settings.set(name, before === undefined ? value : `${before}, ${value}`);
  }
}

// ── in words ──

function told(before: Look, after: Look, met: ReadonlySet<string>): RepositoryChanges | undefined {
  const settings: string[] = [];
  const references: string[] = [];
  if (before.gitFolder !== after.gitFolder)
    settings.push(`.git leads to ${after.gitFolder} (it led to ${before.gitFolder})`);
  const changedSettings = differing(before.settings, after.settings);
  for (const name of changedSettings) {
    const said = settingTold(name, before.settings.get(name), after.settings.get(name));
    (followsBranch(name) ? references : settings).push(said);
  }
  for (const file of differing(before.files, after.files)) {
    // Its settings say more, where they differ.
    if (changedSettings.some((name) => name.startsWith(`${file} `))) continue;
    settings.push(`${file} ${howChanged(before.files.get(file), after.files.get(file))}`);
  }
  if (before.head !== after.head)
    references.push(`HEAD: ${before.head || 'a commit'} → ${after.head || 'a commit'}`);
  for (const name of differing(before.references, after.references)) {
    if (met.has(name)) continue;
    const [was, is] = [before.references.get(name), after.references.get(name)].map((hash) =>
      hash?.slice(0, 12),
    );
    references.push(`${name}: ${was ?? 'new'} → ${is ?? 'gone'}`.replace('new → ', 'new, '));
  }
  if (settings.length === 0 && references.length === 0) return undefined;
  return {
    ...(settings.length > 0 && { settings: bounded(settings) }),
    ...(references.length > 0 && { references: bounded(references) }),
  };
}

/** `git push -u` and `git checkout -b` write what a branch follows. */
function followsBranch(name: string): boolean {
  return /^\.git\/config branch\..*\.(?:remote|merge|rebase)$/.test(name);
}

function settingTold(name: string, was: string | undefined, is: string | undefined): string {
  const [, file, setting] = /^(\S+) (.*)$/s.exec(name) ?? [];
  if (is === undefined) return `${file}: ${setting} was removed (it was ${shown(name, was)})`;
  const before = was === undefined ? 'it was not set' : `it was ${shown(name, was)}`;
  return `${file}: ${setting} is ${shown(name, is)} (${before})`;
}

const LONGEST_SHOWN = 160;

function shown(name: string, value = ''): string {
  if (/extraheader|password|passwd|secret|token|cookie|credential\..*username/i.test(name)) return 'hidden';
  const plain = value.replace(/(:\/\/)[^/@\s]*@/g, '$1…@');
  return JSON.stringify(plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN)}…` : plain);
}

function howChanged(was: string | undefined, is: string | undefined): string {
  if (was === undefined) return 'is new';
  return is === undefined ? 'was removed' : 'was changed';
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function bounded(lines: string[]): string[] {
  return lines.length <= MOST_TOLD
    ? lines
    : [...lines.slice(0, MOST_TOLD), `and ${lines.length - MOST_TOLD} more`];
}
