// review: what the gates of a step say, as one. Nobody's word decides: whether there is anything to do, and the verdict,
// are made of the issues alone.
// V1. One issue in the same place, said in other letters, spaces or punctuation, is one issue: the worst severity holds,
//     every gate that found it is named, and what they say to do about it is all kept.
// V2. A gate that failed, whose answer is no review, or whose issue has a severity that nobody knows, never makes a
//     review better.
// V3. A gate that was left out because nothing changed since it approved stands by what it said then.
// V4. What nobody looked at is approved by nobody.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import type { Fan, OpenStep } from '../model/state.ts';
import type { Gate, Step } from '../model/workflow.ts';
import { roundOf } from './opening.ts';

const SEVERITIES = ['critical', 'important', 'minor'];

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
  const issues = merged(said.map(({ gate }, index) => [gate.name, found[index] ?? []]));
  const actionable = issues.filter(isActionable);
  return {
    assessment: actionable.length > 0 ? 'needs_revision' : said.some(looked) ? 'approved' : 'not_reviewed',
    issues,
    strengths: [...new Set(said.flatMap(({ output }) => textsOf(output, 'strengths')))],
    hasActionableIssues: actionable.length > 0,
    actionableIssues: actionable,
    ...coverage(said.map(({ output }) => output)),
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

function issuesOf(output: Json): JsonObject[] {
  if (!isObject(output)) return [];
  const issues = objectsIn(output.issues);
  // Some name what matters apart, and not among the rest.
  const known = new Set(issues.map(sameness));
  return [...issues, ...objectsIn(output.actionableIssues).filter((issue) => !known.has(sameness(issue)))];
}

function sameness(issue: JsonObject): string {
  return `${severityOf(issue)} ${textOf(issue) === '' ? JSON.stringify(issue) : keyOf(issue)}`;
}

function isReview(output: Json): output is JsonObject & { issues: JsonObject[] } {
  return isObject(output) && Array.isArray(output.issues) && output.issues.every(isObject);
}

function merged(all: [gate: string, issues: JsonObject[]][]): JsonObject[] {
  const known = new Map<string, JsonObject>();
  for (const [gate, issues] of all) {
    for (const issue of issues) {
      const found = { ...issue, severity: severityOf(issue), foundBy: gate };
      const same = textOf(issue) === '' ? undefined : keyOf(issue);
      const before = same === undefined ? undefined : known.get(same);
      known.set(same ?? `${known.size}`, before ? joined(before, found) : found);
    }
  }
  const rank = (issue: JsonObject) => SEVERITIES.indexOf(String(issue.severity));
  return [...known.values()].sort((left, right) => rank(left) - rank(right));
}

function keyOf(issue: JsonObject): string {
  const file = typeof issue.file === 'string' ? issue.file.replace(/^(?:\.\/)+/, '') : '';
  return JSON.stringify([file, issue.line ?? '', normalised(textOf(issue))]);
}

/** Case, white space and punctuation aside; `==` and `!=` are neither. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sm}!]+/gu, ' ')
    .replace(/!(?!=)/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function joined(before: JsonObject, issue: JsonObject): JsonObject {
  const worse = SEVERITIES.indexOf(String(issue.severity)) < SEVERITIES.indexOf(String(before.severity));
  const names = String(before.foundBy).split(', ');
  return {
    ...issue,
    ...before,
    severity: worse ? (issue.severity as Json) : (before.severity as Json),
    fixInstructions: bothInstructions(before.fixInstructions, issue.fixInstructions),
    foundBy: [...new Set([...names, String(issue.foundBy)])].join(', '),
  };
}

function bothInstructions(one: Json | undefined, other: Json | undefined): Json {
  if (typeof one !== 'string' || one === '') return other ?? '';
  if (typeof other !== 'string' || other === '') return one;
  const known = one.split('\n').map(normalised);
  return known.includes(normalised(other)) || normalised(one) === normalised(other)
    ? one
    : `${one}\n${other}`;
}

function severityOf({ severity }: JsonObject): string {
  return typeof severity === 'string' && SEVERITIES.includes(severity) ? severity : 'important';
}

function isActionable(issue: JsonObject): boolean {
  return severityOf(issue) !== 'minor';
}

/** Some call it `message`. */
function textOf({ description, message }: JsonObject): string {
  return typeof description === 'string' ? description : typeof message === 'string' ? message : '';
}

function coverage(outputs: Json[]): JsonObject {
  const all = outputs
    .map((output) => (isObject(output) ? output.testCoverage : undefined))
    .filter((one) => one !== undefined && isObject(one));
  if (all.length === 0) return {};
  const notes = all.flatMap((one) => (typeof one.notes === 'string' && one.notes !== '' ? [one.notes] : []));
  const adequate = all.every((one) => one.adequate === true);
  return { testCoverage: { adequate, ...(notes.length > 0 && { notes: notes.join('\n') }) } };
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textsOf(output: Json, key: string): string[] {
  const list = isObject(output) ? output[key] : undefined;
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
