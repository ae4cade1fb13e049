// make-run: a new run: pinned, with its first entry, and held (S2). Until that is durable nothing is there.

import type { Driven, Entry, FoundInput, Only, Overrides, Skips } from '../model/entry.ts';
import { JOURNAL_VERSION } from '../model/journal-version.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Script } from '../model/script.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Observer } from './held-run.ts';
import { type HostedRun, hostRun } from './hosted-run.ts';
import type { Hosting } from './hosting.ts';
import { runRoot } from './moved.ts';
import { PINNED_DOCUMENT, type Pinned, writePinned } from './pinned.ts';
import type { RunStarted } from './read-run.ts';
import type { RecordOptions } from './records/options.ts';
import { maskFor } from './secrets.ts';
import { beforeIn } from './survey.ts';
import { type Chosen, chooseWorktree } from './worktree.ts';

export interface StartRequest {
  workflow: Workflow;
  /** For people. */
  workflowFile: string;
  /** The same file, absolute: where `policy.on_changed: refuse` and a restart look for it. */
  workflowPath?: string;
  workspace: string;
  inputs: JsonObject;
  vars: JsonObject;
  /** Of `inputs`, those that were found and not given. */
  found?: Record<string, FoundInput>;
  skips: Skips;
  script?: Script;
  overrides?: Overrides;
  /** `workflow` is this step alone. */
  only?: Only;
  records?: RecordOptions;
  /** Absent: `lockstep run` drives it. */
  driven?: Driven;
  /** What a person should know of how it begins. */
  warnings?: string[];
  /** The last thing before the run is made: everything else has been checked. What it throws prevents the run. */
  prepare?(): void;
}

/** Its lease is held until its first call ends. */
export async function makeRun(
  hosting: Hosting,
  request: StartRequest,
  observer?: Observer,
): Promise<HostedRun> {
  const { store, clock, workspaces, holder, hash } = hosting;
  const { workflow, records } = request;
  const folder = workspaces.open(request.workspace);
  const started = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const id = `${started}-${clock.random(6)}`;
  const mask = maskFor(workflow, hosting.environment);
  const inputs = mask.deep(request.inputs);
  const chosen = await chooseWorktree(hosting.worktrees, {
    ...{ workflow, workspace: request.workspace, inputs, id },
    isDryRun: request.skips.dry_run,
  });
  const { workspace } = chosen;
  const warnings = [
    ...(chosen.facts.warnings ?? []),
    ...workspaces.warnings(request.workspace),
    ...(request.warnings ?? []),
  ];
  const facts = { ...chosen.facts, ...(warnings.length > 0 && { warnings }) };
  const pinned: Pinned = {
    lockstep_version: holder.version,
    workspace,
    since: facts.worktree?.base ?? workspaces.mark(workspace),
    ...(facts.worktree ? { started_in: request.workspace } : await beforeIn(folder)),
    workflow_path: request.workflowPath,
    workflow,
    skips: request.skips,
    only: request.only,
    script: request.script,
  };
  const text = writePinned(pinned);
  const branch = facts.worktree?.branch ?? folder.branch;
  const given = { ...workflow.vars, ...request.vars };
  const vars = mask.deep(given);
  const isMasked = inputs !== request.inputs || vars !== given;
  const begin = (location: string): Entry => ({
    n: 1,
    at: clock.now(),
    ...(isMasked && { masked: true as const }),
    kind: 'run-started',
    journal_version: JOURNAL_VERSION,
    run: { id, root: runRoot(workspace, location), started, branch, workspace },
    workflow: workflow.name,
    workflow_file: request.workflowFile,
    workflow_hash: hash(text),
    inputs,
    vars,
    skips: request.skips,
    ...(Object.keys(request.found ?? {}).length > 0 && {
      found: mask.deep(request.found as unknown as Json) as unknown as typeof request.found,
    }),
    overrides: request.overrides,
    only: request.only?.items ? { ...request.only, items: mask.deep(request.only.items) } : request.only,
    ...facts,
    ...(facts.warnings && { warnings: facts.warnings.map((warning) => mask.text(warning)) }),
    ...(request.driven && { driven: request.driven }),
    by: holder,
  });
  const run = orRelease(chosen, () => {
    request.prepare?.();
    return store.create(id, { [PINNED_DOCUMENT]: text }, holder, begin);
  });
  const untold = run.journal().entries;
  const [start] = untold as [RunStarted];
  const known = { start, pinned, told: [], untold, torn: 0 };
  return hostRun(hosting, id, { observer, records }, { run, known });
}

/** What was kept for a run that is not made is given back. */
function orRelease<T>({ release }: Chosen, make: () => T): T {
  try {
    return make();
  } catch (error) {
    release();
    throw error;
  }
}
