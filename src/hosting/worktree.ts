// worktree: where a run works. Chosen before the run is made, and there before its first step, at every start and resume.
// DW1. What is chosen is in the run's first entry before git makes anything: a crash in between is mended by a resume.
// DW2. Where no worktree can be made, the run works in place and its first entry says why.

import { join } from 'node:path';
import { asksForWorktrees, openWorktrees } from '../engine/engine.ts';
import type { EntryBody, Worktree, WorktreeSite } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { JsonObject } from '../model/json.ts';
import type { State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Worktrees } from '../ports/worktrees.ts';
import { slugFor } from './slug.ts';

const PREFIX = 'lockstep';

type Start = Extract<EntryBody, { kind: 'run-started' }>;

export interface Chosen {
  /** Where the run works. */
  workspace: string;
  /** For its first entry. */
  facts: Pick<Start, 'worktree' | 'worktrees' | 'warnings'>;
  /** The run was not made after all. */
  release(): void;
}

export interface Choosing {
  workflow: Workflow;
  workspace: string;
  /** Without secrets: names are made of them. */
  inputs: JsonObject;
  isDryRun: boolean;
  id: string;
}

export function chooseWorktree(worktrees: Worktrees | undefined, choosing: Choosing): Chosen {
  const { workflow, workspace, id } = choosing;
  const here: Chosen = { workspace, facts: {}, release() {} };
  const own = workflow.workspace === 'worktree';
  // A dry run leaves nothing behind, so it has no branch either.
  if (choosing.isDryRun || !(own || workflow.steps.some((step) => asksForWorktrees(step, workflow))))
    return here;
  if (worktrees === undefined) return { ...here, facts: { warnings: [inPlace('this drive makes none')] } };
  const slug = slugFor(workflow, choosing.inputs);
  const prefix = workflow.policy.branchPrefix ?? PREFIX;
  const branches = `${prefix}/${slug}`;
  // Without a folder of its own it keeps nobody off the name: the run's random letters tell it apart.
  const name = own ? slug : `${slug}-${id.slice(id.lastIndexOf('-') + 1)}`;
  const reservation = worktrees.reserve(workspace, { name, branches, keepFolder: own });
  if (reservation.kind === 'in-place') return { ...here, facts: { warnings: [inPlace(reservation.why)] } };
  const { project, path, inside, base, warnings, release } = reservation;
  const branch = `${branches}/${id}`;
  const site: WorktreeSite = { project, path, branch, ...(inside !== '' && { inside }) };
  return {
    workspace: own ? join(path, inside) : workspace,
    facts: {
      ...(own && { worktree: { path, branch, base } }),
      worktrees: site,
      ...(warnings.length > 0 && { warnings }),
    },
    release,
  };
}

function inPlace(why: string): string {
  return `no worktree: ${why}. The run works in place`;
}

/** Makes or puts back what the run goes on in; `wasMade`: its own was there before. The entries say what was done; none where nothing was. */
export async function prepareWorktrees(
  worktrees: Worktrees | undefined,
  start: Start,
  wasMade: boolean,
  state: State,
): Promise<EntryBody[]> {
  const { worktree, worktrees: site } = start;
  if (worktrees === undefined || site === undefined) return [];
  const bodies: EntryBody[] = [];
  const prepare = async (one: Worktree, wasThere: boolean, step?: string): Promise<void> => {
    const from = join(site.project, site.inside ?? '');
    const { how, warnings } = await worktrees
      .ensure({ project: site.project, from, worktree: one, wasThere })
      .catch((error: unknown) => {
        throw naming(start.run.id, error);
      });
    if (how === 'found' && warnings.length === 0 && wasThere) return;
    bodies.push({
      kind: 'worktree-prepared',
      ...(step !== undefined && { step }),
      worktree: one,
      how,
      ...(warnings.length > 0 && { warnings }),
    });
  };
  if (worktree) await prepare(worktree, wasMade);
  for (const { step, worktree: one } of openWorktrees(state)) await prepare(one, true, step);
  return bodies;
}

/** The run is there, and nobody has seen its name yet. */
function naming(id: string, error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const { code, message, hint, cause } = error;
  return new Fault(code, message, { hint: `${hint === undefined ? '' : `${hint} `}The run: ${id}`, cause });
}

/** The folder that the run was started in: where its definitions and records are. */
export function homeOf({ run, worktree, worktrees }: Pick<Start, 'run' | 'worktree' | 'worktrees'>): string {
  return worktree && worktrees ? join(worktrees.project, worktrees.inside ?? '') : run.workspace;
}
