// settings-files: where each client keeps settings, the user's own and those of a project.
// Hooks go into the user's own by default: no `git checkout` or `git stash` of a project takes them away, no teammate gets paths
// of this machine, and a session in any project or worktree is seen. Where nothing binds it, that costs the look of hook-line.ts.

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClientName } from '../model/live-session.ts';

export type Scope = 'user' | 'project';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the user's settings of a client. */
export function clientHome(client: ClientName, environment: Environment): string {
  const home = environment.HOME || homedir();
  switch (client) {
    case 'claude':
      return environment.CLAUDE_CONFIG_DIR || join(home, '.claude');
    case 'codex':
      return environment.CODEX_HOME || join(home, '.codex');
    case 'gemini':
      return join(environment.GEMINI_CLI_HOME || home, '.gemini');
  }
}

/** The file that hooks are written into. */
export function hooksFile(
  client: ClientName,
  scope: Scope,
  project: string,
  environment: Environment,
): string {
  const isUsers = scope === 'user';
  switch (client) {
    case 'claude':
      // The one of a project that Claude Code keeps out of git.
      return isUsers
        ? join(clientHome(client, environment), 'settings.json')
        : join(project, '.claude/settings.local.json');
    case 'codex':
      return join(isUsers ? clientHome(client, environment) : join(project, '.codex'), 'hooks.json');
    case 'gemini':
      return join(isUsers ? clientHome(client, environment) : join(project, '.gemini'), 'settings.json');
  }
}

/** Every file that may hold our hooks, or switch hooks off. */
export function settingsFiles(client: ClientName, project: string, environment: Environment): string[] {
  const files = [
    hooksFile(client, 'user', project, environment),
    hooksFile(client, 'project', project, environment),
  ];
  return client === 'claude' ? [...files, join(project, '.claude/settings.json')] : files;
}
