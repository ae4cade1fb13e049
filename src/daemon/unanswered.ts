// unanswered: events that were let through because nobody answered and the workflow says `engine_down: allow`. The hook program
// writes them down; the next daemon tells the drive, so that they are on record with the session.

import { appendFileSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import type { ClientName } from '../model/live-session.ts';
import { guardFolder, makePrivateFolder } from './place.ts';

export interface Unanswered {
  at: string;
  client: ClientName;
  session: string;
  event: string;
  tool?: string;
  cwd: string;
  why: string;
}

const MOST_BYTES = 2 ** 20;

export function unansweredFile(home: string): string {
  return `${guardFolder(home)}/unanswered.jsonl`;
}

/** Nothing of what a call says is kept but its tool. */
export function noteUnanswered(home: string, unanswered: Unanswered): void {
  makePrivateFolder(guardFolder(home));
  const file = unansweredFile(home);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) return;
  appendFileSync(file, `${JSON.stringify(unanswered)}\n`, { mode: 0o600 });
}

/** Takes them away: each is told once. */
export function takeUnanswered(home: string): Unanswered[] {
  const file = unansweredFile(home);
  const taken = `${file}.${process.pid}`;
  try {
    renameSync(file, taken);
  } catch {
    return []; // there are none
  }
  const lines = readFileSync(taken, 'utf8').split('\n');
  rmSync(taken, { force: true });
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Unanswered];
    } catch {
      return []; // the last one, cut short by a crash
    }
  });
}
