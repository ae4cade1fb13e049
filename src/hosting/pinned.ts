// pinned: what a run keeps of its definition (S2). Editing files changes the next run, never this one.

import type { Only, Skips } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { Script } from '../model/script.ts';
import type { Workflow } from '../model/workflow.ts';

export const PINNED_DOCUMENT = 'workflow.json';

export interface Pinned {
  /** The version of lockstep that made it. */
  lockstep_version: string;
  /** The folder the run works in. */
  workspace: string;
  /** Of a run in a worktree: the folder it was started in. */
  started_in?: string;
  /** The commit it began at, where there is one. */
  since?: string;
  /** Of a run in place: what its folder looked like then, where something had been changed already. */
  before?: string;
  /** The file it was compiled from, absolute. Runs of older versions do not have it. */
  workflow_path?: string;
  workflow: Workflow;
  /** As its first entry has it, for whoever starts it anew after the journal was lost. Older runs do not have these. */
  skips?: Skips;
  only?: Only;
  /** What `--script` gave. */
  script?: Script;
}

export function writePinned(pinned: Pinned): string {
  return `${JSON.stringify(pinned, undefined, 1)}\n`;
}

/** `expectedHash` is what the journal's first entry says. */
export function readPinned(
  run: { id: string; document(name: string): string | undefined },
  expectedHash: string,
  hash: (text: string) => string,
): Pinned {
  const text = run.document(PINNED_DOCUMENT);
  if (text === undefined) {
    throw new Fault('workflow-pin-broken', `run ${run.id} has lost its ${PINNED_DOCUMENT}`, {
      hint: `Without it nobody can say what the next step is. Restore the file, or start anew with the same inputs: lockstep resume ${run.id} --force-restart`,
    });
  }
  if (hash(text) !== expectedHash) {
    throw new Fault(
      'workflow-pin-broken',
      `${PINNED_DOCUMENT} of run ${run.id} is not what the run started with`,
      {
        hint: `The journal says ${expectedHash.slice(0, 12)}…, the file is ${hash(text).slice(0, 12)}…. Restore it, or start anew with the same inputs: lockstep resume ${run.id} --force-restart`,
      },
    );
  }
  return JSON.parse(text) as Pinned;
}
