// demo: builds what it needs, then runs examples/demo in a scratch git repository, as a person would.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './build.js';

await build({ clean: false });
const lockstep = resolve('dist/lockstep.js');
const project = mkdtempSync(join(tmpdir(), 'lockstep-demo-'));
cpSync('examples/demo', project, { recursive: true });

const git = (...argv) => spawnSync('git', argv, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
git('init', '-q', '-b', 'main');
git('config', 'user.name', 'Lockstep demo');
git('config', 'user.email', 'demo@example.org');
git('add', '-A');
git('commit', '-q', '-m', 'A specification');

const shown = 'lockstep run ship --input spec=SPEC.md --script .lockstep/scripts/ship.yaml';
console.log(`A scratch repository: ${project}\n$ ${shown}\n`);
const { status } = spawnSync(process.execPath, [lockstep, ...shown.split(' ').slice(1)], {
  cwd: project,
  stdio: 'inherit',
});
console.log(`\nLook around in ${project}, for instance with \`node ${lockstep} audit\`.`);
process.exitCode = status ?? 1;
