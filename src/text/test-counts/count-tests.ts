// count-tests: how many tests and assertions a file has, and how much keeps tests from running; and what became of that between
// two states of several files. Numbers only: whether a test is any good nobody can count.
// N1. Net over all files: a test that is moved, renamed or put in another file is no difference.
// N2. What stands in a comment or a string is not there.

import { codeAlone } from './code-alone.ts';
import { type Language, languageOf } from './languages.ts';

export interface TestCounts {
  tests: number;
  assertions: number;
  skipped: number;
  conditional: number;
  failing: number;
  alone: number;
}

const NONE: TestCounts = { tests: 0, assertions: 0, skipped: 0, conditional: 0, failing: 0, alone: 0 };

/** Undefined: no file in which tests stand, as far as its name says. */
export function countTests(path: string, text: string): TestCounts | undefined {
  const language = languageOf(path);
  if (language === undefined) return undefined;
  const code = codeAlone(text, language.syntax);
  const count = (patterns: readonly RegExp[]) =>
    patterns.reduce((sum, pattern) => sum + [...code.matchAll(pattern)].length, 0);
  // One test with a list of five is five; each is taken to assert something.
  const more = rowsBeyondOne(code, language);
  return {
    tests: count(language.tests) + more,
    assertions: count(language.assertions) + more,
    skipped: count(language.skipped),
    conditional: count(language.conditional),
    failing: count(language.failing),
    alone: count(language.alone),
  };
}

function rowsBeyondOne(code: string, { rows }: Language): number {
  if (rows === undefined) return 0;
  let sum = 0;
  for (const { index, 0: found } of code.matchAll(rows)) sum += itemsAt(code, index + found.length) - 1;
  return sum;
}

/** Of the list that begins there. */
function itemsAt(code: string, from: number): number {
  let depth = 0;
  let items = 0;
  let isFilled = false;
  for (let at = from; at < code.length; at += 1) {
    const sign = code[at] as string;
    if ('[({'.includes(sign)) {
      if (depth > 0) isFilled = true;
      depth += 1;
    } else if ('])}'.includes(sign)) {
      depth -= 1;
      if (depth === 0) return items + (isFilled ? 1 : 0);
    } else if (sign === ',' && depth === 1) {
      items += 1;
      isFilled = false;
    } else if (sign.trim() !== '') isFilled = true;
  }
  return items;
}

export interface FileStates {
  path: string;
  /** undefined: it was not there, or is not any more. */
  before: string | undefined;
  after: string | undefined;
}

export interface TestChange {
  before: TestCounts;
  after: TestCounts;
  /** Those in which tests stand or stood. */
  files: { path: string; before: TestCounts; after: TestCounts; deleted: boolean }[];
}

export function compareTests(states: readonly FileStates[]): TestChange {
  const files = states.flatMap(({ path, before, after }) => {
    const was = before === undefined ? NONE : countTests(path, before);
    const is = after === undefined ? NONE : countTests(path, after);
    if (was === undefined || is === undefined || languageOf(path) === undefined) return [];
    return [{ path, before: was, after: is, deleted: after === undefined }];
  });
  return {
    before: sum(files.map(({ before }) => before)),
    after: sum(files.map(({ after }) => after)),
    files,
  };
}

function sum(all: readonly TestCounts[]): TestCounts {
  const keys = Object.keys(NONE) as (keyof TestCounts)[];
  const total = (key: keyof TestCounts) => all.reduce((whole, one) => whole + one[key], 0);
  return Object.fromEntries(keys.map((key) => [key, total(key)])) as unknown as TestCounts;
}
