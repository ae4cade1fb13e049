// status: where a run stands, and how to go on.

import { readRun, readUntil } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { Store } from '../../ports/store.ts';
import { renderSummary } from '../../views/render-summary.ts';
import { findRun } from '../find-run.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';
import { writePieces } from '../write-pieces.ts';

export async function status(
  services: Services,
  reference: string,
  options: { stateDir?: string; json?: boolean; at?: string },
): Promise<number> {
  const store = await services.store(options.stateDir);
  if (options.at !== undefined) return statusAt(services, store, findRun(store, reference), options);
  const { view, stored } = readRun(store, findRun(store, reference), services.hash);
  if (options.json) {
    writePieces(services.stdout, view.stateJsonPieces());
    return 0;
  }
  const holder = stored.holder();
  const held = holder !== undefined && holder.alive !== false;
  const summary = view.summary({
    logs: `${stored.location}/logs`,
    now: held ? services.clock.now() : undefined,
    held,
  });
  services.stdout.write(`${renderSummary(summary, lookOf(services)).trimEnd()}\n`);
  if (held) services.stdout.write(`Running now: pid ${holder.pid} on ${holder.host}.\n`);
  const page = (await services.page()).knownServer(await services.runsFolder(options.stateDir));
  if (page !== undefined) services.stdout.write(`On the page: ${page}#run=${stored.id}\n`);
  return 0;
}

/** As it was when that entry had been written: what can be done about it now is not said. */
function statusAt(
  services: Services,
  store: Store,
  id: string,
  { at = '', json }: { at?: string; json?: boolean },
): number {
  const n = /^\d+$/.test(at) ? Number(at) : Number.NaN;
  if (!Number.isSafeInteger(n)) {
    throw new Fault('entry-unknown', `--at ${at} is not the number of an entry`, {
      hint: `Entries count from 1. See them with: lockstep audit ${id}`,
      exitCode: 2,
    });
  }
  const { view } = readUntil(store, id, n, services.hash);
  if (json) {
    writePieces(services.stdout, view.stateJsonPieces());
    return 0;
  }
  const { next: _, ...summary } = view.summary();
  services.stdout.write(`${renderSummary({ ...summary, next: [] }, lookOf(services)).trimEnd()}\n`);
  services.stdout.write(`As it was after entry ${n} of the journal.\n`);
  return 0;
}
