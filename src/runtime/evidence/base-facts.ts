// base-facts: how the tests of the base commit behave: where they can be run, what each gives, and whether a failing test
// makes the command fail. Found out once for a commit and a command, and kept.

import { note } from '../../evidence/told.ts';
import type { TestEvidence, TestFinding } from '../../model/evidence.ts';
import type { Commits } from '../../ports/rooms.ts';
import { type Canaries, calibrate } from './canaries.ts';
import type { LookMeans } from './look-at-tests.ts';
import { inRoom, sha } from './prepared-room.ts';
import { runSuite, type SuiteRun } from './suite.ts';

export interface BaseFacts {
  /** `in place`: nowhere else. */
  where: TestEvidence['where'];
  /** Asking for the result of each test made the command fail. */
  plainly: boolean;
  run: SuiteRun;
  /** Absent: not asked for. */
  canaries?: Canaries;
  findings: TestFinding[];
}

/** Raised when what is kept means something else. */
const FORMAT = '1';

export async function learnBase(commits: Commits, means: LookMeans): Promise<BaseFacts> {
  const wants = means.looks.has('canary') ? 'canary' : '';
  const key = sha([
    FORMAT,
    commits.base,
    JSON.stringify(means.command),
    means.install,
    process.version,
    wants,
  ]);
  const kept = commits.recall(key);
  if (kept !== undefined && means.looks.has('room')) return JSON.parse(kept) as BaseFacts;
  const facts = await learn(commits, means);
  if (facts.where === 'room') commits.remember(key, JSON.stringify(facts));
  return facts;
}

async function learn(commits: Commits, means: LookMeans): Promise<BaseFacts> {
  const places: ('room' | 'furnished room')[] = means.looks.has('room')
    ? ['room', 'furnished room']
    : ['furnished room'];
  const reasons: string[] = [];
  for (const where of places) {
    const found = await inRoom(commits, means, commits.base, where, (room) => runSuite(room, means, false));
    if ('problem' in found) {
      reasons.push(found.problem);
      continue;
    }
    const { plainly, ...run } = found;
    if (run.exitCode !== 0 && !run.results.some(({ status }) => status === 'pass')) {
      reasons.push(run.said.split('\n').slice(-8).join('\n'));
      continue;
    }
    const canaries = means.looks.has('canary')
      ? await calibrate(commits, means, { where, plainly, run })
      : undefined;
    const findings = [
      ...(reasons.length > 0 ? [furnishedBecause(commits, reasons[0] ?? '')] : []),
      ...(canaries?.findings ?? []),
    ];
    return { where, plainly, run: { ...run, said: '' }, ...(canaries && { canaries }), findings };
  }
  return { where: 'in place', plainly: true, run: { exitCode: 1, results: [], said: '' }, findings: [] };
}

function furnishedBecause(commits: Commits, reason: string): TestFinding {
  const names = commits.ignored().slice(0, 8);
  const brought = names.length > 0 ? `what git ignores here (${names.join(', ')})` : 'what git ignores here';
  return note(
    'room-furnished',
    `The tests of the base commit do not pass in a clean clone, so the clones were given ${brought}.\n${reason}`,
  );
}
