// read-results: what runners say of each test, in whichever form: as one list. What cannot be read is left out.

import type { TestCounts, TestResult } from '../model/evidence.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';

/** A file that a runner wrote for us. Its ending says which form it has. */
export interface ResultFile {
  name: string;
  text: string;
}

type Told = Omit<TestResult, 'id'>;

/** `root`: where the tests ran; files are told from there. */
export function readResults(files: readonly ResultFile[], output: string, root: string): TestResult[] {
  const told = files.flatMap(({ name, text }): Told[] => {
    if (name.endsWith('.lines')) return fromLines(text);
    const value = parsed(text);
    if (value === undefined) return [];
    return name.endsWith('.mocha.json') ? fromMocha(value) : fromJest(value);
  });
  const all = told.length > 0 ? told : [...fromGo(output), ...fromCargo(output)];
  const seen = new Map<string, number>();
  return all.map((one) => {
    const file = relative(one.file, root);
    // Node takes the name of a file without tests for a test.
    const name = relative(one.name, root);
    const id = file === '' ? name : `${file} > ${name}`;
    const number = (seen.get(id) ?? 0) + 1;
    seen.set(id, number);
    return { ...one, file, name, id: number === 1 ? id : `${id} (${number})` };
  });
}

export function countsOf(results: readonly TestResult[]): TestCounts {
  const count = (status: TestResult['status']) => results.filter((one) => one.status === status).length;
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') };
}

/** A file that could not be loaded: no test of it ran, and the runner says so with a test or a suite that failed. */
export function unloadedFiles(results: readonly TestResult[]): Set<string> {
  return new Set(
    results.filter(({ name, status }) => name === UNLOADED && status === 'fail').map(({ file }) => file),
  );
}

/** The name that a file has as a test. */
export const UNLOADED = '(the file)';

/** What our own reporters write: a JSON object a line. */
function fromLines(text: string): Told[] {
  return text.split('\n').flatMap((line) => {
    const value = line.trim() === '' ? undefined : parsed(line);
    if (value === undefined) return [];
    const { file, name, status } = value;
    if (typeof file !== 'string' || typeof name !== 'string') return [];
    if (status !== 'pass' && status !== 'fail' && status !== 'skip') return [];
    return [{ file, name: isFileItself(file, name) ? UNLOADED : name, status }];
  });
}

function isFileItself(file: string, name: string): boolean {
  return name === file || (name.includes('/') && file.endsWith(`/${name.replace(/^\.\//, '')}`));
}

/** jest, and vitest, which writes the same. */
function fromJest(value: JsonObject): Told[] {
  return list(value.testResults).flatMap((suite): Told[] => {
    const file = text(suite.name);
    const tests = list(suite.assertionResults);
    if (tests.length === 0 && suite.status === 'failed') return [{ file, name: UNLOADED, status: 'fail' }];
    return tests.map((test) => {
      const titles = Array.isArray(test.ancestorTitles) ? test.ancestorTitles.map(String) : [];
      const asserts = test.numPassingAsserts;
      return {
        file,
        name: [...titles, text(test.title)].filter((title) => title !== '').join(' > '),
        status: test.status === 'passed' ? 'pass' : test.status === 'failed' ? 'fail' : 'skip',
        ...(typeof asserts === 'number' && { asserts }),
      };
    });
  });
}

function fromMocha(value: JsonObject): Told[] {
  const names = (key: string) =>
    new Set(list(value[key]).map((test) => `${text(test.file)}\0${text(test.fullTitle)}`));
  const [pending, failures] = [names('pending'), names('failures')];
  return list(value.tests).map((test) => {
    const [file, name] = [text(test.file), text(test.fullTitle)];
    const key = `${file}\0${name}`;
    return { file, name, status: failures.has(key) ? 'fail' : pending.has(key) ? 'skip' : 'pass' };
  });
}

/** `go test -json`: an event a line. A package that did not build has no test that failed. */
function fromGo(output: string): Told[] {
  return output.split('\n').flatMap((line): Told[] => {
    if (!line.startsWith('{"')) return [];
    const event = parsed(line);
    if (event === undefined) return [];
    const { Action: action, Package: file, Test: name } = event;
    if (typeof file !== 'string') return [];
    if (name === undefined && action === 'fail') return [{ file, name: UNLOADED, status: 'fail' }];
    if (typeof name !== 'string') return [];
    if (action === 'pass' || action === 'fail' || action === 'skip') return [{ file, name, status: action }];
    return [];
  });
}

const CARGO_TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/;

function fromCargo(output: string): Told[] {
  if (!/^running \d+ tests?$/m.test(output)) return [];
  return output.split('\n').flatMap((line): Told[] => {
    const [, name, said] = CARGO_TEST.exec(line.trimEnd()) ?? [];
    if (name === undefined) return [];
    return [{ file: '', name, status: said === 'ok' ? 'pass' : said === 'FAILED' ? 'fail' : 'skip' }];
  });
}

/** How many tests passed, where only a summary says it. The largest of several. */
export function passedByNumbers(output: string): number | undefined {
  const patterns = [
    /^# pass (\d+)/gm,
    /^ℹ pass (\d+)/gm,
    /\b(\d+) (?:tests? )?pass(?:ed|ing)\b/g,
    /^Ran (\d+) tests? in/gm,
    /^ok (\d+) /gm,
  ];
  const found = patterns.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => Number(match[1])));
  return found.length === 0 ? undefined : Math.max(...found);
}

function relative(path: string, root: string): string {
  const plain = path.startsWith('file://') ? path.slice('file://'.length) : path;
  return plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain.replace(/^\.\//, '');
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((one): one is JsonObject => isObject(one)) : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
