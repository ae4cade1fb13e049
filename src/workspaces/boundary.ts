// boundary: S4, once. What a path written in a workflow may name, and where it really leads.
// Owns: the check. Never: opens anything (folder.ts does, and holds fast what was checked here).
//
// B1. A path is relative, with `/`, and stays inside: not absolute, not through `..`, without NUL.
// B2. Every symlink on the way is followed here, dangling ones too; where that ends must lie inside. Links that stay
//     inside are fine.
// B3. The root is held by its real path: what it was when the workspace was opened.

import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { Fault } from '../model/fault.ts';

export interface Boundary {
  /** Absolute, as given. */
  readonly root: string;
  readonly real: string;
}

/** As many as the kernel follows. */
const mostLinks = 40;

export function openBoundary(root: string): Boundary {
  const absolute = resolve(root);
  try {
    const real = realpathSync(absolute);
    if (statSync(real).isDirectory()) return { root: absolute, real };
  } catch (error) {
    throw gone(absolute, error);
  }
  throw gone(absolute);
}

/** Throws if the workspace is no longer there. Cheap: asked before each use. */
export function assertThere(boundary: Boundary): void {
  try {
    if (lstatSync(boundary.real).isDirectory()) return;
  } catch (error) {
    throw gone(boundary.root, error);
  }
  throw gone(boundary.root);
}

function gone(root: string, cause?: unknown): Fault {
  return new Fault('workspace-gone', `the workspace ${root} is not there, or is not a folder`, {
    cause,
    hint: 'Put it back where it was and resume the run, or start a new run elsewhere.',
  });
}

/** The path without `.` and doubled slashes; '' is the root itself. A `..` is refused even where it comes back. */
export function normalise(boundary: Boundary, path: string): string {
  if (path.includes('\0')) throw outside(boundary, path, 'nowhere: it contains a NUL byte');
  if (isAbsolute(path)) {
    const inner = relative(boundary.root, path);
    const hint = isWithin(boundary.root, resolve(path))
      ? `Write it relative to the workspace: ${quote(inner)}.`
      : undefined;
    throw outside(boundary, path, resolve(path), hint ?? 'Paths are relative to the workspace.');
  }
  const normal = posix.normalize(path || '.').replace(/\/$/, '');
  if (normal === '..' || normal.startsWith('../'))
    throw outside(boundary, path, resolve(boundary.root, path));
  // Where `a/..` leads depends on what `a` is: nobody has to think about that.
  if (path.split('/').includes('..')) throw throughParent(boundary, path);
  return normal === '.' ? '' : normal;
}

/** Where the path really leads: segments below `boundary.real`, none of them a symlink now. */
export function realSegments(boundary: Boundary, path: string): string[] {
  assertThere(boundary);
  const place = follow(boundary, path, normalise(boundary, path));
  if (!isWithin(boundary.real, place))
    throw outside(boundary, path, place, 'A symlink on the way points there.');
  return relative(boundary.real, place).split(sep).filter(Boolean);
}

/** Where the path leads, if that is not inside. Throws where it is not even a path of the workspace. */
export function leadsOutside(boundary: Boundary, path: string): string | undefined {
  const place = follow(boundary, path, normalise(boundary, path));
  return isWithin(boundary.real, place) ? undefined : place;
}

/** Of a path that need not be one of the workspace: relative where it is inside, else absolute. */
export function locate(boundary: Boundary, path: string): { spelt: string; real: string; place: string } {
  if (path.includes('\0')) throw outside(boundary, path, 'nowhere: it contains a NUL byte');
  const written = isAbsolute(path) ? path : `${boundary.real}/${path}`;
  const spelt = resolve(written);
  // The root may be written with a link in it, as it was given.
  const base = isWithin(boundary.root, spelt) ? boundary.root : boundary.real;
  const place = follow({ ...boundary, real: '/' }, path, written, boundary.real);
  return { spelt: inner(base, spelt), real: inner(boundary.real, place), place };
}

function inner(root: string, path: string): string {
  return isWithin(root, path) ? relative(root, path).split(sep).join('/') || '.' : path;
}

/** Like realpath, but goes on where nothing exists: what a link names counts even if it is not there yet. */
function follow(boundary: Boundary, path: string, normal: string, agentsFolder?: string): string {
  let place = boundary.real;
  const left = normal.split('/').reverse();
  for (let links = 0; left.length > 0; ) {
    const segment = left.pop() as string;
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      place = dirname(place);
      continue;
    }
    const next = join(place, segment);
    const target =
      agentsFolder === undefined ? linkTarget(next) : agentsTarget(boundary, path, next, agentsFolder);
    if (target === undefined) {
      place = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) throw outside(boundary, path, 'nowhere: its symlinks go in a circle');
    if (isAbsolute(target)) place = '/';
    left.push(...target.split('/').reverse());
  }
  return place;
}

/**
 * Where a link leads for an agent, which is another process: what `/proc` says of "self" is not ours. Descriptors of
 * another process lead where nobody knows, the first three aside, which are no files to be judged.
 */
function agentsTarget(
  boundary: Boundary,
  path: string,
  link: string,
  agentsFolder: string,
): string | undefined {
  if (link === '/proc/self' || link === '/proc/thread-self') return undefined;
  const [, who, what, which] =
    /^\/proc\/([^/]+)(?:\/task\/[^/]+)?\/(?:(cwd|root|exe)|(?:fd|map_files)\/([^/]+))$/.exec(link) ?? [];
  if (who === undefined) return linkTarget(link);
  const isAgents = who === 'self' || who === 'thread-self';
  if (isAgents && what === 'cwd') return agentsFolder;
  if (isAgents && what === 'root') return '/';
  if (which !== undefined && /^[012]$/.test(which)) return undefined;
  const target = isAgents ? undefined : linkTarget(link);
  if (target === undefined || which !== undefined)
    throw outside(boundary, path, `where ${link} points, which cannot be told`, 'Write the path itself.');
  return target;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // not there, or below something that is no folder: nothing to follow
  }
}

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function throughParent({ root }: Boundary, path: string): Fault {
  return new Fault('path-outside', `the path ${quote(path)} in the workspace ${root} goes through \`..\``, {
    hint: 'Write it without `..`: paths are relative to the workspace and may not leave it.',
    exitCode: 2,
  });
}

export function outside(boundary: Boundary, path: string, where: string, hint?: string): Fault {
  return new Fault(
    'path-outside',
    `the path ${quote(path)} leaves the workspace ${boundary.root}: it leads to ${where}`,
    {
      hint: hint ?? 'Paths are relative to the workspace and may not leave it.',
      exitCode: 2,
    },
  );
}

/** Names may hold newlines and quotes; a message stays one line. */
export function quote(path: string): string {
  return JSON.stringify(path);
}
