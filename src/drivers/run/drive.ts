import type { Entry, EntryBody, Holder } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Script } from '../../model/script.ts';
import type { State } from '../../model/state.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Agents } from '../../ports/agent.ts';
import type { Callers } from '../../ports/callers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Processes } from '../../ports/processes.ts';
import type { OpenRun, Store } from '../../ports/store.ts';
import type { Tracker } from '../../ports/tracker.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import type { Worktrees } from '../../ports/worktrees.ts';
import type { Interlocutor } from '../../runtime/conversation.ts';
import { createLoop } from '../../runtime/loop.ts';
import type { LiveEvent, perform } from '../../runtime/perform/perform.ts';
import type { Change } from '../../views/outline/shape.ts';
import { renderReport } from '../../views/render-report.ts';
import type { Report } from '../../views/report.ts';
import type { RunView } from '../../views/run-view.ts';
import { PINNED_DOCUMENT, type Pinned, writePinned } from './pinned.ts';
import type { RecordOptions } from './record-options.ts';
import { createRecords, type Records } from './records.ts';
import { maskFor } from './secrets.ts';
import { surveyBranches, surveyOf } from './survey.ts';
import { createRunViews } from './views.ts';
import { createWorkspaceCache } from './workspace-cache.ts';
import { prepareWorktrees } from './worktree.ts';

export const STATE_DOCUMENT = 'state.json';
const REPORT_DOCUMENT = 'report.md';

export interface RunServices {
  store: Store;
  clock: Clock;
  workspaces: Workspaces;
  /** Absent: there are none, and what asks for one works in place. */
  worktrees?: Worktrees;
  processes: Processes;
  /** Who looks at the senders of messages. Absent: whoever can write into an inbox is believed. */
  callers?: Callers;
  /** The issues of the project; loaded when somebody asks. */
  tracker(): Promise<Tracker>;
  /** Who answers the prompts of this workflow; a script answers all of them. */
  agentsFor(workflow: Workflow, script: Script | undefined): Agents;
  environment: Record<string, string>;
  holder: Holder;
  /** Removes what processes of ours that were killed have left on the machine: this one, and others. */
  sweep?(killed: Holder): Promise<unknown>;
  /** sha256, hex. */
  hash(text: string): string;
  /** The text of a definition as it is now, by its absolute path; undefined: it cannot be read. */
  readDefinition?(path: string): string | undefined;
}

export interface RunHooks {
  interlocutor?: Interlocutor;
  /** What each durable entry changed, in order. */
  onChange?(change: Change): void;
  /** The run is there and held: called before its first entry. */
  onOpen?(run: OpenedRun): void;
  onLive?(event: LiveEvent): void;
  onWarning?(message: string): void;
  /** As in the runtime's loop: stands between it and every effect. */
  perform?: typeof perform;
}

export interface OpenedRun {
  id: string;
  location: string;
  workflow: Workflow;
  /** Fed with every durable entry, those from before too. */
  view: RunView;
  interrupt(by: string): void;
}

export interface RunEnd {
  id: string;
  location: string;
  state: State;
  view: RunView;
  workflow: Workflow;
  /** 0 completed, 1 failed or cancelled, 130 interrupted, 3 (policy.paused_exit) paused for a person. */
  exitCode: number;
  /** What it came to; report.md in its folder says the same. */
  report: Report;
}

export interface Drive {
  services: RunServices;
  run: OpenRun;
  pinned: Pinned;
  state: State;
  /** What was told before. */
  entries: Entry[];
  /** What is to be told now. */
  begun?: Entry[];
  first?: EntryBody[];
  hooks: RunHooks;
  records?: RecordOptions;
  /** state.json is not what it should be: write it now. */
  rebuild?: boolean;
  /** What a person was told before there was a log. */
  warned?: string[];
}

export async function drive(given: Drive): Promise<RunEnd> {
  const { services, run, pinned, state, entries, begun, first, hooks } = given;
  const { workflow } = pinned;
  let records: Records | undefined;
  try {
    const [start] = [...entries, ...(begun ?? [])];
    const prepared =
      start?.kind === 'run-started' ? await prepareWorktrees(services.worktrees, start, entries, state) : [];
    const workspaces = createWorkspaceCache(services.workspaces, pinned, run.location);
    const { workspace } = workspaces;
    const mask = maskFor(workflow, services.environment);
    records = createRecords({
      run,
      workflow,
      clock: services.clock,
      mask,
      environment: services.environment,
      earlier: entries,
      options: given.records,
    });
    for (const warning of mask.warnings) {
      hooks.onWarning?.(warning);
      records.warn(warning);
    }
    for (const warning of given.warned ?? []) records.warn(warning);
    // The log has these from the journal.
    for (const entry of [...(begun ?? []), ...prepared])
      if ('warnings' in entry)
        for (const warning of entry.warnings ?? []) hooks.onWarning?.(mask.text(warning));
    const views = createRunViews(run, workflow, services.clock, entries, records);
    if (given.rebuild) run.replaceDocument(STATE_DOCUMENT, views.view.stateJsonPieces());
    const loop = createLoop(workflow, state, {
      run,
      holder: services.holder,
      begun,
      callers: services.callers,
      ...(hooks.perform && { perform: hooks.perform }),
      context: {
        runId: run.id,
        ...(state.skips.dry_run && { isDryRun: true }),
        run,
        workspace,
        changes: workspaces.changes,
        at: workspaces.at,
        worktrees: services.worktrees,
        agents: services.agentsFor(workflow, pinned.script),
        processes: services.processes,
        clock: services.clock,
        tracker: services.tracker,
        environment: services.environment,
        inheritSecrets: workflow.policy.secrets === 'inherited',
        mask,
        keepStdout: workflow.policy.keepStdout,
        globs: workflow.policy.globs,
        report: (event) => hooks.onLive?.(event),
        ...records.forEffects,
      },
      hooks: {
        onPerform: records.onPerform,
        interlocutor: hooks.interlocutor,
        onEntries: (fresh, now) => views.onEntries(fresh, now, hooks.onChange),
      },
    });
    let interrupted = false;
    hooks.onOpen?.({
      id: run.id,
      location: run.location,
      workflow,
      view: views.view,
      interrupt(by) {
        interrupted = true;
        loop.interrupt(by);
      },
    });
    await loop.run([...(first ?? []), ...prepared]);
    views.finish();
    const report = views.view.report({
      ...(await surveyOf(workspace, run.location, mask, pinned.before)),
      ...(await surveyBranches(services.workspaces, views.view.outline.notes.worktrees.kept, mask)),
    });
    run.replaceDocument(REPORT_DOCUMENT, renderReport(report));
    return {
      id: run.id,
      location: run.location,
      state,
      view: views.view,
      workflow,
      exitCode: exitCodeOf(state, workflow, interrupted),
      report,
    };
  } catch (error) {
    if (error instanceof Fault && error.code === 'journal-changed') restorePin(run, pinned);
    throw error;
  } finally {
    records?.close();
    run.close();
  }
}

/** Where the folder of the run was deleted, a journal that was rescued needs its workflow to be of use. */
function restorePin(run: OpenRun, pinned: Pinned): void {
  try {
    if (run.hasRescued() && run.document(PINNED_DOCUMENT) === undefined)
      run.replaceDocument(PINNED_DOCUMENT, writePinned(pinned));
  } catch {
    // The fault on its way says what happened, and that is worse.
  }
}

function exitCodeOf(state: State, workflow: Workflow, interrupted: boolean): number {
  switch (state.status) {
    case 'completed':
      return 0;
    case 'paused':
      return interrupted ? 130 : workflow.policy.pausedExit;
    default:
      return 1;
  }
}
