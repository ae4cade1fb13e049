// bench: installs what bench/ needs, builds what is measured, and measures. Arguments go to bench/run.js.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { build, bundling } from './build.js';

const lock = 'bench/package-lock.json';
const installed = 'bench/node_modules/.lockstep-lock';
const run = (command, argv, options) =>
  spawnSync(command, argv, { stdio: 'inherit', ...options }).status ?? 1;

if (!existsSync(installed) || readFileSync(lock, 'utf8') !== readFileSync(installed, 'utf8')) {
  // better-sqlite3 is compiled (about a minute) where its prebuilt binary cannot be fetched.
  if (run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: 'bench' }) !== 0) process.exit(1);
  copyFileSync(lock, installed);
}
await build();
await bundle({
  ...bundling,
  entryPoints: ['bench/lockstep-adapter.ts'],
  outfile: 'bench/.build/lockstep-adapter.mjs',
  format: 'esm',
  // CommonJS packages inside an ES module still call require() for Node's own modules.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
process.exitCode = run(process.execPath, ['bench/run.js', ...process.argv.slice(2)]);
