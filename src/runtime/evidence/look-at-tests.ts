// look-at-tests: whether the tests of a commit still mean anything, beside those of the commit that the work began from.
// Owns: which rooms are made, what runs in them and in which order. Never: says what a result means (src/evidence/).
//
// LT1. What base does is found out first, from base alone: nothing of the new commit can change what is compared with.
// LT2. A room is used for one run of the tests. What they did to it goes with it.
// LT3. What cannot be told in a room is never held against the work, and always said.

import { compareTests, type NamedChange } from '../../evidence/compare-tests.ts';
import { countsOf } from '../../evidence/read-results.ts';
import { note, problem } from '../../evidence/told.ts';
import type { EvidenceLevel, TestEvidence, TestFinding, TestLook } from '../../model/evidence.ts';
import type { Commits, Rooms } from '../../ports/rooms.ts';
import { type BaseFacts, learnBase } from './base-facts.ts';
import { runWithCanaries } from './canaries.ts';
import { compareRoughly, pinnedFindings, testChanges } from './changes.ts';
import { runOldTests } from './old-tests.ts';
import { inRoom } from './prepared-room.ts';
import { runIn, runSuite, type SuiteMeans, type SuiteRun } from './suite.ts';

export interface LookMeans extends SuiteMeans {
  rooms: Rooms;
  workspace: string;
  base: string;
  /** For the shell; empty: as the lock file says. */
  install: string;
  looks: ReadonlySet<TestLook>;
  named: readonly NamedChange[];
  /** When the run began: settings outside of commits are not to be younger. */
  since: number;
}

export type Found = Omit<TestEvidence, 'command' | 'leftOut' | 'milliseconds'>;

export async function lookAtTests(means: LookMeans): Promise<Found> {
  const commits = await means.rooms.look(means.workspace, means.base);
  const { looks } = means;
  if (typeof commits === 'string')
    return seen({}, [note('no-commits', `The tests were not compared with earlier ones: ${commits}.`)]);
  const pinned = looks.has('definitions') ? pinnedFindings(commits, means) : [];
  if (!looks.has('canary') && !looks.has('one-by-one') && !looks.has('room')) return seen({}, pinned);
  const base = await learnBase(commits, means);
  const findings = [...pinned, ...base.findings];
  if (base.where === 'in place') return await withoutBase(commits, means, findings);
  return await besideBase(commits, means, base, findings);
}

async function besideBase(
  commits: Commits,
  means: LookMeans,
  base: BaseFacts,
  findings: TestFinding[],
): Promise<Found> {
  const { where, run: before } = base;
  const now = await inRoom(commits, means, commits.head, where, (room) =>
    runSuite(room, means, base.plainly),
  );
  const at = { where, base: countsOf(before.results) };
  if ('problem' in now)
    return seen(at, [
      ...findings,
      problem(
        'install-fails',
        `Dependencies can be installed at the base commit, and not any more:\n${now.problem}`,
      ),
    ]);
  const all = [...findings, ...endings(now)];
  const changes = testChanges(commits, means, before.results);
  const old = means.looks.has('one-by-one') ? await runOldTests(commits, means, base, changes) : undefined;
  const level = levelOf(before, now);
  if (means.looks.has('one-by-one') && now.exitCode === 0) {
    const suites = { base: before.results, now: now.results, files: changes.files, named: means.named };
    all.push(
      ...(before.results.length > 0
        ? compareTests({ ...suites, ...(old && { old: old.results }) })
        : compareRoughly({ before, now, old, changes, named: means.named })),
    );
  }
  const canary = means.looks.has('canary') ? await runWithCanaries(commits, means, base) : 'left out';
  return {
    ...{ level, where, base: countsOf(before.results), now: countsOf(now.results) },
    ...(old && { old: countsOf(old.results) }),
    canary: typeof canary === 'string' ? canary : canary.canary,
    findings: [...all, ...(typeof canary === 'string' ? [] : canary.findings)],
  };
}

/** Base's tests do not run anywhere but where they were: or they failed already, and then nothing can be compared. */
async function withoutBase(commits: Commits, means: LookMeans, findings: TestFinding[]): Promise<Found> {
  const now = await inRoom(commits, means, commits.head, 'room', (room) => runSuite(room, means, false));
  if (!('problem' in now) && now.exitCode === 0)
    return seen({ where: 'room', level: levelOf(now, now), now: countsOf(now.results), canary: 'not made' }, [
      ...findings,
      note('base-red', 'The tests of the base commit fail, so that there is nothing to compare with.'),
      ...endings(now),
    ]);
  const here = await runIn(means.workspace, argvOf(means), means);
  const why = 'problem' in now ? now.problem : lastLines(now.said);
  const missing = commits.ignored().slice(0, 8);
  return seen({ where: 'in place', level: 'exit code', canary: 'not made' }, [
    ...findings,
    ...(here.exitCode === 0
      ? [
          note(
            'room-unfit',
            `Neither the base commit nor the new one passes its tests in a clone, so they ran only where the work was done.${missing.length > 0 ? ` Not in a clone: ${missing.join(', ')}.` : ''}\n${why}`,
          ),
        ]
      : [problem('tests-fail', `The tests fail (exit code ${here.exitCode}).\n${lastLines(here.output)}`)]),
  ]);
}

function argvOf({ command }: LookMeans): string[] {
  return command.kind === 'shell' ? ['/bin/sh', '-c', command.line] : command.argv;
}

function endings({ exitCode, results, said }: SuiteRun): TestFinding[] {
  if (exitCode !== 0)
    return [
      problem(
        'tests-fail',
        `In a clean clone of the commit the tests fail (exit code ${exitCode}). Is a file that they need not committed?\n${lastLines(said)}`,
      ),
    ];
  const failed = results.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return [];
  const names = failed.slice(0, 10).map(({ id }) => `  ${id}`);
  return [
    problem(
      'failed-but-0',
      `The command ends with 0 although ${failed.length} of its tests failed:\n${names.join('\n')}`,
    ),
  ];
}

function levelOf(before: SuiteRun, now: SuiteRun): EvidenceLevel {
  if (before.results.length > 0 && now.results.length > 0) return 'per test';
  return before.numbers !== undefined && now.numbers !== undefined ? 'numbers' : 'exit code';
}

function lastLines(text: string): string {
  return text.split('\n').slice(-12).join('\n');
}

function seen(found: Partial<Found>, findings: TestFinding[]): Found {
  return { level: 'none', where: 'in place', canary: 'left out', ...found, findings };
}
