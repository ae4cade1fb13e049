// doubt: the process died while this ran (E4). Waiting goes on where it was; work is probed, run again or put to a
// person, as `recover` says, and that it was in doubt is on record.

import type { Command } from '../model/command.ts';
import type { Running } from '../model/state.ts';
import { dispatchCommand } from './steps/run.ts';
import { decideWait } from './steps/wait.ts';
import type { Turn } from './turn.ts';

export function decideDoubt(turn: Turn): Command {
  const { open } = turn;
  const doubt = open.doubt as Running;
  const place = { path: open.path, part: doubt.part };
  const rerun: Command = { entry: { kind: 'attempt-in-doubt', ...place, remedy: 'rerun' } };

  if (doubt.verb === 'sleep') {
    const duration = open.delay ?? 0;
    return {
      entry: { kind: 'attempt-in-doubt', ...place, remedy: 'wait' },
      perform: { kind: 'sleep', path: open.path, duration, since: doubt.startedAt },
    };
  }
  if (doubt.verb === 'observe' || open.leaving || doubt.part === 'probe') return rerun;
  if (doubt.verb === 'wait' && doubt.part === undefined) {
    const { perform } = decideWait(turn, doubt.startedAt);
    return { entry: { kind: 'attempt-in-doubt', ...place, remedy: 'wait' }, perform };
  }
  // A check is made to be repeated.
  if (doubt.part?.startsWith('done')) return rerun;

  const { recover } = open.step;
  switch (recover.kind) {
    case 'rerun':
      return rerun;
    case 'probe':
      return doubt.part === undefined ? dispatchCommand(turn, recover.command, 'probe', 'probe') : rerun;
    case 'pause':
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
}
