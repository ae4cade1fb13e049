// test-report: what ran and how it ended, as a file that the ledger and the closing line of CI read.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

export interface TestRecord {
  /** Relative to the project, with `/`. */
  file: string;
  /** Titles of the suites around it and its own, joined with ` › `. */
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  /** The text given to `skip(…)`. */
  note?: string;
}

export interface TestReport {
  tests: TestRecord[];
  /** Errors outside any test: a file that does not load, a rejection nobody caught. */
  errors: string[];
  /** The scenarios with the real clients (e2e/) were part of it. */
  clients?: boolean;
}

export function testReport(path: string): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      writeFileSync(path, `${JSON.stringify(recordsOf(modules, unhandled), null, 1)}\n`);
    },
  };
}

export function recordsOf(
  modules: readonly TestModule[],
  unhandled: readonly { message: string }[],
): TestReport {
  const report: TestReport = { tests: [], errors: unhandled.map((error) => error.message) };
  for (const module of modules) collect(module, report);
  report.tests.sort((a, b) => (a.file + a.name < b.file + b.name ? -1 : 1));
  return report;
}

function collect(module: TestModule, report: TestReport): void {
  const file = relative(process.cwd(), module.moduleId).replaceAll('\\', '/');
  for (const error of module.errors()) report.errors.push(`${file}: ${error.message}`);
  for (const suite of module.children.allSuites()) {
    for (const error of suite.errors()) report.errors.push(`${file} › ${suite.fullName}: ${error.message}`);
  }
  for (const test of module.children.allTests()) {
    const result = test.result();
    const record: TestRecord = {
      file,
      name: titles(test),
      // A test that never came to an end (its worker died) has not passed.
      state: result.state === 'pending' ? 'failed' : result.state,
    };
    if (result.state === 'skipped' && result.note !== undefined) record.note = result.note;
    report.tests.push(record);
  }
}

function titles(test: TestCase): string {
  const names = [test.name];
  for (let around: TestSuite | TestModule = test.parent; around.type === 'suite'; around = around.parent)
    names.unshift(around.name);
  return names.join(' › ');
}
