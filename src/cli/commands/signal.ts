// signal: send what a `wait: { signal }` waits for. One that is early is kept.

import { Fault } from '../../model/fault.ts';
import { findRun, readRun } from '../find-run.ts';
import type { Services } from '../services.ts';

export async function signal(
  services: Services,
  reference: string,
  name: string,
  options: { data?: string; stateDir?: string },
): Promise<number> {
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const { state, stored } = readRun(store, id, services.hash);
  if (state.status === 'completed' || state.status === 'cancelled') {
    throw new Fault('run-ended', `run ${id} is ${state.status}: nothing will wait for a signal`, {
      exitCode: 2,
    });
  }
  store.post(id, { kind: 'signal', name, data: parseData(options.data), by: services.user });
  const isHeld = stored.holder() !== undefined;
  services.stdout.write(
    isHeld
      ? `Sent "${name}" to run ${id}.\n`
      : `Sent "${name}" to run ${id}. Nobody runs it now; it is kept until \`lockstep resume ${id}\`.\n`,
  );
  return 0;
}

/** JSON where it is JSON, else the text. */
function parseData(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
