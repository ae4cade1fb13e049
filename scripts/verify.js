// verify: every check the project has. `.ci/run` has run the tests already and says how they went
// (--tests=passed | failed); then only the rest is done. The last line counts, for whoever reads nothing else.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const bin = (path) => [process.execPath, `node_modules/${path}`];
const checks = [
  ['format and lint', [...bin('@biomejs/biome/bin/biome'), 'ci', '--reporter=summary', '.']],
  ['types', [...bin('typescript/bin/tsc'), '--noEmit']],
  [
    'imports',
    [...bin('dependency-cruiser/bin/dependency-cruise.mjs'), 'src', '--config', '.dependency-cruiser.cjs'],
  ],
  ['purity', [process.execPath, 'scripts/check-purity.js']],
  ['dead code', [...bin('knip/bin/knip.js')]],
];
const told = process.argv.find((argument) => argument.startsWith('--tests='));
if (!told) checks.push(['tests, coverage, ledger', [process.execPath, 'scripts/test.js', '--coverage']]);

const results = checks.map(([name, [command, ...argv]]) => {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const ok = spawnSync(command, argv, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
  return { name, ok, seconds: (performance.now() - started) / 1000 };
});
if (told)
  results.push({ name: 'tests, coverage, ledger (before)', ok: told === '--tests=passed', seconds: 0 });

console.log();
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}${seconds > 0 ? `  ${seconds.toFixed(1)} s` : ''}`);
}
const { passed, failed } = countTests();
// A failed check counts as one, so that nothing red ever ends in "0 failed"; failed tests count themselves.
const broken = results.filter(({ name, ok }) => !ok && !(name.startsWith('tests') && failed > 0)).length;
process.exitCode = failed + broken === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed + broken} failed`);

function countTests() {
  if (!existsSync('.test-report.json')) return { passed: 0, failed: 0 };
  const { tests, errors } = JSON.parse(readFileSync('.test-report.json', 'utf8'));
  const count = (state) => tests.filter((test) => test.state === state).length;
  return { passed: count('passed'), failed: count('failed') + errors.length };
}
