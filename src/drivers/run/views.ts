// views: state.json and blocker.json, kept beside the journal. Views, not the truth (J1): a run whose views cannot be
// written goes on. state.json is rendered when the time since the last is at least 20 × what that one cost, and at
// pause and end; `policy.state: every-step` renders it before each step, for workflows whose steps read it.

import type { Entry } from '../../model/entry.ts';
import type { State } from '../../model/state.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OpenRun } from '../../ports/store.ts';
import { renderBlockers } from '../../views/blocker.ts';
import { createOutline, record } from '../../views/outline.ts';
import { renderStateJson } from '../../views/state-json.ts';

const COST_RATIO = 20;

export interface RunViews {
  onEntries(entries: Entry[], state: State): void;
  finish(state: State): void;
}

export function createRunViews(run: OpenRun, workflow: Workflow, clock: Clock, before: Entry[]): RunViews {
  const outline = createOutline(workflow);
  for (const entry of before) record(outline, entry);
  const everyStep = workflow.policy.state === 'every-step';
  let lastAt = Number.NEGATIVE_INFINITY;
  let lastCost = 0;
  let blocked = run.document('blocker.json') !== undefined;

  function write(state: State): void {
    const began = clock.monotonic();
    run.replaceDocument('state.json', renderStateJson(outline));
    lastAt = clock.monotonic();
    lastCost = lastAt - began;
    if (state.questions.size > 0) {
      run.replaceDocument('blocker.json', renderBlockers(outline));
      blocked = true;
    } else if (blocked) {
      run.removeDocument('blocker.json');
      blocked = false;
    }
  }

  return {
    onEntries(entries, state) {
      for (const entry of entries) record(outline, entry);
      const isDue = clock.monotonic() - lastAt >= Math.max(1, COST_RATIO * lastCost);
      if (everyStep || state.status !== 'running' || isDue) write(state);
    },
    finish: write,
  };
}
