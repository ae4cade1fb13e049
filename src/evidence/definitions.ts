// definitions: what decides which tests run, and against what: files and settings of each runner. A change there can make
// any test pass, and no look at the tests themselves would show it. So it is told, and somebody has to agree.

import { changedLines, shownLines } from './changed-lines.ts';
import { commandLines, manifestChanges } from './manifest.ts';
import { sectionsOf } from './sections.ts';
import { isTestFile } from './test-files.ts';

/** A commit, as far as it is asked about. Paths are from the workspace. */
export interface Tree {
  text(path: string): string | undefined;
}

export interface DefinitionChange {
  file: string;
  /** Within the file; absent: all of it. */
  setting?: string;
  /** Old and new, as it is told. */
  text: string;
}

/** `changed`: paths that differ between the two. */
export function definitionChanges(
  base: Tree,
  now: Tree,
  changed: readonly string[],
  command: string,
): DefinitionChange[] {
  const told = changed
    .filter((path) => mayDefine(path, command) && isReached(path, [base, now], command))
    .flatMap((path) => changesOf(path, base.text(path), now.text(path), command));
  const files = new Set(told.map(({ file }) => file));
  const named = namedFiles(base, now, changed, command).filter(
    (path) => !files.has(path) && !isTestFile(path),
  );
  return [...told, ...named.flatMap((path) => whole(path, base.text(path), now.text(path)))];
}

/** These define tests as a whole: nothing else is said in them. */
const WHOLE = [
  /(?:^|\/)(?:vitest|vite|jest|babel|ava|playwright|cypress|karma|wdio)\.(?:config|conf|workspace|setup)(?:\.[\w-]+)*\.[cm]?(?:[jt]s|json)$/,
  /(?:^|\/)(?:\.babelrc(?:\.\w+)?|\.mocharc\.\w+|\.taprc|bunfig\.toml|\.pnpmfile\.cjs|\.yarnrc(?:\.yml)?|\.pnp\.\w+)$/,
  /(?:^|\/)(?:nx|turbo|lerna)\.json$/,
  /(?:^|\/)(?:\.?pytest\.(?:ini|toml)|noxfile\.py|\.nycrc(?:\.json)?)$/,
  /(?:^|\/)(?:build\.rs|\.cargo\/config(?:\.toml)?|go\.work|\.config\/nextest\.toml)$/,
  /(?:^|\/)pnpm-workspace\.yaml$/,
  /(?:^|\/)__mocks__\//,
  /^(?:\.yarn|node_modules)\//,
];
const MAKE = /^(?:GNUmakefile|makefile|Makefile|.*\.mk)$/;
/** With one of these beside it, Python takes it instead of its own. */
const SHADOWS =
  /^(?:pytest|_pytest|unittest|pluggy|ast|re|sys|os|io|abc|json|types|typing|inspect|importlib|traceback|contextlib|functools|collections|dataclasses|warnings|logging|copy|enum|pathlib|argparse|tokenize|linecache|site|usercustomize|doctest|nose|tox|nox|coverage|hypothesis)(?:\.py$|\/__init__\.py$)/;

/** The manifest of a folder counts where packages run together, or the command names the folder. */
function isReached(path: string, trees: readonly Tree[], command: string): boolean {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  if (!path.endsWith('package.json') || folder === '') return true;
  return trees.some((tree) => {
    const root = tree.text('package.json');
    if (root === undefined || tree.text('pnpm-workspace.yaml') !== undefined) return true;
    const lines = [command, ...commandLines(root, command)].join('\n');
    return (
      /"workspaces"/.test(root) ||
      /--workspaces?\b|-w\b|\b(?:lerna|nx|turbo)\b/.test(lines) ||
      lines.includes(folder)
    );
  });
}

/** By its name alone: most files need not be read. */
function mayDefine(path: string, command: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    isWhole(path) ||
    name === 'package.json' ||
    name === 'conftest.py' ||
    sectionsOf(name, command) !== undefined ||
    MAKE.test(path)
  );
}

function isWhole(path: string): boolean {
  return (
    path.split('/').includes('node_modules') ||
    WHOLE.some((pattern) => pattern.test(path)) ||
    SHADOWS.test(path)
  );
}

function changesOf(
  path: string,
  old: string | undefined,
  now: string | undefined,
  command: string,
): DefinitionChange[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isWhole(path)) return whole(path, old, now);
  if (name === 'package.json')
    return manifestChanges(old ?? '{}', now ?? '{}', command)
      .filter(() => old !== undefined || !path.includes('/'))
      .map(({ setting, old: was, now: is }) => ({
        file: path,
        setting,
        text: `  - ${was ?? '(not there)'}\n  + ${is ?? '(not there)'}`,
      }));
  if (name === 'conftest.py') return parts(path, hooksOf(old), hooksOf(now));
  const sections = sectionsOf(name, command);
  if (sections) return parts(path, sections(old ?? ''), sections(now ?? ''));
  if (MAKE.test(path) && /\bmake\b/.test(command)) return whole(path, old, now);
  return [];
}

function whole(file: string, old: string | undefined, now: string | undefined): DefinitionChange[] {
  const lines = changedLines(old ?? '', now ?? '');
  if (old !== undefined && now !== undefined && lines.old.length + lines.now.length === 0) return [];
  const what = old === undefined ? '  (new)\n' : now === undefined ? '  (gone)\n' : '';
  return [{ file, text: `${what}${shownLines(lines)}` }];
}

function parts(file: string, old: string, now: string): DefinitionChange[] {
  const lines = changedLines(old, now);
  return lines.old.length + lines.now.length === 0 ? [] : [{ file, text: shownLines(lines) }];
}

/** Of a conftest.py: what changes which tests run and how. Its fixtures are tests like others. */
function hooksOf(text: string | undefined): string {
  if (text === undefined) return '';
  const signs =
    /^(?:async\s+)?def pytest_|\bcollect_ignore|\bpytest_plugins\b|\bsys\.(?:modules|path|exit|settrace)|\bos\._exit|\bautouse\s*=\s*True|\bhookimpl\b|\b__import__\b|\bbuiltins\b|\bsetattr\(/;
  const lines = text.split('\n');
  const kept: string[] = [];
  let inHook = false;
  for (const line of lines) {
    if (/^\S/.test(line)) inHook = false;
    if (signs.test(line)) {
      kept.push(line);
      inHook = /^(?:async\s+)?def pytest_/.test(line);
    } else if (inHook) kept.push(line);
  }
  return kept.join('\n');
}

/** Files that the command, its scripts, or the settings of a runner name: what they say is how the tests are run. */
function namedFiles(base: Tree, now: Tree, changed: readonly string[], command: string): string[] {
  const lines = [command];
  const settings: string[] = [];
  for (const tree of [base, now]) {
    const manifest = tree.text('package.json');
    if (manifest !== undefined) lines.push(...commandLines(manifest, command));
    for (const file of SETTING_FILES) settings.push(tree.text(file) ?? '');
  }
  const commands = lines.flatMap((line) => line.split(/&&|[;|&\n]/));
  const words = new Set(
    [...commands.filter((each) => !LOOKS_AT_FILES.test(each)), ...settings]
      .flatMap((text) => text.split(/[\s'"`;&|()<>=,[\]{}]+/))
      .map((word) => word.replace(/^(?:\.\/|<rootDir>\/)+/, '')),
  );
  return changed.filter(
    (path) => words.has(path) || (path.includes('.') && words.has(path.replace(/\.[cm]?[jt]s$/, ''))),
  );
}

/** `test -e report.html`: the file is what is tested, not what tests. */
const LOOKS_AT_FILES = /^\s*(?:!\s*)?(?:test|\[\[?)\s/;

/** Where a runner is told which further files to load. */
const SETTING_FILES = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json'].flatMap((ending) => [
  ...[`vitest.config.${ending}`, `vite.config.${ending}`, `jest.config.${ending}`, `.mocharc.${ending}`],
]);

/** Looked for in the folders above a room, and in HOME: they count there without being in any commit. */
export const ABOVE_ROOMS = [
  ...[
    'package.json',
    '.npmrc',
    'node_modules',
    'pytest.ini',
    '.pytest.ini',
    'pytest.toml',
    'tox.ini',
    'setup.cfg',
  ],
  ...[
    'pyproject.toml',
    'conftest.py',
    '.cargo/config',
    '.cargo/config.toml',
    'Cargo.toml',
    'go.work',
    'go.mod',
  ],
  ...[
    '.babelrc',
    'babel.config.js',
    'babel.config.json',
    '.mocharc.json',
    '.mocharc.yml',
    '.yarnrc.yml',
    '.pnp.cjs',
  ],
];
export const IN_HOME = [
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.config/pnpm/rc',
    '.config/go/env',
    '.cargo/config',
    '.cargo/config.toml',
  ],
  ...['.config/pip/pip.conf', '.pydistutils.cfg', '.mocharc.json', '.mocharc.yml', '.bunfig.toml'],
];
