// repository-files: the few files of a repository that decide what git shows of the work tree, and what it runs later.
// With them a change can be hidden from every comparison, so they are compared as well. Only what nobody but a person or
// a program of theirs writes: not the index, the references or the objects, which git itself keeps in order.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commonFolder, findGitRoot } from '../git-root.ts';
import { type Contents, contents, type HashAlgorithm } from './content-hash.ts';

const deciding = ['config', 'info/exclude', 'info/attributes'];

/** What each holds, by a name like `.git/config` in Latin-1, wherever the repository really lies. */
export async function repositoryFiles(
  root: string,
  algorithm: HashAlgorithm,
  from: Contents = contents,
): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  const gitFolder = findGitRoot(root)?.gitFolder;
  if (gitFolder === undefined) return held;
  const add = async (folder: string, path: string, name = path) => {
    const hash = await from.hash(folder, path, { algorithm, nested: async () => '' });
    if (hash !== '') held.set(`.git/${name}`, hash);
  };
  const addRepository = async (folder: string, name: string) => {
    for (const path of [...deciding, ...hooksOf(folder)]) await add(folder, path, `${name}${path}`);
  };
  // Work trees of one repository share all of this but what `git config --worktree` sets.
  const common = commonFolder(gitFolder);
  await addRepository(common, '');
  await add(gitFolder, 'config.worktree');
  for (const module of modulesOf(common, 'modules/'))
    await addRepository(join(common, module), latin(module));
  return held;
}

function hooksOf(folder: string): string[] {
  return entries(join(folder, 'hooks')).map(({ name }) => latin(`hooks/${name}`));
}

/** Repositories of submodules, each with a slash behind it. A name may have slashes of its own, and modules inside. */
function modulesOf(common: string, below: string): string[] {
  const found: string[] = [];
  for (const entry of entries(join(common, below))) {
    if (!entry.isDirectory()) continue;
    const module = `${below}${entry.name}/`;
    const isRepository = entries(join(common, module)).some(({ name }) => name === 'HEAD');
    if (isRepository) found.push(module, ...modulesOf(common, `${module}modules/`));
    else found.push(...modulesOf(common, module));
  }
  return found;
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function latin(text: string): string {
  return Buffer.from(text).toString('latin1');
}
