// compare-value: what was expected of a value or a text against what is there.

import { isObject, type Json } from '../model/json.ts';
import type { TextExpectation } from '../model/workflow-test.ts';

/** One line for each place that differs; a map may hold more than is expected, a list may not. */
export function differences(expected: Json, actual: Json | undefined, at = ''): string[] {
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(
        value,
        Object.hasOwn(actual, key) ? actual[key] : undefined,
        at === '' ? key : `${at}.${key}`,
      ),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      return [`${where(at)}expected ${expected.length} items, there are ${actual.length}: ${shown(actual)}`];
    return expected.flatMap((value, index) => differences(value, actual[index], `${at}[${index}]`));
  }
  if (Object.is(expected, actual)) return [];
  return [
    `${where(at)}expected ${shown(expected)}, ${actual === undefined ? 'there is none' : `was ${shown(actual)}`}`,
  ];
}

function where(at: string): string {
  return at === '' ? '' : `${at}: `;
}

const LONGEST = 160;

function shown(value: Json): string {
  return shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

export function textProblems(expected: TextExpectation, actual: string): string[] {
  const problems: string[] = [];
  if (expected.equals !== undefined && expected.equals !== actual)
    problems.push(...lineDifference(expected.equals, actual));
  const missing = expected.contains.filter((part) => !actual.includes(part));
  if (missing.length > 0) {
    for (const part of missing) problems.push(`it does not contain ${shown(part)}`);
    problems.push(...excerpt(actual));
  }
  for (const part of expected.lacks.filter((one) => actual.includes(one)))
    problems.push(`it contains ${shown(part)}, and must not`);
  return problems;
}

function lineDifference(expected: string, actual: string): string[] {
  const [wanted, there] = [expected.split('\n'), actual.split('\n')];
  const most = Math.max(wanted.length, there.length);
  for (let index = 0; index < most; index += 1) {
    const [one, other] = [wanted[index], there[index]];
    if (one === other) continue;
    const line = (text: string | undefined) => (text === undefined ? '(nothing more)' : shorten(text));
    return [`line ${index + 1} differs:`, `  - ${line(one)}`, `  + ${line(other)}`];
  }
  return [];
}

const EXCERPT_LINES = 12;

function excerpt(text: string): string[] {
  if (text.trim() === '') return ['it is empty'];
  const lines = text.trimEnd().split('\n');
  const first = lines.slice(0, EXCERPT_LINES).map((line) => `  | ${shorten(line)}`);
  return lines.length > EXCERPT_LINES
    ? [...first, `  | … ${lines.length - EXCERPT_LINES} more lines`]
    : first;
}
