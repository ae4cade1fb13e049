// doubt: the process died while this ran (E4). Waiting goes on where it was; work is probed, run again or put to a
// person, as `recover` says, and that it was in doubt is on record.

import type { Command, Perform } from '../model/command.ts';
import type { Running } from '../model/state.ts';
import type { Decision } from './decision.ts';
import { isDoomed } from './leaving.ts';
import { dispatchCommand } from './steps/run.ts';
import { decideWait } from './steps/wait.ts';

/** Looking, making a worktree, putting a prompt together, and weighing what a client handed in. */
const REPEATABLE = new Set(['observe', 'worktree', 'hand-out', 'claim']);

export function decideDoubt(decision: Decision): Command {
  const { open } = decision;
  const doubt = open.doubt as Running;
  const place = { path: open.path, part: doubt.part };
  const told = (remedy: 'rerun' | 'probe' | 'ask' | 'wait', perform?: Perform): Command => ({
    entry: { kind: 'attempt-in-doubt', ...place, remedy },
    perform,
  });
  // What is to end anyway is not gone on with; it says so itself.
  if (isDoomed(open)) return told('rerun');
  if (doubt.verb === 'sleep') {
    return told('wait', {
      kind: 'sleep',
      path: open.path,
      duration: open.delay ?? 0,
      since: doubt.startedAt,
    });
  }
  if (doubt.verb === 'wait' && doubt.part === undefined) {
    return told('wait', decideWait(decision, doubt.startedAt).perform);
  }
  // Made to be repeated, as every check is.
  if (REPEATABLE.has(doubt.verb) || doubt.part?.startsWith('done')) return told('rerun');

  const { recover } = open.step;
  if (recover.kind === 'rerun' || (recover.kind === 'probe' && doubt.part !== undefined))
    return told('rerun');
  if (!doubt.told) return told(recover.kind === 'probe' ? 'probe' : 'ask');
  if (recover.kind === 'probe') return dispatchCommand(decision, recover.command, 'probe', 'probe');
  return {
    entry: {
      kind: 'question-asked',
      path: open.path,
      part: doubt.part,
      question: 'in-doubt',
      text: `The process ended while "${open.path}" was under way. Did it happen?`,
    },
  };
}
