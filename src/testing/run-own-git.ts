// run-own-git: one question to git, to its end.

import { execFileSync } from 'node:child_process';
import type { GitStart } from '../ports/git.ts';

/** What it prints. Throws where it fails. */
export function runOwnGit({ command, options, env, end }: GitStart, cwd: string, args: string[]): string {
  try {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    return execFileSync(command, [...options, ...args], {
      ...{ cwd, env, stdio },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  } finally {
    end();
  }
}
