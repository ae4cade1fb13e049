// hosted-run: a run in hand. Its lease is taken and given back here, and nowhere else.

import { fold } from '../engine/engine.ts';
import type { Entry, EntryBody } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { JournalEnd, OpenRun } from '../ports/store.ts';
import { createLoop, type Loop } from '../runtime/loop.ts';
import { maskEntry } from '../runtime/mask-entry.ts';
import { renderReport } from '../views/render-report.ts';
import type { Report } from '../views/report.ts';
import type { RunView } from '../views/run-view.ts';
import type { Hosting } from './hosting.ts';
import { endLeftBehind } from './left-behind.ts';
import { type Desk, type Known, type Memory, remember } from './memory.ts';
import type { Observer } from './observer.ts';
import { PINNED_DOCUMENT, type Pinned, writePinned } from './pinned.ts';
import { beginningOf, type RunStarted } from './read-run.ts';
import type { RecordOptions } from './records/options.ts';
import { surveyRun } from './survey.ts';
import { createWorkspaceCache } from './workspace-cache.ts';
import { prepareWorktrees } from './worktree.ts';

const REPORT_DOCUMENT = 'report.md';

/** What is known of it is there from its first call on. */
export interface HostedRun {
  readonly id: string;
  /** For people: where it lies. */
  readonly location: string;
  readonly workflow: Workflow;
  readonly pinned: Pinned;
  /** Its first entry. */
  readonly start: RunStarted;
  /** As of its last entry; another object where the run was folded anew. */
  readonly state: State;
  /** Fed with every durable entry, those from before too. */
  readonly view: RunView;
  /** Holds the lease for as long as `work` lasts (H2). Faults as `Store.open` has them. */
  call<T>(work: () => T | Promise<T>, options?: { takeOver?: boolean }): Promise<T>;
  /** In a call: goes on until the run has ended, is paused, or was interrupted. `first`: what is journaled before. */
  go(first?: readonly EntryBody[]): Promise<{ interrupted: boolean }>;
  /** In a call: journals this, shows it, and does not go on. */
  say(body: EntryBody): Promise<void>;
  /** In a call: what the run came to, which is also left in report.md. */
  report(): Report;
  /** In a call: writes state.json from the journal, whatever is there. */
  rebuild(): void;
  /** Asks what runs to end; the run is then interrupted, to be resumed. */
  interrupt(by: string): void;
}

export interface HostOptions {
  observer?: Observer;
  records?: RecordOptions;
}

/** A run that is there. Nothing is read or held before its first call. */
export function hostRun(hosting: Hosting, id: string, options: HostOptions = {}): HostedRun {
  return createHostedRun(hosting, id, options);
}

/** `made`: a run that was made a moment ago. It is held until its first call ends. */
export function createHostedRun(
  hosting: Hosting,
  id: string,
  { observer = {}, records }: HostOptions,
  made?: { run: OpenRun; known: Known },
): HostedRun {
  const { store, clock, holder } = hosting;
  let held: OpenRun | undefined = made?.run;
  let isCalled = false;
  let isFresh = made !== undefined;
  let leftAt: JournalEnd | undefined;
  let loop: Loop | undefined;
  let interrupted = false;

  const run = (): OpenRun => {
    if (held) return held;
    throw new Fault('store-misuse', `run ${id} is not held: what changes it belongs into a call`);
  };
  const desk: Desk = {
    id,
    document: (name) => run().document(name),
    replaceDocument: (name, text) => run().replaceDocument(name, text),
    removeDocument: (name) => run().removeDocument(name),
    openLog: (name) => run().openLog(name),
  };
  let memory = made && remember(hosting, desk, made.known, records);
  const known = (): Memory => {
    if (memory) return memory;
    throw new Fault('store-misuse', `nothing is known of run ${id} before its first call`);
  };

  function warn(message: string): void {
    observer.warned?.(message);
    known().records.warn(message);
  }

  function show(entries: Entry[]): void {
    const { views, state } = known();
    views.onEntries(entries, state, observer.changed);
  }

  function foldAnew(): void {
    const { entries, torn } = run().journal();
    const beginning = beginningOf(run(), entries, hosting.hash, 'Start it anew with `lockstep run`.');
    memory = remember(hosting, desk, { ...beginning, told: entries, untold: [] }, records);
    if (torn > 0) warn(`the last ${torn} bytes of the journal were torn and have been cut`);
  }

  function release(): JournalEnd {
    const left = run();
    try {
      memory?.records.close();
      left.close();
      return left.end();
    } finally {
      held = undefined;
    }
  }

  /** Once after a fold: what a killed process has left, state.json, and the folders that the run works in. */
  async function makeReady(): Promise<EntryBody[]> {
    const { start, pinned, state, mask, views, untold, hadWorktree } = known();
    await endLeftBehind(hosting, known(), warn);
    if (untold.length === 0) views.mend(state, warn);
    const prepared = await prepareWorktrees(hosting.worktrees, start, hadWorktree, state);
    for (const warning of mask.warnings) warn(warning);
    // The log has these from the journal.
    for (const entry of [...untold, ...prepared])
      if ('warnings' in entry)
        for (const warning of entry.warnings ?? []) observer.warned?.(mask.text(warning));
    known().workspaces = createWorkspaceCache(hosting.workspaces, pinned, run().location);
    return prepared;
  }

  function loopOver({ pinned, state, mask, records: kept, workspaces, untold }: Memory): Loop {
    const { workflow } = pinned;
    const { environment, processes, worktrees, tracker, callers, perform } = hosting;
    if (!workspaces) throw new Error(`run ${id} goes on in no folder`);
    return createLoop(workflow, state, {
      ...{ run: run(), holder, callers, begun: untold.splice(0), ...(perform && { perform }) },
      context: {
        ...{ runId: id, run: run(), ...workspaces, worktrees, processes, clock, tracker, environment, mask },
        ...(state.skips.dry_run && { isDryRun: true }),
        agents: hosting.agentsFor(workflow, pinned.script),
        inheritSecrets: workflow.policy.secrets === 'inherited',
        keepStdout: workflow.policy.keepStdout,
        globs: workflow.policy.globs,
        report: (event) => observer.live?.(event),
        ...kept.forEffects,
      },
      hooks: { onPerform: kept.onPerform, interlocutor: observer.interlocutor, onEntries: show },
    });
  }

  const hosted: HostedRun = {
    id,
    get location() {
      return (held ?? store.read(id)).location;
    },
    get workflow() {
      return known().pinned.workflow;
    },
    get pinned() {
      return known().pinned;
    },
    get start() {
      return known().start;
    },
    get state() {
      return known().state;
    },
    get view() {
      return known().views.view;
    },

    async call(work, { takeOver } = {}) {
      if (!held || isCalled) held = store.open(id, holder, { takeOver, known: leftAt });
      isCalled = true;
      let isWhole = false;
      try {
        if (!memory || !(isFresh || held.isAsKnown)) foldAnew();
        const result = await work();
        isWhole = true;
        return result;
      } catch (error) {
        if (memory && error instanceof Fault && error.code === 'journal-changed')
          restorePin(run(), memory.pinned);
        throw error;
      } finally {
        isCalled = false;
        isFresh = false;
        leftAt = undefined;
        const end = release();
        if (isWhole) leftAt = end;
      }
    },

    async go(first = []) {
      const prepared = known().workspaces ? [] : await makeReady();
      loop = loopOver(known());
      interrupted = false;
      try {
        observer.opened?.(hosted);
        await loop.run([...first, ...prepared]);
        known().views.finish();
        return { interrupted };
      } finally {
        loop = undefined;
      }
    },

    async say(body) {
      const { pinned, state, mask, untold } = known();
      const entry: Entry = { n: state.n + 1, at: clock.now(), ...maskEntry(mask, body, state.masked) };
      run().append(entry);
      await run().flush();
      fold(pinned.workflow, state, entry);
      show([...untold.splice(0), entry]);
    },

    report() {
      const { pinned, mask, views, workspaces } = known();
      const workspace = workspaces?.workspace ?? hosting.workspaces.open(pinned.workspace, pinned.since);
      const { location } = run();
      const report = views.view.report(
        surveyRun(hosting.workspaces, { workspace, location, mask, pinned, view: views.view }),
      );
      run().replaceDocument(REPORT_DOCUMENT, renderReport(report));
      return report;
    },

    rebuild: () => known().views.rebuild(),

    interrupt(by) {
      if (!loop) return;
      interrupted = true;
      loop.interrupt(by);
    },
  };
  return hosted;
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
