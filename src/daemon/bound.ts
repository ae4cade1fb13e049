// bound: whether a session may be held to a workflow, as the hook program can tell by looking at a few files. The drive has the
// last word; what is not bound here is not even told.
// B1. The project's `.lockstep/local/guard.json`, from the client's folder up to the root of the repository (in a worktree that
//     Lockstep made, up to its project), or the record of the session.
// B2. A file that cannot be read binds: nobody gets out by breaking it.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { ClientName } from '../model/live-session.ts';

const GUARD_FILE = '.lockstep/local/guard.json';

export interface Binding {
  /** The file that binds, for the message that names the way out. */
  file: string;
  /** The folder of the guard.json. */
  project?: string;
  /** Lockstep is not there: events are let through. `switched-off`: a person disabled the guard of this project. */
  unanswered: 'block' | 'allow' | 'switched-off';
}

export function projectVariable(client: ClientName, environment: NodeJS.ProcessEnv): string | undefined {
  if (client === 'claude') return environment.CLAUDE_PROJECT_DIR;
  return client === 'gemini' ? environment.GEMINI_PROJECT_DIR : undefined;
}

/** The first of these folders that is below a guarded project. */
export function boundByProject(folders: readonly (string | undefined)[]): Binding | undefined {
  for (const folder of folders) {
    if (folder === undefined || !isAbsolute(folder)) continue;
    const project = guardedAbove(folder);
    if (project === undefined) continue;
    const file = join(project, GUARD_FILE);
    return { file, project, unanswered: unansweredIn(file) };
  }
  return undefined;
}

export function boundBySession(home: string, client: ClientName, session: unknown): Binding | undefined {
  if (typeof session !== 'string' || !/^[\w.-]{1,200}$/.test(session)) return undefined;
  const file = join(home, 'sessions', client, `${session}.json`);
  return existsSync(file) && !isOver(file) ? { file, unanswered: unansweredIn(file) } : undefined;
}

/** A session that has ended is held again by its project, where that still holds sessions. */
function isOver(record: string): boolean {
  try {
    const { status } = JSON.parse(readFileSync(record, 'utf8')) as { status?: unknown };
    return status === 'ended' || status === 'expired';
  } catch {
    return false; // B2
  }
}

function guardedAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, GUARD_FILE))) return folder;
    if (folder === dirname(folder) || isRoot(folder)) return undefined;
  }
}

function isRoot(folder: string): boolean {
  const git = statSync(join(folder, '.git'), { throwIfNoEntry: false });
  if (git === undefined) return false;
  return git.isDirectory() || basename(dirname(folder)) !== '.worktrees';
}

function unansweredIn(file: string): Binding['unanswered'] {
  try {
    const { disabled, engine_down: engineDown } = JSON.parse(readFileSync(file, 'utf8')) as {
      disabled?: unknown;
      engine_down?: unknown;
    };
    if (typeof disabled === 'object' && disabled !== null) return 'switched-off';
    return engineDown === 'allow' ? 'allow' : 'block';
  } catch {
    return 'block'; // B2
  }
}
