// views: state.json, summary.json and blocker.json, kept beside the journal. Views, not the truth (J1): a run whose views
// cannot be read or written goes on, and says so once. They are rendered when the time since the last is at least a second
// and 20 × what that one cost, and at pause and end. `policy.state: every-step` renders state.json before each step, for
// workflows whose steps read it: always before a step that can, before others at a pace that the run can afford (pace.ts).
// Backups of it are written at that pace too. While a run waits for a client alone, which may come back within milliseconds,
// they are written no more often than while it runs; `finish` writes them when the client is gone.

import type { State, Told } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Clock } from '../ports/clock.ts';
import type { Performable } from '../runtime/perform/perform.ts';
import type { Change } from '../views/outline/shape.ts';
import type { RunView } from '../views/run-view.ts';
import { visibleJson } from '../views/text/plain.ts';
import type { Desk } from './memory.ts';
import { createPace } from './pace.ts';
import type { Records } from './records.ts';
import { SHORT_VIEW, writeShortView } from './short-view.ts';

const COST_RATIO = 20;
/**
 * Milliseconds between two at least, and before the first: a replaced file makes the next flush of the journal dearer
 * than it was itself, and nobody reads it more often.
 */
const APART = 1000;
const STATE = 'state.json';
const BLOCKER = 'blocker.json';

/** Who is told. */
export interface Onlooker {
  changed?(change: Change): void;
  warned?(message: string): void;
}

export interface RunViews {
  readonly view: RunView;
  onEntries(told: Told[], state: State, onlooker: Onlooker): void;
  /** This is about to start. Whoever may read the views finds them as they should be. */
  onPerform(command: Performable): void;
  /** Writes what was not written yet. */
  finish(): void;
  /** Nothing is written after it, until there are entries again. */
  stop(): void;
  /** Writes them all, whatever is there. */
  rebuild(): void;
  /** The same where state.json is not what it should be, and warns where somebody may have missed it. */
  mend(state: State, warn: (message: string) => void): void;
}

export function createRunViews(
  desk: Desk,
  workflow: Workflow,
  clock: Clock,
  view: RunView,
  records: Records,
): RunViews {
  const everyStep = workflow.policy.state === 'every-step';
  const pace = createPace(clock);
  const failed = new Set<string>();
  let warned: Onlooker['warned'];
  let lastAt = clock.monotonic();
  let lastCost = 0;
  let blocked: boolean | undefined;
  let isStale = true;
  let isShortStale = true;
  let disarm: (() => void) | undefined;

  /** Tells of the first time only: what fails once fails at every step. */
  function attempt(name: string, write: () => void): void {
    try {
      write();
      failed.delete(name);
    } catch (error) {
      if (failed.has(name)) return;
      failed.add(name);
      const message = `${name} could not be written, and the run goes on without it: ${error instanceof Error ? error.message : String(error)}`;
      warned?.(message);
      records.warn(message);
    }
  }

  const writeState = (): void => attempt(STATE, () => desk.replaceDocument(STATE, view.stateJsonPieces()));

  function writeAll(): void {
    const began = clock.monotonic();
    writeState();
    attempt(SHORT_VIEW, () =>
      desk.replaceDocument(SHORT_VIEW, writeShortView(view.outline, desk.run.journalMark())),
    );
    lastAt = clock.monotonic();
    lastCost = lastAt - began;
    attempt(BLOCKER, writeBlocker);
    isStale = false;
    isShortStale = false;
  }

  function writeBlocker(): void {
    const questions = view.blockers();
    blocked ??= desk.document(BLOCKER) !== undefined;
    const asked = { run: desk.run.id, questions };
    if (questions.length > 0)
      desk.replaceDocument(BLOCKER, `${visibleJson(JSON.stringify(asked, undefined, 2))}\n`);
    else if (blocked) desk.removeDocument(BLOCKER);
    blocked = questions.length > 0;
  }

  /** What is written at every step, or as soon as its turn comes. */
  function writeInStep(): void {
    disarm?.();
    disarm = undefined;
    if (!(everyStep && isStale) && !records.hasBackups()) return;
    const wait = pace.wait();
    if (wait > 0) {
      disarm = clock.after(wait, writeInStep);
      return;
    }
    pace.spend(() => {
      records.writeBackups();
      writeFresh();
    });
  }

  function writeFresh(): void {
    if (!everyStep || !isStale) return;
    writeState();
    attempt(BLOCKER, writeBlocker);
    isStale = false;
    records.flush();
  }

  function stop(): void {
    disarm?.();
    disarm = undefined;
  }

  return {
    view,
    rebuild: writeAll,
    stop,
    mend(state, warn) {
      warned = warn;
      const problem = problemOf(desk);
      if (problem === undefined) return;
      // A run that was killed soon after its start may never have had one, nor one whose client is quick.
      const mayLack = state.status === 'running' || state.driven.drive === 'guide';
      if (problem === 'damaged' || everyStep || !mayLack)
        warn(`state.json was ${problem} and has been rebuilt from the journal`);
      writeAll();
    },
    onEntries(all, state, onlooker) {
      warned = onlooker.warned;
      for (const told of all) {
        records.before(told.entry, view.stateJsonPieces);
        const change = view.record(told);
        records.after(change, view.outline);
        onlooker.changed?.(change);
      }
      isStale = true;
      isShortStale = true;
      const isDue = clock.monotonic() - lastAt >= Math.max(APART, COST_RATIO * lastCost);
      const isOver = state.status !== 'running' && !isWithClient(state);
      // What was asked is asked no more.
      if (blocked && state.questions.size === 0) attempt(BLOCKER, writeBlocker);
      if (isOver) records.writeBackups();
      if (isOver || isDue) writeAll();
      writeInStep();
      // Whoever reads one of them looks into the other too.
      if (isOver) records.flush();
    },
    onPerform(command) {
      if (mayRead(command)) pace.spend(writeFresh);
    },
    finish() {
      stop();
      records.writeBackups();
      if (isStale || isShortStale) writeAll();
    },
  };
}

/** It waits for a client, and for nobody else. */
export function isWithClient({ status, handed, questions }: State): boolean {
  return status === 'paused' && handed.size > 0 && questions.size === 0;
}

/** What starts a program or reads files; to start a program takes longer than to write even a long view. */
function mayRead(command: Performable): boolean {
  if (command.kind === 'call-handler') return command.handler !== 'noop';
  return command.kind === 'run-command' || command.kind === 'run-agent';
}

/** What is wrong with the view that people read. */
function problemOf(desk: Desk): 'missing' | 'damaged' | undefined {
  try {
    const text = desk.document(STATE);
    if (text === undefined) return 'missing';
    const state = JSON.parse(text) as { run_id?: unknown; steps?: unknown } | null;
    return state?.run_id === desk.run.id && typeof state.steps === 'object' ? undefined : 'damaged';
  } catch {
    return 'damaged';
  }
}
