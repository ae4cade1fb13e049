// old-tests: base's tests, as base runs them, on today's code.

import { withDefinitionsOf } from '../../evidence/manifest.ts';
import { withTestsOf } from '../../evidence/rust-tests.ts';
import { isTestFile } from '../../evidence/test-files.ts';
import type { Commits, Room } from '../../ports/rooms.ts';
import type { BaseFacts } from './base-facts.ts';
import type { TestChanges } from './changes.ts';
import type { LookMeans } from './look-at-tests.ts';
import { inRoom } from './prepared-room.ts';
import { runSuite, type SuiteRun } from './suite.ts';

/** Undefined: nothing of base's tests was changed, so they are what ran already. */
export async function runOldTests(
  commits: Commits,
  means: LookMeans,
  base: BaseFacts,
  { old, definitions }: TestChanges,
): Promise<SuiteRun | undefined> {
  if (old.length + definitions.length === 0) return undefined;
  const ran = await inRoom(commits, means, commits.head, base.where, async (room) => {
    putBack(room, commits, old, definitions);
    return await runSuite(room, means, base.plainly);
  });
  return 'problem' in ran ? undefined : ran;
}

function putBack(room: Room, commits: Commits, old: readonly string[], definitions: readonly string[]): void {
  const ofBase = (path: string) => commits.text(commits.base, path);
  room.takeFrom(
    commits.base,
    old.filter((path) => !path.endsWith('.rs') || isTestFile(path)),
  );
  for (const path of old.filter((path) => path.endsWith('.rs') && !isTestFile(path))) {
    const [before, now] = [ofBase(path), room.read(path)];
    if (before !== undefined && now !== undefined) room.write(path, withTestsOf(before, now));
  }
  for (const path of definitions) {
    const before = ofBase(path);
    const now = room.read(path);
    if (path.endsWith('package.json')) {
      if (before !== undefined && now !== undefined) room.write(path, withDefinitionsOf(before, now));
    } else if (before === undefined) room.remove(path);
    else room.write(path, before);
  }
}
