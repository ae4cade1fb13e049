// wait: block until files are there, a signal came, or a time has passed. `since` is when it began, for one that a
// crash cut short: waiting is not done twice.

import type { Command, Wait } from '../../model/command.ts';
import type { WaitWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { workspaceOf } from '../worktree.ts';

export function decideWait(decision: Decision, since?: number): Command {
  const { open, read } = decision;
  const work = open.step.work as WaitWork;
  const perform = waiting(decision, work, since);
  return {
    entry: {
      kind: 'attempt-started',
      path: open.path,
      verb: 'wait',
      try: open.try,
      title: open.step.title === undefined ? undefined : read.text(open.step.title),
      signal: perform.kind === 'wait-signal' ? perform.signal : undefined,
    },
    perform,
  };
}

function waiting({ state, open, read }: Decision, work: WaitWork, since: number | undefined): Wait {
  const { path } = open;
  const limit = open.step.timeout ?? state.limits.step;
  switch (work.for) {
    case 'files': {
      const files = read.texts(work.files);
      return {
        kind: 'wait-files',
        path,
        workspace: workspaceOf(state, open),
        files,
        min: work.min,
        every: work.every,
        timeout: work.timeout ?? limit,
        since,
      };
    }
    case 'signal':
      return {
        kind: 'wait-signal',
        path,
        signal: read.text(work.signal),
        timeout: work.timeout ?? limit,
        since,
      };
    case 'time':
      return { kind: 'wait-time', path, duration: work.duration, since };
  }
}
