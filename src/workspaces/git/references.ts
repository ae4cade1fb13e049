// references: what each branch, tag and other reference of a repository points at, read from its files: starting git
// takes longer. Not known where references are kept in the newer format (reftable).

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Each loose one is a file: beyond this they are not looked at one by one. */
const MOST_LOOSE = 2000;

/**
 * By name, `refs/heads/main`: a commit, or `ref: …`. `note` is told of each folder and file that changes when one of them
 * does, before it is read.
 */
export function readReferences(common: string, note: (path: string) => void): Map<string, string> {
  let loose = 0;
  note(join(common, 'packed-refs'));
  const values = readPacked(join(common, 'packed-refs'));
  const visit = (name: string) => {
    const folder = join(common, name);
    note(folder);
    for (const entry of entriesOf(folder)) {
      const inside = `${name}/${entry.name}`;
      if (entry.isDirectory()) visit(inside);
      else if (loose < MOST_LOOSE && !entry.name.endsWith('.lock')) {
        loose += 1;
        note(join(common, inside));
        const value = readShort(join(common, inside));
        if (value !== '') values.set(inside, value);
      }
    }
  };
  visit('refs');
  return values;
}

/** `<hash> <name>`; lines with `#` and `^` are about the file and about tags. */
function readPacked(file: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of readText(file).split('\n')) {
    const [, hash, name] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
    if (hash !== undefined && name !== undefined) values.set(name, hash);
  }
  return values;
}

/** The first line of a small file, '' for anything else. */
export function readShort(file: string): string {
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return `a link to ${readlinkSync(file)}`;
    return stats.isFile() && stats.size <= 4096 ? (readText(file).split('\n')[0] ?? '') : '';
  } catch {
    return '';
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
