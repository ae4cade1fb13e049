// demo: builds what it needs, then runs examples/demo in a scratch git repository, as a person would.
// The agent is scripted, so it answers at once; here it is given the time that one needs to watch. For the tests of it:
// `--fast` leaves that out, `--built` takes dist/ as it is.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { build } from './build.js';

/** By the id of the step; reviewers work at the same time. */
const PACE = {
  analyze: '1500ms',
  implement: '1300ms',
  'fix-issues': '1300ms',
  money: '500ms',
  security: '800ms',
  'code-quality': '1100ms',
  'test-coverage': '1400ms',
  verify: '1300ms',
  publish: '600ms',
};

if (!process.argv.includes('--built')) await build({ clean: false });
const lockstep = resolve('dist/lockstep.js');
const project = mkdtempSync(join(tmpdir(), 'lockstep-demo-'));
cpSync('examples/demo', project, { recursive: true });
if (!process.argv.includes('--fast')) pace(join(project, 'answers.yaml'));

quietly('git', 'init', '-q', '-b', 'main');
quietly('git', 'config', 'user.name', 'Lockstep demo');
quietly('git', 'config', 'user.email', 'demo@example.org');
quietly('git', 'add', '-A');
quietly('git', 'commit', '-q', '-m', 'A till');

console.log(`
A small project in a scratch repository, ${project}, and what it is to become:

${indented(readFileSync(join(project, 'SPEC.md'), 'utf8').replace(/^---[\s\S]*?---\n/, ''))}

The agent is scripted: no model, no key. Everything else is real: the worktree, the code,
the tests that Lockstep runs, the commits.

$ lockstep run SPEC.md --script answers.yaml
`);
const { status } = spawnSync(process.execPath, [lockstep, 'run', 'SPEC.md', '--script', 'answers.yaml'], {
  cwd: project,
  stdio: 'inherit',
});

const branch = output('git', 'branch', '--list', 'lockstep/*', '--format=%(refname:short)').trim();
if (status === 0) {
  console.log(`
$ git log --oneline main..${branch}
${output('git', 'log', '--oneline', `main..${branch}`).trimEnd()}

Something was wrong with every task, and nothing of it got through:
  1. The agent said that its tests passed. Lockstep ran them, and three failed: sent back.
  2. All tests passed, and 10 per cent off 19.99 were 17.991. Two gates found it, one of them
     a file that this project dropped in (.lockstep/gates/review/money.md): fixed, reviewed again.
  3. The agent set the test script to \`true\`, so that no test could fail: sent back.
  4. Something was not tested: fixed. The gates that had approved, and whose files had not
     changed, were not asked again.

Look around in ${project}:
  node ${lockstep} report      tests, reviews, fixes, requirements, cost
  node ${lockstep} audit       the whole story, entry by entry
  node ${lockstep} issues list --all`);
}
process.exitCode = status ?? 1;

function pace(file) {
  const script = parse(readFileSync(file, 'utf8'));
  for (const [path, answers] of Object.entries(script.answers)) {
    const delay = PACE[path.split('/').at(-1)];
    for (const answer of [answers].flat()) answer.delay = delay;
  }
  writeFileSync(file, stringify(script, { aliasDuplicateObjects: false }));
}

function quietly(command, ...argv) {
  spawnSync(command, argv, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
}

function output(command, ...argv) {
  return spawnSync(command, argv, { cwd: project, encoding: 'utf8' }).stdout;
}

function indented(text) {
  return text.trim().replace(/^(?=.)/gm, '  ');
}
