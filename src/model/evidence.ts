// evidence: what a look at the tests of a project found. Journaled as the output of a check `done.tests`.

/** What `done.tests` looks at; each can be left out, on record. */
export type TestLook = 'canary' | 'one-by-one' | 'definitions' | 'room';
export const TEST_LOOKS: readonly TestLook[] = ['canary', 'one-by-one', 'definitions', 'room'];

/** One test, as its runner tells of it. Skipped, todo and expected failures are one: it proves nothing. */
export interface TestResult {
  /** `file > name`, from the workspace. */
  id: string;
  file: string;
  name: string;
  status: 'pass' | 'fail' | 'skip';
  /** How many assertions held in it, where the runner says so. */
  asserts?: number;
}

export type FindingKind =
  /** The tests prove nothing, or less than before. */
  | 'fail'
  /** May be right or wrong; a person, or the task, has to say. */
  | 'ask'
  /** Good to know. */
  | 'note';

export interface TestFinding {
  kind: FindingKind;
  /** A word for what it is: `canary-survived`, `definition-changed`. */
  about: string;
  /** A sentence or several lines, for people and for the agent. */
  text: string;
  /** The same finding has the same key, in whichever step it is found. */
  key: string;
  file?: string;
  /** The requirement that is said to ask for it. */
  named?: string;
}

/** How much is known: each test, only how many, or only how the command ended. */
export type EvidenceLevel = 'per test' | 'numbers' | 'exit code' | 'none';

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface TestEvidence {
  level: EvidenceLevel;
  command: string;
  /** Where the tests ran: a clean clone, a clone with what git ignores here, or only where the work was done. */
  where: 'room' | 'furnished room' | 'in place';
  base?: TestCounts;
  now?: TestCounts;
  /** Base's tests on the new code. Absent: no test changed, so that they are the same. */
  old?: TestCounts;
  canary: 'failed as it must' | 'survived' | 'not made' | 'left out';
  findings: TestFinding[];
  /** Looks that were left out, and on whose word. */
  leftOut: { look: TestLook; by: string }[];
  milliseconds: number;
}
