// test: the tests, then the ledger. With --all the scenarios with the real clients (scripts/e2e.js) are among them.
// Other arguments go to vitest (`npm test -- src/compile`), and the ledger, which only makes sense of a whole run, is
// left out. Under CI, or with --coverage, the coverage gate is on.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const report = '.test-report.json';
const scenarios = '.test-report.e2e.json';
const all = process.argv.includes('--all');
const options = process.argv.slice(2).filter((option) => option !== '--all');
const whole = options.every((option) => option === '--coverage');
if (process.env.CI && whole && !options.includes('--coverage')) options.push('--coverage');

for (const file of [report, scenarios]) rmSync(file, { force: true });
const run = (reportTo, ...argv) =>
  spawnSync(process.execPath, argv, {
    stdio: 'inherit',
    env: reportTo === undefined ? process.env : { ...process.env, LOCKSTEP_TEST_REPORT: reportTo },
  }).status ?? 1;

const tests = run(whole ? report : undefined, 'node_modules/vitest/vitest.mjs', 'run', ...options);
const clients = all ? run(scenarios, 'scripts/e2e.js') : 0;
if (all) join();
const ledger = whole ? run(undefined, 'scripts/ledger.js') : 0;
process.exitCode = tests || clients || ledger;

/** One report, as if it had been one run. Scenarios that left none count as an error, so that nothing red is lost. */
function join() {
  const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  const first = read(report) ?? { tests: [], errors: ['the tests left no report'] };
  const second = read(scenarios) ?? {
    tests: [],
    errors: ['the scenarios with the real clients left no report'],
  };
  const joined = {
    tests: [...first.tests, ...second.tests],
    errors: [...first.errors, ...second.errors],
    clients: true,
  };
  writeFileSync(report, `${JSON.stringify(joined, null, 1)}\n`);
}
