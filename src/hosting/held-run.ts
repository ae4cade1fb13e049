// held-run: a run under its lease: what is known of it, and what can be done with it until the call ends.

import { foldAndTell } from '../engine/engine.ts';
import type { Entry, EntryBody } from '../model/entry.ts';
import type { State, Told } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { OpenRun } from '../ports/store.ts';
import type { Interlocutor } from '../runtime/conversation.ts';
import { createLoop, type Loop } from '../runtime/loop.ts';
import { maskEntry } from '../runtime/mask-entry.ts';
import type { LiveEvent, PerformContext } from '../runtime/perform/perform.ts';
import type { Change } from '../views/outline/shape.ts';
import { renderReport } from '../views/render-report.ts';
import type { Report } from '../views/report.ts';
import type { RunView } from '../views/run-view.ts';
import { endLeftBehind } from './going-on.ts';
import { heldSession } from './held-session.ts';
import type { Hosting } from './hosting.ts';
import type { Memory } from './memory.ts';
import type { Pinned } from './pinned.ts';
import type { RunStarted } from './read-run.ts';
import { surveyRun } from './survey.ts';
import { isWithClient } from './views.ts';
import { createWorkspaceCache, type WorkspaceCache } from './workspace-cache.ts';
import { prepareWorktrees } from './worktree.ts';

/** Who looks on while a run is in hand: the only way by which anything of it is told (H4). */
export interface Observer {
  /** The run is there and held, and about to go on: called before it is told of any entry. */
  opened?(run: HeldRun): void;
  /** What each durable entry changed, in order. */
  changed?(change: Change): void;
  /** What an agent or a command does right now; nothing of this is journaled. */
  live?(event: LiveEvent): void;
  warned?(message: string): void;
  /** Who is asked what the run asks a person. */
  interlocutor?: Interlocutor;
}

export type Surroundings = Pick<
  PerformContext,
  'clock' | 'workspace' | 'mask' | 'environment' | 'report' | 'globs' | 'run'
>;

export interface HeldRun {
  readonly id: string;
  /** For people: where it lies. */
  readonly location: string;
  readonly workflow: Workflow;
  readonly pinned: Pinned;
  /** Its first entry. */
  readonly start: RunStarted;
  /** As of its last entry. */
  readonly state: State;
  /** Fed with every durable entry, those from before too. */
  readonly view: RunView;
  /** Until the run has ended, is paused, or was interrupted. `first`: what is journaled before. */
  go(first?: readonly EntryBody[]): Promise<{ interrupted: boolean }>;
  /** Asks what runs to end; the run is then interrupted, to be resumed. */
  interrupt(by: string): void;
  /** Journals this, shows it, and does not go on. */
  say(body: EntryBody): Promise<void>;
  /**
   * Journals this, beside what goes on or by itself: known at once, durable and shown with the next `flush`, or before whatever
   * depends on it.
   */
  note(body: EntryBody): void;
  flush(): Promise<void>;
  /** Whether `go` has not returned. */
  isGoing(): boolean;
  /** The client of the live session keeps the conversation in this file. */
  transcribedIn(path: string): void;
  /** What is judged and looked at for the run from outside its loop. */
  around(): Surroundings;
  /** What the run came to, which is also left in report.md. */
  report(): Promise<Report>;
  /** No call comes soon: the views are brought up to date. */
  rest(): void;
  /** Writes state.json from the journal, whatever is there. */
  rebuild(): void;
}

export function holdRun(hosting: Hosting, observer: Observer, run: OpenRun, memory: Memory): HeldRun {
  const { clock, holder, environment, processes, worktrees, tracker, ownServer, callers, perform } = hosting;
  const { start, pinned, mask, state, views, records, untold } = memory;
  const { id, location } = run;
  const { workflow } = pinned;
  const { view } = views;
  let interrupt: ((by: string) => void) | undefined;
  let going: Loop | undefined;

  const show = (told: Told[]): void => views.onEntries(told, state, observer);
  const warn = (message: string): void => {
    observer.warned?.(message);
    records.warn(message);
  };

  /** Once after a fold: what a killed process has left, state.json, and the folders that the run works in. */
  async function makeReady(): Promise<EntryBody[]> {
    if (memory.torn > 0) warn(`the last ${memory.torn} bytes of the journal were torn and have been cut`);
    await endLeftBehind(hosting, memory, warn);
    if (untold.length === 0) views.mend(state, warn);
    const prepared = await prepareWorktrees(worktrees, start, memory.hadWorktree, state);
    for (const warning of mask.warnings) warn(warning);
    // The log has these from the journal.
    for (const entry of [...untold.map((told) => told.entry), ...prepared])
      if ('warnings' in entry)
        for (const warning of entry.warnings ?? []) observer.warned?.(mask.text(warning));
    return prepared;
  }

  const loopIn = (workspaces: WorkspaceCache) =>
    createLoop(workflow, state, {
      ...{ run, holder, callers, begun: untold.splice(0), ...(perform && { perform }) },
      context: {
        ...{ runId: id, run, ...workspaces, worktrees, processes, clock, tracker, environment, mask },
        ...(ownServer && { ownServer }),
        ...(hosting.fence !== undefined && { fence: hosting.fence }),
        ...(state.skips.dry_run && { isDryRun: true }),
        agents: hosting.agentsFor(workflow, pinned.script),
        inheritSecrets: workflow.policy.secrets === 'inherited',
        keepStdout: workflow.policy.keepStdout,
        globs: workflow.policy.globs,
        report: (event) => observer.live?.(event),
        ...records.forEffects,
        ...(hosting.sessions && state.live && { session: heldSession(hosting, hosting.sessions, memory) }),
      },
      hooks: {
        onPerform(command) {
          views.onPerform(command);
          records.onPerform?.(command);
        },
        interlocutor: observer.interlocutor,
        onEntries: show,
        // Whoever reads state.json in its step finds the step in it.
        tellFirst: workflow.policy.state === 'every-step' || records.followEntries,
      },
    });

  function workspaces(): WorkspaceCache {
    memory.workspaces ??= createWorkspaceCache(hosting.workspaces, pinned, location);
    return memory.workspaces;
  }
  const append = (body: EntryBody): Told => {
    const entry: Entry = { n: state.n + 1, at: clock.now(), ...maskEntry(mask, body, state.masked) };
    run.append(entry);
    return foldAndTell(workflow, state, entry);
  };

  const held: HeldRun = {
    ...{ id, location, workflow, pinned, start, state, view },
    async go(first = []) {
      const prepared = memory.isReady ? [] : await makeReady();
      memory.isReady = true;
      const loop = loopIn(workspaces());
      let interrupted = false;
      interrupt = (by) => {
        interrupted = true;
        loop.interrupt(by);
      };
      observer.opened?.(held);
      going = loop;
      try {
        await loop.run([...first, ...prepared]);
      } finally {
        going = undefined;
      }
      if (!isWithClient(state)) views.finish();
      return { interrupted };
    },
    interrupt: (by) => interrupt?.(by),
    async say(body) {
      untold.push(append(body));
      await held.flush();
    },
    note(body) {
      if (going) going.tell(body);
      else untold.push(append(body));
    },
    async flush() {
      if (untold.length === 0) return;
      await run.flush();
      show(untold.splice(0));
    },
    transcribedIn(path) {
      memory.transcript = path;
    },
    isGoing: () => going !== undefined,
    around: () => ({
      ...{ clock, mask, environment, run, workspace: workspaces().workspace },
      globs: workflow.policy.globs,
      report: (event) => observer.live?.(event),
    }),
    async report() {
      const workspace =
        memory.workspaces?.workspace ?? hosting.workspaces.open(pinned.workspace, pinned.since);
      const survey = await surveyRun(hosting.workspaces, workspace, { location, mask, pinned, view });
      const report = view.report(survey);
      try {
        run.replaceDocument('report.md', renderReport(report));
      } catch (error) {
        warn(`report.md could not be written: ${error instanceof Error ? error.message : String(error)}`);
      }
      return report;
    },
    rest: views.finish,
    rebuild: views.rebuild,
  };
  return held;
}
