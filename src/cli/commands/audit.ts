// audit: is the journal whole, and what does it tell? Reading verifies every line and the chain between them (J4).

import { readPinned } from '../../drivers/run/pinned.ts';
import { Fault } from '../../model/fault.ts';
import { auditRun, renderAudit } from '../../views/audit.ts';
import { findRun } from '../find-run.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';

export async function audit(
  services: Services,
  reference: string,
  options: { stateDir?: string; json?: boolean },
): Promise<number> {
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const stored = store.read(id);
  const { entries, torn, head } = stored.journal();
  const [first] = entries;
  if (first?.kind !== 'run-started') throw new Fault('run-empty', `run ${id} never started`);
  const { workflow } = readPinned(stored, first.workflow_hash, services.hash);
  const lines = auditRun(workflow, entries);
  if (options.json) {
    services.stdout.write(
      `${JSON.stringify({ run: id, entries: entries.length, verified: true, head, torn, story: lines }, undefined, 2)}\n`,
    );
    return 0;
  }
  services.stdout.write(`${renderAudit(lines, lookOf(services)).trimEnd()}\n\n`);
  services.stdout.write(
    `Verified: ${entries.length} entries, each chained to the one before${head === undefined ? '' : `; head ${head}`}.\n`,
  );
  if (torn > 0)
    services.stdout.write(
      `The last ${torn} bytes are a torn line: the process ended while it wrote them. Resume cuts them.\n`,
    );
  return 0;
}
