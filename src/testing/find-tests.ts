// find-tests: which files hold tests of workflows.

import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { Library } from '../ports/library.ts';
import type { TestFile } from './testing.ts';

const TEST = /\.test\.(?:ya?ml|json)$/;
/** A file of that name may belong to another tool. */
const MARK = /^\s*(?:lockstep_test\s*:|\{?\s*"lockstep_test"\s*:)/m;

/**
 * Named: files, folders, or workflows whose tests lie beside them. None named: all in the project.
 * Fault `tests-not-found` names what was asked for and is not there.
 */
export function findTests(
  library: Library,
  { names, cwd, project }: { names: readonly string[]; cwd: string; project: string },
): TestFile[] {
  const files = names.length === 0 ? testsBelow(project) : names.flatMap((name) => named(library, name, cwd));
  return [...new Set(files)].map((file) => ({
    id: file,
    path: shown(cwd, file),
    text: readFileSync(file, 'utf8'),
  }));
}

function named(library: Library, name: string, cwd: string): string[] {
  const path = resolve(cwd, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return TEST.test(path) ? [path] : (besideFile(path) ?? [path]);
  if (stats?.isDirectory()) return found(testsBelow(path), `the folder ${name}`);
  const workflow = library.load({ by: 'name', kind: 'workflow', name });
  if ('missing' in workflow)
    throw new Fault(
      'tests-not-found',
      `"${name}" is neither a file, nor a folder, nor the name of a workflow`,
      {
        hint: 'Name a file (ship.test.yaml), a folder, or a workflow that has its tests beside it.',
        exitCode: 2,
      },
    );
  return found(besideFile(workflow.id) ?? [], `the workflow "${name}" (${workflow.path})`);
}

/** `ship.yaml` → `ship.test.yaml`. */
function besideFile(file: string): string[] | undefined {
  const stem = file.replace(/\.(?:ya?ml|json)$/, '');
  const there = ['.yaml', '.yml', '.json']
    .map((extension) => `${stem}.test${extension}`)
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return there.length > 0 ? there : undefined;
}

function found(files: string[], where: string): string[] {
  if (files.length > 0) return files;
  throw new Fault('tests-not-found', `there are no tests of ${where}`, {
    hint: 'A test is a file such as ship.test.yaml, beside the workflow; see docs/testing.md.',
    exitCode: 2,
  });
}

const NOT_OURS = new Set(['node_modules', '.git', '.worktrees']);

/** In the order of their paths. */
function testsBelow(top: string): string[] {
  const files: string[] = [];
  const visit = (folder: string) => {
    for (const entry of listed(folder)) {
      const path = join(folder, entry.name);
      const isHidden = entry.name.startsWith('.') && entry.name !== '.lockstep' && entry.name !== '.wrangler';
      const isRuns = entry.name === 'runs' && dirname(path).endsWith('.lockstep');
      if (NOT_OURS.has(entry.name) || isHidden || isRuns) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && TEST.test(entry.name) && MARK.test(readFileSync(path, 'utf8')))
        files.push(path);
    }
  };
  visit(top);
  return files;
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // not ours to read
  }
}

function shown(cwd: string, file: string): string {
  const way = relative(cwd, file);
  return way.startsWith('..') ? file : way;
}
