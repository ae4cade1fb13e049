// worktree: which worktrees runs have left, and getting rid of those that nobody needs. A run never removes one itself.

import { resolve } from 'node:path';
import { runRow } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import type { KnownWorktree, WorktreeFound, Worktrees } from '../../ports/worktrees.ts';
import { plain } from '../../views/text/plain.ts';
import { count } from '../../views/text/words.ts';
import { refuseBelowAgent } from '../below-agent.ts';
import { findRun } from '../find-run.ts';
import { terminalWidth } from '../look.ts';
import type { Services } from '../services.ts';
import { table } from '../table.ts';

interface Options {
  json?: boolean;
  stateDir?: string;
}

/** Branches of ours end in the id of their run, and what it is of the run. */
const OURS = /\/(\d{8}T\d{6}Z-[0-9a-z]+)(?:-(.+))?$/;

export async function listWorktrees(services: Services, options: Options): Promise<number> {
  const store = await services.store(options.stateDir);
  const { worktrees, project } = await worktreesHere(services);
  const all = worktrees ? await worktrees.list(project) : [];
  const runs = new Set(all.length === 0 ? [] : store.list());
  const rows = all.map((each) => described(services, store, runs, each));
  if (options.json) {
    services.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return 0;
  }
  if (rows.length === 0) services.stdout.write('No worktrees here.\n');
  else {
    const cells = rows.map((row) => [
      row.run ?? '',
      row.status ?? '',
      stateWords(row),
      plain(row.branch),
      plain(row.path),
    ]);
    const head = ['RUN', 'STATUS', 'STATE', 'BRANCH', 'PATH'];
    services.stdout.write(table(head, cells, terminalWidth(services)));
  }
  return 0;
}

interface Row {
  path: string;
  branch: string;
  run: string | null;
  /** Of the run. */
  status: string | null;
  gone: boolean;
  dirty: string[];
  ahead: number;
}

function described(services: Services, store: Store, runs: ReadonlySet<string>, each: WorktreeFound): Row {
  const id = OURS.exec(each.branch)?.[1];
  const known = id !== undefined && runs.has(id);
  return {
    path: each.path,
    branch: each.branch,
    run: id ?? null,
    status: known ? runRow(services, store, id).status : null,
    gone: each.isGone,
    dirty: each.dirty,
    ahead: each.ahead,
  };
}

function stateWords({ gone, dirty, ahead }: Row): string {
  const words = [
    ...(gone ? ['folder gone'] : []),
    ...(dirty.length > 0 ? [`${count(dirty.length, 'file')} not committed`] : []),
    ...(ahead > 0 ? [`${count(ahead, 'commit')} ahead`] : []),
  ];
  return words.length === 0 ? 'nothing of its own' : words.join(', ');
}

export interface RemoveOptions extends Options {
  force?: boolean;
  branch?: boolean;
}

export async function removeWorktrees(
  services: Services,
  reference: string,
  options: RemoveOptions,
): Promise<number> {
  await refuseBelowAgent(services, 'worktree remove');
  const store = await services.store(options.stateDir);
  const { worktrees, project } = await worktreesHere(services);
  const chosen = choose(services, store, worktrees?.known(project) ?? [], reference);
  for (const { path, branch } of chosen) refuseInUse(services, store, path, branch);
  const { force = false, branch: withBranch = false } = options;
  const paths = chosen.map(({ path }) => path);
  const removed = await worktrees?.remove(project, paths, { force, branch: withBranch });
  for (const { path, branch, ahead } of removed ?? []) {
    const stays =
      branch === ''
        ? ''
        : withBranch
          ? `, and its branch ${branch}`
          : `. Its branch ${branch} stays${ahead > 0 ? `, with ${count(ahead, 'commit')} of its own` : ''}`;
    services.stdout.write(`Removed ${plain(path)}${plain(stays)}.\n`);
  }
  return 0;
}

/** None where there can be none. */
async function worktreesHere(services: Services): Promise<{ worktrees?: Worktrees; project: string }> {
  const project = await services.projectRoot();
  const worktrees = await services.worktrees();
  return { project, ...(worktrees.whyNot(project) === undefined && { worktrees }) };
}

/** By path, as one sees it; else by run: all that it made. */
function choose(services: Services, store: Store, all: KnownWorktree[], reference: string): KnownWorktree[] {
  const path = resolve(services.cwd, reference);
  const byPath = all.filter((each) => each.path === path || each.path.endsWith(`/.worktrees/${reference}`));
  if (byPath.length > 0) return byPath;
  const ids = [...new Set(all.flatMap(({ branch }) => OURS.exec(branch)?.[1] ?? []))];
  // A run that was cleaned up is still named by its branches.
  const matching = ids.filter(
    (id) => id === reference || id.startsWith(reference) || id.endsWith(`-${reference}`),
  );
  const [only] = matching;
  const run = matching.length === 1 && only !== undefined ? only : runNamed(store, reference);
  const byRun = all.filter(({ branch }) => OURS.exec(branch)?.[1] === run);
  if (byRun.length > 0) return byRun;
  throw new Fault('worktree-unknown', `run ${run} has no worktree here`, {
    hint: 'lockstep worktree list shows those there are.',
    exitCode: 2,
  });
}

function runNamed(store: Store, reference: string): string {
  try {
    return findRun(store, reference);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'run-unknown') throw error;
    throw new Fault('worktree-unknown', `there is no worktree "${reference}", and no run of that name`, {
      hint: 'lockstep worktree list shows those there are.',
      exitCode: 2,
    });
  }
}

function refuseInUse(services: Services, store: Store, path: string, branch: string): void {
  const refuse = (why: string, hint: string): never => {
    throw new Fault('worktree-in-use', `${path} was not removed: ${why}`, { hint, exitCode: 2 });
  };
  if (`${services.cwd}/`.startsWith(`${path}/`)) refuse('you stand in it', 'Change to another folder first.');
  const id = OURS.exec(branch)?.[1];
  if (id === undefined || !store.list().includes(id)) return;
  const holder = store.read(id).holder();
  if (holder && holder.alive !== false)
    refuse(
      `run ${id} is at work in it (process ${holder.pid} on ${holder.host})`,
      `Wait until it ends, or end it: lockstep cancel ${id}`,
    );
}
