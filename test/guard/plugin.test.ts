import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginFiles } from '../../scripts/plugin.js';
import * as line from '../../src/clients/hook-line.ts';
import * as hooks from '../../src/clients/hooks.ts';
import { isClosed } from '../../src/daemon/hook-times.ts';
import { requestIn } from '../../src/drivers/guard/slash.ts';
import { scratch } from '../scratch.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('GOB-PLUGIN: the plugin', () => {
  it('has the hooks, the server and the version that the code has (`node scripts/plugin.js` writes them)', () => {
    for (const [file, text] of Object.entries(pluginFiles({ ...hooks, ...line, isClosed })))
      expect(JSON.parse(read(file)), file).toEqual(JSON.parse(text));
  });

  it('WR44-FR-012: its commands are those that the drive knows, and their files run nothing', () => {
    const names = readdirSync(join(root, 'plugin/commands')).map((name) => name.replace('.md', ''));
    expect(names.sort()).toEqual(['answer', 'next', 'run', 'status']);
    for (const name of names) {
      expect(requestIn(`/lockstep:${name} x`)).toBeDefined();
      const text = read(`plugin/commands/${name}.md`);
      expect(text).not.toMatch(/!`|^@|allowed-tools/m);
      expect(text).toMatch(/^---\ndescription: .+\n/);
    }
  });

  it('teaches workflows that are valid', () => {
    const text = read('plugin/skills/lockstep-workflows/SKILL.md');
    const project = scratch();
    const [, workflow = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
    project.write('.lockstep/workflows/fix.yaml', workflow);
    expect(project.lockstep('validate', 'fix')).toMatchObject({ exitCode: 0 });
    const known = project.lockstep('--help').stdout;
    for (const [, command] of text.matchAll(/`lockstep ([a-z]+)/g)) expect(known).toContain(`  ${command} `);
    project.remove();
  });

  const claude = join(root, 'e2e/node_modules/.bin/claude');
  it.skipIf(!existsSync(claude))(
    'is accepted by `claude plugin validate` [skip: needs the client, npm run e2e installs it]',
    () => {
      for (const folder of ['.', 'plugin'])
        expect(
          execFileSync(claude, ['plugin', 'validate', join(root, folder)], { encoding: 'utf8' }),
        ).toMatch(/pass|valid/i);
    },
  );
});
