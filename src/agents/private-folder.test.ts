import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { privateFolder, removeFoldersOf } from './private-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'private-folder-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('private folder', () => {
  it('nobody else may look into it or its files', () => {
    const folder = privateFolder(base);
    const file = folder.write('mcp.json', '{}');
    expect([statSync(folder.path).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    folder.remove();
    folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });

  it('Z1: what a dead process left a day ago is removed; what is young or may be in use stays', () => {
    const dead = spawnSync('true').pid;
    const put = (name: string, ageHours: number) => {
      const path = join(base, name);
      mkdirSync(path);
      const when = Date.now() / 1000 - ageHours * 3600;
      utimesSync(path, when, when);
      return path;
    };
    const old = put(`lockstep-client-${dead}-aaaaaa`, 25);
    const stay = [
      put(`lockstep-client-${dead}-bbbbbb`, 1),
      put(`lockstep-client-${process.pid}-cccccc`, 25),
      put('lockstep-client-x', 25),
      put('other', 25),
    ];
    privateFolder(base).remove();
    expect(existsSync(old)).toBe(false);
    expect(stay.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("Z1: what a process left that is known to be dead is removed at once, and nobody else's", () => {
    const [dead, other] = [spawnSync('true').pid, spawnSync('true').pid];
    const paths = [dead, other, process.pid].map((pid) => join(base, `lockstep-client-${pid}-aaaaaa`));
    for (const path of paths) mkdirSync(path);
    removeFoldersOf(dead, base);
    removeFoldersOf(process.pid, base);
    expect(paths.map((path) => existsSync(path))).toEqual([false, true, true]);
  });
});
