// scratch-project: the folder a case is played in: its own, with its files, a git repository unless it says otherwise,
// and nothing of whoever runs the test: no git settings, no hooks, no identity.

import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { TestCase } from '../model/workflow-test.ts';
import type { OwnGit } from '../ports/git.ts';
import { runOwnGit } from './run-own-git.ts';
import type { TestMeans } from './test-means.ts';

export interface ScratchProject {
  /** Kept where a case fails, with the journal in it. */
  readonly base: string;
  readonly root: string;
  /** The commit it begins with; absent outside git. */
  readonly commit?: string;
  readonly environment: Record<string, string>;
  /** Goes on beside what comes next. */
  remove(): Promise<void>;
}

/** Whatever is Lockstep's own belongs to the process that runs the tests, not to what is tested. */
const OURS = /^(?:LOCKSTEP|ORCHESTRATE)_/;

/** What every case has, so that a commit has an author and nobody's settings decide how a test ends. */
const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Lockstep test',
  GIT_AUTHOR_EMAIL: 'test@lockstep.invalid',
  GIT_COMMITTER_NAME: 'Lockstep test',
  GIT_COMMITTER_EMAIL: 'test@lockstep.invalid',
};

/** `beside`: the folder of the test file. */
export function scratchProject(
  given: Pick<TestCase, 'files' | 'fixture' | 'git' | 'env'>,
  beside: string,
  { environment, git }: Pick<TestMeans, 'environment' | 'git'>,
): ScratchProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-case-')));
  const root = join(base, 'project');
  const env = caseEnvironment(given.env, environment);
  const remove = () => rm(base, { recursive: true, force: true });
  try {
    mkdirSync(root);
    if (given.fixture !== undefined) copyFixture(resolve(beside, given.fixture), root, given.fixture);
    for (const [path, text] of Object.entries(given.files)) {
      const file = inside(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    if (!given.git) return { base, root, environment: env, remove };
    return { base, root, commit: firstCommit(root, env, git), environment: env, remove };
  } catch (error) {
    void remove();
    throw error;
  }
}

/** The same again, for another play of the same case. */
export function copyOf(project: ScratchProject): ScratchProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-case-')));
  const root = join(base, 'project');
  cpSync(project.root, root, { recursive: true, preserveTimestamps: true });
  return { ...project, base, root, remove: () => rm(base, { recursive: true, force: true }) };
}

function caseEnvironment(
  own: Record<string, string>,
  environment: Record<string, string>,
): Record<string, string> {
  const inherited = Object.entries(environment).filter(
    ([name]) => !OURS.test(name) && !name.startsWith('GIT_'),
  );
  return { ...Object.fromEntries(inherited), ...GIT, ...own };
}

function copyFixture(folder: string, root: string, shown: string): void {
  try {
    cpSync(folder, root, { recursive: true });
  } catch (cause) {
    throw new Fault(
      'test-fixture',
      `the fixture \`${shown}\` cannot be copied: ${(cause as Error).message}`,
      {
        hint: 'It is a folder, relative to the test file.',
        cause,
        exitCode: 2,
      },
    );
  }
}

function inside(root: string, path: string): string {
  const file = resolve(root, path);
  const way = relative(root, file);
  if (way !== '' && !way.startsWith('..') && !isAbsolute(way) && !isAbsolute(path)) return file;
  throw new Fault('test-fixture', `the file \`${path}\` of a test lies outside of its project`, {
    hint: 'Paths are relative to the scratch project.',
    exitCode: 2,
  });
}

/** Nothing here outlives the test: no disk is waited for, nothing is tidied up beside it. */
const SETTINGS = '[core]\n\tfsync = none\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n';

function firstCommit(root: string, environment: Record<string, string>, ownGit: OwnGit): string {
  const git = (...args: string[]) =>
    runOwnGit(ownGit.start(root, { environment, writes: true }), root, args).trim();
  git('init', '-q', '-b', 'main', '--template=');
  appendFileSync(join(root, '.git', 'config'), SETTINGS);
  git('add', '-A');
  git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'start');
  return git('rev-parse', 'HEAD');
}
