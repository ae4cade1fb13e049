// inject: loaded by every Node process of a test command. Where that is vitest, jest or mocha, its results are asked for as
// JSON into $LOCKSTEP_RESULTS, beside what it prints anyway. Anything else is left alone.

const { realpathSync } = require('node:fs');
const { basename, join } = require('node:path');

const folder = process.env.LOCKSTEP_RESULTS;

function runner(program) {
  try {
    const path = realpathSync(program).replaceAll('\\', '/');
    const found = /\/node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?(vitest|jest|jest-cli|mocha)\//g;
    const name = [...path.matchAll(found)].at(-1)?.[1];
    if (name === undefined) return undefined;
    const file = basename(path).replace(/\.[cm]?js$/, '');
    if (name === 'mocha') return file === 'mocha' || file === '_mocha' ? 'mocha' : undefined;
    if (name === 'vitest') return file === 'vitest' || file === 'cli' ? 'vitest' : undefined;
    return file === 'jest' ? 'jest' : undefined;
  } catch {
    return undefined;
  }
}

if (folder && process.argv[1]) {
  const file = (kind) => join(folder, `${process.pid}-${Date.now()}.${kind}.json`);
  switch (runner(process.argv[1])) {
    case 'vitest':
      process.argv.push('--reporter=default', '--reporter=json', `--outputFile.json=${file('vitest')}`);
      break;
    case 'jest':
      process.argv.push('--json', `--outputFile=${file('jest')}`);
      break;
    case 'mocha':
      // It starts itself again where it was given options for Node.
      if (!process.env.LOCKSTEP_MOCHA) {
        process.env.LOCKSTEP_MOCHA = '1';
        process.argv.push('--reporter=json', `--reporter-option=output=${file('mocha')}`);
      }
      break;
    default:
  }
}
