// step: one step of a run, in a line of the report.

import { approves } from '../../engine/review.ts';
import { type StepRecord, stepName } from '../step-record.ts';
import { plain } from '../text/plain.ts';
import { cost } from '../text/words.ts';
import { asMap } from './answer-text.ts';
import { resultText } from './result-text.ts';
import type { ReportStep } from './shape.ts';
import { skipWords } from './step-summary.ts';

export function reportStep(record: StepRecord, names: Pick<ReportStep, 'agent' | 'prompt'> = {}): ReportStep {
  const { input_tokens, output_tokens } = record.spending;
  const spent = cost(record.spending);
  return {
    path: record.path,
    name: stepName(record),
    title: record.title,
    verb: record.verb,
    status: record.status,
    ...names,
    ...(record.provider !== undefined && { provider: record.provider }),
    ...(record.model !== undefined && { model: record.model }),
    durationMs: record.durationMs,
    tries: record.try,
    retries: record.retries,
    ...(spent !== undefined && { cost: spent }),
    ...(input_tokens + output_tokens > 0 && { tokens: input_tokens + output_tokens }),
    result: resultOf(record),
    by: isClaim(record) ? 'claimed' : 'seen',
    ...(record.skip && { skipped: { reason: record.skip.reason, why: whySkipped(record) } }),
    inDoubt: record.inDoubt,
    ...(record.override && { overriddenBy: plain(record.override.by) }),
  };
}

/** What an agent answered is its word; that it was skipped, failed or asks was seen. */
function isClaim({ verb, skip, settled, question, override }: StepRecord): boolean {
  return verb === 'prompt' && !skip && !question && !override && settled === 'done';
}

export function whySkipped(record: StepRecord): string {
  const { skip } = record;
  return skip ? skipWords(skip.reason, plain(skip.why), stepName(record)) : '';
}

function resultOf(record: StepRecord): string {
  if (record.skip) return whySkipped(record);
  if (record.settled === 'failed') return plain(record.error?.message ?? 'it failed');
  if (record.question) return plain(record.question.text);
  if (record.verb === 'run' && record.exitCode !== undefined) return `exit code ${record.exitCode}`;
  const output = record.outcome?.output;
  const said = record.step?.gate && asMap(output);
  // What a gate says of its own verdict decides nothing, and is not told as if it did.
  if (said) return resultText({ ...said, assessment: approves(said) ? 'approved' : 'needs_revision' });
  return resultText(output);
}
