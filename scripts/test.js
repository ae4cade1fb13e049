// test: all tests, then the ledger. With arguments they go to vitest (`npm test -- src/compile`) and the ledger,
// which only makes sense of a whole run, is left out. Under CI, or with --coverage, the coverage gate is on.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const report = '.test-report.json';
const options = process.argv.slice(2);
const whole = options.every((option) => option === '--coverage');
if (process.env.CI && whole && !options.includes('--coverage')) options.push('--coverage');

rmSync(report, { force: true });
const environment = whole ? { ...process.env, LOCKSTEP_TEST_REPORT: report } : process.env;
const run = (...argv) =>
  spawnSync(process.execPath, argv, { stdio: 'inherit', env: environment }).status ?? 1;

const tests = run('node_modules/vitest/vitest.mjs', 'run', ...options);
const ledger = whole ? run('scripts/ledger.js') : 0;
process.exitCode = tests || ledger;
