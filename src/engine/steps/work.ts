// work: a step's turn to do something: dispatch it, look at what came of it, or move the block along.

import type { Command } from '../../model/command.ts';
import type { Turn } from '../turn.ts';
import { decideAsk } from './ask.ts';
import { dispatchCall } from './call.ts';
import { decideFan } from './fan.ts';
import { decideFailedInside } from './inside.ts';
import { decideLoop } from './loop.ts';
import { dispatchPrompt } from './prompt.ts';
import { decideRetry } from './retry.ts';
import { dispatchRun } from './run.ts';
import { decideWait } from './wait.ts';
import { decideCalled } from './workflow.ts';

export function decideWork(turn: Turn): Command {
  const { open } = turn;
  if (open.pending) return decideRetry(turn, open.pending);
  const { work } = open.step;
  switch (work.kind) {
    case 'prompt':
      return dispatchPrompt(turn, work);
    case 'run':
      return dispatchRun(turn, work);
    case 'call':
      return dispatchCall(turn, work);
    case 'wait':
      return decideWait(turn);
    case 'ask':
      return decideAsk(turn, work);
    case 'sequence':
      return decideFailedInside(turn);
    case 'parallel':
    case 'each':
      return decideFan(turn);
    case 'loop':
      return decideLoop(turn, work);
    case 'workflow':
      return decideCalled(turn, work);
  }
}
