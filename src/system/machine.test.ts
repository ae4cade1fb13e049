import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { thisMachine } from './machine.ts';

const machine = thisMachine();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockstep-machine-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('a folder that can be made is writable, and looking leaves nothing behind', () => {
  expect(machine.whyUnwritable(root)).toBeUndefined();
  expect(machine.whyUnwritable(join(root, 'not/yet'))).toBeUndefined();
  expect(readdirSync(root)).toEqual([]);
});

it('what stands in the way is named', () => {
  writeFileSync(join(root, 'file'), '');
  expect(machine.whyUnwritable(join(root, 'file/runs'))).toBe(`${join(root, 'file')} is not a folder`);
  if (process.platform === 'linux') expect(machine.whyUnwritable('/proc/self/none')).toContain('/proc/self');
});

it('tells the space that is left, also for a folder that is still to be made', () => {
  expect(machine.freeSpace(join(root, 'not/yet'))).toBeGreaterThan(0);
});

it('knows itself', () => {
  expect(machine.node).toBe(process.version.slice(1));
  expect(machine.platform).toMatch(/^\w+ \w+$/);
  expect([machine.exists(root), machine.exists(join(root, 'nothing'))]).toEqual([true, false]);
});
