// audit: is the journal whole, and what does it tell? Reading verifies every line and the chain between them (J4).

import { beginningOf } from '../../hosting/read-run.ts';
import { jsonPieces } from '../../text/json-pieces.ts';
import { auditRun, renderAudit } from '../../views/audit.ts';
import { findRun } from '../find-run.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';
import { writePieces } from '../write-pieces.ts';

export async function audit(
  services: Services,
  reference: string,
  options: { stateDir?: string; json?: boolean; rescued?: boolean },
): Promise<number> {
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const stored = store.read(id);
  const { entries, torn, head, missing } = options.rescued ? stored.rescued() : stored.journal();
  const { pinned } = beginningOf(stored, entries, services.hash);
  const lines = auditRun(pinned.workflow, entries);
  if (options.json) {
    const told = { run: id, entries: entries.length, verified: true, head, torn, missing, story: lines };
    writePieces(services.stdout, jsonPieces(told));
    return missing === undefined ? 0 : 1;
  }
  const look = lookOf(services);
  writePieces(
    services.stdout,
    lines.map((line) => `${renderAudit([line], look)}\n`),
  );
  services.stdout.write('\n');
  services.stdout.write(
    `Verified: ${entries.length} entries, each chained to the one before${head === undefined ? '' : `; head ${head}`}.\n`,
  );
  if (torn > 0)
    services.stdout.write(
      `The last ${torn} bytes are a torn line: the process ended while it wrote them. Resume cuts them.\n`,
    );
  if (missing !== undefined) services.stdout.write(`Not all that was recorded: ${missing}.\n`);
  if (!options.rescued && stored.hasRescued())
    services.stdout.write(
      `There is a rescued journal too, from when this one was changed during the run: lockstep audit ${id} --rescued\n`,
    );
  return missing === undefined ? 0 : 1;
}
