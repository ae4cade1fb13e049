// told: what a run came to, from its journal alone (J1).

import type { Entry, Failure, QuestionKind, SkipReason } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';
import { createRunView } from '../views/run-view.ts';
import type { Ended, StepRecord } from '../views/step-record.ts';

export interface StepTold {
  path: string;
  status: Ended;
  output: Json;
  tries: number;
  exitCode?: number;
  error?: Failure;
}

export interface Told {
  status: string;
  /** Steps that did something, in the order in which they began, each visit once. */
  path: string[];
  /** Blocks whose branches or items may go on side by side. */
  atOnce: Set<string>;
  /** By path, the last time that each ended. */
  steps: Map<string, StepTold>;
  outputs: JsonObject;
  vars: JsonObject;
  skipped: { path: string; reason: SkipReason; why: string }[];
  asked: { path: string; kind: QuestionKind; text: string; reasons: string[] }[];
  error?: Failure;
  failedAt?: string;
  /** The folder it works in. */
  workspace: string;
  /** That was checked out when it began. */
  branch: string;
  /** Its id, and the time in it: other ones in every run. */
  names: string[];
}

export function tell(workflow: Workflow, entries: readonly Entry[]): Told {
  const view = createRunView(workflow);
  const path = new Set<string>();
  const atOnce = new Set<string>();
  const steps = new Map<string, StepTold>();
  const told: Pick<Told, 'skipped' | 'asked'> = { skipped: [], asked: [] };
  for (const entry of entries) {
    const change = view.record(entry);
    for (const settled of change.settled) {
      if (settled.kind === 'step') note(steps, settled);
      if (settled.verb === 'parallel' || settled.verb === 'each') atOnce.add(settled.path);
    }
    if (entry.kind === 'attempt-started' && entry.part === undefined) path.add(entry.path);
    if (entry.kind === 'step-skipped')
      told.skipped.push({ path: entry.path, reason: entry.reason, why: entry.why });
    if (entry.kind === 'question-asked') {
      if (entry.question === 'ask') path.add(entry.path);
      const { path: at, question, text, reasons = [] } = entry;
      told.asked.push({ path: at, kind: question, text, reasons });
    }
  }
  const { outline } = view;
  return {
    status: outline.status,
    path: [...path],
    atOnce,
    steps,
    outputs: outline.outputs,
    vars: Object.fromEntries(outline.vars),
    ...told,
    ...(outline.error && { error: outline.error }),
    ...(outline.failedAt !== undefined && { failedAt: outline.failedAt }),
    workspace: outline.run?.workspace ?? '',
    branch: outline.run?.branch ?? '',
    names: outline.run ? [outline.run.id, outline.run.started] : [],
  };
}

function note(steps: Map<string, StepTold>, record: StepRecord): void {
  if (record.settled === undefined) return;
  steps.set(record.path, {
    path: record.path,
    status: record.settled,
    output: record.outcome?.output ?? record.lastValue ?? null,
    tries: record.try,
    ...(record.exitCode !== undefined && { exitCode: record.exitCode }),
    ...(record.error && { error: record.error }),
  });
}
