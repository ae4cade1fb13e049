// moved: a run knows its workspace by its path, and lies in it. Where the workspace was copied or moved with the run in it,
// going on would work on a folder that nobody stands in, or on none.

import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { EntryBody } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { StoredRun } from '../ports/store.ts';
import type { Hosting } from './hosting.ts';
import { homeOf } from './worktree.ts';

type Start = Extract<EntryBody, { kind: 'run-started' }>;
type Place = Pick<Start['run'], 'workspace' | 'root'>;

/** Of a run in a worktree: where it was started, which is where it lies. */
export function placeOf(start: Start): Place {
  const workspace = homeOf(start);
  return { workspace, root: start.worktree ? runRoot(workspace, start.run.root) : start.run.root };
}

/** Relative to the workspace if it lies inside; else where it is. */
export function runRoot(workspace: string, location: string): string {
  const inside = relative(workspace, location);
  const leaves = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return leaves ? location : inside.split(sep).join('/');
}

/** The workspace that the run lies in now, where that is another path than it started with. */
export function newWorkspace({ workspace, root }: Place, location: string) {
  if (root === location || resolve(workspace, root) === location) return undefined;
  const inside = `${sep}${root.split('/').join(sep)}`;
  // Else the runs were kept elsewhere, or were put elsewhere by themselves: the workspace is where it was.
  return location.endsWith(inside) ? location.slice(0, -inside.length) || sep : undefined;
}

/** Fault `workspace-moved`; `workspace-gone` where it is not there, and the run lies elsewhere. */
export function refuseMoved(
  { workspaces }: Pick<Hosting, 'workspaces'>,
  run: Pick<StoredRun, 'id' | 'location'>,
  start: Start,
  since: string | undefined,
): void {
  const place = placeOf(start);
  const { workspace } = place;
  const here = newWorkspace(place, run.location);
  const there = open(workspaces, workspace, since, here !== undefined);
  if (here === undefined) return;
  // The same folder under another name, by a link on the way.
  if (there && there.locate(run.location).real === there.locate(place.root).real) return;
  const isCopy = there?.exists(place.root) ?? false;
  const anew = `start anew here, with the same inputs: lockstep resume ${run.id} --force-restart`;
  throw new Fault(
    'workspace-moved',
    isCopy
      ? `run ${run.id} works in ${workspace}, and this is a copy of it, in ${here}`
      : `run ${run.id} worked in ${workspace}, and lies in ${here} now`,
    {
      hint: isCopy
        ? `Go on there: cd ${workspace} && lockstep resume ${run.id}. Or ${anew}`
        : `Move it back${there ? '' : `, or leave a link in its place: ln -s ${here} ${workspace}`}. Or ${anew}`,
      exitCode: 2,
    },
  );
}

function open(
  workspaces: Hosting['workspaces'],
  workspace: string,
  since: string | undefined,
  mayBeGone: boolean,
) {
  try {
    return workspaces.open(workspace, since);
  } catch (error) {
    if (mayBeGone && error instanceof Fault && error.code === 'workspace-gone') return undefined;
    throw error;
  }
}
