// fast-folder: where tests keep their files. A run flushes every entry of its journal, and a disk takes milliseconds for
// each; in memory it takes none. What the flushes are for (a power cut) no test can bring about anyway.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;

/** The system's own where memory is scarce, or where programs may not lie in it. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < 2 * GIGABYTE || totalmem() < 4 * GIGABYTE) return tmpdir();
    return canHoldPrograms(MEMORY) ? MEMORY : tmpdir();
  } catch {
    return tmpdir(); // there is none
  }
}

function canHoldPrograms(folder: string): boolean {
  const inside = mkdtempSync(join(folder, 'lockstep-try-'));
  try {
    writeFileSync(join(inside, 'program'), '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(join(inside, 'program'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(inside, { recursive: true, force: true });
  }
}
