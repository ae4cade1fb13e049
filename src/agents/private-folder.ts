// private-folder: files for a client that nobody else on this machine may read: what does not belong into argv, where
// everybody can see it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateFolder {
  readonly path: string;
  /** The path of the file. */
  write(name: string, content: string): string;
  /** Safe to call twice. */
  remove(): void;
}

export function privateFolder(): PrivateFolder {
  const path = mkdtempSync(join(tmpdir(), 'lockstep-'));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, content, { mode: 0o600 });
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
