// prepared-room: a room with its dependencies, for the length of one piece of work.

import { createHash } from 'node:crypto';
import { installInput, installOf } from '../../evidence/install.ts';
import type { TestEvidence } from '../../model/evidence.ts';
import type { Commits, Room } from '../../ports/rooms.ts';
import type { LookMeans } from './look-at-tests.ts';
import { runIn } from './suite.ts';

type Where = TestEvidence['where'];

/** What the work gave, or why the room could not be made ready. */
export async function inRoom<T extends object>(
  commits: Commits,
  means: LookMeans,
  commit: string,
  where: Where,
  work: (room: Room) => Promise<T>,
): Promise<T | { problem: string }> {
  const room = await commits.open(commit, where === 'furnished room');
  try {
    const problem = where === 'furnished room' ? undefined : await installed(commits, means, commit, room);
    return problem === undefined ? await work(room) : { problem };
  } finally {
    room.leave();
  }
}

async function installed(
  commits: Commits,
  means: LookMeans,
  commit: string,
  room: Room,
): Promise<string | undefined> {
  const run = async (argv: string[], shown: string) => {
    const { exitCode, output } = await runIn(room.root, argv, means);
    if (exitCode === 0) return undefined;
    return `\`${shown}\` ended with exit code ${exitCode}:\n${output.trim().split('\n').slice(-8).join('\n')}`;
  };
  if (means.install !== '') return await run(['/bin/sh', '-c', means.install], means.install);
  const install = installOf(commits.files(commit), (path) => room.read(path));
  if (install === undefined) return undefined;
  const input = installInput(install, (path) => room.read(path));
  const key = sha([process.version, process.platform, process.arch, input]);
  if (await room.furnish(key)) return undefined;
  const failed = await run(install.argv, install.argv.join(' '));
  if (failed === undefined) await room.keepInstalled(key);
  return failed;
}

export function sha(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
