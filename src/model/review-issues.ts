// review-issues: the issues that reviews name, and how those of several reviews become one list. What makes a review of a
// step's gates (engine) and of a group of answers (`reviews()` of expressions) alike.

import { isObject, type Json, type JsonObject } from './json.ts';

const SEVERITIES = ['critical', 'important', 'minor'];

/** All that an answer names. */
export function issuesOf(output: Json): JsonObject[] {
  if (!isObject(output)) return [];
  const issues = objectsIn(output.issues);
  // Some name what matters apart, and not among the rest.
  const known = new Set(issues.map(sameness));
  return [...issues, ...objectsIn(output.actionableIssues).filter((issue) => !known.has(sameness(issue)))];
}

function sameness(issue: JsonObject): string {
  return `${severityOf(issue)} ${textOf(issue) === '' ? JSON.stringify(issue) : keyOf(issue)}`;
}

/** Each once, the worst first. With `asSaid` a severity that nobody knows stays as it was said; it counts as important. */
export function mergedIssues(
  all: readonly (readonly [by: string, issues: readonly JsonObject[]])[],
  { asSaid = false } = {},
): JsonObject[] {
  const known = new Map<string, JsonObject>();
  for (const [by, issues] of all) {
    for (const issue of issues) {
      const severity = asSaid ? (issue.severity ?? severityOf(issue)) : severityOf(issue);
      const found = { ...issue, severity, foundBy: by };
      const same = textOf(issue) === '' ? undefined : keyOf(issue);
      const before = same === undefined ? undefined : known.get(same);
      known.set(same ?? `${known.size}`, before ? joined(before, found) : found);
    }
  }
  return [...known.values()].sort((left, right) => rank(left) - rank(right));
}

function rank(issue: JsonObject): number {
  return SEVERITIES.indexOf(severityOf(issue));
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
  const worse = rank(issue) < rank(before);
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

export function isKnownSeverity({ severity }: JsonObject): boolean {
  return typeof severity === 'string' && SEVERITIES.includes(severity);
}

export function severityOf(issue: JsonObject): string {
  return isKnownSeverity(issue) ? String(issue.severity) : 'important';
}

export function isActionable(issue: JsonObject): boolean {
  return severityOf(issue) !== 'minor';
}

/** Some call it `message`. */
export function textOf({ description, message }: JsonObject): string {
  return typeof description === 'string' ? description : typeof message === 'string' ? message : '';
}

export function coverageOf(outputs: Json[]): JsonObject {
  const all = outputs
    .map((output) => (isObject(output) ? output.testCoverage : undefined))
    .filter((one) => one !== undefined && isObject(one));
  if (all.length === 0) return {};
  const notes = all.flatMap((one) => (typeof one.notes === 'string' && one.notes !== '' ? [one.notes] : []));
  const adequate = all.every((one) => one.adequate === true);
  return { testCoverage: { adequate, ...(notes.length > 0 && { notes: notes.join('\n') }) } };
}

export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsOf(output: Json, key: string): string[] {
  const list = isObject(output) ? output[key] : undefined;
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
