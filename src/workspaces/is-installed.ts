// is-installed: whether a command can be started, without starting it.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
