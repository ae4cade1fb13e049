// The machinery around the product: the build, `verify`, `.ci/run` and the coverage gate. The last two are tried in
// a folder with stand-ins for the tools, which write down that they were called.

import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { projectRoot } from './scratch.ts';

const base = mkdtempSync(join(tmpdir(), 'lockstep-project-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('LS-PROJECT-BUILD', () => {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const command = join(projectRoot, manifest.bin.lockstep);

  it('what `bin.lockstep` points at is there and may be executed', () => {
    accessSync(command, constants.X_OK);
    expect(spawnSync(command, ['--help'], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  });

  it('--version needs no other file', () => {
    const alone = join(base, 'alone.cjs');
    copyFileSync(command, alone);
    for (const flag of ['--version', '-V']) {
      const { status, stdout } = spawnSync(process.execPath, [alone, flag], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
    }
  });
});

it('LS-PROJECT-DEMO: `npm run demo` shows each step, the work that was sent back, and the summary', () => {
  // Without the pauses that let a person follow.
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'demo', '--', '--fast'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: base, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const shown = stdout + stderr;
  expect(status, shown).toBe(0);
  for (const step of ['analyze', 'plan', 'implement', 'reviews', 'fix-issues', 'verify', 'publish'])
    expect(shown).toContain(step);
  expect(shown).toMatch(/sent back/);
  expect(shown).toMatch(/completed/i);
});

it('LS-PROJECT-COVERAGE: source, dialects, compile, engine and runtime each have to reach 90 % of their lines', () => {
  const thresholds = config.test?.coverage?.thresholds;
  for (const folder of ['source', 'dialects', 'compile', 'engine', 'runtime']) {
    expect(thresholds).toHaveProperty([`src/${folder}/**`], { lines: 90 });
  }
});

describe('WR44-NFR-testing: the coverage of the orchestration (src/engine, src/runtime) is measured whenever CI runs', () => {
  it('under CI a whole run of the tests is measured', () => {
    const root = mkdtempSync(join(base, 'measured-'));
    const stub = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    stub('package.json', '{ "type": "module" }');
    stub('node_modules/vitest/vitest.mjs', 'process.exitCode = process.argv.includes("--coverage") ? 7 : 8;');
    stub('scripts/ledger.js', '');
    copyFileSync(join(projectRoot, 'scripts/test.js'), join(root, 'scripts/test.js'));
    const exit = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['scripts/test.js'], { cwd: root, env }).status;
    expect([exit({ CI: 'true' }), exit({})]).toEqual([7, 8]);
  });

  it.each(['engine', 'runtime'])('tests that pass and leave src/%s uncovered fail', (folder) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--project', 'src', 'src/model/tool-policy.test.ts'],
        ...['--coverage', `--coverage.include=src/${folder}/*.ts`, '--coverage.reporter=text-summary'],
        `--coverage.reportsDirectory=${join(base, 'coverage')}`,
      ],
      { cwd: projectRoot, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    );
    expect(stdout).toMatch(/Tests +\d+ passed/);
    expect(stderr).toMatch(
      new RegExp(`Coverage for lines .* does not meet "src/${folder}/\\*\\*" threshold \\(90%\\)`),
    );
    expect(status).toBe(1);
  });
});

/** A project with the real scripts, stand-ins for the tools, and a report of the tests that went before. */
function standIn(failing: string[] = []) {
  const root = mkdtempSync(join(base, 'stand-in-'));
  const calls = join(root, 'calls.txt');
  const tool = (path: string, name: string) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    // Read as CommonJS or, with .mjs, as an ES module: neither knows the other's way to import.
    const text = `#!/usr/bin/env node
const call = [${JSON.stringify(name)}, ...process.argv.slice(2, 3)].join(' ');
import('node:fs').then(({ appendFileSync }) => appendFileSync(${JSON.stringify(calls)}, call + '\\n'));
process.exitCode = ${JSON.stringify(failing)}.includes(call) ? 1 : 0;
`;
    writeFileSync(file, text, { mode: 0o755 });
  };
  tool('node_modules/@biomejs/biome/bin/biome', 'biome');
  tool('node_modules/typescript/bin/tsc', 'tsc');
  tool('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'cruiser');
  tool('node_modules/knip/bin/knip.js', 'knip');
  tool('bin/npm', 'npm');
  tool('scripts/test.js', 'tests');
  tool('scripts/check-purity.js', 'purity');
  copyFileSync(join(projectRoot, 'scripts/verify.js'), join(root, 'scripts/verify.mjs'));
  cpSync(join(projectRoot, '.ci'), join(root, '.ci'), { recursive: true });
  writeFileSync(
    join(root, '.ci/run'),
    readFileSync(join(root, '.ci/run'), 'utf8').replace('verify.js', 'verify.mjs'),
  );
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const report = (states: string[]) =>
    writeFileSync(
      join(root, '.test-report.json'),
      JSON.stringify({ tests: states.map((state) => ({ state })), errors: [] }),
    );
  report(['passed', 'passed', 'skipped']);
  const run = (...argv: string[]) => {
    rmSync(calls, { force: true });
    const path = `${join(root, 'bin')}${delimiter}${process.env.PATH}`;
    const [command = '', ...rest] = argv;
    const { status, stdout } = spawnSync(command, rest, {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: path },
    });
    const called = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
    return { status, last: stdout.trim().split('\n').at(-1), called };
  };
  return { report, verify: () => run(process.execPath, 'scripts/verify.mjs'), ci: () => run('.ci/run') };
}

const checks = ['biome ci', 'tsc --noEmit', 'cruiser src', 'purity', 'knip'];

describe('LS-PROJECT-VERIFY', () => {
  const called = [...checks, 'tests --coverage'];

  it('runs every check, and says how many tests passed on its last line', () => {
    expect(standIn().verify()).toEqual({ status: 0, last: '2 passed, 0 failed', called });
  });

  it.each(['biome ci', 'knip', 'tests --coverage'])(
    'fails when `%s` fails, after running the others',
    (call) => {
      expect(standIn([call]).verify()).toEqual({ status: 1, last: '2 passed, 1 failed', called });
    },
  );

  it('counts failed tests by their number', () => {
    const project = standIn(['tests --coverage']);
    project.report(['passed', 'failed', 'failed']);
    expect(project.verify()).toMatchObject({ status: 1, last: '1 passed, 2 failed' });
  });
});

describe('LS-PROJECT-CI', () => {
  it('installs where nothing is installed, then runs the tests once and the rest of verify', () => {
    const project = standIn();
    const called = ['npm run', ...checks];
    expect(project.ci()).toEqual({ status: 0, last: '2 passed, 0 failed', called: ['npm ci', ...called] });
    expect(project.ci(), 'what is installed stays').toMatchObject({ called });
  });

  it('fails when the tests fail, after the rest', () => {
    const called = ['npm ci', 'npm run', ...checks];
    expect(standIn(['npm run']).ci()).toEqual({ status: 1, last: '2 passed, 1 failed', called });
  });

  it('stops where the installation fails, and counts that', () => {
    expect(standIn(['npm ci']).ci()).toEqual({ status: 1, last: '0 passed, 1 failed', called: ['npm ci'] });
  });
});

describe('AG-E2E-ALL: `npm run test:all`', () => {
  type Part = { exit?: number; tests?: { state: string }[] };
  /** The real script, with stand-ins for vitest, the scenarios and the ledger. */
  function played(options: string[], tests: Part, scenarios: Part) {
    const root = mkdtempSync(join(base, 'all-'));
    const stub = (path: string, { exit = 0, tests: told }: Part) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      const report = told && JSON.stringify({ tests: told, errors: [] });
      writeFileSync(
        join(root, path),
        `import { appendFileSync, writeFileSync } from 'node:fs';
appendFileSync('calls.txt', ${JSON.stringify(`${path}\n`)});
const path = process.env.LOCKSTEP_TEST_REPORT;
if (path && ${report !== undefined}) writeFileSync(path, ${JSON.stringify(report)});
process.exitCode = ${exit};
`,
      );
    };
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    stub('node_modules/vitest/vitest.mjs', tests);
    stub('scripts/e2e.js', scenarios);
    stub('scripts/ledger.js', {});
    copyFileSync(join(projectRoot, 'scripts/test.js'), join(root, 'scripts/test.js'));
    const { status } = spawnSync(process.execPath, ['scripts/test.js', ...options], { cwd: root, env: {} });
    const called = readFileSync(join(root, 'calls.txt'), 'utf8').trim().split('\n');
    const report = JSON.parse(readFileSync(join(root, '.test-report.json'), 'utf8'));
    return { status, called: called.map((path) => path.split('/').at(-1)), report };
  }
  const passed = { tests: [{ state: 'passed' }] };

  it('runs the tests, the scenarios and the ledger; one report has both', () => {
    expect(played(['--all'], passed, { tests: [{ state: 'passed' }, { state: 'skipped' }] })).toEqual({
      status: 0,
      called: ['vitest.mjs', 'e2e.js', 'ledger.js'],
      report: {
        tests: [{ state: 'passed' }, { state: 'passed' }, { state: 'skipped' }],
        errors: [],
        clients: true,
      },
    });
  });

  it('fails when a scenario fails, and when they could not be played at all', () => {
    const failed = played(['--all'], passed, { exit: 1, tests: [{ state: 'failed' }] });
    expect(failed).toMatchObject({
      status: 1,
      report: { tests: [{ state: 'passed' }, { state: 'failed' }] },
    });
    const none = played(['--all'], passed, { exit: 1 });
    expect(none.status).toBe(1);
    expect(none.report.errors).toHaveLength(1);
  });

  it('`npm test` plays no scenario', () => {
    const { called, report } = played([], passed, passed);
    expect(called).toEqual(['vitest.mjs', 'ledger.js']);
    expect(report).toEqual({ ...passed, errors: [] });
  });
});
