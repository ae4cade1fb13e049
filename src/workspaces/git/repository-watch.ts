// repository-watch: what changed in the repository itself while a step ran: its configuration, its hooks, what it ignores
// and converts, its references. Files are read, git is not started. Most steps change none of it, so what was read once is
// kept, and taken again as long as the files look untouched.
// A step is held against the last look of this process, not against one of its own: what a process that was left behind
// changes between two steps, or while the run waits, is told with the next step.
//
// RW1. Commits on the branch that the step works on are its work, and are not reported. So are commits on branches that
//      other steps of this process work on, or that Lockstep makes.
// RW2. A value that may hold a credential is not repeated.

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { RepositoryChanges } from '../../model/entry.ts';
import { isWithin } from '../boundary.ts';
import { commonFolder, findGitRoot } from '../git-root.ts';
import { parseConfig } from './config-text.ts';
import { readReferences, readShort } from './references.ts';

interface Look {
  /** What `.git` leads to. */
  gitFolder: string;
  head: string;
  /** Of the other work trees, by the names of their HEAD files from the common folder. */
  heads: Map<string, string>;
  /** By name, `.git/config`. */
  files: Map<string, string>;
  /** `.git/config core.hooksPath`, with its values. */
  settings: Map<string, string>;
  references: Map<string, string>;
  /** What is looked at to see that nothing changed: path and how it looked. */
  places: Map<string, string>;
  /** So of the references, which may be many. */
  referencePlaces: Map<string, string>;
}

/** How many places of references are looked at where it has to be quick. */
const FEW = 96;
/** How many changes of one kind are told. */
const MOST_TOLD = 20;

const kept = new Map<string, Look>();
/** What was told last of each checkout, and the branches and HEADs that steps of this process have worked on since. */
const told = new Map<string, { look: Look; met: Set<string> }>();
/** Branches that steps of this process work on now, for each watch those that it has met. */
const watches = new Set<{ folder: string; met: Set<string> }>();

/** The answer, called when the step has ended, says what changed. Undefined outside git. */
export function watchRepository(
  folder: string,
  care: 'quick' | 'thorough',
): (() => RepositoryChanges | undefined) | undefined {
  const top = findGitRoot(folder)?.top;
  const now = look(folder, care);
  if (now === undefined || top === undefined) return undefined;
  const last = told.get(top);
  const between = last === undefined || last.look === now ? undefined : describe(last.look, now, last.met);
  const watch = { folder, met: new Set(worked(now)) };
  for (const other of watches) {
    for (const name of worked(now)) other.met.add(name);
    for (const name of workedIn(other.folder)) watch.met.add(name);
  }
  watches.add(watch);
  meet(worked(now));
  told.set(top, { look: now, met: new Set(watch.met) });
  return () => {
    watches.delete(watch);
    const after = look(folder, care);
    if (after === undefined) {
      told.delete(top);
      return { settings: ['.git is gone, or no repository any more'] };
    }
    for (const other of watches) for (const name of worked(after)) other.met.add(name);
    meet(worked(after));
    told.set(top, { look: after, met: new Set([...watches].flatMap((other) => workedIn(other.folder))) });
    return joined(between, after === now ? undefined : describe(now, after, watch.met));
  };
}

function joined(
  one: RepositoryChanges | undefined,
  other: RepositoryChanges | undefined,
): RepositoryChanges | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const settings = [...(one.settings ?? []), ...(other.settings ?? [])];
  const references = [...(one.references ?? []), ...(other.references ?? [])];
  return { ...(settings.length > 0 && { settings }), ...(references.length > 0 && { references }) };
}

/** Lockstep made this branch itself: no step did. */
export function expectBranch(branch: string): void {
  for (const { met } of watches) met.add(`refs/heads/${branch}`);
  meet([`refs/heads/${branch}`]);
}

function meet(names: readonly string[]): void {
  for (const { met } of told.values()) for (const name of names) met.add(name);
}

/** What a step works on: the branch, and the HEAD of its work tree. */
function worked({ head, gitFolder }: Pick<Look, 'head' | 'gitFolder'>): string[] {
  return [head, join(gitFolder, 'HEAD')];
}

function workedIn(folder: string): string[] {
  const root = findGitRoot(folder);
  return root === undefined ? [] : worked({ head: branchIn(root.gitFolder), gitFolder: root.gitFolder });
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

/** By name. Not known where references are kept in the newer format. */
export function referencesOf(folder: string): ReadonlyMap<string, string> {
  return look(folder, 'thorough')?.references ?? new Map();
}

function isUntouched({ places, referencePlaces }: Look, care: 'quick' | 'thorough'): boolean {
  for (const [path, looked] of places) if (looksOf(path) !== looked) return false;
  let left = care === 'quick' ? FEW : Number.POSITIVE_INFINITY;
  for (const [path, looked] of referencePlaces) {
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
  const addFile = (path: string, name: string, depth = 0) => {
    if (files.has(name) || files.size >= MOST_FILES) return;
    note(path);
    const content = contentOf(path, note);
    if (content === undefined) return;
    files.set(name, content.hash);
    if (!/(?:^|\/)config(?:\.worktree)?$/.test(name) && depth === 0) return;
    addSettings(settings, name, content.text);
    // Another file with settings is one as well, wherever it lies; and hooks may lie elsewhere in .git.
    for (const { section, key, value = '' } of parseConfig(content.text)) {
      const isIncluded = /^include(?:if)?$/.test(section) && key === 'path' && value !== '';
      if (isIncluded && depth < DEEPEST) addFile(located(dirname(path), value), included(value), depth + 1);
      if (section === 'core' && key === 'hookspath' && value !== '') addHooks(located(top, value), value);
    }
  };
  const included = (path: string) => (path.startsWith('.') ? join('.git', path) : path);
  const addHooks = (folder: string, name: string) => {
    const isOfFiles = isWithin(top, folder) && ![gitFolder, common].some((each) => isWithin(each, folder));
    if (!isOfFiles) addFolder(folder, name);
  };
  const addFolder = (folder: string, name: string, depth = 0) => {
    note(folder);
    for (const each of namesIn(folder)) {
      const path = join(folder, each);
      if (isUnused(name, each)) continue;
      if (statsOf(path)?.isDirectory() && depth < DEEPEST) addFolder(path, `${name}/${each}`, depth + 1);
      else addFile(path, `${name}/${each}`);
    }
  };
  const addRepository = (repository: string) => {
    const name = (path: string) => join('.git', relative(common, join(repository, path)));
    addFile(join(repository, 'config'), name('config'));
    addFile(join(repository, 'objects/info/alternates'), name('objects/info/alternates'));
    for (const below of ['info', 'hooks']) {
      // A link in the place of the folder: what it leads to counts, and where.
      if (statsOf(join(repository, below))?.isSymbolicLink()) addFile(join(repository, below), name(below));
      addFolder(join(repository, below), name(below));
    }
  };
  note(join(top, '.git'));
  note(join(gitFolder, 'HEAD'));
  addFile(join(gitFolder, 'config.worktree'), '.git/config.worktree');
  for (const repository of [common, ...modulesOf(common)]) addRepository(repository);
  if (gitFolder !== common) {
    addFolder(join(gitFolder, 'info'), join('.git', relative(common, join(gitFolder, 'info'))));
    for (const repository of modulesOf(gitFolder)) addRepository(repository);
  }
  const heads = new Map<string, string>();
  for (const file of [join(common, 'HEAD'), ...worktreesOf(common)]) {
    note(file);
    if (file !== join(gitFolder, 'HEAD')) heads.set(file, readShort(file));
  }
  const referencePlaces = new Map<string, string>();
  const references = readReferences(common, (path) => referencePlaces.set(path, looksOf(path)));
  const head = branchIn(gitFolder);
  return { gitFolder, head, heads, files, settings, references, places, referencePlaces };
}

/** Folders in folders, and files that include files. */
const DEEPEST = 8;
const MOST_FILES = 5000;

/** As git reads a path in a setting. */
function located(from: string, path: string): string {
  return resolve(from, path.replace(/^~(?=\/|$)/, homedir()));
}

function worktreesOf(common: string): string[] {
  return namesIn(join(common, 'worktrees')).map((name) => join(common, 'worktrees', name, 'HEAD'));
}

/** Samples of hooks never run; git keeps a list of references for old web servers. */
function isUnused(below: string, name: string): boolean {
  return below.endsWith('info') ? name === 'refs' : name.endsWith('.sample');
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

/** Of a link: where it leads, and what is there. `note` is told of that, too. */
function contentOf(
  path: string,
  note: (path: string) => void,
  depth = 0,
): { text: string; hash: string } | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) {
    const target = targetOf(path);
    const there = resolve(dirname(path), target);
    note(there);
    const content = depth < DEEPEST ? contentOf(there, note, depth + 1) : undefined;
    return { text: content?.text ?? '', hash: `a link to ${target} ${content?.hash ?? ''}` };
  }
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

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
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

function describe(before: Look, after: Look, met: ReadonlySet<string>): RepositoryChanges | undefined {
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
  for (const file of differing(before.heads, after.heads)) {
    // One that is new or gone comes with a branch; one that a step works in is told by that step.
    const [was, is] = [before.heads.get(file), after.heads.get(file)];
    if (was === undefined || is === undefined || met.has(file)) continue;
    // A commit that is checked out there moves as a branch would.
    const [from, to] = [was, is].map((each) => /^ref: (.+)$/.exec(each)?.[1] ?? 'a commit');
    references.push(`HEAD of another checkout (${file}): ${from} → ${to}`);
  }
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
