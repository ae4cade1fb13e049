// outcome: what a journal comes to when this Lockstep reads it. Few words, so that it can stay the same for ever.

import { fold, initialState } from '../../src/engine/engine.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Workflow } from '../../src/model/workflow.ts';
import { createOutline, record } from '../../src/views/outline.ts';

export interface Outcome {
  status: string;
  outputs: JsonObject;
  /** Of the engine: where it would go on. */
  ready: string[];
  running: string[];
  /** Of the outline: every step it knows, as people see it. */
  steps: Record<string, string>;
  questions: string[];
  totals: Record<string, number>;
}

export function outcomeOf(workflow: Workflow, entries: readonly Entry[]): Outcome {
  const state = initialState(workflow);
  const outline = createOutline(workflow);
  for (const entry of entries) {
    fold(workflow, state, entry);
    record(outline, entry);
  }
  const { done, failed, skipped, cancelled, attempts, retries, accepted, rejected, jumps } = outline.totals;
  return {
    status: outline.status,
    outputs: state.outputs,
    ready: [...state.ready.keys()],
    running: [...state.running.keys()],
    steps: Object.fromEntries([...outline.byPath].map(([path, step]) => [path, step.status])),
    questions: [...outline.questions.keys()],
    totals: { done, failed, skipped, cancelled, attempts, retries, accepted, rejected, jumps },
  };
}
