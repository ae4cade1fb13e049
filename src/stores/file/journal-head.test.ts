import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { headNote, readHead } from './journal-head.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-head-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let files = 0;
const path = () => {
  files += 1;
  return join(scratch, `journal-${files}.head`);
};
const link = (n: number) => ({ n, bytes: n * 100, hash: String(n).padStart(32, '0') });

it('J5: the note is written as soon as the process waits for something', async () => {
  const file = path();
  const note = headNote(file);
  note.reach(link(1));
  await turn();
  expect(readHead(file)).toEqual(link(1));
  note.reach(link(2));
  await turn();
  expect(readHead(file)).toEqual(link(2));
  note.close();
});

it('a chain of steps that end at once shares one note, and the last of them is in it', async () => {
  const file = path();
  const note = headNote(file);
  for (let n = 1; n <= 1000; n += 1) note.reach(link(n));
  expect(existsSync(file)).toBe(false);
  await turn();
  expect(readHead(file)).toEqual(link(1000));
  note.close();
});

it('J5: closing and settling write what was reached, without waiting', () => {
  const [one, other] = [path(), path()];
  const closed = headNote(one);
  closed.reach(link(3));
  closed.close();
  expect(readHead(one)).toEqual(link(3));
  const settled = headNote(other);
  settled.reach(link(4));
  settled.settle();
  expect(readHead(other)).toEqual(link(4));
  settled.close();
});

it('J3: who has lost the run leaves the note to the new holder', async () => {
  const file = path();
  const note = headNote(file);
  note.reach(link(5));
  note.giveUp();
  await turn();
  note.close();
  expect(existsSync(file)).toBe(false);
});

it('a note that cannot be written is given up, and throws nothing', async () => {
  const file = path();
  mkdirSync(file);
  const note = headNote(file);
  note.reach(link(6));
  await turn();
  note.reach(link(7));
  await turn();
  note.close();
  expect(readHead(file)).toBeUndefined();
});
