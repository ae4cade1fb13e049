// report: what a run came to, from its journal and from what lies in its workspace now.

import { type ReadRun, readRun } from '../../hosting/hosting.ts';
import { maskFor } from '../../hosting/secrets.ts';
import { surveyRun } from '../../hosting/survey.ts';
import { jsonPieces } from '../../text/json-pieces.ts';
import { renderReport } from '../../views/render-report.ts';
import type { Survey } from '../../views/report.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { spelt } from '../start/summary-json.ts';
import { writePieces } from '../write-pieces.ts';

export async function report(
  services: Services,
  reference: string,
  options: { stateDir?: string; json?: boolean },
): Promise<number> {
  const store = await services.store(options.stateDir);
  const read = readRun(store, findRun(store, reference), services.hash);
  const { stepSummary, outputs, ...rest } = read.view.report(await survey(services, read));
  if (options.json) {
    // Programs know `stepSummary` from elsewhere, in this spelling.
    const spelled = { ...(spelt(rest) as object), ...(outputs && { outputs }), stepSummary };
    writePieces(services.stdout, jsonPieces(spelled));
  } else services.stdout.write(renderReport({ ...rest, ...(outputs && { outputs }), stepSummary }));
  return 0;
}

/** The workspace may be gone by now: its worktree was removed, or the whole project moved. */
async function survey(services: Services, { stored, pinned, view }: ReadRun): Promise<Survey> {
  const { workspaces } = await services.hosting();
  try {
    const workspace = workspaces.open(pinned.workspace, pinned.since);
    const mask = maskFor(pinned.workflow, services.environment);
    return await surveyRun(workspaces, workspace, { location: stored.location, mask, pinned, view });
  } catch {
    return { location: stored.location };
  }
}
