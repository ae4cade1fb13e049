// zip: writes a zip archive to a file, entry after entry, whatever their size, through bounded memory (S5).
// Of the format it knows what an archive of files needs: stored and deflated entries, UTF-8 names, Unix modes, symlinks,
// and the 64-bit fields where something does not fit in 32. Written here because node:zlib has the two hard parts
// (deflate, crc32) and the rest is headers; a library would hold every file in memory, or bring its own deflate.

import { readSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipWriter {
  folder(name: string, modified: Date): void;
  /** Kept as a link: what it points at is not looked at. */
  link(name: string, target: string, modified: Date): void;
  /** From an open file, read to its end. */
  file(name: string, descriptor: number, facts: FileFacts): Promise<void>;
  /** The list of contents; nothing can be added after it. */
  end(): void;
  readonly entries: number;
  readonly bytes: number;
}

export interface FileFacts {
  size: number;
  mode: number;
  modified: Date;
}

interface Entry {
  name: Buffer;
  method: number;
  modified: Date;
  /** As `stat` has it, with the kind. */
  mode: number;
  crc: number;
  size: number;
  packed: number;
  offset: number;
  /** Its own header has room for 64-bit sizes. */
  large: boolean;
}

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAMES = 0x0800;
const MADE_ON_UNIX = 3 << 8;
const PLAIN_VERSION = 20;
const LARGE_VERSION = 45;
const MOST_32 = 0xffffffff;
const MOST_16 = 0xffff;
/** From here on a file gets 64-bit fields: deflate may make it a little larger than it was. */
const LARGE = 0xf0000000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
const PIECE = 1 << 16;

/** `file` is open for writing, empty, and can be written to anywhere. */
export function zipWriter(file: number): ZipWriter {
  const entries: Entry[] = [];
  let position = 0;

  const write = (bytes: Uint8Array, at?: number): void => {
    for (let written = 0; written < bytes.length; )
      written += writeSync(file, bytes, written, bytes.length - written, (at ?? position) + written);
    if (at === undefined) position += bytes.length;
  };
  const begin = (name: string, facts: Pick<Entry, 'method' | 'modified' | 'mode'>, large = false): Entry => {
    const entry = { name: Buffer.from(name), ...facts, crc: 0, size: 0, packed: 0, offset: position, large };
    write(localHeader(entry));
    entries.push(entry);
    return entry;
  };
  /** Sizes are known afterwards: the header is written again over itself. */
  const settle = (entry: Entry): void => {
    if (!entry.large && (entry.size > MOST_32 || entry.packed > MOST_32))
      throw new Error(`${entry.name.toString()} grew past 4 GiB while it was read`);
    write(localHeader(entry), entry.offset);
  };

  return {
    folder(name, modified) {
      begin(`${name}/`, { method: STORED, modified, mode: FOLDER | 0o755 });
    },

    link(name, target, modified) {
      const content = Buffer.from(target);
      const entry = begin(name, { method: STORED, modified, mode: LINK | 0o777 });
      write(content);
      entry.crc = crc32(content);
      entry.size = content.length;
      entry.packed = content.length;
      settle(entry);
    },

    async file(name, descriptor, { size, mode, modified }) {
      const method = size === 0 ? STORED : DEFLATED;
      const entry = begin(name, { method, modified, mode: FILE | (mode & 0o777) }, size >= LARGE);
      // What came into an empty file since it was looked at is not there yet.
      if (method === STORED) return settle(entry);
      const start = position;
      await pipeline(Readable.from(pieces(descriptor, entry)), createDeflateRaw(), async (packed) => {
        for await (const chunk of packed as AsyncIterable<Buffer>) write(chunk);
      });
      entry.packed = position - start;
      settle(entry);
    },

    end() {
      const start = position;
      for (const entry of entries) write(listing(entry));
      write(ending(entries.length, start, position - start));
    },

    get entries() {
      return entries.length;
    },
    get bytes() {
      return position;
    },
  };
}

function* pieces(descriptor: number, entry: Entry): Generator<Buffer> {
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const count = readSync(descriptor, piece, 0, PIECE, entry.size);
    if (count === 0) return;
    const part = piece.subarray(0, count);
    entry.crc = crc32(part, entry.crc);
    entry.size += count;
    yield part;
  }
}

function localHeader(entry: Entry): Buffer {
  const extra = entry.large ? wide(entry.size, entry.packed) : Buffer.alloc(0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  writeCommon(head, 4, entry, extra.length);
  return Buffer.concat([head, entry.name, extra]);
}

/** From the version to the length of the extra field: the same in an entry's header and in the list. */
function writeCommon(head: Buffer, at: number, entry: Entry, extra: number): void {
  head.writeUInt16LE(extra > 0 ? LARGE_VERSION : PLAIN_VERSION, at);
  head.writeUInt16LE(UTF8_NAMES, at + 2);
  head.writeUInt16LE(entry.method, at + 4);
  head.writeUInt16LE(clockOf(entry.modified), at + 6);
  head.writeUInt16LE(dateOf(entry.modified), at + 8);
  head.writeUInt32LE(entry.crc, at + 10);
  head.writeUInt32LE(entry.large ? MOST_32 : entry.packed, at + 14);
  head.writeUInt32LE(entry.large ? MOST_32 : entry.size, at + 18);
  head.writeUInt16LE(entry.name.length, at + 22);
  head.writeUInt16LE(extra, at + 24);
}

function listing(entry: Entry): Buffer {
  const isFar = entry.offset >= MOST_32;
  const numbers = [...(entry.large ? [entry.size, entry.packed] : []), ...(isFar ? [entry.offset] : [])];
  const extra = numbers.length > 0 ? wide(...numbers) : Buffer.alloc(0);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_ON_UNIX | LARGE_VERSION, 4);
  writeCommon(head, 6, entry, extra.length);
  head.writeUInt32LE((entry.mode << 16) >>> 0, 38);
  head.writeUInt32LE(isFar ? MOST_32 : entry.offset, 42);
  return Buffer.concat([head, entry.name, extra]);
}

/** The extra field with 64-bit numbers. */
function wide(...numbers: number[]): Buffer {
  const field = Buffer.alloc(4 + numbers.length * 8);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(numbers.length * 8, 2);
  for (const [index, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + index * 8);
  return field;
}

function ending(count: number, offset: number, length: number): Buffer {
  const isLarge = count >= MOST_16 || offset >= MOST_32 || length >= MOST_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MOST_16), 8);
  end.writeUInt16LE(Math.min(count, MOST_16), 10);
  end.writeUInt32LE(Math.min(length, MOST_32), 12);
  end.writeUInt32LE(Math.min(offset, MOST_32), 16);
  return isLarge ? Buffer.concat([largeEnding(count, offset, length), end]) : end;
}

function largeEnding(count: number, offset: number, length: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(MADE_ON_UNIX | LARGE_VERSION, 12);
  end.writeUInt16LE(LARGE_VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Times of the format begin in 1980, are local, and tell two seconds apart. */
function clockOf(time: Date): number {
  return (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
}

function dateOf(time: Date): number {
  const year = Math.min(Math.max(time.getFullYear() - 1980, 0), 127);
  return (year << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
}
