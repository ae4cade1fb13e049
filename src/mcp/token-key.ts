// token-key: the key that tokens are signed with: 32 bytes in `$LOCKSTEP_HOME/token.key`, for this user alone. Two servers
// that start at once agree: each writes a file of its own and links it to the name, which only one of them can.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../model/fault.ts';

const BYTES = 32;

/** Fault `token-key-unsafe`: it is not this user's alone, or it is not a key. */
export function readOrMakeKey(folder: string): Buffer {
  const path = join(folder, 'token.key');
  return readKey(path) ?? makeKey(folder, path);
}

function makeKey(folder: string, path: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeFileSync(beside, randomBytes(BYTES), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(beside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(beside, { force: true });
  }
  const key = readKey(path);
  if (key === undefined) throw unsafe(path, 'it was removed a moment after it was made');
  return key;
}

function readKey(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw unsafe(path, code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be opened (${code})`);
  }
  try {
    const { uid, mode } = fstatSync(file);
    if (uid !== process.getuid?.()) throw unsafe(path, 'it belongs to another user');
    if ((mode & 0o077) !== 0) throw unsafe(path, 'others may read or write it');
    const key = readFileSync(file);
    if (key.length !== BYTES) throw unsafe(path, `it has ${key.length} bytes, not ${BYTES}`);
    return key;
  } finally {
    closeSync(file);
  }
}

function unsafe(path: string, why: string): Fault {
  return new Fault('token-key-unsafe', `the key of tokens, ${path}, is not used: ${why}`, {
    hint: `Remove it; another is made. Clients then go on with \`resume_session\`: rm ${path}`,
    exitCode: 2,
  });
}
