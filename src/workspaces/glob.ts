// glob: files and folders of a workspace that match a pattern.
//
// G1. Relative, with `/`, in byte order: the same list on every machine.
// G2. A name that begins with a dot is found only by a pattern that has the dot.
// G3. `.git`, `.worktrees`, `node_modules` and `.lockstep/runs` are as if they were not there, unless the pattern names them.
// G4. `**` does not go through symlinks, so no circle. A symlink that the pattern reaches otherwise is entered if it
//     leads to a folder inside; one that is spelt out and leads outside is a fault, one met by a wildcard is not entered.
// G5. Symlinks are listed like files, but not if they dangle. Folders that may not be read count as empty.
// G6. Only folders where something may match are read, one at a time.
// G7. posix: nothing is left out (G3 does not hold), and a symlink that leads outside is a fault wherever the pattern
//     meets it: a match that is quietly missing would pass for a file that is not there. As in a shell, a pattern
//     that matches nothing may be the name of a file (`[x].csv`).

import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { GlobSyntax } from '../ports/workspace.ts';
import { assertThere, type Boundary, normalise, realSegments } from './boundary.ts';
import { compareBytes } from './byte-order.ts';
import { advance, closure, type GlobPattern, type Position, parseGlob } from './glob-pattern.ts';

interface Visit {
  /** '' for the root. */
  path: string;
  positions: Position[];
}

interface Candidate {
  name: string;
  entry: Dirent | Stats;
  /** The pattern spells it out. */
  spelt: boolean;
}

export function glob(boundary: Boundary, text: string, syntax: GlobSyntax = 'extended'): string[] {
  assertThere(boundary);
  const pattern = parseGlob(boundary, text, syntax);
  const found: string[] = [];
  const visits: Visit[] = [{ path: '', positions: pattern.start }];
  for (let visit = visits.pop(); visit; visit = visits.pop()) {
    for (const candidate of candidates(boundary, visit)) {
      if (isLeftOut(pattern, visit.path, candidate.name)) continue;
      const path = visit.path === '' ? candidate.name : `${visit.path}/${candidate.name}`;
      const { inside, named, matches } = advance(visit.positions, candidate.name, false);
      if (matches === 'no' && inside.length === 0) continue;
      const isLink = candidate.entry.isSymbolicLink();
      const kind = isLink
        ? linkKind(join(boundary.real, path))
        : candidate.entry.isDirectory()
          ? 'folder'
          : 'file';
      if (matches === 'yes' ? kind !== 'nothing' : matches === 'folder' && kind === 'folder') {
        if (isLink && syntax === 'posix') realSegments(boundary, path);
        found.push(path);
      }
      if (kind !== 'folder') continue;
      if (!isLink && inside.length > 0) visits.push({ path, positions: inside });
      if (isLink && named.length > 0 && mayEnter(boundary, path, candidate.spelt || syntax === 'posix'))
        visits.push({ path, positions: named });
    }
  }
  if (found.length === 0 && syntax === 'posix') return named(boundary, text);
  return found.sort(compareBytes);
}

function named(boundary: Boundary, text: string): string[] {
  const path = normalise(boundary, text);
  return stats(join(boundary.real, ...realSegments(boundary, path))) ? [path === '' ? '.' : path] : [];
}

/** What the folder holds; where the pattern only has names for it, just those are looked at. */
function candidates(boundary: Boundary, { path, positions }: Visit): Candidate[] {
  const folder = join(boundary.real, path);
  const names = speltNames(positions);
  if (names.wild)
    return list(folder).map((entry) => ({ name: entry.name, entry, spelt: names.spelt.has(entry.name) }));
  const found: Candidate[] = [];
  for (const name of names.spelt) {
    const entry = stats(join(folder, name));
    if (entry) found.push({ name, entry, spelt: true });
  }
  return found;
}

function speltNames(positions: Position[]): { spelt: Set<string>; wild: boolean } {
  const spelt = new Set<string>();
  let wild = false;
  for (const { alternative, index } of closure(positions)) {
    const segment = alternative.segments[index];
    if (segment?.kind === 'literal') spelt.add(segment.text);
    else wild = true;
  }
  return { spelt, wild };
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // removed while we walk, or not ours to read
  }
}

function stats(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function linkKind(path: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}

function mayEnter(boundary: Boundary, path: string, spelt: boolean): boolean {
  try {
    realSegments(boundary, path);
    return true;
  } catch (error) {
    if (spelt) throw error;
    return false;
  }
}

function isLeftOut(pattern: GlobPattern, folder: string, name: string): boolean {
  if (pattern.syntax === 'posix') return false;
  if (name === '.git' || name === '.worktrees' || name === 'node_modules') return !pattern.names(name);
  const isRuns = name === 'runs' && (folder === '.lockstep' || folder.endsWith('/.lockstep'));
  return isRuns && !pattern.names('.lockstep', 'runs');
}
