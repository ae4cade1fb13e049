// logs: what steps print, one file per name. Names are step paths, and a person finds the file under the very name;
// only what no file may be called is spelt otherwise, and differently for every name.

import { hash } from 'node:crypto';
import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { LogSink } from '../../ports/store.ts';
import { errorCode, isMissing } from './disk-fault.ts';
import { isOwnFolder, pathInside, sinkInside } from './inside.ts';
import { openFlags } from './whole-file.ts';

const longestName = 255;
const longestPath = 1_000;
/** What one reading answers with at most. */
const piece = 1 << 20;

export function openLog(root: string, name: string, { isAnew } = { isAnew: false }): LogSink {
  return sinkInside(root, logFile(name), isAnew ? openFlags.write : openFlags.append, { isAnew });
}

export function readLog(root: string, name: string, offset: number): Uint8Array | undefined {
  const path = pathInside(root, logFile(name), false);
  return path === undefined ? undefined : readPiece(path, offset);
}

/** undefined: there is no such file, or it is none of ours. */
export function readPiece(path: string, offset: number): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, openFlags.read);
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const start = Math.min(stats.size, offset < 0 ? Math.max(0, stats.size + offset) : offset);
    const bytes = new Uint8Array(Math.min(piece, stats.size - start));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
  } finally {
    closeSync(file);
  }
}

/** Below `root`, in byte order of their names. */
export function listLogs(root: string): string[] {
  const names: string[] = [];
  const walk = (below: string): void => {
    for (const item of folderItems(join(root, below))) {
      const name = below === '' ? item.name : `${below}/${item.name}`;
      if (item.isDirectory()) walk(name);
      else if (item.isFile()) names.push(name);
    }
  };
  if (isOwnFolder(root)) walk('');
  return names.sort();
}

/**
 * The file below logs/ for a name. A name that can be a path is one, as it is; so this maps what it gave to itself,
 * and the names that `listLogs` gives can be read. Files have a dot in their names and folders have none, as it is
 * with step paths: so one name's file never stands where another needs a folder.
 */
export function logFile(name: string): string {
  const folders = name.split('/');
  const file = fileName(folders.pop() ?? '');
  const path = [...folders.map(folderName), file].join('/');
  return Buffer.byteLength(path) <= longestPath ? path : `long@${digest(name)}/${file}`;
}

function folderName(name: string): string {
  return possible(name) && !name.includes('.') ? name : `${legible(name)}@${digest(name)}`;
}

function fileName(name: string): string {
  if (possible(name) && name.includes('.') && !name.startsWith('.')) return name;
  const suffix = /[^.](\.[A-Za-z0-9]{1,16})$/.exec(name)?.[1] ?? '.log';
  return `${legible(name)}@${digest(name)}${suffix}`;
}

/** Without control characters, backslashes and halves of surrogate pairs, and short enough. */
function possible(name: string): boolean {
  return /^[^/\\\u0000-\u001f\u007f\ud800-\udfff]+$/u.test(name) && Buffer.byteLength(name) <= longestName;
}

/** Enough of it for a person to know it by. */
function legible(name: string): string {
  return name.slice(0, 100).replace(/[^A-Za-z0-9_[\]#~-]/g, '_');
}

function digest(name: string): string {
  // As UTF-16: two names that differ in halves of surrogate pairs only would be one in UTF-8.
  return hash('sha256', Buffer.from(name, 'utf16le'), 'hex').slice(0, 16);
}

function folderItems(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((item) => !item.name.startsWith('.'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
