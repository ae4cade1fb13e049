// stand-in: a folder that stands in for the one where a repository keeps what its work trees share. It has settings that
// we wrote and no hooks; objects, references and the rest are links to the real ones. Git is told to use it
// (GIT_COMMON_DIR), so it never opens the repository's own configuration. It is made for one start of git and removed
// after it, so that nothing of it can be prepared by somebody else.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWithin } from '../boundary.ts';
import { type Setting, writeConfig } from './config-text.ts';
import type { Repository } from './repository.ts';

/** What git reads and writes there. Not `config`, not `hooks`. */
const LINKED = [
  'lfs',
  'logs',
  'modules',
  'objects',
  'packed-refs',
  'refs',
  'reftable',
  'rr-cache',
  'shallow',
  'worktrees',
];
/** Where git would make one that is missing, it would make it in the stand-in. */
const WRITTEN = ['logs', 'worktrees'];

/** A linked HEAD is no HEAD for git. It has one line. */
const LONGEST_HEAD = 4096;

/** What was ignored by `info/exclude` when this process first looked: what an agent adds to it hides nothing. */
const excluded = new Map<string, string>();

function standInInfo(common: string, folder: string): void {
  const info = join(common, 'info');
  const kept = excluded.get(common) ?? textOf(join(info, 'exclude'));
  excluded.set(common, kept);
  const names = namesIn(info).filter((name) => name !== 'exclude' && name !== 'grafts');
  if (names.length === 0 && kept === '') return;
  mkdirSync(join(folder, 'info'));
  for (const name of names) symlinkSync(join(info, name), join(folder, 'info', name));
  if (kept !== '') writeFileSync(join(folder, 'info/exclude'), kept);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export interface StandIn {
  folder: string;
  remove(): void;
}

export function makeStandIn(
  { common, top }: Pick<Repository, 'common' | 'top'>,
  settings: readonly Setting[],
  writes: boolean,
): StandIn {
  const temporary = realpathSync(tmpdir());
  // In the work tree it would be a change of it.
  const place = isWithin(realpathSync(top), temporary) ? common : temporary;
  const folder = mkdtempSync(join(place, 'lockstep-git-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (writes) for (const name of WRITTEN) mkdirSync(join(common, name), { recursive: true });
    standInInfo(common, folder);
    for (const name of LINKED)
      if (statSync(join(common, name), { throwIfNoEntry: false }) !== undefined)
        symlinkSync(join(common, name), join(folder, name));
    writeFileSync(join(folder, 'config'), writeConfig(settings));
    const head = statSync(join(common, 'HEAD'), { throwIfNoEntry: false });
    if (head?.isFile() && head.size <= LONGEST_HEAD)
      writeFileSync(join(folder, 'HEAD'), readFileSync(join(common, 'HEAD')));
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
