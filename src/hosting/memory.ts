// memory: what is known of a run in hand: its fold, its views, its records. Stays while the run is warm (H3).

import { foldAndTell } from '../engine/engine.ts';
import type { Entry, Holder } from '../model/entry.ts';
import type { State, Told } from '../model/state.ts';
import type { OpenRun } from '../ports/store.ts';
import type { Mask } from '../runtime/mask.ts';
import { createRunView } from '../views/run-view.ts';
import type { Hosting } from './hosting.ts';
import type { Pinned } from './pinned.ts';
import { foldAll, type RunStarted } from './read-run.ts';
import type { RecordOptions } from './records/options.ts';
import { createRecords, type Records } from './records.ts';
import { maskFor } from './secrets.ts';
import { createRunViews, type RunViews } from './views.ts';
import type { WorkspaceCache } from './workspace-cache.ts';

export interface Memory {
  readonly desk: Desk;
  readonly start: RunStarted;
  readonly pinned: Pinned;
  /** Bytes that were cut off when the journal was read. */
  readonly torn: number;
  readonly mask: Mask;
  readonly state: State;
  readonly views: RunViews;
  readonly records: Records;
  /** Who drove it last. */
  readonly lastHolder: Holder;
  /** Whether the run's own worktree was there once. */
  readonly hadWorktree: boolean;
  /** Durable and folded, and shown to nobody yet. */
  readonly untold: Told[];
  workspaces?: WorkspaceCache;
  /** Where the client of the live session keeps the conversation. */
  transcript?: string;
  /** The run has gone on since it was folded: what a killed process left is seen to. */
  isReady?: boolean;
}

/** Where views and records are written: to the run as it is held now. */
export interface Desk extends Pick<OpenRun, 'document' | 'replaceDocument' | 'removeDocument' | 'openLog'> {
  run: OpenRun;
}

function createDesk(run: OpenRun): Desk {
  const desk: Desk = {
    run,
    document: (name) => desk.run.document(name),
    replaceDocument: (name, text) => desk.run.replaceDocument(name, text),
    removeDocument: (name) => desk.run.removeDocument(name),
    openLog: (name) => desk.run.openLog(name),
  };
  return desk;
}

/** What the store has of it. */
export interface Known {
  start: RunStarted;
  pinned: Pinned;
  /** What was told before. */
  told: Entry[];
  /** What is to be told. */
  untold: Entry[];
  torn: number;
}

export function remember(
  hosting: Hosting,
  run: OpenRun,
  { start, pinned, told, untold, torn }: Known,
  options: RecordOptions | undefined,
): Memory {
  const { clock, environment } = hosting;
  const { workflow } = pinned;
  const desk = createDesk(run);
  const mask = maskFor(workflow, environment);
  const records = createRecords({ run: desk, workflow, clock, mask, environment, earlier: told, options });
  const view = createRunView(workflow, records.shown);
  const state = foldAll(pinned, told, view);
  const resumed = told.findLast((entry) => entry.kind === 'run-resumed');
  return {
    ...{ desk, start, pinned, torn, mask, state, records },
    untold: untold.map((entry) => foldAndTell(workflow, state, entry)),
    views: createRunViews(desk, workflow, clock, view, records),
    lastHolder: resumed?.kind === 'run-resumed' ? resumed.by : start.by,
    hadWorktree: told.some((entry) => entry.kind === 'worktree-prepared' && entry.step === undefined),
  };
}
