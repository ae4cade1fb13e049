// ledger: compares test/requirements.ts with what the last whole runs of the tests reported (reports.js) and with
// bench/results.json. `--missing` lists the requirements without a proof, and tests that look like one.

import { existsSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { ageOf } from '../bench/commit.js';
import { readReports } from './reports.js';

const { requirements, checkLedger, checkAge, whyAgeUnknown, awaitingClients, candidates } = await load(
  "export { requirements } from './test/requirements.ts'; export * from './test/ledger.ts';",
);
const report = readReports();
const results = readJson('bench/results.json') ?? { rows: [] };
const bench = results.rows;

if (process.argv.includes('--missing')) {
  const missing = requirements.filter((requirement) => requirement.proof.length === 0);
  for (const requirement of missing) {
    console.log(`${requirement.id}  ${requirement.requirement}`);
    for (const test of candidates(requirement, report.tests)) console.log(`    ? ${test}`);
  }
  console.log(`\n${missing.length} of ${requirements.length} requirements have no proof.`);
} else if (report.tests.length === 0) {
  console.error('There is no report of a whole test run: `npm test` makes one.');
  process.exitCode = 1;
} else {
  const age = results.commit === undefined ? { missing: true } : ageOf(results.commit);
  const tooOld = checkAge(results, age);
  const problems = [...checkLedger(requirements, report, bench), ...(tooOld ? [tooOld] : [])];
  const unknown = whyAgeUnknown(age);
  if (unknown !== undefined) console.log(unknown);
  for (const { kind, of, message } of problems) console.error(`${kind}: ${of}: ${message}`);
  const ids = new Set(requirements.map(({ id }) => id));
  const open = awaitingClients(requirements, report);
  const unproven = new Set([...open, ...problems.map(({ of }) => of).filter((of) => ids.has(of))]);
  const waiting = open.length === 0 ? '' : ` ${open.length} wait for the real clients (npm run e2e).`;
  console.log(
    `Ledger: ${requirements.length - unproven.size} of ${requirements.length} requirements proven, ${problems.length} problems.${waiting}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** Node 20 does not read TypeScript. */
async function load(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
