import { expect, it } from 'vitest';
import type { TestRecord } from '../../test/test-report.ts';
import { resultsTable } from './results-table.ts';

const test = (name: string, state: TestRecord['state'] = 'passed'): TestRecord => ({
  file: 'e2e/scenarios/a.test.ts',
  name,
  state,
});

it('has a row for each scenario and a column for each client, and says why below', () => {
  const table = resultsTable(
    [
      test('a prompt is answered › claude-cli'),
      test('a prompt is answered › codex', 'failed'),
      test('turns › claude-cli', 'skipped'),
      test('turns › codex: not supported: no such setting'),
      test('what a table is › for anybody'),
    ],
    { 'claude-cli': 'claude 2.1', codex: 'codex 0.1' },
    'Scenarios (loopback only)',
  );
  expect(table).toBe(`Scenarios (loopback only)

                        claude 2.1  codex 0.1
  a prompt is answered  ok          FAILED
  turns                 not run     –

– not supported; that Lockstep says so was tested:
  turns, codex: no such setting`);
});

it('a client that cannot and does not say so has failed', () => {
  const failed = test('turns › codex: not supported: no such setting', 'failed');
  expect(resultsTable([failed], { codex: 'codex' }, '')).toContain('turns  FAILED');
});
