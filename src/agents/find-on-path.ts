// find-on-path: where a command is, as the shell of this environment would find it.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

export function findOnPath(
  command: string,
  environment: Readonly<Record<string, string>>,
  cwd: string,
): string | undefined {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = resolve(cwd, folder, command);
    if (isExecutable(path)) return path;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
