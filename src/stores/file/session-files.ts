// session-files: the record of one session on disk, as `<folder>/<name>/<number>.json`; the highest number counts.
// R1. A record is written whole, beside the others, and gets its number by `link`, which the file system grants to exactly
//     one. Of two who read the same record one wins, and the other reads again. Nothing is locked, so a process that is
//     killed stops nobody, and leaves at most a draft.
// R2. The highest number is never removed but with the record, and any other only a minute after it was replaced. So who
//     gets a number soon after reading the one before it is the first that ever had it. Who took longer (a machine that slept)
//     and sees a higher number has lost: its number was another's, and was cleared away.
// R3. What is not a number, or cannot be read as this session's record, is passed over and never written.
// R4. No symlink is followed. Files are for this user alone.
// R5. `<folder>/<name>.json` shows the record to people and hooks. It is never read back.

import { createHash, randomUUID } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SessionRecord } from '../../model/session-record.ts';
import { LARGEST_RECORD, readRecord } from '../../ports/session-bounds.ts';
import type { FoundRecord } from '../../ports/session-keeping.ts';
import { errorCode, isMissing, orDiskFault, partReplaced } from './disk-fault.ts';
import { readWhole, syncFolder, writeNew } from './whole-file.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const DRAFT = /^\.tmp-/;
const NUMBERED = /^[1-9][0-9]{0,8}\.json$/;
const MOST = 999_999_999;
/** For how long what was replaced stays. */
const REPLACED_MS = 60_000;
/** A draft that is older was left by a process that is gone. */
const ABANDONED_MS = 3_600_000;

/** Where a record lies. `folder` is that of the client. */
export interface Spot {
  folder: string;
  client: string;
  /** As `nameOfSession` gives it. */
  name: string;
}

/**
 * An id may be any text; a name is short, of plain lower-case characters and none that a file system has its own use for.
 * Ids as clients give them (UUIDs) are their own names.
 */
export function nameOfSession(id: string): string {
  if (/^(?!x-)[a-z0-9][a-z0-9-]{7,79}$/.test(id)) return id;
  return `x-${createHash('sha256').update(id).digest('hex').slice(0, 40)}`;
}

export function openRecord(spot: Spot): FoundRecord {
  const read = { wall: Date.now(), monotonic: performance.now() };
  const tookLong = () =>
    Math.abs(Date.now() - read.wall) > REPLACED_MS / 2 ||
    performance.now() - read.monotonic > REPLACED_MS / 2;
  const { number, record } = newest(spot);
  const task = `the record of a session, ${join(spot.folder, spot.name)}`;
  return {
    record,
    replace: (next) => orDiskFault(`write ${task}`, () => put(spot, next, number + 1, tookLong)),
    remove: () => orDiskFault(`remove ${task}`, () => removeUpTo(spot, number)),
  };
}

/** `number` 0: there is none yet. A number whose file is no record is replaced by the next one, as any other. */
function newest(spot: Spot): { number: number; record?: SessionRecord } {
  const own = join(spot.folder, spot.name);
  for (;;) {
    const number = numbersIn(own).at(-1) ?? 0;
    const text = number === 0 ? undefined : readOrNothing(join(own, `${number}.json`));
    // Removed between the two looks.
    if (text === undefined && number !== 0 && !numbersIn(own).includes(number)) continue;
    const record = text === undefined ? undefined : recordIn(text, spot);
    return { number, ...(record && { record }) };
  }
}

function recordIn(text: string, { client, name }: Spot): SessionRecord | undefined {
  try {
    const record = readRecord(JSON.parse(text));
    return record?.client === client && nameOfSession(record.id) === name ? record : undefined;
  } catch {
    return undefined;
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readWhole(path, LARGEST_RECORD);
  } catch {
    return undefined; // somebody else's, or a disk that cannot be read
  }
}

/** In order. */
function numbersIn(own: string): number[] {
  return namesIn(own)
    .flatMap((name) => (NUMBERED.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((one, other) => one - other);
}

export function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function put(
  { folder, name }: Spot,
  record: SessionRecord,
  number: number,
  tookLong: () => boolean,
): boolean {
  const own = ownFolder(join(folder, name));
  if (number > MOST) throw partReplaced(join(own, `${number - 1}.json`), 'numbered higher than any record');
  const draft = join(own, `.tmp-${randomUUID()}`);
  const path = join(own, `${number}.json`);
  const text = `${JSON.stringify(record, null, 2)}\n`;
  try {
    writeNew(draft, text, PRIVATE_FILE);
    linkSync(draft, path);
    if (tookLong() && numbersIn(own).at(-1) !== number) {
      rmSync(path, { force: true });
      return false; // R2
    }
    syncFolder(own);
    show(folder, name, text);
    clearReplaced(own);
    return true;
  } catch (error) {
    // EEXIST: another was quicker. ENOENT: the record was removed a moment ago.
    if (errorCode(error) === 'EEXIST' || isMissing(error)) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A file of its own (R5): what somebody writes into it must not be the record. */
function show(folder: string, name: string, text: string): void {
  const draft = join(folder, `.tmp-${randomUUID()}`);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: PRIVATE_FILE });
    renameSync(draft, join(folder, `${name}.json`));
  } catch {
    orNothing(() => rmSync(draft, { force: true }));
  }
}

/** Nothing depends on it: what cannot be removed stays. */
function clearReplaced(own: string): void {
  const numbers = numbersIn(own);
  for (const [index, number] of numbers.entries()) {
    const next = numbers[index + 1];
    if (next === undefined || !isOlder(join(own, `${next}.json`), REPLACED_MS)) break;
    orNothing(() => rmSync(join(own, `${number}.json`), { force: true }));
  }
  clearDrafts(own);
}

function clearDrafts(own: string): void {
  for (const name of namesIn(own))
    if (DRAFT.test(name) && isOlder(join(own, name), ABANDONED_MS))
      orNothing(() => rmSync(join(own, name), { force: true }));
}

function isOlder(path: string, age: number): boolean {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return Date.now() - made > age;
}

/** A record that was written after it was looked at stays. */
function removeUpTo({ folder, name }: Spot, number: number): boolean {
  const own = join(folder, name);
  const numbers = numbersIn(own);
  if (numbers.at(-1) !== number) return false;
  for (const one of numbers) rmSync(join(own, `${one}.json`), { force: true });
  clearDrafts(own);
  clearDrafts(folder);
  if (numbersIn(own).length > 0) return false;
  orNothing(() => rmSync(join(folder, `${name}.json`), { force: true }));
  orNothing(() => rmdirSync(own));
  return true;
}

function ownFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw partReplaced(folder, stats.isSymbolicLink() ? 'a symlink' : 'not a folder');
  return folder;
}

function orNothing(action: () => void): void {
  try {
    action();
  } catch {
    // It is there still, and in nobody's way.
  }
}
