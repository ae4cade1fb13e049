// changes: what of the tests, and of what defines them, differs between two commits.

import { type ChangedFile, expectation, type NamedChange, netCounts } from '../../evidence/compare-tests.ts';
import { ABOVE_ROOMS, definitionChanges, IN_HOME } from '../../evidence/definitions.ts';
import { dependencyChanges } from '../../evidence/manifest.ts';
import { hasTests, isTestFile } from '../../evidence/test-files.ts';
import { note, problem, question } from '../../evidence/told.ts';
import type { TestFinding, TestResult } from '../../model/evidence.ts';
import type { Commits } from '../../ports/rooms.ts';
import type { LookMeans } from './look-at-tests.ts';
import type { SuiteRun } from './suite.ts';

export interface TestChanges {
  /** Tests that changed, with both texts. */
  files: ChangedFile[];
  /** Of these, what base had. */
  old: string[];
  /** Files whose changes are changes of what defines the tests. */
  definitions: string[];
}

export function testChanges(
  commits: Commits,
  means: Pick<LookMeans, 'command'>,
  results: readonly TestResult[],
): TestChanges {
  const reported = new Set(results.map(({ file }) => file));
  const text = (commit: string, path: string) => commits.text(commit, path);
  const files = commits.changed
    .filter(
      (path) => isTestFile(path) || reported.has(path) || isRustWithTests(path, text(commits.base, path)),
    )
    .map((path): ChangedFile => {
      const [old, now] = [text(commits.base, path), text(commits.head, path)];
      return { path, ...(old !== undefined && { old }), ...(now !== undefined && { now }) };
    });
  const defining = definitionChanges(
    treeOf(commits, commits.base),
    treeOf(commits, commits.head),
    commits.changed,
    lineOf(means),
  );
  return {
    files,
    old: files.filter(({ old }) => old !== undefined).map(({ path }) => path),
    definitions: [...new Set(defining.map(({ file }) => file))],
  };
}

function isRustWithTests(path: string, text: string | undefined): boolean {
  return path.endsWith('.rs') && text !== undefined && hasTests(path, text);
}

function treeOf(commits: Commits, commit: string) {
  return { text: (path: string) => commits.text(commit, path) };
}

function lineOf({ command }: Pick<LookMeans, 'command'>): string {
  return command.kind === 'shell' ? command.line : command.argv.join(' ');
}

export function pinnedFindings(commits: Commits, means: LookMeans): TestFinding[] {
  const { base, head, changed } = commits;
  const command = lineOf(means);
  const changes = definitionChanges(treeOf(commits, base), treeOf(commits, head), changed, command);
  const outside = commits.outside(means.since, ABOVE_ROOMS, IN_HOME);
  const dependencies = changed
    .filter((path) => path === 'package.json' || path.endsWith('/package.json'))
    .flatMap((path) => dependencyChanges(commits.text(base, path) ?? '{}', commits.text(head, path) ?? '{}'));
  return [
    ...changes.map(({ file, setting, text }) =>
      question(
        'definition-changed',
        file,
        setting,
        `What defines the tests was changed: ${file}${setting === undefined ? '' : `, ${setting}`}\n${text}`,
      ),
    ),
    ...outside.map((path) =>
      question(
        'definition-changed',
        path,
        undefined,
        `What defines the tests was changed outside of the repository since the run began: ${path}`,
      ),
    ),
    ...(dependencies.length > 0
      ? [note('dependencies-changed', `Dependencies changed: ${dependencies.slice(0, 20).join(', ')}`)]
      : []),
  ];
}

interface Rough {
  before: SuiteRun;
  now: SuiteRun;
  old: SuiteRun | undefined;
  changes: TestChanges;
  named: readonly NamedChange[];
}

/** Where no runner tells of each test: by numbers, by text, and by how base's tests end on the new code. */
export function compareRoughly({ before, now, old, changes, named }: Rough): TestFinding[] {
  const findings: TestFinding[] = [];
  const net = netCounts(changes.files);
  if (before.numbers !== undefined && now.numbers !== undefined && now.numbers < before.numbers)
    findings.push(
      problem('fewer-tests', `${before.numbers} tests passed in the base commit, and ${now.numbers} do now.`),
    );
  else if (net.tests < 0 || net.assertions < 0)
    findings.push(
      problem(
        'fewer-tests',
        `The tests have lost ${-Math.min(net.tests, 0)} tests and ${-Math.min(net.assertions, 0)} assertions, counted over all that changed.`,
      ),
    );
  if (old !== undefined && old.exitCode !== 0 && before.exitCode === 0) {
    const those = changes.files.filter((file) => file.old !== undefined);
    findings.push(...those.map((file) => expectation(file.path, [], file, named)));
  }
  return findings;
}
