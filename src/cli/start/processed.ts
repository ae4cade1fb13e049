// processed: what `--clean-processed` and `--archive-processed` do around a run. Whether they may is found out before.

import { resolve } from 'node:path';
import type { RunEnd } from '../../drivers/run/run.ts';
import type { Workflow } from '../../model/workflow.ts';
import { count } from '../../views/text/words.ts';
import { bytes } from '../bytes.ts';
import type { Services } from '../services.ts';

export interface ProcessedOptions {
  cleanProcessed?: boolean;
  /** True: into the folder of the run. */
  archiveProcessed?: string | true;
  stateDir?: string;
}

/** Both say what they did, for people. */
export interface ProcessedWork {
  before(): string[];
  after(end: RunEnd): Promise<string[]>;
}

const USUAL_FOLDER = 'processed';
const IN_THE_RUN = 'processed.zip';
const NOTHING: ProcessedWork = { before: () => [], after: async () => [] };

/** Fault `processed-unsafe` or `archive-destination`, before anything is done. */
export async function processedWork(
  services: Services,
  workspace: string,
  { workflow, definition }: { workflow: Workflow; definition: string },
  options: ProcessedOptions,
): Promise<ProcessedWork> {
  const { cleanProcessed, archiveProcessed } = options;
  if (!cleanProcessed && archiveProcessed === undefined) return NOTHING;
  const runs = await services.runsFolder(options.stateDir);
  const folder = await services.processed(workspace, workflow.policy.dirs.processed ?? USUAL_FOLDER, [
    runs,
    definition,
  ]);
  const given = typeof archiveProcessed === 'string' ? resolve(services.cwd, archiveProcessed) : undefined;
  if (given !== undefined) folder.checkDestination(given);

  return {
    before() {
      if (!cleanProcessed) return [];
      const removed = folder.empty();
      return removed === 0 ? [] : [`Emptied ${folder.path}: ${count(removed, 'item')} removed.`];
    },

    async after(end) {
      if (archiveProcessed === undefined || end.state.status !== 'completed') return [];
      const destination = given ?? resolve(end.location, IN_THE_RUN);
      const archive = await folder.archive(destination);
      const { leftOut } = archive;
      return [
        `Archived ${folder.path} (${count(archive.files, 'file')}, ${bytes(archive.bytes)}): ${destination}`,
        ...(leftOut.length > 0 ? [`Not archived, for it could not be read: ${leftOut.join(', ')}`] : []),
      ];
    },
  };
}
