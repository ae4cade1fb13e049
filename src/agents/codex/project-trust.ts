// project-trust: whether codex loads what the project brings (.codex/config.toml, AGENTS.md) for this one start.
// Started with a sandbox that may write, in a project about which its user has said nothing, codex takes it for trusted
// and writes that into the user's own config.toml. So the word is given here, for one start: nothing is written.

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export type ProjectTrust = 'trusted' | 'untrusted';

export interface TrustQuestion {
  cwd: string;
  env: Readonly<Record<string, string>>;
  settingSources: string[] | undefined;
  /** In a read-only sandbox codex asks nobody and writes nothing. */
  mayWrite: boolean;
}

/** Undefined: as the user has said, or, read-only, has not. */
export function projectTrust({
  cwd,
  env,
  settingSources,
  mayWrite,
}: TrustQuestion): ProjectTrust | undefined {
  if (settingSources !== undefined) return settingSources.includes('project') ? 'trusted' : 'untrusted';
  return mayWrite && !isDecided(cwd, env) ? 'trusted' : undefined;
}

function isDecided(cwd: string, env: Readonly<Record<string, string>>): boolean {
  const home = env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex');
  const text = readIfThere(join(home, 'config.toml'));
  return [cwd, ...repositoryOf(cwd)].some((path) => text.includes(`"${path}"`) || text.includes(`'${path}'`));
}

/** Its top folder and, in a worktree, that of the repository it belongs to: codex asks for each. */
function repositoryOf(cwd: string): string[] {
  let folder = cwd;
  while (!existsSync(join(folder, '.git'))) {
    if (folder === dirname(folder)) return [];
    folder = dirname(folder);
  }
  const git = join(folder, '.git');
  if (lstatSync(git).isDirectory()) return [folder];
  const [, main] = /^gitdir: (.+)\/\.git\/worktrees\//m.exec(readIfThere(git)) ?? [];
  return main === undefined ? [folder] : [folder, main];
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
