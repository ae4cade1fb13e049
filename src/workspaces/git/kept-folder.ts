// kept-folder: the folder of a run that holds what kept-tree.ts keeps: the print of each moment, and objects. Whatever can
// write in the project can put anything there, so nothing in it is followed or believed: folders and files are real ones or
// refused, prints are held against their digests, and git is never told that this is its repository.

import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate } from 'node:zlib';
import { Fault } from '../../model/fault.ts';
import { byteHash, type HashAlgorithm } from './content-hash.ts';

const deflated = promisify<string, { level: number }, Buffer>(deflate);
const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Made where it is missing, readable for the user alone: it holds files of the workspace as they are, secrets included. */
export function openKept(folder: string): void {
  for (const each of [dirname(folder), folder, join(folder, 'objects')]) realFolder(each);
}

/** The folder around it is there, and a folder itself. */
function realFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) mkdirSync(folder, { mode: 0o700, recursive: false });
  else if (!stats.isDirectory())
    throw new Fault(
      'run-part-replaced',
      `${folder} was replaced: it is not a folder, and nothing is written through it`,
      {
        hint: 'Look at it (ls -ld), then remove it: it is made anew.',
      },
    );
}

/** The text of a moment, under its digest. Names of files may hold a secret: it is compressed, so that no search finds one. */
export async function writePrint(folder: string, print: string): Promise<string> {
  const digest = sha256(print);
  writeWhole(folder, `${digest}.z`, await deflated(print, { level: 1 }));
  return digest;
}

/** Fault `kept-tree-gone`. */
export async function readPrint(folder: string, digest: string): Promise<string> {
  let print = '';
  try {
    const kept = await inflated(readReal(join(folder, `${digest}.z`)), { maxOutputLength: 2 ** 29 });
    print = kept.toString();
  } catch {
    // It is not there, or not what was written: neither is what it should hold.
  }
  if (sha256(print) === digest) return print;
  throw new Fault(
    'kept-tree-gone',
    `what the workspace was like is no longer in ${folder}, or was changed there`,
  );
}

function readReal(path: string): Buffer {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** A loose object, as git keeps them. */
export function writeBlob(folder: string, algorithm: HashAlgorithm, content: Buffer): string {
  const hash = byteHash(algorithm, content);
  const below = join(folder, 'objects', hash.slice(0, 2));
  realFolder(below);
  writeWhole(
    below,
    hash.slice(2),
    deflateSync(Buffer.concat([Buffer.from(`blob ${content.length}\0`), content])),
  );
  return hash;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** There whole or not at all: the process may be killed at any time. What has the name is replaced, a link too. */
function writeWhole(folder: string, name: string, content: Buffer): void {
  const temporary = join(folder, `.tmp-${randomUUID()}`);
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export interface PrivateRepository {
  /** What tells git to work in it. */
  env: Record<string, string>;
  remove(): void;
}

/**
 * A repository for one piece of work: settings, HEAD and index are in a fresh folder that no one else knows, objects go to
 * `objects` and come from there and from `borrowed`. It is its own common folder, reads no attributes, fetches nothing.
 */
export function privateRepository(
  objects: string,
  borrowed: string,
  algorithm: HashAlgorithm,
): PrivateRepository {
  // Git would take the objects of any folder that is named there.
  rmSync(join(objects, 'info'), { recursive: true, force: true });
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lockstep-tree-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const part of ['objects', 'refs']) mkdirSync(join(folder, part));
    const format = algorithm === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
    writeFileSync(join(folder, 'config'), `[core]\n\tbare = true\n\trepositoryFormatVersion = ${format}\n`);
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  } catch (error) {
    remove();
    throw error;
  }
  // A colon would end the path; what begins with a quote is read as a quoted string.
  const alternate = /[:"\\]/.test(borrowed) ? JSON.stringify(borrowed) : borrowed;
  return {
    remove,
    env: {
      GIT_DIR: folder,
      GIT_COMMON_DIR: folder,
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate,
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_OPTIONAL_LOCKS: '0',
    },
  };
}
