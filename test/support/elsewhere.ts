// elsewhere: a command as a person types it in a terminal of their own: below no process of the test, which is often the
// client that a server leads.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from '../scratch.ts';

/** Its exit code. */
export function elsewhere(project: Pick<Scratch, 'root' | 'sh'>, command: string): number {
  const file = join(project.root, 'exit-code');
  project.sh(`setsid sh -c '(sleep 0.3; ${command}; echo $? > exit-code) &'`);
  const code = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return code;
}
