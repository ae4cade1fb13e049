// status: where a run stands, and how to go on.

import { readRun } from '../../hosting/hosting.ts';
import { renderSummary } from '../../views/render-summary.ts';
import { findRun } from '../find-run.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';
import { writePieces } from '../write-pieces.ts';

export async function status(
  services: Services,
  reference: string,
  options: { stateDir?: string; json?: boolean },
): Promise<number> {
  const store = await services.store(options.stateDir);
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
  return 0;
}
