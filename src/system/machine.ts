// machine: this computer, looked at through Node.

import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Machine } from '../ports/machine.ts';

export function thisMachine(): Machine {
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    home: homedir(),
    exists: existsSync,
    freeSpace,
    whyUnwritable,
  };
}

function freeSpace(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearest(folder));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Rights, quotas and read-only disks all have a say: making something is the only way to know. */
function whyUnwritable(folder: string): string | undefined {
  const there = nearest(folder);
  if (!statSync(there).isDirectory()) return `${there} is not a folder`;
  try {
    rmdirSync(mkdtempSync(join(there, '.lockstep-doctor-')));
    return undefined;
  } catch (error) {
    return WHY[(error as NodeJS.ErrnoException).code ?? '']?.(there) ?? (error as Error).message;
  }
}

const WHY: Record<string, (folder: string) => string> = {
  EACCES: (folder) => `you may not write in ${folder}`,
  EPERM: (folder) => `you may not write in ${folder}`,
  EROFS: (folder) => `${folder} is on a disk that can only be read`,
  ENOSPC: (folder) => `there is no space left on the disk of ${folder}`,
  EDQUOT: (folder) => `your share of the disk of ${folder} is used up`,
  ENOENT: (folder) => `nothing can be made in ${folder}`,
};

/** The folder itself, or the first one above it that is there. */
function nearest(folder: string): string {
  let there = resolve(folder);
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  return there;
}
