// test: the tests that need nothing but what `npm ci` installs, then the ledger. Other arguments go to vitest
// (`npm test -- src/compile`), and the ledger, which only makes sense of a whole run, is left out. Under CI, or with
// --coverage, the coverage gate is on.

import { spawnSync } from 'node:child_process';
import { forgetReports, testReport } from './reports.js';

const options = process.argv.slice(2);
const whole = options.every((option) => option === '--coverage');
if (process.env.CI && whole && !options.includes('--coverage')) options.push('--coverage');

if (whole) forgetReports();
// Absent where only some tests run, also where this itself was started by a test.
const { LOCKSTEP_TEST_REPORT: _, ...environment } = process.env;
const run = (env, ...argv) =>
  spawnSync(process.execPath, argv, { stdio: 'inherit', env: { ...environment, ...env } }).status ?? 1;

const reporting = whole ? { LOCKSTEP_TEST_REPORT: testReport } : {};
const tests = run(reporting, 'node_modules/vitest/vitest.mjs', 'run', ...options);
const ledger = whole ? run({}, 'scripts/ledger.js') : 0;
process.exitCode = tests || ledger;
