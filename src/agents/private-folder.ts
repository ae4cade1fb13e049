// private-folder: files for a client that nobody else on this machine may read: what does not belong into argv, where
// everybody can see it.
//
// Z1. What a process that was killed has left is removed by a later one: the name says whose it was. At once where that
//     process is known to be gone, else after a day.

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateFolder {
  readonly path: string;
  /** The path of the file. */
  write(name: string, content: string): string;
  /** Safe to call twice. */
  remove(): void;
}

const PREFIX = 'lockstep-client-';
/** Younger ones stay: a process that is not to be seen from here may live in another container. */
const OLD_MS = 24 * 3600 * 1000;
const swept = new Set<string>();

export function privateFolder(base = tmpdir()): PrivateFolder {
  if (!swept.has(base)) sweep(base);
  const path = mkdtempSync(join(base, `${PREFIX}${process.pid}-`)); // mode 700
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

/** Of a process of this machine that is known to have been killed. */
export function removeFoldersOf(killed: number, base = tmpdir()): void {
  remove(base, (pid) => pid === killed);
}

function sweep(base: string): void {
  swept.add(base);
  const before = Date.now() - OLD_MS;
  remove(base, (_, changed) => changed < before);
}

function remove(base: string, isLeft: (pid: number, changed: number) => boolean): void {
  for (const name of readdirSync(base)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || lives(pid)) continue;
    try {
      const path = join(base, name);
      const { uid, mtimeMs } = statSync(path);
      if (uid === process.getuid?.() && isLeft(pid, mtimeMs)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Somebody else has removed it.
    }
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
