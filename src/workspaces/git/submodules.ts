// submodules: a new worktree has none of them checked out. Those that the checkout it starts from has are made there as
// well, from the copies that the repository keeps: no network, and the address they came from stays theirs.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askGit, changeWithGit, runGit } from './run-git.ts';

/** What could not be had, one sentence each. */
export async function prepareSubmodules(from: string, worktree: string): Promise<string[]> {
  if (!existsSync(join(worktree, '.gitmodules'))) return [];
  const warnings: string[] = [];
  for (const { name, path } of modulesOf(worktree)) {
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

async function makeModule(from: string, worktree: string, { name, path }: Module): Promise<void> {
  const kept = resolve(
    join(from, path),
    text(runGit(join(from, path), ['rev-parse', '--absolute-git-dir'])).trim(),
  );
  const address = askGit(join(from, path), ['config', '--get', 'remote.origin.url'])?.trim();
  const here = ['-c', 'protocol.file.allow=always', '-c', `submodule.${name}.url=${kept}`];
  await changeWithGit(worktree, [...here, 'submodule', '--quiet', 'update', '--init', '--', path]);
  if (address !== undefined && address !== '')
    await changeWithGit(join(worktree, path), ['remote', 'set-url', 'origin', text(address)]);
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
