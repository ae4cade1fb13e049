// verify: every check the project has. `.ci/run` has run the tests and the real clients already and says how they went
// (--tests=passed | failed); then the rest is done, and the ledger looks at both. The last line counts, for whoever
// reads nothing else.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readReports } from './reports.js';

const bin = (path) => [process.execPath, `node_modules/${path}`];
const checks = [
  ['format and lint', [...bin('@biomejs/biome/bin/biome'), 'ci', '--reporter=summary', '.']],
  ['types', [...bin('typescript/bin/tsc'), '--noEmit']],
  ['types of the page', [...bin('typescript/bin/tsc'), '--noEmit', '-p', 'ui']],
  [
    'imports',
    [
      ...bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      'src',
      'ui',
      '--config',
      '.dependency-cruiser.cjs',
    ],
  ],
  ['purity', [process.execPath, 'scripts/check-purity.js']],
  ['dead code', [...bin('knip/bin/knip.js')]],
];
// They use what only e2e/ installs (CI has done so by now).
if (existsSync('e2e/node_modules/playwright-core'))
  checks.splice(3, 0, [
    'types of the browser tests',
    [...bin('typescript/bin/tsc'), '--noEmit', '-p', 'e2e/page'],
  ]);
const told = process.argv.find((argument) => argument.startsWith('--tests='));
checks.push(
  told
    ? ['ledger', [process.execPath, 'scripts/ledger.js']]
    : ['tests, coverage, ledger', [process.execPath, 'scripts/test.js', '--coverage']],
);

const results = checks.map(([name, [command, ...argv]]) => {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const ok = spawnSync(command, argv, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
  return { name, ok, seconds: (performance.now() - started) / 1000 };
});
if (told)
  results.push({ name: 'tests, coverage, clients (before)', ok: told === '--tests=passed', seconds: 0 });

console.log();
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}${seconds > 0 ? `  ${seconds.toFixed(1)} s` : ''}`);
}
const { passed, failed } = countTests();
// A failed check counts as one, so that nothing red ever ends in "0 failed"; failed tests count themselves.
const broken = results.filter(({ name, ok }) => !ok && !(name.startsWith('tests') && failed > 0)).length;
process.exitCode = failed + broken === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed + broken} failed`);

/** A run that should have left a report and left none counts as a failure, so that nothing red is lost. */
function countTests() {
  const { tests, errors, missing } = readReports();
  const count = (state) => tests.filter((test) => test.state === state).length;
  const lost = told ? missing.length : 0;
  return { passed: count('passed'), failed: count('failed') + errors.length + lost };
}
