// worktree: `workspace: worktree` on a step: a checkout and a branch of its own, made before anything in it happens. On
// `each` every pass has one. Where none can be made (no repository), it works where the run does, and then nothing
// that asked for one runs beside others.
// Owns: which step has one, and what its folder is called. Never: makes one.
// WT1. Two places of a run never have the same worktree, and a place that runs again has the one it had.

import type { WorkspaceAt } from '../model/command.ts';
import type { RunFacts, Worktree, WorktreeSite } from '../model/entry.ts';
import type { OpenList, OpenStep, State } from '../model/state.ts';
import type { Step, Workflow } from '../model/workflow.ts';
import { isGates } from './opening.ts';

/** Of an `each` its passes do, not the step itself. */
export function wantsWorktree({ worktrees }: State, { step }: OpenStep): boolean {
  return step.workspace === 'worktree' && step.work.kind !== 'each' && worktrees !== undefined;
}

/**
 * `execute[2]` is `execute-2`. What is deeper keeps its way in characters that no id has (`.` `+`), so that no two paths
 * have one name; all of them may stand in a branch and in a folder.
 */
export function worktreeName(path: string): string {
  const own = path.replace(/\[(\d+)\]$/, '-$1');
  const plain = own === path && /-\d+$/.test(path) ? `${path}.s` : own;
  return plain
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/#(\d+)/g, '.p$1')
    .replace(/~(\d+)/g, '.v$1')
    .replaceAll('/', '+');
}

/** The nearest one around, called workflows included; undefined: the run's own workspace. */
export function worktreeOf(open: OpenStep): Worktree | undefined {
  for (let at: OpenStep | undefined = open; at; at = at.list.owner) if (at.worktree) return at.worktree;
  return undefined;
}

/** Where a step happens, if that is not the workspace of the run. */
export function workspaceOf({ worktrees }: State, open: OpenStep): WorkspaceAt | undefined {
  const worktree = worktreeOf(open);
  return worktree && { root: folderIn(worktree, worktrees), since: worktree.base };
}

/** What `run` is to an expression of this step. */
export function runFactsAt({ run, worktrees }: State, open: OpenStep | undefined): RunFacts {
  const worktree = open && worktreeOf(open);
  return worktree ? { ...run, branch: worktree.branch, workspace: folderIn(worktree, worktrees) } : run;
}

function folderIn({ path }: Worktree, site: WorktreeSite | undefined): string {
  return site?.inside === undefined ? path : `${path}/${site.inside}`;
}

/** Those of steps that are not over, and whose they are: what a resumed run goes on in. */
export function openWorktrees({ root }: State): { step: string; worktree: Worktree }[] {
  const found: { step: string; worktree: Worktree }[] = [];
  const walkList = (list: OpenList | undefined): void => {
    if (list?.child) walk(list.child);
  };
  const walk = (open: OpenStep): void => {
    if (open.worktree) found.push({ step: open.path, worktree: open.worktree });
    if (open.fan) for (const child of open.fan.children.values()) walk(child);
    else walkList(open.body);
  };
  walkList(root);
  return found;
}

/**
 * Agents that asked for a worktree each and have none share a workspace, so they take turns (rule 6). A client that is led is
 * handed one step at a time.
 */
export function concurrencyOf(state: State, step: Step, asked: number): number {
  const { worktrees, root, driven } = state;
  if (driven.drive !== 'run' && (!isGates(step) || driven.own_reviews)) return 1;
  return worktrees === undefined && asksForWorktrees(step, root.scope.workflow) ? 1 : asked;
}

const asking = new WeakMap<Step, boolean>();

export function asksForWorktrees(step: Step, workflow: Workflow): boolean {
  const known = asking.get(step);
  if (known !== undefined) return known;
  const { work } = step;
  const called = work.kind === 'workflow' ? workflow.workflows[work.workflow]?.steps : undefined;
  const inside = called ?? ('steps' in work ? work.steps : []);
  const asks = step.workspace === 'worktree' || inside.some((inner) => asksForWorktrees(inner, workflow));
  asking.set(step, asks);
  return asks;
}
