// processed: the folder of a workspace that holds what is done with: emptied before a run, kept as an archive after it.
// Owns: that neither touches anything else. Never: decides when.
//
// P1. It is a real folder inside the workspace: not absolute, no `..`, no symlink on the way, not the workspace itself,
//     and nothing of ours or of git is in it. Looked at when it is opened, and again just before each use.
// P2. A symlink in it is removed, or archived, as a link. What it points at is neither removed nor read.
// P3. An archive is there whole or not at all, and never inside the folder.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../model/fault.ts';
import { type Boundary, isWithin, normalise, openBoundary, quote } from './boundary.ts';
import { compareBytes } from './byte-order.ts';
import { withFolder } from './folder.ts';
import { type ZipWriter, zipWriter } from './zip.ts';

export interface ProcessedFolder {
  /** For people: as it is configured. */
  readonly path: string;
  /** How many things it removed. A folder that is not there is empty. */
  empty(): number;
  /** Fault `archive-destination` where an archive cannot lie there. */
  checkDestination(destination: string): void;
  /** A folder that is not there is archived as an empty one. */
  archive(destination: string): Promise<Archived>;
}

export interface Archived {
  files: number;
  bytes: number;
  /** What is neither file, folder nor link, and what could not be read. */
  leftOut: string[];
}

/** `kept`: absolute paths that must not lie in it. Fault `processed-unsafe`. */
export function processedFolder(root: string, path: string, kept: readonly string[]): ProcessedFolder {
  const boundary = openBoundary(root);
  const check = (): string[] => {
    const segments = segmentsOf(boundary, path);
    refuseLinks(boundary, path, segments);
    const folder = join(boundary.real, ...segments);
    const git = join(boundary.real, '.git');
    if (isWithin(git, folder)) throw unsafe(path, 'it is part of the git repository');
    for (const place of [git, join(boundary.real, '.lockstep'), ...kept])
      if (isWithin(folder, realOf(place))) throw unsafe(path, `${place} is in it`);
    return segments;
  };
  const segments = check();
  const folder = join(boundary.real, ...segments);

  function checkDestination(destination: string): void {
    if (isWithin(folder, realOf(destination)) || isWithin(folder, realPlace(destination)))
      throw new Fault(
        'archive-destination',
        `the archive ${destination} would lie in ${quote(path)}, the folder that is archived`,
        { hint: 'Give a path outside of it: --archive-processed <dest>', exitCode: 2 },
      );
    const problem = cannotReplace(destination);
    if (problem !== undefined)
      throw new Fault('archive-destination', `the archive cannot be written: ${destination} ${problem}`, {
        hint: 'Give the name of a new file, or of an archive to be replaced: --archive-processed <dest>',
        exitCode: 2,
      });
  }

  return {
    path,
    checkDestination,

    empty() {
      check();
      if (!isThere(folder)) return 0;
      return withFolder(boundary, segments, { path }, ({ at }) => {
        const names = readdirSync(at('.'));
        for (const name of names) rmSync(at(name), { recursive: true, force: true });
        return names.length;
      });
    },

    async archive(destination) {
      check();
      checkDestination(destination);
      mkdirSync(dirname(destination), { recursive: true });
      const draft = join(dirname(destination), `.${basename(destination)}.${randomUUID()}`);
      const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
      try {
        const zip = zipWriter(file);
        const archived = await addTree(
          { boundary, path, zip, leftOut: [], files: 0 },
          segments,
          isThere(folder),
        );
        zip.end();
        fsyncSync(file);
        checkDestination(destination);
        renameSync(draft, destination);
        return { files: archived.files, bytes: zip.bytes, leftOut: archived.leftOut };
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      } finally {
        closeSync(file);
      }
    },
  };
}

/** An archive of before is replaced; anything else that is there was hardly meant. */
function cannotReplace(destination: string): string | undefined {
  const stats = statSync(destination, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  if (!stats.isFile()) return stats.isDirectory() ? 'is a folder' : 'is not a file';
  const start = Buffer.alloc(2);
  const file = openSync(destination, constants.O_RDONLY);
  try {
    readSync(file, start);
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === 'PK' ? undefined : 'is there already, and is no zip archive';
}

interface Adding {
  boundary: Boundary;
  path: string;
  zip: ZipWriter;
  leftOut: string[];
  files: number;
}

type Found =
  | { name: string; kind: 'folder' | 'file' | 'other' }
  | { name: string; kind: 'link'; target: string; modified: Date };

/** Under the names that it has in the workspace, in byte order. */
async function addTree(adding: Adding, segments: string[], isThere: boolean): Promise<Adding> {
  const { zip } = adding;
  const listed = isThere ? look(adding, segments) : { modified: new Date(), found: [] };
  zip.folder(segments.join('/'), listed.modified);
  for (const found of listed.found) {
    const inside = [...segments, found.name];
    const name = inside.join('/');
    if (found.kind === 'link') zip.link(name, found.target, found.modified);
    else if (found.kind === 'folder') await addTree(adding, inside, true);
    else if (found.kind === 'file' && (await addFile(adding, segments, found.name))) adding.files += 1;
    else adding.leftOut.push(name);
  }
  return adding;
}

function look({ boundary, path }: Adding, segments: string[]): { modified: Date; found: Found[] } {
  return withFolder(boundary, segments, { path }, ({ at }) => ({
    modified: lstatSync(at('.')).mtime,
    found: readdirSync(at('.'))
      .sort(compareBytes)
      .map((name): Found => {
        const stats = lstatSync(at(name), { throwIfNoEntry: false });
        if (stats?.isSymbolicLink())
          return { name, kind: 'link', target: readlinkSync(at(name)), modified: stats.mtime };
        return { name, kind: stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : 'other' };
      }),
  }));
}

/** False: it is gone, may not be read, or has become something else. */
async function addFile({ boundary, path, zip }: Adding, segments: string[], name: string): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = withFolder(boundary, segments, { path }, ({ at }) =>
      openSync(at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
    );
  } catch {
    return false;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return false;
    const facts = { size: stats.size, mode: stats.mode, modified: stats.mtime };
    await zip.file([...segments, name].join('/'), descriptor, facts);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

// ── P1 ──────────────────────────────────────────────────────────────────────────────────────────

function segmentsOf(boundary: Boundary, path: string): string[] {
  if (path.split('/').includes('..')) throw unsafe(path, 'it has `..` in it');
  const normal = normalise(boundary, path);
  if (normal === '') throw unsafe(path, 'it is the workspace itself');
  return normal.split('/');
}

function refuseLinks(boundary: Boundary, path: string, segments: string[]): void {
  let place = boundary.real;
  for (const segment of segments) {
    place = join(place, segment);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw unsafe(path, `${place} is a symlink`);
    if (!stats.isDirectory()) throw unsafe(path, `${place} is not a folder`);
  }
}

function unsafe(path: string, why: string): Fault {
  return new Fault('processed-unsafe', `the processed folder ${quote(path)} cannot be used: ${why}`, {
    hint: 'It must be a folder of its own inside the workspace (`policy.dirs.processed`, `processed_dir`). Nothing was removed.',
    exitCode: 2,
  });
}

function isThere(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
}

/** Links followed as far as there is anything. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return realPlace(path);
  }
}

/** Where a name would be made: its folder followed, the name as it is. */
function realPlace(path: string): string {
  const folder = dirname(path);
  return folder === path ? path : join(realOf(folder), basename(path));
}
