import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { awaitingClients, candidates, checkLedger } from './ledger.ts';
import { requirements } from './requirements.ts';
import { projectRoot } from './scratch.ts';
import type { TestRecord } from './test-report.ts';

const test = (name: string, state: TestRecord['state'] = 'passed', note?: string): TestRecord =>
  note === undefined ? { file: 'a.test.ts', name, state } : { file: 'a.test.ts', name, state, note };
const problems = (proof: string | string[], ...tests: TestRecord[]) =>
  checkLedger([{ id: 'LS-A', requirement: 'a', proof }], { tests, errors: [] }, []).map(({ kind }) => kind);

describe('LS-PROJECT-LEDGER', () => {
  it('a requirement is proven when its test passed', () => {
    expect(problems('a.test.ts › works', test('works'))).toEqual([]);
  });

  it('a suite proves with every test in it, so one failure is enough', () => {
    const suite = [test('engine › starts'), test('engine › stops', 'failed'), test('engineer', 'failed')];
    expect(problems('a.test.ts › engine', ...suite)).toEqual(['failed']);
  });

  it('a test of a suite that is skipped with a reason does not count, as long as another one passed', () => {
    const excused = test('engine › flies [skip: no wings]', 'skipped');
    expect(problems('a.test.ts › engine', test('engine › starts'), excused)).toEqual([]);
    expect(problems('a.test.ts › engine', excused)).toEqual(['skipped']);
    expect(
      problems('a.test.ts › engine', test('engine › starts'), test('engine › flies', 'skipped')),
    ).toEqual(['skipped', 'skip-without-reason']);
  });

  it('a star stands for any text in the name, and for nothing special elsewhere', () => {
    expect(problems('a.test.ts › refuses * (exit 2)', test('refuses 50 MB (exit 2)'))).toEqual([]);
    expect(problems('a.test.ts › refuses .* (exit 2)', test('refuses 50 MB (exit 2)'))).toEqual([
      'no-such-test',
    ]);
  });

  it.each<[string, string | string[], TestRecord[], string[]]>([
    ['no proof', [], [], ['unproven']],
    ['a proof that names no test', 'a.test.ts › gone', [test('works')], ['no-such-test']],
    ['a failed test', 'a.test.ts › works', [test('works', 'failed')], ['failed']],
    ['a skipped test', 'a.test.ts › works', [test('works', 'skipped', 'no tmux here')], ['skipped']],
    [
      'one of two proofs that is missing',
      ['a.test.ts › works', 'a.test.ts › gone'],
      [test('works')],
      ['no-such-test'],
    ],
    ['an id that nobody knows', 'a.test.ts › works', [test('works'), test('LS-B: other')], ['unknown-id']],
    [
      'an id of a dialect that nobody knows',
      'a.test.ts › works',
      [test('works'), test('ORC12-77: other')],
      ['unknown-id'],
    ],
    [
      'an id of a promise of security that nobody knows',
      'a.test.ts › works',
      [test('works'), test('SEC-SECRET-NONE: other')],
      ['unknown-id'],
    ],
    [
      'an id of a seed that numbers with dots',
      'a.test.ts › works',
      [test('works'), test('WR47-FR-2b.1: other')],
      ['unknown-id'],
    ],
    [
      'a skip without a reason',
      'a.test.ts › works',
      [test('works'), test('other', 'skipped')],
      ['skip-without-reason'],
    ],
    ['a bench row that does not exist', 'bench › each', [], ['no-such-test']],
  ])('%s is a problem', (_, proof, tests, kinds) => {
    expect(problems(proof, ...tests)).toEqual(kinds);
  });

  it('a skip with a reason in its name or its note is no problem of its own', () => {
    const skips = [
      test('b [skip: needs root]', 'skipped'),
      test('b (skipped: needs root)', 'skipped'),
      test('c', 'skipped', 'needs root'),
    ];
    expect(problems('a.test.ts › works', test('works'), ...skips)).toEqual([]);
  });

  it('a bench row proves when it passed, not when it failed or was not measured', () => {
    const with_ = (pass: boolean | null) =>
      checkLedger([{ id: 'LS-A', requirement: 'a', proof: 'bench › each' }], { tests: [], errors: [] }, [
        { id: 'each', pass },
      ]);
    expect(with_(true)).toEqual([]);
    expect(with_(false).map(({ message }) => message)).toEqual(['bench › each failed']);
    expect(with_(null).map(({ message }) => message)).toEqual(['bench › each was not measured']);
  });

  it('L4: what the real clients prove is judged by a run that had them, and named by one that had not', () => {
    const requirement = { id: 'AG-A', requirement: 'a', proof: 'e2e/scenarios/a.test.ts › works' };
    const looked = (tests: TestRecord[], clients: boolean) => {
      const report = { tests, errors: [], clients };
      const kinds = checkLedger([requirement], report, []).map(({ kind }) => kind);
      return { kinds, open: awaitingClients([requirement], report) };
    };
    const passed: TestRecord = { file: 'e2e/scenarios/a.test.ts', name: 'works › codex', state: 'passed' };
    expect(looked([], false)).toEqual({ kinds: [], open: ['AG-A'] });
    expect(looked([], true)).toEqual({ kinds: ['no-such-test'], open: [] });
    expect(looked([passed], true)).toEqual({ kinds: [], open: [] });
    expect(looked([{ ...passed, state: 'failed' }], true)).toEqual({ kinds: ['failed'], open: [] });
  });

  it('every scenario that the ledger names is a file', () => {
    const named = requirements.flatMap(({ proof }) => proof).filter((proof) => proof.startsWith('e2e/'));
    const files = new Set(named.map((proof) => proof.split(' › ')[0] as string));
    expect([...files].filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  });

  it('candidates are found by the id, the rule or the invariant that a test cites', () => {
    const tests = [
      test('rule 1: a'),
      test('rule 16: b'),
      test('J4: c'),
      test('LS-RULE-1 d'),
      test('rules 1 and 16: e'),
    ];
    const found = (id: string) => candidates({ id, requirement: '', proof: [] }, tests).length;
    expect([found('LS-RULE-1'), found('LS-RULE-16'), found('LS-INV-J4'), found('LS-INV-J1')]).toEqual([
      3, 2, 1, 0,
    ]);
  });

  it('no id stands in the ledger twice', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
