// wait-signal: until somebody sends it. One that came before its wait is there at once, and only once.

import type { Wait } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { PerformContext, Performing } from './context.ts';
import { over } from './outcome.ts';
import { waiting } from './wait.ts';

type WaitSignal = Extract<Wait, { kind: 'wait-signal' }>;

export function waitSignal(command: WaitSignal, context: PerformContext): Performing {
  const received = (data: Json): Outcome => ({
    ok: true,
    output: context.mask.deep(data),
    exit_code: 0,
    duration_ms: 0,
  });
  const kept = context.signals.take(command.signal);
  if (kept !== undefined) return over(received(kept));
  return waiting(context, command, ({ succeed }) =>
    context.signals.wait(command.signal, (data) => succeed({ kind: 'outcome', outcome: received(data) })),
  );
}
