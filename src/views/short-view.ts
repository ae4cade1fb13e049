// short-view: summary.json: of a run what a list of runs shows, small enough that thousands are read at once.

import type { Drive } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Outline, RunStatusView } from './outline/shape.ts';
import { knownCost } from './state-json/ours.ts';
import { isoTime } from './text/words.ts';

export interface ShortView {
  run_id: string;
  workflow: string;
  /** That it works on; older versions did not say. */
  branch?: string;
  /** Who takes its turns now. */
  drive: Drive;
  status: RunStatusView;
  started_at: string;
  updated_at: string;
  elapsed_ms: number;
  /** How many entries of the journal it tells of. */
  entries: number;
  totals: ShortTotals;
}

export interface ShortTotals {
  done: number;
  failed: number;
  skipped: number;
  input_tokens: number;
  output_tokens: number;
  /** The known part; null: nothing is known. */
  cost: number | null;
  /** Answers without a price. */
  unpriced: number;
}

export function shortView(outline: Outline): ShortView & JsonObject {
  const { totals } = outline;
  return {
    run_id: outline.run?.id ?? '',
    workflow: outline.workflow.name,
    ...(outline.run?.branch && { branch: outline.run.branch }),
    drive: outline.drive,
    status: outline.status,
    started_at: isoTime(outline.startedAt),
    updated_at: isoTime(outline.lastAt),
    elapsed_ms: outline.runTime,
    entries: outline.n,
    totals: {
      done: totals.done,
      failed: totals.failed,
      skipped: totals.skipped,
      input_tokens: totals.spending.input_tokens,
      output_tokens: totals.spending.output_tokens,
      cost: knownCost(totals.spending),
      unpriced: totals.spending.unpriced,
    },
  };
}
