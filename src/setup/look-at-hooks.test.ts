import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENTS } from '../model/live-session.ts';
import { withHooks } from './hook-settings.ts';
import { lookAtHooks } from './look-at-hooks.ts';
import { hooksFile } from './settings-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'look-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const own = { node: '/usr/bin/node', program: "/opt/it's/lockstep.js" };
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

describe.each(CLIENTS)('hooks of %s', (client) => {
  const environment = () => ({ HOME: root });
  const look = (exists: (path: string) => boolean = () => true) =>
    lookAtHooks(client, { project: join(root, 'project'), environment: environment(), exists });
  const file = () => hooksFile(client, 'user', join(root, 'project'), environment());
  const text = () => withHooks('', { client, own, isClosed: () => true }, 'x').text;

  it('GOB-DOCTOR-HOOKS: there or not, whole or not, of this version or another, of a program that is there or gone', () => {
    expect(look().files).toEqual([]);
    put(file(), text());
    expect(look()).toMatchObject({ files: [{ file: file(), missing: [], outdated: false }], off: [] });
    expect(look((path) => path !== own.program).files[0]?.gone).toBe(own.program);
    put(file(), text().replace(`hook ${client} 1`, `hook ${client} 0`));
    expect(look().files[0]?.outdated).toBe(true);
    put(file(), text().replace('"SessionEnd"', '"Other"'));
    expect(look().files[0]?.missing).toEqual(['SessionEnd']);
  });

  it('GOB-DOCTOR-HOOKS: what switches them off is named', () => {
    put(file(), text().replace(/"timeout": \d+/, '"timeout": 0'));
    expect(look().off).toEqual([expect.stringMatching(/the time-out 0 of a \w+ hook/)]);
    put(file(), '{"a"');
    expect(look().off).toEqual([expect.stringContaining('cannot be read')]);
    put(file(), text());
    const project = hooksFile(client, 'project', join(root, 'project'), environment());
    if (client === 'claude') put(project, '{"disableAllHooks": true}');
    if (client === 'gemini') put(project, '{"hooksConfig": {"enabled": false, "disabled": ["lockstep"]}}');
    if (client === 'codex') put(join(dirname(file()), 'config.toml'), '[features]\nhooks = false\n');
    expect(look().off.length).toBeGreaterThan(0);
  });
});

it('GOB-DOCTOR-HOOKS: the plugin of Claude Code, and the trust of Codex', () => {
  const given = { project: join(root, 'project'), environment: { HOME: root }, exists: () => true };
  put(join(root, '.claude/settings.json'), '{"enabledPlugins": {"lockstep@lockstep": true}}');
  expect(lookAtHooks('claude', given).plugin).toBe(true);
  put(
    join(root, '.codex/hooks.json'),
    withHooks('', { client: 'codex', own, isClosed: () => true }, 'x').text,
  );
  expect(lookAtHooks('codex', given).trusted).toBe(false);
});
