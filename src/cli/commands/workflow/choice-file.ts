// choice-file: `.lockstep/local/guard.json` of the project: read, and written whole. It is no one else's business, so git ignores it.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CHOICE_FILE,
  type GuardChoice,
  NOTHING_CHOSEN,
  readChoice,
  writeChoice,
} from '../../../drivers/guard/choice.ts';
import { Fault } from '../../../model/fault.ts';

const FOLDER = '.lockstep/local';

/** For commands that write it: what cannot be read is written anew, or nobody would get out. */
export function choiceToChange(root: string): GuardChoice {
  try {
    return choiceIn(root);
  } catch (error) {
    if (error instanceof Fault && error.code === 'guard-choice-invalid') return NOTHING_CHOSEN;
    throw error;
  }
}

export function choiceIn(root: string): GuardChoice {
  const file = join(root, CHOICE_FILE);
  return existsSync(file) ? readChoice(readFileSync(file, 'utf8')) : NOTHING_CHOSEN;
}

/** Where nothing is chosen there is no file: sessions then cost no more than the look for it. */
export function keepChoice(root: string, choice: GuardChoice): void {
  const file = join(root, CHOICE_FILE);
  if (choice.workflow === undefined && choice.lifecycles.length === 0 && !choice.disabled) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(join(root, FOLDER), { recursive: true });
  const ignore = join(root, FOLDER, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, writeChoice(choice), { mode: 0o600 });
  renameSync(fresh, file);
}
