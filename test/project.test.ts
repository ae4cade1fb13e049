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
  // Without the pauses that let a person follow. CI also has it build what it needs.
  const options = process.env.CI ? ['--fast'] : ['--fast', '--built'];
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'demo', '--', ...options], {
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

it('LS-PROJECT-COVERAGE: source, dialects, compile and engine each have to reach 90 % of their lines, runtime 86 %', () => {
  const thresholds = config.test?.coverage?.thresholds;
  for (const folder of ['source', 'dialects', 'compile', 'engine'])
    expect(thresholds).toHaveProperty([`src/${folder}/**`], { lines: 90 });
  expect(thresholds).toHaveProperty(['src/runtime/**'], { lines: 86 });
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
    copyScripts(root, 'test.js', 'reports.js');
    const exit = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['scripts/test.js'], { cwd: root, env }).status;
    expect([exit({ CI: 'true' }), exit({})]).toEqual([7, 8]);
  });

  it('tests that pass and leave src/engine and src/runtime uncovered fail', () => {
    const folders = ['engine', 'runtime'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--project', 'src', 'src/model/tool-policy.test.ts'],
        ...['--coverage', ...folders.map((folder) => `--coverage.include=src/${folder}/*.ts`)],
        ...['--coverage.reporter=text-summary', `--coverage.reportsDirectory=${join(base, 'coverage')}`],
      ],
      { cwd: projectRoot, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    );
    expect(stdout).toMatch(/Tests +\d+ passed/);
    for (const folder of folders)
      expect(stderr).toMatch(
        new RegExp(`Coverage for lines .* does not meet "src/${folder}/\\*\\*" threshold \\((?:90|86)%\\)`),
      );
    expect(status).toBe(1);
  });
});

function copyScripts(root: string, ...names: string[]): void {
  for (const name of names) copyFileSync(join(projectRoot, 'scripts', name), join(root, 'scripts', name));
}

/** A project with the real scripts, stand-ins for the tools, and reports of the tests that went before. */
function standIn(failing: string[] = []) {
  const root = mkdtempSync(join(base, 'stand-in-'));
  const calls = join(root, 'calls.txt');
  const tool = (path: string, name: string) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    // Read as CommonJS or, in scripts/ and with .mjs, as an ES module: neither knows the other's way to import.
    const text = `#!/usr/bin/env node
const words = process.argv.slice(2, ${JSON.stringify(name)} === 'npm' ? 4 : 3).filter((word) => !/^--no-/.test(word));
const call = [${JSON.stringify(name)}, ...words].join(' ');
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
  // Nothing is installed on the machine of who runs the tests.
  tool('bin/chromium', 'chromium');
  tool('scripts/test.js', 'tests');
  tool('scripts/check-purity.js', 'purity');
  tool('scripts/ledger.js', 'ledger');
  writeFileSync(join(root, 'scripts/package.json'), '{ "type": "module" }');
  copyScripts(root, 'verify.js', 'reports.js');
  cpSync(join(projectRoot, '.ci'), join(root, '.ci'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const reporting = (file: string) => (states: string[]) =>
    writeFileSync(
      join(root, file),
      JSON.stringify({ tests: states.map((state) => ({ state })), errors: [] }),
    );
  const report = reporting('.test-report.json');
  const clients = reporting('.test-report.e2e.json');
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
  const verify = () => run(process.execPath, 'scripts/verify.js');
  return { report, clients, verify, ci: () => run('.ci/run') };
}

const checks = ['biome ci', 'tsc --noEmit', 'tsc --noEmit', 'cruiser src', 'purity', 'knip'];

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
  const called = ['npm test', 'npm run e2e', ...checks, 'ledger'];
  /** The scenarios passed before, two of three. */
  const cloned = (failing: string[] = []) => {
    const project = standIn(failing);
    project.clients(['passed', 'passed', 'skipped']);
    return project;
  };

  it('installs where nothing is installed, then runs the tests, the real clients, and the rest of verify', () => {
    const project = cloned();
    expect(project.ci()).toEqual({ status: 0, last: '4 passed, 0 failed', called: ['npm ci', ...called] });
    expect(project.ci(), 'what is installed stays').toMatchObject({ called });
  });

  it.each(['npm test', 'npm run e2e', 'ledger'])('fails when `%s` fails, after the rest', (call) => {
    const expected = { status: 1, last: '4 passed, 1 failed', called: ['npm ci', ...called] };
    expect(cloned([call]).ci()).toEqual(expected);
  });

  it('stops where the installation fails, and counts that', () => {
    expect(standIn(['npm ci']).ci()).toEqual({ status: 1, last: '0 passed, 1 failed', called: ['npm ci'] });
  });

  it('AG-E2E-ALL: counts the failed tests of both, and clients that left no report', () => {
    const project = cloned(['npm test', 'npm run e2e']);
    project.report(['passed', 'failed']);
    project.clients(['passed', 'failed', 'failed']);
    expect(project.ci()).toMatchObject({ status: 1, last: '2 passed, 3 failed' });
    expect(standIn(['npm run e2e']).ci()).toMatchObject({ status: 1, last: '2 passed, 1 failed' });
    expect(standIn().ci(), 'although nothing said that it failed').toMatchObject({ status: 1 });
  });
});

describe('AG-E2E-ALL', () => {
  /** The real scripts, with stand-ins for vitest, the build and the network. */
  function played(script: string, ...options: string[]) {
    const root = mkdtempSync(join(base, 'all-'));
    const file = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    file('package.json', '{ "type": "module" }');
    file(
      'node_modules/vitest/vitest.mjs',
      `import { writeFileSync } from 'node:fs';
const path = process.env.LOCKSTEP_TEST_REPORT;
if (path) writeFileSync(path, '{ "tests": [], "errors": [] }');`,
    );
    file('scripts/build.js', 'export async function build() {}');
    file('scripts/ledger.js', '');
    for (const path of ['package-lock.json', 'node_modules/.lockstep-lock']) file(`e2e/${path}`, '{}');
    for (const path of ['.test-report.json', '.test-report.e2e.json']) file(path, 'of before');
    copyScripts(root, 'test.js', 'e2e.js', 'reports.js');
    const { status } = spawnSync(process.execPath, [`scripts/${script}`, ...options], { cwd: root });
    const report = (path: string) =>
      existsSync(join(root, path)) &&
      (readFileSync(join(root, path), 'utf8') === 'of before' ? 'old' : 'new');
    return { status, tests: report('.test-report.json'), clients: report('.test-report.e2e.json') };
  }

  it('each leaves a report of its own; the tests take away that of clients that were played before', () => {
    expect(played('test.js')).toEqual({ status: 0, tests: 'new', clients: false });
    expect(played('e2e.js')).toEqual({ status: 0, tests: 'old', clients: 'new' });
  });

  it('some of them only leave the reports as they were', () => {
    expect(played('test.js', 'src/model')).toEqual({ status: 0, tests: 'old', clients: 'old' });
    expect(played('e2e.js', 'rate-limit')).toEqual({ status: 0, tests: 'old', clients: 'old' });
  });
});
