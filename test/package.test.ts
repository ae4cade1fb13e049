// The package as a stranger gets it: packed, installed without a network into an empty prefix, and run.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, projectRoot, type Scratch, scratch } from './scratch.ts';

const base = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
const prefix = join(base, 'prefix');
const installed = join(prefix, 'lib/node_modules/lockstep');
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Record<
  string,
  unknown
>;
// Nothing may come from the network, a cache or the settings of whoever runs the tests.
const env = { ...process.env, npm_config_cache: join(base, 'cache'), npm_config_offline: 'true', HOME: base };
const npm = (...argv: string[]) =>
  execFileSync('npm', argv, { cwd: projectRoot, env, encoding: 'utf8', stdio: 'pipe' });
let tarball: string;
/** As its README has it. */
const demo = 'run SPEC.md --script answers.yaml';

beforeAll(() => {
  npm('pack', '--pack-destination', base);
  tarball = join(base, readdirSync(base).find((name) => name.endsWith('.tgz')) ?? 'none.tgz');
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the installed package', () => {
  let project: Scratch;
  beforeAll(() => {
    project = scratch({ git: true, command: join(prefix, 'bin/lockstep') });
    cpSync(join(installed, 'examples/demo'), project.root, { recursive: true });
    project.sh('git add -A && git commit -qm demo');
  });
  afterAll(() => project.remove());

  it('LS-PROJECT-PACKAGE: is one ES module package with one command and nothing to install besides', () => {
    expect(manifest).toMatchObject({
      name: 'lockstep',
      type: 'module',
      bin: { lockstep: 'dist/lockstep.js' },
      engines: { node: '>=20.19' },
    });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(readdirSync(join(prefix, 'lib/node_modules'))).toEqual(['lockstep']);
    expect(project.spawned('--version').stdout).toBe(`${manifest.version}\n`);
  });

  it('LS-PROJECT-LICENCE: is under MIT, and has the licences of what is bundled', () => {
    expect(manifest.license).toBe('MIT');
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('MIT License');
    const others = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['commander', 'yaml', '@marcbachmann/cel-js', 're2js'])
      expect(others).toContain(`\n${name} `);
  });

  it('carries no source, tests or tools', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'LICENSE',
      'README.md',
      'THREATS.md',
      'builtin',
      'dist',
      'docs',
      'examples',
      'package.json',
    ]);
    expect(readdirSync(join(installed, 'examples'))).toEqual(['demo']);
  });

  it('LS-PROJECT-PACK: runs the demo workflow', () => {
    expectDemo(project.spawned(...demo.split(' ')));
  });

  it('LS-PROJECT-NPX, WR44-FR-012, WR44-LAUNCH-8: `npx lockstep run SPEC.md` works from the packed file', () => {
    const other = scratch({ git: true });
    cpSync(join(installed, 'examples/demo'), other.root, { recursive: true });
    cpSync(tarball, join(other.root, 'lockstep-packed.tgz'));
    const offline = `npm_config_cache=${join(base, 'cache')} npm_config_offline=true`;
    // As far as the plan: that the whole of it runs is shown above, and takes its time.
    const ended = other.sh(`${offline} npx --yes ./lockstep-packed.tgz ${demo} --dry-run`);
    expectDemo(ended);
    expect(ended.stdout).toMatch(/✓ analyze[\s\S]*✓ plan[\s\S]*skipped: --dry-run/);
    other.remove();
  });
});

function expectDemo({ exitCode, stdout, stderr }: Ended): void {
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout + stderr).toMatch(/completed/i);
}
