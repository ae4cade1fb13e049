// git-text: what git had of the work of a step, in sentences. Pure.

import type { EntryBody, Outcome } from '../../model/entry.ts';
import { GIT_CHECKS, type GitCheck } from '../../model/git-checks.ts';
import type { Workflow } from '../../model/workflow.ts';

/** Worth a person's attention. Why work was sent back, or held, is told with that. */
export function gitTexts({ git }: Outcome): readonly string[] {
  if (git?.notes === undefined && git?.nothing === undefined) return NONE;
  return [
    ...(git.notes ?? []),
    ...(git.nothing === undefined
      ? []
      : [`changed nothing, and says that there was nothing to do: ${git.nothing}`]),
  ];
}

/** What changed elsewhere: most likely somebody's own work. */
export function meanwhileTexts({ git }: Outcome): readonly string[] {
  return git?.meanwhile?.map((each) => `changed meanwhile outside the worktree: ${each}`) ?? NONE;
}

/** Checks that do not count in this run, and on whose word. */
export function switchedOffTexts(
  entry: Extract<EntryBody, { kind: 'run-started' | 'run-resumed' }>,
  workflow: Workflow,
): string[] {
  const byWorkflow = entry.kind === 'run-started' ? (workflow.policy.withoutGit ?? []) : [];
  return [
    ...byWorkflow.map((check) => offText(check, 'the workflow (policy.git)')),
    ...(entry.overrides?.without ?? []).map((check) => offText(check, '--without')),
  ];
}

function offText(check: GitCheck, by: string): string {
  return `the check "${check}" was switched off by ${by}: nobody looked whether ${GIT_CHECKS[check]}`;
}

const NONE: readonly string[] = [];
