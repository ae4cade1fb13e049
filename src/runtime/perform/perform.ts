// perform: a command → what came of it. The only place with effects.
// Owns: doing what `decide` asked for, through the ports. Never: decides, appends, reads the journal.
//
// F1. `done` never rejects: whatever breaks inside is an outcome with a class and a message.
// F2. What is over at once says so (`now`): no promise, no timer, no log.
// F3. Nothing that leaves here holds a secret (S3) or more than its bounds (S5).
// F4. After `cancel`, `done` resolves when everything it started is gone.

import { callHandler } from '../handlers/call-handler.ts';
import type { Performable, PerformContext, Performing } from './context.ts';
import { handOut } from './hand-out.ts';
import { observe } from './observe.ts';
import { openWorktree } from './open-worktree.ts';
import { refused } from './outcome.ts';
import { runAgent } from './run-agent.ts';
import { runCommand } from './run-command.ts';
import { runProgram } from './run-program.ts';
import { waitFiles } from './wait-files.ts';
import { waitSignal } from './wait-signal.ts';
import { sleep, waitTime } from './wait-time.ts';
import { weighClaim } from './weigh-claim.ts';

export type {
  LiveEvent,
  Performable,
  PerformContext,
  Performed,
  Performing,
} from './context.ts';

export function perform(command: Performable, context: PerformContext): Performing {
  try {
    return begin(command, inPlace(command, context));
  } catch (error) {
    return refused(error, context.mask);
  }
}

/** Everything an effect does, it does where its step works. */
function inPlace(command: Performable, context: PerformContext): PerformContext {
  const place = 'workspace' in command ? command.workspace : undefined;
  return place && context.at ? { ...context, ...context.at(place) } : context;
}

function begin(command: Performable, context: PerformContext): Performing {
  switch (command.kind) {
    case 'call-handler':
      return command.review ? runProgram(command, context) : callHandler(command, context);
    case 'run-command':
      return command.review ? runProgram(command, context) : runCommand(command, context);
    case 'run-agent':
      return runAgent(command, context);
    case 'hand-out':
      return handOut(command, context);
    case 'weigh-claim':
      return weighClaim(command, context);
    case 'wait-files':
      return waitFiles(command, context);
    case 'wait-signal':
      return waitSignal(command, context);
    case 'wait-time':
      return waitTime(command, context);
    case 'sleep':
      return sleep(command, context);
    case 'observe':
      return observe(command, context);
    case 'open-worktree':
      return openWorktree(command, context);
  }
}
