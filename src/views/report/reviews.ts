// reviews: who looked at the work, how often, what they found, and what of it is still open. A round is one step of
// gates, or the checks of one block. An issue is settled when the gate that found it last looked and did not find it again.

import type { Json, JsonObject } from '../../model/json.ts';
import { normalised } from '../../model/review-issues.ts';
import type { Outline } from '../outline/shape.ts';
import { isReview, type StepRecord, wouldReview } from '../step-record.ts';
import { plain } from '../text/plain.ts';
import { answerText, asMap, figure, maps, word } from './answer-text.ts';
import type {
  FoundIssue,
  GateVerdict,
  Item,
  ReportStep,
  ReviewIssue,
  ReviewRound,
  Reviews,
} from './shape.ts';
import { whySkipped } from './step.ts';

/** In the key of what belongs to an earlier go at a block, between its path and a number; in no path. */
export const ASIDE = '\n';

/** One review, before anybody put it together with the others of its round. */
export interface LoneReview {
  /** The path of the block it stands in. */
  round: string;
  item?: Item;
  gate: GateVerdict;
  issues: ReviewIssue[];
}

/** What there is to put together. */
export interface Reviewed {
  outline: Outline;
  steps: ReadonlyMap<string, { review?: LoneReview }>;
  /** What the gates of a step say as one, by its path. */
  gathered: ReadonlyMap<string, { output: JsonObject; item?: Item }>;
}

interface Round extends ReviewRound {
  /** The path of the item, '' where it belongs to none. */
  scope: string;
}

/** Undefined: it is none. A check that looks at something else (a verification) has no verdict and no issues. */
export function loneReview(
  record: StepRecord,
  { prompt }: ReportStep,
  item: Item | undefined,
): LoneReview | undefined {
  const { step, settled, outcome } = record;
  const output = asMap(outcome?.output);
  if (settled === 'skipped' ? !wouldReview(record) : !isReview(record, output)) return undefined;
  const gate = plain(step?.gate?.name ?? prompt?.name ?? promptName(record) ?? record.id);
  const issues = settled === 'skipped' ? [] : issuesIn(output, gate);
  return {
    round: record.parent?.path ?? '',
    ...(item && { item }),
    gate: verdictOf(record, gate, output, issues.length),
    issues,
  };
}

function promptName({ step }: StepRecord): string | undefined {
  return step?.work.kind === 'prompt' && step.work.prompt.kind === 'template'
    ? step.work.prompt.name
    : undefined;
}

function verdictOf(
  record: StepRecord,
  gate: string,
  output: JsonObject | undefined,
  issues: number,
): GateVerdict {
  const program = record.step?.gate?.program === undefined ? {} : { program: true as const };
  if (record.settled === 'skipped')
    return { gate, ...program, status: 'skipped', issues: 0, why: whySkipped(record) };
  if (record.settled === 'done')
    return { gate, ...program, status: 'done', issues, verdict: verdictWord(output) };
  return {
    ...{ gate, ...program, status: 'failed', issues },
    why: plain(record.error?.message ?? 'it did not finish'),
  };
}

function verdictWord(output: JsonObject | undefined): string {
  const assessment = output && word(output, 'assessment');
  if (assessment !== undefined) return assessment.replaceAll('_', ' ');
  if (typeof output?.hasActionableIssues === 'boolean')
    return output.hasActionableIssues ? 'needs revision' : 'approved';
  return 'no verdict';
}

function issuesIn(output: Json | undefined, gate: string): ReviewIssue[] {
  const review = asMap(output) ?? {};
  const lists = Array.isArray(review.issues)
    ? [review.issues]
    : [review.actionableIssues, review.criticalIssues];
  return lists.flatMap(maps).map((one) => {
    const file = word(one, 'file', 'path');
    const line = figure(one, 'line');
    return {
      severity: word(one, 'severity') ?? 'issue',
      description: word(one, 'description', 'message', 'title') ?? answerText(one),
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      foundBy: word(one, 'foundBy')?.split(/,\s*/) ?? (gate === '' ? [] : [gate]),
    };
  });
}

// ── All of them ─────────────────────────────────────────────────────────────────────────────────

export function reviewsOf(reviewed: Reviewed): Reviews {
  const rounds = roundsOf(reviewed);
  const { reviews, spending } = reviewed.outline.totals;
  return {
    rounds: rounds.map(({ scope: _, ...round }) => round),
    issues: issuesOf(rounds),
    leftOut: rounds.flatMap(({ gates }) => gates).filter(({ status }) => status === 'skipped').length,
    calls: reviews.priced + reviews.unpriced,
    allCalls: spending.priced + spending.unpriced,
    spending: reviews,
  };
}

function roundsOf({ steps, gathered }: Reviewed): Round[] {
  const rounds = new Map<string, Round>();
  const counts = new Map<string, number>();
  const open = (path: string, item: Item | undefined): Round => {
    const known = rounds.get(path);
    if (known) return known;
    const scope = item?.path ?? '';
    const number = (counts.get(scope) ?? 0) + 1;
    counts.set(scope, number);
    const round: Round = { path: path.split(ASIDE, 1)[0] ?? '', round: number, gates: [], issues: [], scope };
    if (item) round.of = item.title;
    rounds.set(path, round);
    return round;
  };
  for (const { review } of steps.values()) {
    if (!review) continue;
    const round = open(review.round, review.item);
    round.gates.push(review.gate);
    round.issues.push(...review.issues);
  }
  for (const [path, { output, item }] of gathered) gather(open(path, item), output);
  return [...rounds.values()].map((round) => ({ ...round, issues: unique(round.issues) }));
}

/** What the engine made of all of them takes the place of what was read one by one. */
function gather(round: Round, output: JsonObject): void {
  round.gates = maps(output.gates).map((one): GateVerdict => {
    const status = word(one, 'status');
    const verdict = word(one, 'assessment')?.replaceAll('_', ' ');
    const why = word(one, 'why');
    return {
      gate: word(one, 'gate') ?? '?',
      status: status === 'skipped' || status === 'failed' ? status : 'done',
      issues: figure(one, 'issues') ?? 0,
      ...(verdict !== undefined && { verdict }),
      ...(why !== undefined && { why }),
      ...(one.carried === true && { carried: true as const }),
      ...(one.program === true && { program: true as const }),
    };
  });
  round.issues = issuesIn(output, '');
}

function keyOf({ file = '', line = 0, description }: ReviewIssue): string {
  return `${file}:${line}:${normalised(description)}`;
}

function unique(issues: ReviewIssue[]): ReviewIssue[] {
  const byKey = new Map<string, ReviewIssue>();
  for (const issue of issues) {
    const known = byKey.get(keyOf(issue));
    if (known) known.foundBy = [...new Set([...known.foundBy, ...issue.foundBy])];
    else byKey.set(keyOf(issue), { ...issue });
  }
  return [...byKey.values()];
}

function issuesOf(rounds: Round[]): FoundIssue[] {
  const found = new Map<string, FoundIssue>();
  for (const { scope, of, round, issues } of rounds) {
    const mine = rounds.filter((one) => one.scope === scope);
    for (const issue of issues) {
      const key = `${scope} ${keyOf(issue)}`;
      if (!found.has(key))
        found.set(key, {
          ...issue,
          ...(of !== undefined && { of }),
          round,
          isOpen: isOpen(keyOf(issue), issue, mine),
          by: foundByProgram(issue, mine) ? 'seen' : 'claimed',
        });
    }
  }
  return [...found.values()];
}

/** What a program found Lockstep ran itself; what a model says it found is its word. */
function foundByProgram({ foundBy }: ReviewIssue, rounds: Round[]): boolean {
  const gates = rounds.flatMap((round) => round.gates);
  return foundBy.some((name) => gates.some(({ gate, program }) => gate === name && program));
}

/** By the last word of each gate that found it. One that was left out keeps the word it had. */
function isOpen(key: string, { foundBy }: ReviewIssue, rounds: Round[]): boolean {
  const last = (gate: string) =>
    rounds.findLast(({ gates }) => gates.some((one) => one.gate === gate && one.status === 'done'));
  return (
    foundBy.length === 0 ||
    foundBy.some((gate) => last(gate)?.issues.some((one) => keyOf(one) === key) ?? true)
  );
}
