// e2e: the scenarios with the real clients. Installs what e2e/ needs, builds, and plays them where nothing but loopback
// can be reached, if the machine has a way to do that. Arguments go to vitest (`npm run e2e -- rate-limit -t codex`).
// When all of them are played, they leave a report, which `npm run ledger` and `.ci/run` read beside that of `npm test`.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { build } from './build.js';
import { clientReport } from './reports.js';

const lock = 'e2e/package-lock.json';
const installed = 'e2e/node_modules/.lockstep-lock';
const chosen = process.argv.slice(2);
const run = (command, argv, options) =>
  spawnSync(command, argv, { stdio: 'inherit', ...options }).status ?? 1;

if (chosen.length === 0) rmSync(clientReport, { force: true });
if (!existsSync(installed) || readFileSync(lock, 'utf8') !== readFileSync(installed, 'utf8')) {
  console.log('The clients are installed into e2e/node_modules (1.4 GB, a minute or so).');
  // Quiet: Claude Code asks for Node 22 and runs on 20 all the same.
  const argv = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  if (run('npm', argv, { cwd: 'e2e' }) !== 0) process.exit(1);
  copyFileSync(lock, installed);
}
await build({ clean: false });

const { words, network } = isolation();
const [command, ...argv] = [
  ...words,
  process.execPath,
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config=e2e/vitest.config.ts',
  ...chosen,
];
// Absent where only some are played, also where this itself was started by a test.
const { LOCKSTEP_TEST_REPORT: _, ...environment } = process.env;
const reporting = chosen.length === 0 ? { LOCKSTEP_TEST_REPORT: clientReport } : {};
process.exitCode = run(command, argv, {
  env: { ...environment, LOCKSTEP_E2E_NETWORK: network, ...reporting },
});

/** Words to put before a command so that it runs in a network of its own, which has loopback and nothing else. */
function isolation() {
  const own = process.getuid?.() === 0 ? '-n' : '-rn';
  const words = ['unshare', own, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const [command, ...argv] = [...words, 'true'];
  const { status, error, stderr } = spawnSync(command, argv, { encoding: 'utf8' });
  if (status === 0) return { words, network: 'loopback only: a network namespace of its own' };
  const why = error?.code === 'ENOENT' ? 'no `unshare` here' : stderr.trim().split('\n').at(-1);
  return { words: [], network: `not cut off from the rest: ${why}` };
}
