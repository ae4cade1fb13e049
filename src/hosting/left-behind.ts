// left-behind: a holder that was killed leaves its children running; what is in doubt must not run beside its old self (E4).

import type { Hosting } from './hosting.ts';
import type { Memory } from './memory.ts';

export async function endLeftBehind(
  { processes, sweep }: Pick<Hosting, 'processes' | 'sweep'>,
  { state, lastHolder }: Pick<Memory, 'state' | 'lastHolder'>,
  warn: (message: string) => void,
): Promise<void> {
  if (state.running.size === 0) return;
  const ended = await processes.endLeftBehind(
    (environment) =>
      environment.get('LOCKSTEP_RUN') === state.run.id &&
      state.running.has(environment.get('LOCKSTEP_STEP') ?? ''),
  );
  await sweep?.(lastHolder);
  if (ended > 0)
    warn(`ended ${ended} ${ended === 1 ? 'process' : 'processes'} that the killed run had left behind`);
}
