// watched-command: a command in a worktree of the run: git is looked at before it starts and when it has ended. What it
// runs may be an agent's work, also where the line itself is the workflow's.

import type { RunCommand } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { CancelReason, PerformContext, Performing } from './context.ts';
import { watchGit } from './git-watch.ts';
import { brokenOutcome, endFailure, masked, UNPERFORMABLE } from './outcome.ts';

export function watchedCommand(
  command: RunCommand,
  context: PerformContext,
  startCommand: (command: RunCommand, context: PerformContext) => Performing,
): Performing {
  let running: Performing | undefined;
  let ended: CancelReason | undefined;
  const none = { ok: false, output: null, duration_ms: 0 } as const;
  const perform = async (): Promise<Outcome> => {
    const watch = await watchGit(command, 'runs', context);
    if (watch?.refusal) {
      const { seen, failure } = await watch.end({});
      return { ...none, exit_code: UNPERFORMABLE, ...(failure && { error: failure }), git: seen };
    }
    if (ended !== undefined) return { ...none, error: endFailure(ended) };
    running = startCommand(command, context);
    const performed = running.now ?? (await running.done);
    if (performed.kind !== 'outcome') throw new Error(`a command ended as ${performed.kind}`);
    const { outcome } = performed;
    if (watch === undefined) return outcome;
    const { repository } = outcome;
    const { seen, failure } = await watch.end({ ...(repository && { repository }) });
    return { ...outcome, git: seen, ...(failure && { ok: false, error: failure, exit_code: UNPERFORMABLE }) };
  };
  return {
    done: perform()
      .then(
        (outcome) => masked(context.mask, outcome),
        (error) => brokenOutcome(error, context.mask, 0),
      )
      .then((outcome) => ({ kind: 'outcome', outcome })),
    cancel(reason) {
      ended ??= reason;
      if (running && running.now === undefined) running.cancel(reason);
    },
  };
}
