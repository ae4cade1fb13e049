// canaries: a failing test in each of base's test files. A command that still ends with 0 cannot fail.

import { BROKEN_FILE, isCanary, withCanary } from '../../evidence/canary.ts';
import { UNLOADED } from '../../evidence/read-results.ts';
import { hasTests, isTestFile } from '../../evidence/test-files.ts';
import { note, problem } from '../../evidence/told.ts';
import type { TestEvidence, TestFinding, TestResult } from '../../model/evidence.ts';
import type { Commits, Room } from '../../ports/rooms.ts';
import type { BaseFacts } from './base-facts.ts';
import type { LookMeans } from './look-at-tests.ts';
import { inRoom } from './prepared-room.ts';
import { runSuite, type SuiteRun } from './suite.ts';

export interface Canaries {
  /** Base's files that were given one, in order. */
  files: string[];
  /** With them base's command fails, as it must. */
  fail: boolean;
  /** Ids of those that base's runner told of. */
  told: string[];
  findings: TestFinding[];
}

/** Whether the command of base fails with them: if not, they are in the wrong place. */
export async function calibrate(
  commits: Commits,
  means: LookMeans,
  { where, plainly, run }: Pick<BaseFacts, 'where' | 'plainly' | 'run'>,
): Promise<Canaries> {
  const reported = new Set(run.results.map(({ file }) => file));
  const files = commits
    .files(commits.base)
    .filter((path) => reported.has(path) || isTestFile(path) || path.endsWith('.rs'))
    .filter((path) => reported.has(path) || hasTests(path, commits.text(commits.base, path) ?? ''));
  if (files.length === 0)
    return {
      ...{ files, fail: false, told: [] },
      findings: [
        note(
          'no-test-files',
          'No file with tests was found in the base commit, so none could be made to fail.',
        ),
      ],
    };
  const ran = await inRoom(commits, means, commits.base, where, async (room) => {
    putInto(room, files);
    return await runSuite(room, means, plainly);
  });
  const fail = 'problem' in ran || ran.exitCode !== 0;
  const told = 'problem' in ran ? [] : failing(ran.results).map(({ id }) => id);
  return {
    ...{ files, fail, told },
    findings: fail
      ? []
      : [
          note(
            'canary-silent',
            'The test command of the base commit ends with 0 even with a failing test in each file that looks like a test: its tests were not found, or it could not fail before either.',
          ),
        ],
  };
}

export async function runWithCanaries(
  commits: Commits,
  means: LookMeans,
  base: BaseFacts,
): Promise<{ canary: TestEvidence['canary']; findings: TestFinding[] }> {
  const { canaries } = base;
  if (canaries === undefined || !canaries.fail) return { canary: 'not made', findings: [] };
  const changed = new Set(commits.changed);
  const ofBase = new Set(commits.files(commits.base));
  const back = [...changed].filter(
    (path) => ofBase.has(path) && (isTestFile(path) || canaries.files.includes(path)),
  );
  const ran = await inRoom(commits, means, commits.head, base.where, async (room) => {
    room.takeFrom(
      commits.base,
      back.filter((path) => !path.endsWith('.rs') || isTestFile(path)),
    );
    putInto(room, canaries.files);
    return await runSuite(room, means, base.plainly);
  });
  // What cannot be installed was said already.
  if ('problem' in ran) return { canary: 'not made', findings: [] };
  if (ran.exitCode === 0)
    return {
      canary: 'survived',
      findings: [
        problem(
          'canary-survived',
          'The test command cannot fail: with a failing test in each test file of the base commit it still ends with 0. At the base commit it failed, as it must.',
        ),
      ],
    };
  return { canary: 'failed as it must', findings: silent(canaries, ran) };
}

/** Where each is told of, each has to be: a part of the command may be what cannot fail. */
function silent(canaries: Canaries, ran: SuiteRun): TestFinding[] {
  const failed = new Set(failing(ran.results).map(({ id }) => id));
  const files = new Set(ran.results.filter(({ status }) => status === 'fail').map(({ file }) => file));
  const lost = canaries.told.filter((id) => !failed.has(id) && !files.has(id.split(' > ')[0] ?? ''));
  if (lost.length === 0 || ran.results.length === 0) return [];
  const names = lost.slice(0, 10).map((id) => `  ${id.split(' > ')[0]}`);
  return [
    problem(
      'canary-unseen',
      `A failing test was put into these files, as into all test files of the base commit, and the command does not run it any more:\n${names.join('\n')}`,
    ),
  ];
}

function failing(results: readonly TestResult[]): TestResult[] {
  return results.filter(({ name, status }) => status === 'fail' && (isCanary(name) || name === UNLOADED));
}

function putInto(room: Room, files: readonly string[]): void {
  files.forEach((path, index) => {
    const text = room.read(path);
    // A Rust source may be gone; what it tested is gone with it.
    if (text !== undefined) room.write(path, withCanary(path, text, index + 1) ?? BROKEN_FILE);
  });
}
