// open-worktree: the order to make the worktree of a step, on a branch that its place names, or the workflow.

import type { Command } from '../model/command.ts';
import type { WorktreeSite } from '../model/entry.ts';
import type { Decision } from './decision.ts';
import { Unevaluable } from './reader.ts';
import { workspaceOf, worktreeName } from './worktree.ts';

const LONGEST_BRANCH = 200;

export function openWorktree({ state, open, read }: Decision): Command {
  const site = state.worktrees as WorktreeSite;
  const name = worktreeName(open.path);
  const named = open.step.branch === undefined ? undefined : branchNamed(read.text(open.step.branch));
  const worktree = { path: `${site.path}-${name}`, branch: named ?? `${site.branch}-${name}` };
  const from = workspaceOf(state, open)?.root ?? state.run.workspace;
  return {
    entry: { kind: 'worktree-opening', path: open.path, worktree },
    perform: {
      ...{ kind: 'open-worktree' as const, path: open.path, project: site.project, from, worktree },
      ...(named !== undefined && { isNew: true as const }),
    },
  };
}

/** As git has them (check-ref-format), and without what a shell would read. */
function branchNamed(text: string): string {
  const name = text.trim();
  const isBad =
    !/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./+@=,-]*$/u.test(name) ||
    name.length > LONGEST_BRANCH ||
    /\.\.|\/\/|\/\.|@\{|(?:\.lock|[./])(?:\/|$)/.test(name);
  if (isBad)
    throw new Unevaluable(
      `\`branch\` must be the name of a branch, and ${JSON.stringify(text.slice(0, LONGEST_BRANCH))} is none: letters, digits, \`-\`, \`_\`, \`.\` and \`/\` between them`,
    );
  return name;
}
