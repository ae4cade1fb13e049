// step-summary: how many steps there were, how many ran, which were left out and on whose word. Steps that do something
// count, and blocks that were left out whole; a step inside an `each` or `loop` counts once a pass.

import type { Outline } from '../outline/shape.ts';

/** The names are those that programs know from elsewhere: they stay as they are in every spelling. */
export interface StepSummary {
  totalSteps: number;
  executed: number;
  skipped: number;
  skippedSteps: { name: string; reason: string }[];
}

/** So many are named; the figures are exact. */
const MOST_NAMED = 1000;

export function stepSummary(outline: Outline): StepSummary {
  const { done, failed, skipped } = outline.totals;
  const executed = done + failed;
  const skippedSteps: StepSummary['skippedSteps'] = [];
  for (const { name, reason, why, count } of outline.notes.skipped.values()) {
    for (let n = 0; n < count && skippedSteps.length < MOST_NAMED; n += 1)
      skippedSteps.push({ name, reason: skipWords(reason, why, name) });
  }
  return { totalSteps: executed + skipped, executed, skipped, skippedSteps };
}

/** Of a step that was named on the command line: the flag as it is typed. */
export function skipWords(reason: string, why: string, name: string): string {
  if (reason === 'skip-step') return `--skip-step=${why.replace(/^--skip-step[ =]/, '') || name}`;
  if (reason === 'disabled') return 'disabled in workflow definition';
  return why;
}
