// start-git: the one place where git is started for Lockstep itself. (The git of an agent, or of a `run:` line, is theirs.)
// Owns: what git is told: which repository, which settings, which environment. Never: runs it.
//
// G1. Git reads no configuration of the repository (stand-in.ts): of it, git is told what kept-settings.ts lists.
// G2. The user's own configuration is read once in a process, before the first use of a repository. What is written
//     there later changes nothing for the run.
// G3. Hooks, file system monitors and housekeeping are off, wherever they are set.
// G4. Programs are not looked for in the repository (safe-path.ts).
// G5. The repository and the work tree are named. Git does not look for them.

import { spawnSync } from 'node:child_process';
import { lstatSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { GitStart, OwnGit } from '../../ports/git.ts';
import { findGitRoot } from '../git-root.ts';
import { lastValue, type Setting, writeConfig } from './config-text.ts';
import { gitFault } from './git-fault.ts';
import { type ForeignFilter, foreignFilters, keptSettings } from './kept-settings.ts';
import { findRepository, type Repository } from './repository.ts';
import { safePath } from './safe-path.ts';
import { makeStandIn } from './stand-in.ts';

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // Paths in it would be relative to the stand-in.
  'worktree.useRelativePaths=false',
];
const OPTIONS = SETTINGS.flatMap((setting) => ['-c', setting]);

export function ownGit(): OwnGit {
  return { start: startGit };
}

export interface StartOptions {
  environment?: NodeJS.ProcessEnv;
  /** Git takes locks, and may fetch what a partial clone left out. Else it only reads, and waits for nobody. */
  writes?: boolean;
  /** For this call, as if the repository had them. */
  settings?: readonly Setting[];
}

export function startGit(
  folder: string,
  { environment, writes = false, settings = [] }: StartOptions = {},
): GitStart {
  const given = environment ?? process.env;
  const repository = findRepository(folder);
  if (repository === undefined) {
    // Git must not find one that we do not see. Only `git init` has to do with a folder that has none.
    const env = { ...ownVariables(given, writes), ...(!writes && { GIT_DIR: '/dev/null' }) };
    return { command: 'git', env: withPath(env, [folder]), options: OPTIONS, end() {} };
  }
  refuseForeign(repository, given);
  const users = userSettings(repository, given);
  const kept = keptSettings(repository.settings.common, repository.settings.own, writes).filter(
    (setting) => !isFolding(setting) || foldsCase(repository.gitFolder),
  );
  const standIn = makeStandIn(repository, [...withFirstExcludes(repository, kept), ...settings], writes);
  const env = {
    ...ownVariables(given, writes),
    ...namedRepository(repository, standIn.folder),
    ...(users !== undefined && {
      GIT_CONFIG_GLOBAL: join(standIn.folder, 'user-config'),
      GIT_CONFIG_SYSTEM: '/dev/null',
    }),
  };
  if (users !== undefined) writeFileSync(join(standIn.folder, 'user-config'), writeConfig(users));
  return { command: 'git', env: withPath(env, topsOf(repository)), options: OPTIONS, end: standIn.remove };
}

/**
 * In a repository that Lockstep has made for itself, which these variables name: nobody's settings count there. `folder`:
 * the project that it is for, whose programs are not run.
 */
export function startGitIn(folder: string, named: Record<string, string>): GitStart {
  const env = {
    ...ownVariables(process.env, true),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    ...named,
  };
  const repository = findRepository(folder);
  return {
    command: 'git',
    env: withPath(env, repository === undefined ? [folder] : topsOf(repository)),
    options: OPTIONS,
    end() {},
  };
}

/** What git says, as bytes. Undefined status: it could not be started. `input`: its standard input, as Latin-1. */
export function runStarted(start: GitStart, folder: string, args: readonly string[], input?: string) {
  try {
    return spawnSync(start.command, [...start.options, ...args], {
      cwd: folder,
      env: start.env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(input !== undefined && { input: Buffer.from(input, 'latin1') }),
      maxBuffer: 2 ** 30,
    });
  } finally {
    start.end();
  }
}

/** Filters that are not run in this repository, since only its own configuration defines them. */
export function filtersNotRun(folder: string): ForeignFilter[] {
  const repository = findRepository(folder);
  if (repository === undefined) return [];
  const { common, own } = repository.settings;
  const theirs = [...common, ...own];
  if (!theirs.some(({ section }) => section === 'filter')) return [];
  return foreignFilters(theirs, userSettings(repository, process.env) ?? []);
}

/** By the folder that work trees share: which file said what is ignored when this process first looked. */
const excludesOf = new Map<string, Setting[]>();

/** An agent can name another file, which hides what it likes. */
function withFirstExcludes({ common }: Repository, settings: readonly Setting[]): Setting[] {
  const isExcludes = ({ section, key }: Setting) => section === 'core' && key === 'excludesfile';
  const first = excludesOf.get(common) ?? settings.filter(isExcludes);
  excludesOf.set(common, first);
  return [...settings.filter((each) => !isExcludes(each)), ...first];
}

function isFolding({ section, key }: Setting): boolean {
  return section === 'core' && key === 'ignorecase';
}

/** Whether the disk takes `A` and `a` for one name. Where it does not, `core.ignoreCase` would hide one file behind another. */
function foldsCase(gitFolder: string): boolean {
  const [one, other] = ['HEAD', 'head'].map((name) =>
    lstatSync(join(gitFolder, name), { throwIfNoEntry: false }),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function namedRepository({ gitFolder, top, isBare }: Repository, common: string): Record<string, string> {
  return {
    GIT_DIR: gitFolder,
    GIT_COMMON_DIR: common,
    ...(isBare ? { GIT_IMPLICIT_WORK_TREE: '0' } : { GIT_WORK_TREE: top }),
  };
}

/**
 * The work tree, the checkout that it is a worktree or a submodule of, and repositories around it: each may have a
 * `node_modules` that is on PATH.
 */
function topsOf({ top, common }: Repository): string[] {
  const around: string[] = [];
  for (let root = findGitRoot(dirname(top)); root; root = findGitRoot(dirname(root.top))) {
    around.push(root.top);
    if (root.top === dirname(root.top)) break;
  }
  const [checkout = common] = common.split(/\/\.git(?=\/|$)/);
  return [top, checkout, ...around];
}

function withPath(env: NodeJS.ProcessEnv, tops: string[]): Record<string, string> {
  const given = env as Record<string, string>;
  return env.PATH === undefined ? given : { ...given, PATH: safePath(env.PATH, tops) };
}

/** Of git's own variables those that configure it: the others point at some other repository, as in a hook. */
const CONFIGURE = /^GIT_(?:CONFIG_|EXEC_PATH$|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$)/;
/** Commits and objects: an agent can have git show others in their place. */
const AS_THEY_ARE = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' };
/** How the user reaches remotes, for what may have to. */
const REACH = /^GIT_(?:SSH|ASKPASS|SSL_|PROXY_SSL_|HTTP_|ALLOW_PROTOCOL$)/;

function ownVariables(given: NodeJS.ProcessEnv, writes: boolean): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(given))
    if (!name.startsWith('GIT_') || CONFIGURE.test(name) || (writes && REACH.test(name))) env[name] = value;
  return {
    ...env,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    ...(!writes && { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', ...AS_THEY_ARE }),
  };
}

// ── the user's own settings ──

const frozen = new Map<string, Setting[] | undefined>();

/**
 * The configuration of the system and of the user, with what it includes, as it was when it was first asked for.
 * Undefined where git is too old to say (before 2.26); then git reads it itself.
 */
function userSettings(repository: Repository, given: NodeJS.ProcessEnv): Setting[] | undefined {
  const which = Object.entries(given).filter(([name]) =>
    /^(?:HOME|XDG_CONFIG_HOME|GIT_CONFIG_.*)$/.test(name),
  );
  const key = JSON.stringify(which.sort(([one], [other]) => (one < other ? -1 : 1)));
  if (!frozen.has(key)) frozen.set(key, readUserSettings(repository, given));
  return frozen.get(key);
}

function readUserSettings(repository: Repository, given: NodeJS.ProcessEnv): Setting[] | undefined {
  const { common, own } = repository.settings;
  const standIn = makeStandIn(repository, keptSettings(common, own, false), false);
  const env = { ...ownVariables(given, false), ...namedRepository(repository, standIn.folder) };
  const args = ['config', '--list', '-z', '--show-scope'];
  const start = {
    command: 'git',
    options: [],
    env: withPath(env, topsOf(repository)),
    end: standIn.remove,
  };
  const { status, stdout, stderr, error } = runStarted(start, repository.top, args);
  if (status === 0) return readList(stdout.toString());
  const said = error?.message ?? stderr.toString().trim();
  if (said.includes('unknown option')) return undefined;
  throw gitFault(repository.top, args, said);
}

/** Records are `scope`, then `key` or `key<newline>value`. What is included is in the list, so the includes are not. */
function readList(text: string): Setting[] {
  const records = text.split('\0');
  const settings: Setting[] = [];
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [scope, record = ''] = [records[index], records[index + 1]];
    if (scope !== 'system' && scope !== 'global') continue;
    const end = record.indexOf('\n');
    const name = end < 0 ? record : record.slice(0, end);
    const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
    const section = name.slice(0, first);
    if (/^(?:include|includeif|hook|alias)$/.test(section)) continue;
    settings.push({
      section,
      ...(first !== last && { subsection: name.slice(first + 1, last) }),
      key: name.slice(last + 1),
      ...(end >= 0 && { value: record.slice(end + 1) }),
    });
  }
  return settings;
}

/** Files outside the repository that may say what is ignored in it, there or not. */
export function excludeFiles(folder: string): string[] {
  const repository = findRepository(folder);
  if (repository === undefined) return [];
  const { HOME: home = '', XDG_CONFIG_HOME: config } = process.env;
  const named = [repository.settings.common, userSettings(repository, process.env) ?? []].flatMap(
    (settings) => lastValue(settings, 'core', 'excludesfile') ?? [],
  );
  const usual = join(config || join(home, '.config'), 'git/ignore');
  return [...named.filter(Boolean).map((path) => path.replace(/^~(?=\/)/, home)), usual].map((path) =>
    resolve(repository.top, path),
  );
}

// ── repositories of other users ──

const trusted = new Set<string>();

/** Git asks for `safe.directory` where it finds a repository, not where it is given one: here it has to find it. */
function refuseForeign({ top, gitFolder }: Repository, given: NodeJS.ProcessEnv): void {
  const user = process.geteuid?.();
  const isOurs = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.uid === user;
  if (user === undefined || [top, gitFolder].every(isOurs) || trusted.has(gitFolder)) return;
  const args = ['rev-parse', '--git-dir'];
  const start = {
    command: 'git',
    options: OPTIONS,
    env: withPath(ownVariables(given, false), [top]),
    end() {},
  };
  const { status, stderr, error } = runStarted(start, top, args);
  if (status !== 0) throw gitFault(top, args, error?.message ?? stderr.toString().trim());
  trusted.add(gitFolder);
}
