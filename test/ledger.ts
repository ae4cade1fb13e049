// ledger: requirements × what the tests did → what is not proven.
// Owns: whether a proof counts. Never: runs a test, reads a file.
// L1. A requirement counts as proven when every proof it names ran and passed; a skipped test proves nothing. Of a
//     suite, tests that are skipped with a reason are left out of account, as long as others of it passed.
// L2. What cannot be found is a problem, never a pass: a proof without a test, an id without a requirement.
// L3. A skip says why: in its name (`[skip: reason]`, `(skipped: reason)`) or in `skip('reason')`.
// L4. What the real clients and a browser prove (e2e/scenarios/, e2e/page/) is judged by a run that had them. Without them it is neither proven
//     nor a problem: `awaitingClients` names it.
// L5. Results of the bench count for the commit they were measured on and for a few changes more. Where git cannot tell how
//     many there were (a shallow clone), that is said and is no problem.

import type { TestRecord, TestReport } from './test-report.ts';

export interface Requirement {
  id: string;
  requirement: string;
  proof: string | string[];
}

export interface BenchRow {
  id: string;
  pass: boolean | null;
}

/** Which commit was measured; `changed`: with changes that were not committed. */
export interface BenchSource {
  commit?: string;
  changed?: boolean;
}

/** How many commits since then touch what is measured, as far as git knows. */
export type BenchAge = { commits: number } | { unknown: string } | { missing: true };

/** Of commits that touch what is measured: a change that slows everything down is found while it is among the last few. */
export const OLDEST_BENCH = 40;

export interface LedgerProblem {
  kind:
    | 'unproven'
    | 'no-such-test'
    | 'failed'
    | 'skipped'
    | 'unknown-id'
    | 'duplicate-id'
    | 'skip-without-reason'
    | 'bench';
  /** The requirement or the test. */
  of: string;
  message: string;
}

/** WR44-…, WR47-… and MCP-FR-… are numbered as their texts have it: WR47-FR-2b.1; of two that share a number: 3.4a and 3.4b. */
const idPattern =
  /\b(?:MCP-FR-\d+\.\d+|(?:LS|AG|EV|GOB|MCP|RAIL|SEC|UI|UX|ORC\d*)-[A-Z0-9]+(?:-[A-Z0-9]+)*|WR4[47](?:-[A-Za-z0-9]+)+(?:\.\d+[a-z]?)?)\b/g;

export function checkLedger(
  requirements: Requirement[],
  report: TestReport,
  bench: BenchRow[],
): LedgerProblem[] {
  const problems: LedgerProblem[] = [];
  const known = new Set<string>();
  for (const requirement of requirements) {
    if (known.has(requirement.id)) {
      problems.push({ kind: 'duplicate-id', of: requirement.id, message: 'is in the ledger twice' });
    }
    known.add(requirement.id);
    problems.push(...checkRequirement(requirement, report, bench));
  }
  for (const test of report.tests) problems.push(...checkTest(test, known));
  return problems;
}

/** Undefined: the results are recent enough, or nobody can tell (`whyAgeUnknown`). */
export function checkAge({ commit, changed }: BenchSource, age: BenchAge): LedgerProblem | undefined {
  const problem = (message: string): LedgerProblem => ({ kind: 'bench', of: 'bench/results.json', message });
  if (commit === undefined)
    return problem('does not say which commit was measured: `npm run bench` writes it');
  const short = commit.slice(0, 12);
  if (changed) return problem(`was measured with changes that ${short} does not have: commit, then measure`);
  if ('missing' in age) return problem(`was measured on ${short}, which is not in the history`);
  if ('unknown' in age || age.commits <= OLDEST_BENCH) return undefined;
  return problem(
    `is ${age.commits} commits old (measured on ${short}; at most ${OLDEST_BENCH} count): npm run bench`,
  );
}

export function whyAgeUnknown(age: BenchAge): string | undefined {
  return 'unknown' in age ? `How old bench/results.json is cannot be told: ${age.unknown}.` : undefined;
}

function proofsOf({ proof }: Requirement): string[] {
  return typeof proof === 'string' ? [proof] : proof;
}

function checkRequirement(requirement: Requirement, report: TestReport, bench: BenchRow[]): LedgerProblem[] {
  const { tests } = report;
  const of = requirement.id;
  const proofs = proofsOf(requirement);
  if (proofs.length === 0) return [{ kind: 'unproven', of, message: `no proof: ${requirement.requirement}` }];
  return proofs.flatMap((proof): LedgerProblem[] => {
    if (proof.startsWith('bench › ')) return checkBench(of, proof, bench);
    if (isScenario(proof) && !report.clients) return [];
    const found = tests.filter(provesBy(proof));
    if (found.length === 0) return [{ kind: 'no-such-test', of, message: `no test is called "${proof}"` }];
    const counted = found.some(({ state }) => state === 'passed')
      ? found.filter((test) => !isExcused(test))
      : found;
    return counted.flatMap(({ file, name, state }) =>
      state === 'passed' ? [] : [{ kind: state, of, message: `${file} › ${name} ${state}` }],
    );
  });
}

/** Requirements that this run could not judge: some of their proofs need the real clients. */
export function awaitingClients(requirements: Requirement[], { clients }: TestReport): string[] {
  if (clients) return [];
  return requirements.filter((each) => proofsOf(each).some(isScenario)).map(({ id }) => id);
}

function isScenario(proof: string): boolean {
  return proof.startsWith('e2e/scenarios/') || proof.startsWith('e2e/page/');
}

function checkBench(of: string, proof: string, bench: BenchRow[]): LedgerProblem[] {
  const row = bench.find(({ id }) => `bench › ${id}` === proof);
  if (row === undefined)
    return [{ kind: 'no-such-test', of, message: `bench/results.json has no row for "${proof}"` }];
  return row.pass
    ? []
    : [{ kind: 'bench', of, message: `${proof} ${row.pass === null ? 'was not measured' : 'failed'}` }];
}

/** The whole name, or the title of a suite around it; `*` stands for any text. */
function provesBy(proof: string): (test: TestRecord) => boolean {
  const parts = proof.split('*');
  const pattern = new RegExp(`^${parts.map(literally).join('.*')}(?: › .*)?$`, 's');
  // Most tests are told apart by how they begin, which is quicker than the pattern.
  const [begin = ''] = parts;
  return ({ file, name }) => {
    const whole = `${file} › ${name}`;
    return whole.startsWith(begin) && pattern.test(whole);
  };
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isExcused({ state, name, note }: TestRecord): boolean {
  return state === 'skipped' && (Boolean(note) || /[[(]skip(?:ped)?: \S/.test(name));
}

function checkTest(test: TestRecord, known: Set<string>): LedgerProblem[] {
  const { file, name } = test;
  const of = `${file} › ${name}`;
  const problems: LedgerProblem[] = [];
  for (const [id] of name.matchAll(idPattern)) {
    if (!known.has(id))
      problems.push({ kind: 'unknown-id', of, message: `cites ${id}, which is not in the ledger` });
  }
  if (test.state === 'skipped' && !isExcused(test)) {
    problems.push({ kind: 'skip-without-reason', of, message: 'is skipped and does not say why' });
  }
  return problems;
}

/** Tests that look as if they proved it: they cite the id, or the rule or invariant it stands for. */
export function candidates({ id }: Requirement, tests: TestRecord[]): string[] {
  const rule = /^LS-RULE-(\d+)$/.exec(id)?.[1];
  const invariant = /^LS-INV-([A-Z]\d)$/.exec(id)?.[1];
  const cites = new RegExp(
    [`${id}\\b(?!-)`, rule && `\\brules? (?:\\d+(?:,| and) )*${rule}\\b`, invariant && `\\b${invariant}\\b`]
      .filter(Boolean)
      .join('|'),
    'i',
  );
  return tests.filter(({ name }) => cites.test(name)).map(({ file, name }) => `${file} › ${name}`);
}
