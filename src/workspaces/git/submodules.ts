// submodules: a new worktree has none of them checked out. Those that the checkout it starts from has are made there as
// well, from the copies that the repository keeps: no network, and the address they came from stays theirs.
// Names, paths and addresses come out of a file of the repository. None of them becomes part of an option of git: a name
// with `=` in `-c submodule.NAME.url=…` would be another setting, and git believes what `-c` says. They are written, quoted,
// into the settings that this one call of git reads.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Setting } from './config-text.ts';
import { keptSettings } from './kept-settings.ts';
import { findRepository } from './repository.ts';
import { askGit, changeWithGit } from './run-git.ts';
import { makeStandIn } from './stand-in.ts';

/** What could not be had, one sentence each. */
export async function prepareSubmodules(from: string, worktree: string): Promise<string[]> {
  if (!existsSync(join(worktree, '.gitmodules'))) return [];
  const warnings: string[] = [];
  const modules = modulesOf(worktree);
  for (const { name, path } of modules) {
    const problem = problemWith({ name, path }, modules);
    if (problem !== undefined) {
      warnings.push(`the submodule ${JSON.stringify(path)} is not in the worktree: ${problem}`);
      continue;
    }
    if (existsSync(join(worktree, path, '.git')) || !existsSync(join(from, path, '.git'))) continue;
    try {
      await makeModule(from, worktree, { name, path });
    } catch {
      warnings.push(
        `the submodule ${path} is not in the worktree. Run "git submodule update --init" there if it is needed`,
      );
    }
  }
  return warnings;
}

/** What no honest submodule has. Of two records for one path git might use the other one. */
function problemWith({ name, path }: Module, modules: readonly Module[]): string | undefined {
  if (/[=\p{Cc}]/u.test(name) || name === '')
    return `its name in .gitmodules, ${JSON.stringify(name)}, is refused`;
  if (/\p{Cc}|^[:/-]/u.test(path) || path.split('/').some((part) => part === '' || part === '..'))
    return 'its path in .gitmodules is refused';
  return modules.filter((each) => each.path === path).length > 1 ||
    modules.filter((each) => each.name === name).length > 1
    ? 'it has two records in .gitmodules'
    : undefined;
}

/** From a stand-in of the copy that the repository keeps: git serves it, and must not read the settings of that copy. */
async function makeModule(from: string, worktree: string, { name, path }: Module): Promise<void> {
  const kept = findRepository(join(from, path));
  if (kept === undefined) throw new Error(`${path} is not checked out`);
  const extensions = keptSettings(kept.settings.common, [], false).filter(
    ({ section, key }) => section === 'extensions' || key === 'repositoryformatversion',
  );
  const standIn = makeStandIn(kept, extensions, false);
  try {
    const setting = { section: 'submodule', subsection: name };
    const settings = [
      { ...setting, key: 'url', value: pathToFileURL(standIn.folder).href },
      { ...setting, key: 'active', value: 'true' },
      { ...setting, key: 'update', value: 'checkout' },
    ];
    const update = ['submodule', '--quiet', 'update', '--init', '--checkout', '--', path];
    const here = ['--literal-pathspecs', '-c', 'protocol.file.allow=always'];
    await changeWithGit(worktree, [...here, ...update], settings);
  } finally {
    standIn.remove();
  }
  const made = findRepository(join(worktree, path));
  const origin = kept.settings.common.findLast(isOrigin)?.value;
  if (made !== undefined && origin !== undefined && origin !== '')
    await changeWithGit(worktree, [
      'config',
      '--file',
      join(made.common, 'config'),
      'remote.origin.url',
      origin,
    ]);
}

function isOrigin({ section, subsection, key }: Setting): boolean {
  return section === 'remote' && subsection === 'origin' && key === 'url';
}

interface Module {
  name: string;
  path: string;
}

function modulesOf(worktree: string): Module[] {
  const listed = askGit(worktree, [
    'config',
    '--file',
    '.gitmodules',
    '-z',
    '--get-regexp',
    '^submodule\\..*\\.path$',
  ]);
  return (listed ?? '')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const [key = '', path = ''] = text(record).split('\n');
      return { name: key.replace(/^submodule\./, '').replace(/\.path$/, ''), path };
    });
}

function text(latin: string): string {
  return Buffer.from(latin, 'latin1').toString();
}
