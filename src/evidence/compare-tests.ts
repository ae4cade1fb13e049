// compare-tests: base's tests, today's tests, and base's tests on today's code, one by one. Says what became of each test
// that passed in base. Names never settle it: a test that went and one that came in the same file may be one that was renamed.

import type { TestFinding, TestResult } from '../model/evidence.ts';
import { isCanary } from './canary.ts';
import { changedLines, shownLines } from './changed-lines.ts';
import { UNLOADED, unloadedFiles } from './read-results.ts';
import { countTests, isTestFile } from './test-files.ts';

export interface ChangedFile {
  path: string;
  /** Absent: it was not there. */
  old?: string;
  now?: string;
}

/** What the implementer says of tests that changed, and for which requirement. */
export interface NamedChange {
  file?: string;
  test?: string;
  requirement: string;
}

export interface Suites {
  base: readonly TestResult[];
  now: readonly TestResult[];
  /** Base's tests on today's code. Absent: no test changed since, so that they are the same. */
  old?: readonly TestResult[];
  /** All files that changed and may hold tests. */
  files: readonly ChangedFile[];
  named: readonly NamedChange[];
}

type Fate = 'kept' | 'moved' | 'renamed' | 'lost' | 'removed' | 'weakened' | 'changed' | 'adapted';

export function compareTests(suites: Suites): TestFinding[] {
  const fates = fatesOf(suites);
  const of = (...wanted: Fate[]) => fates.filter(({ fate }) => wanted.includes(fate)).map(({ test }) => test);
  const net = netOf(suites);
  const [removed, weakened, lost] = [of('removed'), of('weakened'), of('lost')];
  const findings: TestFinding[] = [];
  const add = (kind: TestFinding['kind'], about: string, head: string, tests: readonly TestResult[]) => {
    if (tests.length > 0) findings.push({ kind, about, key: about, text: `${head}\n${namesOf(tests)}` });
  };
  const here = suites.old === undefined;
  add(
    'fail',
    'fewer-tests',
    `${few(here ? [...removed, ...lost] : [])} passed in the base commit and did not run now, although no test was changed:`,
    here ? [...removed, ...lost] : [],
  );
  if (!here) {
    add(
      'fail',
      'test-removed',
      `${few(removed)} passed in the base commit, would fail on the new code, and went or is skipped now:`,
      removed,
    );
    add(
      net.tests < 0 || net.assertions < 0 ? 'fail' : 'note',
      net.tests < 0 || net.assertions < 0 ? 'fewer-tests' : 'tests-replaced',
      net.tests < 0 || net.assertions < 0
        ? `${few(lost)} would pass on the new code, and went or is skipped now; nothing took its place (${signed(net.tests)} tests, ${signed(net.assertions)} assertions):`
        : `${few(lost)} went or is skipped now; there are not fewer tests and assertions than before:`,
      lost,
    );
  }
  add(
    'fail',
    'test-weakened',
    `${few(weakened)} would fail on the new code, and passes now with fewer assertions:`,
    weakened,
  );
  add(
    'note',
    'tests-renamed',
    `${few(of('moved', 'renamed'))} has another name or place now:`,
    of('moved', 'renamed'),
  );
  add('note', 'tests-adapted', `${few(of('adapted'))} differs only in what it imports:`, of('adapted'));
  return [...findings, ...expectations(of('changed'), suites)];
}

function fatesOf(suites: Suites): { test: TestResult; fate: Fate }[] {
  const { base, now, old } = suites;
  const [nowBy, oldBy] = [byId(now), byId(old ?? [])];
  const known = byId(base);
  const unloaded = old === undefined ? new Set<string>() : unloadedFiles(old);
  const spare = spareOf(
    now.filter(({ id, name, status }) => status === 'pass' && name !== UNLOADED && !known.has(id)),
  );
  const changed = new Map(suites.files.map((file) => [file.path, file]));
  return base
    .filter(({ status, name }) => status === 'pass' && name !== UNLOADED && !isCanary(name))
    .map((test) => {
      const today = nowBy.get(test.id);
      const before = old === undefined ? today : oldBy.get(test.id);
      const file = changed.get(test.file);
      const holds = before?.status === 'pass';
      const fails = before?.status === 'fail' || (before === undefined && old !== undefined);
      if (today?.status === 'pass') {
        if (!holds && isWeaker(test, today, file)) return { test, fate: 'weakened' as const };
        if (holds || !fails) return { test, fate: 'kept' as const };
        const adapted = (before === undefined || unloaded.has(test.file)) && onlyImports(file);
        return { test, fate: adapted ? ('adapted' as const) : ('changed' as const) };
      }
      // What fails now fails the command as well, and that is said there.
      if (today?.status === 'fail') return { test, fate: 'kept' as const };
      const other = today === undefined ? spare(test, file) : undefined;
      if (other === undefined) return { test, fate: holds ? ('lost' as const) : ('removed' as const) };
      return { test, fate: holds ? other : ('changed' as const) };
    });
}

/** New tests that may be old ones under another name: each stands for one, and only where the file lost no assertion. */
function spareOf(fresh: readonly TestResult[]) {
  const left = new Set(fresh);
  return (test: TestResult, file: ChangedFile | undefined): 'moved' | 'renamed' | undefined => {
    const last = (name: string) => name.slice(name.lastIndexOf(' > ') + 1);
    const moved = [...left].find((one) => one.name === test.name || last(one.name) === last(test.name));
    // A file that is gone may have become any new one.
    const isNear = (one: TestResult) => one.file === test.file || (isGone(file) && one.file !== test.file);
    const other = moved ?? (lostAssertions(file) ? undefined : [...left].find(isNear));
    if (other === undefined) return undefined;
    left.delete(other);
    return moved === undefined ? 'renamed' : 'moved';
  };
}

function isGone(file: ChangedFile | undefined): boolean {
  return file?.old !== undefined && file.now === undefined;
}

function isWeaker(base: TestResult, now: TestResult, file: ChangedFile | undefined): boolean {
  if (base.asserts !== undefined && now.asserts !== undefined) return now.asserts < base.asserts;
  return lostAssertions(file);
}

function lostAssertions(file: ChangedFile | undefined): boolean {
  if (file?.old === undefined || file.now === undefined) return false;
  return countTests(file.path, file.now).assertions < countTests(file.path, file.old).assertions;
}

const IMPORT =
  /^(?:import\b|export\b.*\bfrom\b|from\b.*\bimport\b|(?:const|let|var)\b.*\brequire\(|use\b|\}\s*from\b|[\w\s,]+,?$|"[^"]+"$)/;

function onlyImports(file: ChangedFile | undefined): boolean {
  if (file?.old === undefined || file.now === undefined) return false;
  const { old, now } = changedLines(file.old, file.now);
  return [...old, ...now].every((line) => IMPORT.test(line));
}

/** By file, with the lines that went and came: whether that is honest cannot be told by a program. */
function expectations(tests: readonly TestResult[], { files, named }: Suites): TestFinding[] {
  const byFile = new Map<string, TestResult[]>();
  for (const test of tests) byFile.set(test.file, [...(byFile.get(test.file) ?? []), test]);
  return [...byFile].map(([path, those]): TestFinding => {
    const file = files.find((one) => one.path === path) ?? files.find((one) => isTestFile(one.path));
    return expectation(path, those, file, named);
  });
}

export function expectation(
  path: string,
  tests: readonly TestResult[],
  file: ChangedFile | undefined,
  named: readonly NamedChange[],
): TestFinding {
  const reason = named.find((one) => isAbout(one, path, tests));
  const lines = file === undefined ? '' : shownLines(changedLines(file.old ?? '', file.now ?? ''));
  const head = `${path}: what was expected before does not hold on the new code, and the test was changed${reason ? ` for ${reason.requirement}` : ''}.`;
  return {
    kind: reason ? 'note' : 'ask',
    about: 'expectation-changed',
    key: `expectation-changed ${path}`,
    file: path,
    text: [head, ...(tests.length > 0 ? [namesOf(tests)] : []), ...(lines === '' ? [] : [lines])].join('\n'),
    ...(reason && { named: reason.requirement }),
  };
}

function isAbout({ file, test }: NamedChange, path: string, tests: readonly TestResult[]): boolean {
  if (file !== undefined && file !== '') return file.replace(/^\.\//, '') === path;
  return (
    test !== undefined && test !== '' && tests.some(({ id, name }) => id === test || name.includes(test))
  );
}

/** By text, over all that changed; of tests, where the results say it, by what passed. */
function netOf({ base, now, files }: Suites): { tests: number; assertions: number } {
  const passed = (results: readonly TestResult[]) => results.filter(({ status }) => status === 'pass').length;
  return { tests: passed(now) - passed(base), assertions: netCounts(files).assertions };
}

export function netCounts(files: readonly ChangedFile[]): { tests: number; assertions: number } {
  let [tests, assertions] = [0, 0];
  for (const { path, old = '', now = '' } of files) {
    if (!isTestFile(path)) continue;
    const [before, after] = [countTests(path, old), countTests(path, now)];
    tests += after.tests - before.tests;
    assertions += after.assertions - before.assertions;
  }
  return { tests, assertions };
}

function byId(results: readonly TestResult[]): Map<string, TestResult> {
  return new Map(results.map((result) => [result.id, result]));
}

function few(tests: readonly TestResult[]): string {
  return tests.length === 1 ? '1 test' : `${tests.length} tests, each of which`;
}

function signed(number: number): string {
  return number > 0 ? `+${number}` : String(number);
}

const MOST = 10;

function namesOf(tests: readonly TestResult[]): string {
  const shown = tests.slice(0, MOST).map(({ id }) => `  ${id.length > 160 ? `${id.slice(0, 160)}…` : id}`);
  return [...shown, ...(tests.length > MOST ? [`  … and ${tests.length - MOST} more`] : [])].join('\n');
}
