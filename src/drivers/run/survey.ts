// survey: what a run has left in its workspace, looked at when it stops or when somebody asks. What cannot be known is
// left out: the report then says nothing rather than something wrong.

import type { Workspace } from '../../ports/workspace.ts';
import type { Mask } from '../../runtime/mask.ts';
import type { Survey } from '../../views/report.ts';

export function surveyOf(
  workspace: Pick<Workspace, 'changed' | 'commits'>,
  location: string,
  mask: Pick<Mask, 'text'>,
): Survey {
  const filesChanged = orNothing(() => workspace.changed('**'));
  const commits = orNothing(() => workspace.commits());
  return {
    location,
    ...(filesChanged && { filesChanged: filesChanged.map((path) => mask.text(path)) }),
    ...(commits && { commits: commits.map(({ id, subject }) => ({ id, subject: mask.text(subject) })) }),
  };
}

/** Not a git repository, or gone. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
