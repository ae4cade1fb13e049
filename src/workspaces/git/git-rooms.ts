// git-rooms: rooms as repositories of their own, which borrow the objects of the user's. See ports/rooms.ts.
//
// RO1. A room has what its commit has, and nothing of the work tree: no ignored file, no hook, no setting, no replaced object.
// RO2. Nothing is written into the user's repository.
// RO3. What is installed is copied into a room, never linked: what a test does to it does not reach the next one.
// RO4. What a process that was killed has left is removed by a later one.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Commits, Room, Rooms } from '../../ports/rooms.ts';
import { findGitRoot } from '../git-root.ts';
import { isInstalled } from '../is-installed.ts';
import { lastValue } from './config-text.ts';
import { copyInto, foldersCalled } from './copy-into.ts';
import { findRepository } from './repository.ts';
import { askGit, runGit } from './run-git.ts';

export interface RoomsPlace {
  /** Ours alone. */
  folder: string;
  /** The user's home. */
  home: string;
  reporters: string;
}

export function gitRooms(place: RoomsPlace): Rooms {
  return {
    reporters: place.reporters,
    async look(workspace, base) {
      if (!isInstalled('git')) return 'git is not installed, or not in PATH';
      const real = realpathSync(workspace);
      const top = findGitRoot(real)?.top;
      if (top === undefined) return `${workspace} is not in a git repository`;
      try {
        const head = commitOf(top, 'HEAD');
        const known = commitOf(top, base);
        if (head === undefined || known === undefined) return `there is no commit ${base} to compare with`;
        return commitsOf(place, { top, inside: relative(realpathSync(top), real), base: known, head });
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

interface Between {
  top: string;
  /** From the top to the workspace; '' for the top itself. */
  inside: string;
  base: string;
  head: string;
}

function commitOf(top: string, name: string): string | undefined {
  return askGit(top, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])?.trim();
}

function commitsOf(place: RoomsPlace, between: Between): Commits {
  const { top, inside, base, head } = between;
  const names = (args: string[]) =>
    utf8(runGit(top, args))
      .split('\0')
      .filter((name) => name !== '');
  const here = (paths: string[]) =>
    inside === ''
      ? paths
      : paths.flatMap((path) => (path.startsWith(`${inside}/`) ? [path.slice(inside.length + 1)] : []));
  const listed = new Map<string, Set<string>>();
  const texts = new Map<string, string>();
  const filesOf = (commit: string) => {
    const found =
      listed.get(commit) ??
      new Set(here(names(['ls-tree', '-r', '--name-only', '-z', '--full-tree', commit])));
    listed.set(commit, found);
    return found;
  };
  const files = (commit: string) => [...filesOf(commit)];
  const isThere = (commit: string, path: string) => filesOf(commit).has(path);
  return {
    base,
    head,
    changed: here(names(['diff', '--no-ext-diff', '--no-renames', '--name-only', '-z', base, head])),
    files,
    // Most of what is asked for is not there, and git need not be started to say so.
    text(commit, path) {
      const known = texts.get(`${commit} ${path}`);
      if (known !== undefined || !isThere(commit, path)) return known;
      const found = textOf(top, commit, inside === '' ? path : `${inside}/${path}`);
      if (found !== undefined) texts.set(`${commit} ${path}`, found);
      return found;
    },
    open: (commit, furnished) => openRoom(place, between, commit, furnished),
    outside: (since, above, home) => outside(place, since, above, home),
    ignored: () => ignoredIn(top, inside),
    recall: (key) => readText(join(place.folder, 'known', key)),
    remember(key, text) {
      mkdirSync(join(place.folder, 'known'), { recursive: true, mode: 0o700 });
      writeFileSync(join(place.folder, 'known', key), text, { mode: 0o600 });
    },
  };
}

function textOf(top: string, commit: string, path: string): string | undefined {
  try {
    const text = askGit(top, ['cat-file', 'blob', `${commit}:${path}`]);
    return text === undefined ? undefined : utf8(text);
  } catch {
    return undefined;
  }
}

const NOT_COPIED = new Set(['.git', '.lockstep', '.worktrees', '.wrangler']);

function ignoredIn(top: string, inside: string): string[] {
  const from = inside === '' ? top : join(top, inside);
  return utf8(runGit(from, ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z', '.']))
    .split('\0')
    .map((path) => path.replace(/\/$/, ''))
    .map((path) => (inside !== '' && path.startsWith(`${inside}/`) ? path.slice(inside.length + 1) : path))
    .filter((path) => path !== '' && !NOT_COPIED.has(path.split('/')[0] ?? ''));
}

async function openRoom(
  place: RoomsPlace,
  { top, inside }: Between,
  commit: string,
  furnished: boolean,
): Promise<Room> {
  const work = join(place.folder, 'work');
  mkdirSync(work, { recursive: true, mode: 0o700 });
  sweep(work);
  // Links resolved: runners tell of files by their real names.
  const outer = mkdtempSync(join(realpathSync(work), `${process.pid}-`));
  const leave = () => rmSync(outer, { recursive: true, force: true, maxRetries: 3 });
  try {
    const folder = join(outer, basename(top) || 'project');
    const results = join(outer, 'results');
    for (const path of [join(folder, '.git'), results]) mkdirSync(path, { recursive: true });
    const own = { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder };
    const git = (args: string[], input?: string) =>
      askGit(top, args, { env: own, ...(input !== undefined && { input }) });
    git(['init', '--quiet', ...formatOf(top)]);
    borrowObjects(top, folder);
    git(['checkout', '--quiet', '--detach', '--force', commit]);
    const root = inside === '' ? folder : join(folder, inside);
    mkdirSync(root, { recursive: true });
    if (furnished) {
      const from = inside === '' ? top : join(top, inside);
      for (const path of ignoredIn(top, inside)) await copyInto(join(from, path), join(root, path));
    }
    return roomAt({ place, root, results, inside, git, leave });
  } catch (error) {
    leave();
    throw error;
  }
}

function formatOf(top: string): string[] {
  const format = lastValue(findRepository(top)?.settings.common ?? [], 'extensions', 'objectformat');
  return format === undefined ? [] : [`--object-format=${format}`];
}

function borrowObjects(top: string, folder: string): void {
  const repository = findRepository(top);
  if (repository === undefined) return;
  const info = join(folder, '.git', 'objects', 'info');
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, 'alternates'), `${realpathSync(join(repository.common, 'objects'))}\n`);
  const shallow = readText(join(repository.common, 'shallow'));
  if (shallow !== undefined) writeFileSync(join(folder, '.git', 'shallow'), shallow);
}

interface Furnishing {
  place: RoomsPlace;
  root: string;
  results: string;
  inside: string;
  git(args: string[], input?: string): string | undefined;
  leave(): void;
}

function roomAt({ place, root, results, inside, git, leave }: Furnishing): Room {
  const at = (path: string) => join(root, path);
  const kept = (key: string) => join(place.folder, 'installs', key);
  return {
    root,
    results,
    read: (path) => readText(at(path)),
    write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true });
      // A link would lead out of the room.
      rmSync(at(path), { force: true });
      writeFileSync(at(path), text);
    },
    remove: (path) => rmSync(at(path), { force: true, recursive: true }),
    takeFrom(commit, paths) {
      if (paths.length === 0) return;
      // From the top, whatever folder git is started in; and no character of a name means more than itself.
      const all = paths
        .map((path) => `:(top,literal)${inside === '' ? path : `${inside}/${path}`}`)
        .join('\0');
      git(
        ['checkout', '--quiet', '--force', commit, '--pathspec-from-file=-', '--pathspec-file-nul'],
        Buffer.from(all).toString('latin1'),
      );
    },
    takeResults() {
      return readdirSync(results).flatMap((name) => {
        const text = readText(join(results, name));
        rmSync(join(results, name), { recursive: true, force: true });
        return text === undefined ? [] : [{ name, text }];
      });
    },
    async furnish(key) {
      if (!existsSync(join(kept(key), 'whole'))) return false;
      for (const folder of JSON.parse(readFileSync(join(kept(key), 'whole'), 'utf8')) as string[])
        await copyInto(join(kept(key), 'files', folder), at(folder));
      return true;
    },
    async keepInstalled(key) {
      const folders = foldersCalled('node_modules', root);
      rmSync(kept(key), { recursive: true, force: true });
      mkdirSync(kept(key), { recursive: true, mode: 0o700 });
      for (const folder of folders) await copyInto(at(folder), join(kept(key), 'files', folder));
      // Written last: what was cut short is not taken for whole.
      writeFileSync(join(kept(key), 'whole'), JSON.stringify(folders));
    },
    leave,
  };
}

function outside(
  { folder, home }: RoomsPlace,
  since: number,
  above: readonly string[],
  inHome: readonly string[],
): string[] {
  const candidates = inHome.map((name) => join(home, name));
  for (let parent = dirname(join(folder, 'work', 'x')); ; parent = dirname(parent)) {
    candidates.push(...above.map((name) => join(parent, name)));
    if (parent === dirname(parent)) break;
  }
  return [...new Set(candidates)].filter((path) => {
    // Nobody sets this time back without setting the machine's.
    const changed = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
    return changed !== undefined && changed > since;
  });
}

function sweep(work: string): void {
  for (const name of readdirSync(work)) {
    const pid = Number.parseInt(name, 10);
    if (!Number.isNaN(pid) && !lives(pid)) rmSync(join(work, name), { recursive: true, force: true });
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** Git's answers come as Latin-1, a character a byte. */
function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
