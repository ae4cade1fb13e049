// work: a step's turn to do something: dispatch it, look at what came of it, or move the block along.

import type { Command } from '../../model/command.ts';
import type { Decision } from '../decision.ts';
import { weighClaim } from '../weigh-claim.ts';
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

export function decideWork(decision: Decision): Command {
  const { open } = decision;
  if (open.pending) return decideRetry(decision, open.pending);
  const { work } = open.step;
  switch (work.kind) {
    case 'prompt':
      return open.claim ? weighClaim(decision, open.claim) : dispatchPrompt(decision, work);
    case 'run':
      return dispatchRun(decision, work);
    case 'call':
      return dispatchCall(decision, work);
    case 'wait':
      return decideWait(decision);
    case 'ask':
      return decideAsk(decision, work);
    case 'sequence':
      return decideFailedInside(decision);
    case 'parallel':
    case 'each':
      return decideFan(decision);
    case 'loop':
      return decideLoop(decision, work);
    case 'workflow':
      return decideCalled(decision, work);
  }
}
