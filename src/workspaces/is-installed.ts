// is-installed: whether a command can be started, without starting it.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a command was last found, by the path that was searched. It is looked at again, but nowhere else first. */
const lastFound = new Map<string, string>();

export function isInstalled(command: string): boolean {
  const path = process.env.PATH ?? '';
  const key = `${command}${delimiter}${path}`;
  const before = lastFound.get(key);
  if (before !== undefined && isExecutable(before)) return true;
  const found = path
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find(isExecutable);
  if (found !== undefined) lastFound.set(key, found);
  return found !== undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
