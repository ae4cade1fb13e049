// changes: whether files are what they were, by what is in them. Looked at every so often: that works on every disk,
// needs no handles, and a workflow names tens of files, not thousands.

import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';

/** What a file or folder was like: absolute path → signature. */
export type Signatures = Map<string, string>;

const ABSENT = 'absent';
/** Of a larger file the size and time will do. */
const MOST_READ = 16 << 20;

/** Reads again only what has another time, size or place on the disk. */
export function createLooker(hash: (text: string) => string): (paths: Iterable<string>) => Signatures {
  const known = new Map<string, { stamp: string; signature: string }>();

  function signature(path: string): string {
    const stats = statOf(path);
    if (stats === undefined) return ABSENT;
    if (stats.isDirectory()) return `folder ${names(path)}`;
    if (!stats.isFile()) return 'neither file nor folder';
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    const last = known.get(path);
    if (last?.stamp === stamp) return last.signature;
    const signature = stats.size > MOST_READ ? stamp : contentSignature(path, hash);
    known.set(path, { stamp, signature });
    return signature;
  }

  return (paths) => new Map([...paths].map((path) => [path, signature(path)]));
}

/** As of the text that was read from it. */
export function textSignature(text: string, hash: (text: string) => string): string {
  return `text ${hash(text.replace(/^\uFEFF/, ''))}`;
}

function contentSignature(path: string, hash: (text: string) => string): string {
  try {
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8');
    // What is no text is told apart by its bytes: two of them may read the same.
    return Buffer.from(text).equals(bytes)
      ? textSignature(text, hash)
      : `bytes ${hash(bytes.toString('base64'))}`;
  } catch {
    return ABSENT;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // may not be looked at, or a circle of links
  }
}

function names(folder: string): string {
  try {
    return readdirSync(folder).sort().join('/');
  } catch {
    return '';
  }
}

/** Those that are not what they were. */
export function changedPaths(before: Signatures, now: Signatures): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => (before.get(path) ?? ABSENT) !== (now.get(path) ?? ABSENT)).sort();
}
