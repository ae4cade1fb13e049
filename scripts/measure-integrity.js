// measure-integrity: how often the gate test-integrity objects to work that was honest: over the history of this repository, or of
// another one. Prints every change that it objects to, so that a person can look.
//
//   node scripts/measure-integrity.js [repository]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const repository = resolve(process.argv[2] ?? '.');
const { compareTests, countTests, testFindings } = await load(
  "export { compareTests, countTests } from './src/text/test-counts/count-tests.ts';" +
    "export { testFindings } from './src/text/test-counts/test-findings.ts';",
);
const RANGE = 5;

const commits = lines('rev-list', '--reverse', '--no-merges', 'HEAD');
const tasks = lines('rev-list', '--reverse', '--first-parent', 'HEAD');
const ranges = tasks.flatMap((end, at) =>
  at >= RANGE && at % RANGE === 0 ? [[tasks[at - RANGE], end]] : [],
);
report(
  'single commits',
  commits.map((commit) => [`${commit}^`, commit]),
);
report(
  'steps of the main line (a merge is one)',
  tasks.map((commit) => [`${commit}^`, commit]),
);
report(`${RANGE} steps of the main line together`, ranges);

function report(what, pairs) {
  let looked = 0;
  let withTests = 0;
  const found = [];
  for (const [from, to] of pairs) {
    const states = statesBetween(from, to);
    if (states === undefined) continue;
    looked += 1;
    const change = compareTests(states);
    if (change.files.length > 0) withTests += 1;
    const findings = testFindings(change);
    if (findings.length > 0) found.push({ to, findings });
  }
  const rate = found.length === 0 ? 'none' : `1 in ${(looked / found.length).toFixed(0)}`;
  console.log(
    `\n${what}: ${looked}, of which ${withTests} change tests; ${found.length} get a finding (${rate})`,
  );
  for (const { to, findings } of found) {
    console.log(`  ${lines('log', '-1', '--format=%h %s', to)[0]}`);
    for (const { level, message } of findings) console.log(`    ${level}: ${message}`);
  }
}

function statesBetween(from, to) {
  const diff = git('diff', '--name-only', '--no-renames', '-z', from, to);
  if (diff.status !== 0) return undefined; // the first commit has nothing before it
  return diff.stdout
    .split('\0')
    .filter((path) => path !== '' && countTests(path, '') !== undefined)
    .map((path) => ({ path, before: textAt(from, path), after: textAt(to, path) }));
}

function textAt(commit, path) {
  const shown = git('cat-file', 'blob', `${commit}:${path}`);
  return shown.status === 0 ? shown.stdout : undefined;
}

function lines(...args) {
  return git(...args)
    .stdout.split('\n')
    .filter(Boolean);
}

function git(...args) {
  return spawnSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 28 });
}

async function load(contents) {
  const folder = mkdtempSync(join(tmpdir(), 'measure-'));
  try {
    const outfile = join(folder, 'counts.mjs');
    const stdin = { contents, resolveDir: resolve(import.meta.dirname, '..'), loader: 'ts' };
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'neutral', logLevel: 'silent' });
    return await import(outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
