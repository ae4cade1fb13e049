import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findClaude } from './find-claude.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'find-claude-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text = '', mode = 0o644): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}
function sdk(folder: string): string {
  const path = join(folder, 'node_modules/@anthropic-ai/claude-agent-sdk');
  put(
    `${path}/package.json`,
    '{ "version": "0.3.325", "type": "module", "exports": { ".": { "default": "./sdk.mjs" } } }',
  );
  return put(`${path}/sdk.mjs`, 'export const query = 1;');
}
const command = () => put('bin/claude', '#!/bin/sh\n', 0o755);
const find = (more: Record<string, string> = {}, beside?: string) =>
  findClaude({ PATH: join(base, 'bin'), ...more }, join(base, 'project/src'), beside);

describe('AG-CLAUDE-FIND', () => {
  beforeEach(() => put('project/src/x'));

  it('nothing is there', () => {
    expect(find()).toBeUndefined();
    put('bin/claude', 'not executable');
    expect(find()).toBeUndefined();
  });

  it('the command on PATH', () => {
    expect(find()).toBeUndefined();
    const path = command();
    expect(find()).toEqual({ kind: 'cli', path });
  });

  it('the SDK goes before it, where the project can resolve it', () => {
    command();
    const path = sdk('project');
    expect(find()).toEqual({ kind: 'sdk', path, version: '0.3.325' });
  });

  it('the SDK beside Lockstep is found, after the project’s own', () => {
    const beside = sdk('global');
    put('global/node_modules/lockstep/x');
    const lockstep = join(base, 'global/node_modules/lockstep');
    expect(find({}, lockstep)).toMatchObject({ kind: 'sdk', path: beside });
    const own = sdk('project');
    expect(find({}, lockstep)).toMatchObject({ kind: 'sdk', path: own });
  });

  it('LOCKSTEP_CLAUDE takes one of the two only', () => {
    const path = command();
    sdk('project');
    expect(find({ LOCKSTEP_CLAUDE: 'cli' })).toEqual({ kind: 'cli', path });
    rmSync(join(base, 'project/node_modules'), { recursive: true });
    expect(find({ LOCKSTEP_CLAUDE: 'sdk' })).toBeUndefined();
  });
});
