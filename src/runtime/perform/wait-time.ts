// wait-time: until so much time has passed. Also the delay before a retry, which ends in `due` instead.

import type { Milliseconds } from '../../model/workflow.ts';
import type { PerformContext, Performed, Performing } from './context.ts';
import { remaining, waiting } from './wait.ts';

interface Delay {
  duration: Milliseconds;
  since?: number;
}

export function waitTime(command: Delay, context: PerformContext): Performing {
  const outcome = { ok: true, output: null, exit_code: 0, duration_ms: 0 };
  return until(command, context, { kind: 'outcome', outcome });
}

export function sleep(command: Delay, context: PerformContext): Performing {
  return until(command, context, { kind: 'due' });
}

function until(command: Delay, context: PerformContext, performed: Performed): Performing {
  const left = remaining(context.clock, command.duration, command.since);
  if (left === 0) return { now: performed };
  return waiting(context, {}, ({ succeed }) => context.clock.after(left, () => succeed(performed)));
}
