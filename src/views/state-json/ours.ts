// ours: what the orchestrate format has no word for, under `lockstep` in state.json.

import type { JsonObject } from '../../model/json.ts';
import { blockers } from '../blocker.ts';
import type { Outline } from '../outline/shape.ts';
import { stepSummary } from '../report/step-summary.ts';
import { roundedCost, type Spending } from '../text/words.ts';

/** What is known of it: `unpriced` says whether that is all. */
export function knownCost({ priced, unpriced, cost }: Spending): number | null {
  return priced === 0 && unpriced > 0 ? null : roundedCost(cost);
}

/** Without its outputs, which may be long. */
export function oursState(outline: Outline): JsonObject {
  const { totals, notes } = outline;
  const open: JsonObject = {};
  for (const [path, record] of outline.byPath) {
    if (record.status === 'running' || record.status === 'waiting' || record.status === 'asking') {
      Object.defineProperty(open, path, { value: record.status, enumerable: true });
    }
  }
  return {
    status: outline.status,
    entries: outline.n,
    workflow: outline.workflow.name,
    drive: outline.drive,
    elapsed_ms: outline.runTime,
    resumes: outline.resumes,
    paths: open,
    totals: {
      done: totals.done,
      failed: totals.failed,
      skipped: totals.skipped,
      cancelled: totals.cancelled,
      attempts: totals.attempts,
      retries: totals.retries,
      accepted: totals.accepted,
      rejected: totals.rejected,
      jumps: totals.jumps,
      input_tokens: totals.spending.input_tokens,
      output_tokens: totals.spending.output_tokens,
      turns: totals.spending.turns,
      cost: knownCost(totals.spending),
      unpriced: totals.spending.unpriced,
      models: totals.models.map(({ model, provider, spending }) => ({
        model: model === '' ? null : model,
        provider: provider === '' ? null : provider,
        answers: spending.priced + spending.unpriced,
        input_tokens: spending.input_tokens,
        output_tokens: spending.output_tokens,
        turns: spending.turns,
        cost: knownCost(spending),
        unpriced: spending.unpriced,
      })),
    },
    worktree: outline.worktree ? { ...outline.worktree } : null,
    worktrees: notes.worktrees.kept.map(({ path, worktree }) => ({ step: path, ...worktree })),
    warnings: notes.warnings.kept.map(({ path, message }) => ({ path: path ?? null, message })),
    stepSummary: { ...stepSummary(outline) },
    questions: blockers(outline),
    continued_past: totals.continuedPast,
    failures: [...notes.failed].map(([path, error]) => ({
      path,
      class: error.class,
      message: error.message,
    })),
    skipped: [...notes.skipped.values()].map(({ path, reason, why, count }) => ({
      path,
      reason,
      why,
      count,
    })),
    in_doubt: notes.doubts.kept.map(({ path, part, remedy }) => ({ path, part: part ?? null, remedy })),
    overrides: notes.overrides.kept.map(({ path, by, note }) => ({ path, by, note: note ?? null })),
    error: outline.error ? { class: outline.error.class, message: outline.error.message } : null,
    failed_at: outline.failedAt ?? null,
  };
}
