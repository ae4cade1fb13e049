// place: where the sockets of daemons lie, and what they are called. The hook program reads this for every event, so it
// loads nothing but node:fs.
//
// A socket is `<build>.<number>.sock`. The highest number of a build is its daemon; a number is taken by binding it, which
// only one process can.

import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';

/** A path longer than this is not one a socket can have (104 bytes on some systems, the final zero included). */
const LONGEST_PATH = 100;
const LONGEST_NAME = 'source.0123456789abcdef.999999.sock'.length;
const NAME = /^([a-z0-9]+)\.(\d{1,6})\.sock$/;

export interface DaemonSocket {
  path: string;
  build: string;
  number: number;
}

/** What the user's daemons keep: sockets where they are short enough, the log, the record of what was let through. */
export function guardFolder(home: string): string {
  return `${home}/guard`;
}

export function logFile(home: string): string {
  return `${guardFolder(home)}/daemon.log`;
}

/** Where the sockets are. A home with a long name gets a folder in /tmp, for this user and this home. */
export function socketFolder(home: string): string {
  const folder = guardFolder(home);
  if (Buffer.byteLength(folder) + 1 + LONGEST_NAME <= LONGEST_PATH) return folder;
  return `/tmp/lockstep-${process.getuid?.() ?? 'user'}-${shortHash(home)}`;
}

/** Makes the folder for this user alone. Throws where it is another user's, a link, or open to others. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const problem = whyNotPrivate(folder);
  if (problem !== undefined) throw new Error(`${folder} ${problem}`);
}

/** Undefined: it is a folder that only this user may enter, or it is not there. */
export function whyNotPrivate(folder: string): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return 'is not a folder';
  if (process.getuid !== undefined && found.uid !== process.getuid()) return 'belongs to another user';
  return (found.mode & 0o077) === 0 ? undefined : 'is open to other users';
}

/** All of them, dead ones too, the highest number of each build first. */
export function socketsIn(folder: string): DaemonSocket[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const sockets: DaemonSocket[] = [];
  for (const name of names) {
    const [, build, number] = NAME.exec(name) ?? [];
    if (build !== undefined) sockets.push({ path: `${folder}/${name}`, build, number: Number(number) });
  }
  return sockets.sort((one, other) => other.number - one.number);
}

export function socketPath(folder: string, build: string, number: number): string {
  return `${folder}/${build}.${number}.sock`;
}

/** A start takes less; who took the turn and died has lost it after this. */
const TURN_MS = 3_000;

/** Whether this process is the one to start a daemon now. Only spares work: two that are started leave one. */
export function takeTurn(folder: string, build: string): boolean {
  makePrivateFolder(folder);
  const path = turnFile(folder, build);
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const taken = statSync(path, { throwIfNoEntry: false });
    if (taken !== undefined && Date.now() - taken.mtimeMs > TURN_MS) giveTurn(folder, build);
    return false;
  }
}

export function giveTurn(folder: string, build: string): void {
  rmSync(turnFile(folder, build), { force: true });
}

function turnFile(folder: string, build: string): string {
  return `${folder}/${build}.starting`;
}

/** FNV-1a, 32 bits twice: names a folder, protects nothing. node:crypto would cost a start two milliseconds. */
function shortHash(text: string): string {
  const hash = (seed: number) => {
    let value = seed;
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    return (value >>> 0).toString(36);
  };
  return `${hash(0x811c9dc5)}${hash(0x01234567)}`;
}
