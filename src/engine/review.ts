// review: what the gates of a step say, as one. Nobody's word decides: whether there is anything to do, and the verdict,
// are made of the issues alone.
// V1. One issue in the same place, said in other letters, spaces or punctuation, is one issue: the worst severity holds,
//     every gate that found it is named, and what they say to do about it is all kept.
// V2. A gate that failed, whose answer is no review, or whose issue has a severity that nobody knows, never makes a
//     review better.
// V3. A gate that was left out because nothing changed since it approved stands by what it said then.
// V4. What nobody looked at is approved by nobody.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import {
  coverageOf,
  isActionable,
  issuesOf,
  mergedIssues,
  objectsIn,
  severityOf,
  textOf,
  textsOf,
} from '../model/review-issues.ts';
import type { Fan, OpenStep } from '../model/state.ts';
import type { Gate, Step } from '../model/workflow.ts';
import { roundOf } from './opening.ts';

interface Said {
  gate: Gate;
  status: 'done' | 'skipped' | 'failed';
  output: Json;
  carried: boolean;
  why?: string;
}

export function gatherReviews(open: OpenStep): JsonObject {
  const steps = open.step.work.kind === 'parallel' ? open.step.work.steps : [];
  const said = steps.map((step, index) => saidBy(step, index, open));
  const found = said.map(foundBy);
  const issues = mergedIssues(said.map(({ gate }, index) => [gate.name, found[index] ?? []]));
  const actionable = issues.filter(isActionable);
  return {
    assessment: actionable.length > 0 ? 'needs_revision' : said.some(looked) ? 'approved' : 'not_reviewed',
    issues,
    strengths: [...new Set(said.flatMap(({ output }) => textsOf(output, 'strengths')))],
    hasActionableIssues: actionable.length > 0,
    actionableIssues: actionable,
    ...coverageOf(said.map(({ output }) => output)),
    gates: said.map((one, index) => lineOf(one, found[index] ?? [])),
  };
}

/** Whether what a gate said lets the work pass. What is no review at all does not. */
export function approves(output: Json): boolean {
  return isReview(output) && !issuesOf(output).some(isActionable);
}

/** Of a gate that ended: whether anything in it is critical. */
export function findsCritical(output: Json | undefined): boolean {
  return output !== undefined && issuesOf(output).some((issue) => severityOf(issue) === 'critical');
}

const NAME_IT =
  'Name what must change as an issue of one of these severities, or approve and say that nothing is actionable.';

/** Why a gate is asked again: its answer is no review, or it objects and names nothing that could be mended. */
export function unclear(output: Json): string | undefined {
  if (!isReview(output))
    return 'This is no review: `issues` must be a list of objects, an empty one where nothing is wrong.';
  const issues = issuesOf(output);
  if (issues.some(isActionable)) return undefined;
  const { assessment, hasActionableIssues, actionableIssues } = output;
  const says =
    assessment === 'needs_revision'
      ? 'needs_revision'
      : hasActionableIssues === true
        ? 'hasActionableIssues'
        : Array.isArray(actionableIssues) && actionableIssues.length > 0
          ? 'actionableIssues'
          : undefined;
  if (says !== undefined) return `You say ${says} and name no critical or important issue. ${NAME_IT}`;
  const { testCoverage = null } = output;
  return isObject(testCoverage) && testCoverage.adequate === false && issues.length === 0
    ? 'You say that the test coverage is not adequate and name no issue. Name what is not tested as an issue, or say that it is adequate.'
    : undefined;
}

/** What is to be done, of a value that looks like a review; undefined where it is none. */
export function openIssues(value: Json | undefined): JsonObject[] | undefined {
  if (value === undefined || !isObject(value)) return undefined;
  const named = value.actionableIssues;
  if (Array.isArray(named)) return objectsIn(named);
  return Array.isArray(value.issues) ? issuesOf(value).filter(isActionable) : undefined;
}

/** `critical src/a.ts:3: what is wrong (security)` */
export function issueText(issue: JsonObject): string {
  const { severity, file, line, foundBy } = issue;
  const place = typeof file === 'string' ? ` ${file}${typeof line === 'number' ? `:${line}` : ''}` : '';
  const who = typeof foundBy === 'string' ? ` (${foundBy})` : '';
  return `${typeof severity === 'string' ? severity : 'issue'}${place}: ${textOf(issue)}${who}`;
}

function saidBy(step: Step, index: number, open: OpenStep): Said {
  const fan = open.fan as Fan;
  const gate = step.gate as Gate;
  const status = fan.statuses[index] ?? 'skipped';
  const skip = fan.skips?.get(index);
  const carried = skip?.reason === 'unchanged';
  const output = carried ? open.scope.verdicts?.get(roundOf(step))?.output : fan.outputs[index];
  return {
    gate,
    status,
    output: status === 'skipped' && !carried ? null : (output ?? null),
    carried,
    ...(status === 'skipped' && skip && { why: skip.why }),
    ...(status === 'failed' && { why: open.scope.steps.get(step.id)?.error?.message ?? 'it failed' }),
  };
}

function lineOf({ gate, status, output, carried, why }: Said, issues: JsonObject[]): JsonObject {
  const judged = status === 'done' || carried;
  const isOne = judged && isReview(output);
  const reason = judged && !isOne ? NO_REVIEW : (why ?? overruled(status, output));
  return {
    gate: gate.name,
    status,
    ...(judged && { assessment: approves(output) ? 'approved' : 'needs_revision' }),
    issues: isOne ? issues.length : 0,
    ...(carried && { carried }),
    ...(gate.program && { program: true }),
    ...(reason !== undefined && { why: reason }),
  };
}

/** It was asked again, and said no more: that it counts all the same is a person's word. */
function overruled(status: Said['status'], output: Json): string | undefined {
  return status === 'done' && unclear(output) !== undefined
    ? 'it objects and names nothing to mend; a person took it as it is'
    : undefined;
}

function looked({ status, carried }: Said): boolean {
  return status !== 'skipped' || carried;
}

function foundBy(one: Said): JsonObject[] {
  if (!looked(one)) return [];
  if (one.status === 'failed') return [unseen(one)];
  return isReview(one.output) ? issuesOf(one.output) : [unseen({ ...one, why: NO_REVIEW })];
}

/** It got past its schema on the word of a person, or that schema allows it. */
const NO_REVIEW = 'its answer is no review';

/** Where a gate could not look there may be anything. */
function unseen({ gate, why }: Said): JsonObject {
  return {
    severity: 'important',
    description: `the gate "${gate.name}" could not review this: ${why ?? 'it failed'}`,
    fixInstructions: 'There is nothing to fix in the code for this: the review has to run again.',
  };
}

function isReview(output: Json): output is JsonObject & { issues: JsonObject[] } {
  return isObject(output) && Array.isArray(output.issues) && output.issues.every(isObject);
}
