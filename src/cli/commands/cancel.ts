// cancel: end a run for good. Whoever holds it ends what runs first; a run that nobody holds is closed here.

import { cancelRun } from '../../drivers/run/cancel.ts';
import { Fault } from '../../model/fault.ts';
import type { StoredRun } from '../../ports/store.ts';
import { findRun, readRun } from '../find-run.ts';
import type { Services } from '../services.ts';

export async function cancel(
  services: Services,
  reference: string,
  options: { why?: string; stateDir?: string },
): Promise<number> {
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const { state, stored } = readRun(store, id, services.hash);
  if (state.status === 'completed' || state.status === 'cancelled') {
    throw new Fault('run-ended', `run ${id} is already ${state.status}`, { exitCode: 2 });
  }
  const by = services.environment.USER ?? 'somebody';
  const holder = stored.holder();
  if (holder === undefined || holder.alive === false) {
    cancelRun(await services.runServices(store), id, by, options.why);
    services.stdout.write(`Run ${id} is cancelled.\n`);
    return 0;
  }
  store.post(id, { kind: 'cancel', by, why: options.why });
  services.stdout.write(
    `Asked the process that runs ${id} (pid ${holder.pid} on ${holder.host}) to end it.\n`,
  );
  await ended(stored);
  services.stdout.write(`Run ${id} is cancelled.\n`);
  return 0;
}

/** Until the holder has let go. */
async function ended(stored: StoredRun): Promise<void> {
  await new Promise<void>((resolve) => {
    const unwatch = stored.watch(check);
    const poll = setInterval(check, 200);
    function check(): void {
      const holder = stored.holder();
      if (holder !== undefined && holder.alive !== false) return;
      clearInterval(poll);
      unwatch();
      resolve();
    }
    check();
  });
}
