// telling-line: the one line of what a command printed that says what went wrong: the name of a test that failed, else what a
// compiler or linter complains of, else what it ended with. For places with room for one line; the log has all.

import { plainLines } from './text/plain.ts';
import { count } from './text/words.ts';

/** What names more goes first: a failing test, then its file, then an error, then that something failed. */
const TELLING: readonly RegExp[] = [
  /^\s*not ok \d+(?!.*# (?:TODO|SKIP))/i, // TAP
  /^\s*--- FAIL: /, // go test
  /^FAILED \S+::/, // pytest
  /^\s*● \S.* › /, // jest
  /^\s*FAIL\s+\S.* > /, // vitest
  /^test \S.*\.\.\. FAILED$/, // cargo test
  /^\s*[✗✕✘×✖] \S/, // mocha, ava, vitest, node --test
  /^\s*\d+\) \S/, // mocha
  /^\(fail\) \S/, // bun test
  /^\s*FAIL(?:ED)?:? \S/,
  /^\S+\.\w+[:(]\d+[:,]\d+\)?:? (?:- )?error\b/, // tsc, gcc, eslint --format unix
  /^(?:\S+: )*(?:fatal )?error(?:\[\w+\])?: /i, // rustc, gcc, git
  /^\s*(?:Uncaught )?\w*(?:Error|Exception|panic)\b.*:? \S/, // node, Python
  /\b(?:error|failed|failure|fatal|panic)\b/i,
];

/** "0 failed" says that nothing did; nor does a summary of how many say which. */
const COUNTS =
  /^\W*(?:tests?|suites?|fail(?:ed|ures?)?|errors?)?\W*\d+ (?:failed|errors?|failing|fail(?:ures?)?)\b|^\W*(?:fail|errors?) 0\b/i;

/** Undefined where no line has a form that is known to say it. */
export function failingLine(lines: readonly string[]): string | undefined {
  for (const pattern of TELLING) {
    const found = lines.find((line) => pattern.test(line) && !COUNTS.test(line));
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

export function tellingLine(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line.trim() !== '');
  return failingLine(lines) ?? last?.trim();
}

/** A text of several lines in one: the first, and of the others what tells most. */
export function headline(text: string): string {
  const [first = '', ...rest] = plainLines(text).filter((line) => line.trim() !== '');
  const telling = tellingLine(rest);
  return telling === undefined || first.includes(telling) ? first : `${first}: ${telling}`;
}

/** Why work was not accepted, so. */
export function reasonsHeadline([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` (and ${count(others.length, 'more reason')})`;
  return `${headline(first)}${more}`;
}
