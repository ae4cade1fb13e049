// views: state.json and blocker.json, kept beside the journal. Views, not the truth (J1): a run whose views cannot be
// written goes on. state.json is rendered when the time since the last is at least a second and 20 × what that one cost, and at
// pause and end; `policy.state: every-step` renders it before each step, for workflows whose steps read it.

import type { State, Told } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Clock } from '../ports/clock.ts';
import type { Change } from '../views/outline/shape.ts';
import type { RunView } from '../views/run-view.ts';
import { visibleJson } from '../views/text/plain.ts';
import type { Desk } from './memory.ts';
import type { Records } from './records.ts';

const COST_RATIO = 20;
/**
 * Milliseconds between two at least, and before the first: a replaced file makes the next flush of the journal dearer
 * than it was itself, and nobody reads it more often.
 */
const APART = 1000;
const STATE = 'state.json';
const BLOCKER = 'blocker.json';

export interface RunViews {
  readonly view: RunView;
  onEntries(told: Told[], state: State, onChange?: (change: Change) => void): void;
  /** Writes what was not written yet. */
  finish(): void;
  /** Writes state.json, whatever is there. */
  rebuild(): void;
  /** The same where it is not what it should be, and warns where somebody may have missed it. */
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
  let lastAt = clock.monotonic();
  let lastCost = 0;
  let blocked = desk.document(BLOCKER) !== undefined;
  let isStale = true;

  function write(): void {
    const began = clock.monotonic();
    desk.replaceDocument(STATE, view.stateJsonPieces());
    lastAt = clock.monotonic();
    lastCost = lastAt - began;
    const questions = view.blockers();
    const asked = { run: desk.run.id, questions };
    if (questions.length > 0)
      desk.replaceDocument(BLOCKER, `${visibleJson(JSON.stringify(asked, undefined, 2))}\n`);
    else if (blocked) desk.removeDocument(BLOCKER);
    blocked = questions.length > 0;
    isStale = false;
  }

  const rebuild = (): void => desk.replaceDocument(STATE, view.stateJsonPieces());

  return {
    view,
    rebuild,
    mend(state, warn) {
      const problem = problemOf(desk.document(STATE), desk.run.id);
      if (problem === undefined) return;
      // A run that was killed soon after its start may never have had one.
      if (problem === 'damaged' || everyStep || state.status !== 'running')
        warn(`state.json was ${problem} and has been rebuilt from the journal`);
      rebuild();
    },
    onEntries(all, state, onChange) {
      for (const told of all) {
        records.before(told.entry, view.stateJsonPieces);
        const change = view.record(told);
        records.after(change, view.outline);
        onChange?.(change);
      }
      isStale = true;
      const isDue = clock.monotonic() - lastAt >= Math.max(APART, COST_RATIO * lastCost);
      const isAsked = everyStep || state.status !== 'running';
      if (isAsked || isDue) write();
      // Whoever reads one of them looks into the other too.
      if (isAsked) records.flush();
    },
    finish() {
      if (isStale) write();
    },
  };
}

/** What is wrong with the view that people read. */
function problemOf(text: string | undefined, id: string): 'missing' | 'damaged' | undefined {
  if (text === undefined) return 'missing';
  try {
    const state = JSON.parse(text) as { run_id?: unknown; steps?: unknown } | null;
    return state?.run_id === id && typeof state.steps === 'object' ? undefined : 'damaged';
  } catch {
    return 'damaged';
  }
}
