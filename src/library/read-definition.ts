// read-definition: the text of one definition, whatever the path turns out to be: nothing that blocks, nothing that
// is larger than a definition may be.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { MissingFile } from '../model/library.ts';

/** As the compiler has it. */
const mostBytes = 4 * 1024 * 1024;

export type Definition = { text: string } | { problem: NonNullable<MissingFile['problem']> };

export function readDefinition(path: string): Definition {
  let descriptor: number;
  try {
    // Without waiting: a pipe would keep us until somebody writes to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return { problem: 'unreadable' };
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { problem: 'unreadable' };
    if (stats.size > mostBytes) return { problem: 'too-large' };
    const bytes = readUpTo(descriptor, mostBytes + 1);
    if (bytes.length > mostBytes) return { problem: 'too-large' };
    // Bytes that are no UTF-8 become U+FFFD: the compiler then says in which line they are.
    return { text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  } catch {
    return { problem: 'unreadable' };
  } finally {
    closeSync(descriptor);
  }
}

/** Not by the size it has: a file of /proc has none, and another may be growing. */
function readUpTo(descriptor: number, most: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const part = Buffer.allocUnsafe(Math.min(2 ** 16, most - length));
    const read = readSync(descriptor, part);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    length += read;
  }
  return Buffer.concat(parts);
}
