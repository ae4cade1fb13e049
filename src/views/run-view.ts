// run-view: everything people see of a run, from its journal. One reducer is fed; all views read from it.
// Owns: outline, summary, report, audit, plan, graph, state.json, blocker.json. Never: performs, reads a clock or a file,
// decides. Texts from outside are made plain before they are shown, and lines fit the width they were given.
// V1. A view is a fold of the journal and nothing else (J1): the same entries give the same view.
// V2. Any prefix of any journal can be shown. V3. What an entry costs does not depend on how many came before.

import type { Entry } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Told } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import { blockers } from './blocker.ts';
import type { Change, Outline } from './outline/shape.ts';
import { createOutline, record, recordTold } from './outline.ts';
import { createNotes, note } from './report/report-notes.ts';
import { type Report, reportOf, type Survey } from './report.ts';
import { createStateJson, recordState, renderStateJson } from './state-json.ts';
import { type Summary, type Surroundings, summarize } from './summary.ts';

export interface RunView {
  readonly outline: Outline;
  /** What `fold` told of an entry; or a bare entry, which is folded for that. */
  record(told: Told | Entry): Change;
  stateJson(): string;
  /** The same, in pieces to be written one after the other. */
  stateJsonPieces(): string[];
  /** Empty while nothing is asked: blocker.json is then removed. */
  blockers(): JsonObject[];
  summary(around?: Surroundings): Summary;
  report(survey?: Survey): Report;
}

/** `shown`: what state.json says of the run beside its journal, under `lockstep`. */
export function createRunView(workflow: Workflow, shown: JsonObject = {}): RunView {
  const outline = createOutline(workflow);
  const state = createStateJson(outline, shown);
  const notes = createNotes(outline);
  return {
    outline,
    record(told) {
      const change = 'entry' in told ? recordTold(outline, told) : record(outline, told);
      recordState(state, change);
      note(notes, change);
      return change;
    },
    stateJson: () => renderStateJson(state).join(''),
    stateJsonPieces: () => renderStateJson(state),
    blockers: () => blockers(outline),
    summary: (around) => summarize(outline, around),
    report: (survey) => reportOf(notes, survey),
  };
}
