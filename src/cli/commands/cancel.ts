// cancel: end a run for good. Whoever holds it ends what runs first; a run that nobody holds is closed here.

import { readRun, tellRun } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import type { StoredRun } from '../../ports/store.ts';
import { refuseBelowClient } from '../below-agent.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { speakOr } from '../speak.ts';

/** A command has ten seconds between TERM and KILL at most; after that somebody must look. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 200;

export async function cancel(
  services: Services,
  reference: string,
  options: { why?: string; stateDir?: string },
): Promise<number> {
  await refuseBelowClient(services, 'cancel');
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const { state, stored } = readRun(store, id, services.hash);
  refuseEnded(state.status, id);
  const asked = { kind: 'cancel', by: services.user, why: options.why } as const;
  const said = await speakOr(services, store, id, asked, async () => {
    // The process that held it may have ended it in the meantime.
    refuseEnded(readRun(store, id, services.hash).state.status, id);
    await tellRun(await services.hosting(options.stateDir), id, asked);
  });
  if ('done' in said) {
    services.stdout.write(`Run ${id} is cancelled.\n`);
    return 0;
  }
  const { pid, host } = said.heard;
  services.stdout.write(`Asked the process that runs ${id} (pid ${pid} on ${host}) to end it.\n`);
  if (!(await letGo(stored))) {
    throw new Fault('cancel-pending', `pid ${pid} on ${host} has not ended run ${id} yet`, {
      hint: `It has the message. \`lockstep status ${id}\` shows when it has ended.`,
    });
  }
  const { status } = readRun(store, id, services.hash).state;
  services.stdout.write(
    status === 'cancelled' ? `Run ${id} is cancelled.\n` : `Run ${id} had ended before: it is ${status}.\n`,
  );
  return status === 'cancelled' ? 0 : 1;
}

function refuseEnded(status: State['status'], id: string): void {
  if (status !== 'completed' && status !== 'cancelled') return;
  throw new Fault('run-ended', `run ${id} is already ${status}`, { exitCode: 2 });
}

/** Whether the holder let go, in good time. */
async function letGo(stored: StoredRun): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const end = (answer: boolean) => {
      clearInterval(poll);
      clearTimeout(patience);
      unwatch();
      resolve(answer);
    };
    const check = () => {
      const holder = stored.holder();
      if (holder === undefined || holder.alive === false) end(true);
    };
    const unwatch = stored.watch(check);
    const poll = setInterval(check, LOOK_EVERY_MS);
    const patience = setTimeout(() => end(false), PATIENCE_MS);
    check();
  });
}
