import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookAtPlace } from './place.ts';

let top: string;
let root: string;

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-place-')));
  root = join(top, 'workspace');
  for (const folder of ['workspace/real/deep', 'workspace/data', 'outside'])
    mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(root, 'data/a.txt'), '');
  writeFileSync(join(top, 'outside/secret.txt'), '');
  symlinkSync('../outside', join(root, 'out'));
  symlinkSync('real', join(root, 'in'));
  symlinkSync('../../outside/secret.txt', join(root, 'data/b.txt'));
  symlinkSync('../../nowhere', join(root, 'data/dangling'));
  symlinkSync('round', join(root, 'round'));
});
afterAll(() => rmSync(top, { recursive: true }));

const paths = (path: string, glob?: 'extended' | 'posix') =>
  lookAtPlace(root, { by: 'place', path, ...(glob && { glob }) }).outside.map((found) => found.path);

describe('S4: lookAtPlace', () => {
  it.each([
    ['data/a.txt', []],
    ['not/there/yet', []],
    ['in/deep/x', []],
    ['in/../data', ['in/../data']],
    ['data/*', []],
    ['out', ['out']],
    ['out/', ['out/']],
    ['out/not/there', ['out/not/there']],
    ['data/b.txt', ['data/b.txt']],
    ['data/dangling', ['data/dangling']],
    ['round/x', ['round/x']],
  ])('a path: %s', (path, expected) => {
    expect(paths(path)).toEqual(expected);
  });

  it.each<['extended' | 'posix', string, string[]]>([
    ['extended', 'data/a*', []],
    ['extended', 'in/*', []],
    ['extended', 'out/*.none', ['out']],
    ['extended', 'data/*.txt', ['data/b.txt']],
    ['extended', '{out,data}/a*', ['{out,data}/a*']],
    ['extended', 'out', ['out']],
    ['extended', 'out/**', ['out']],
    ['extended', '**/b.txt', []],
    ['posix', 'out/*.none', ['out']],
    ['posix', 'data/[b]*', ['data/[b]*']],
    ['posix', 'data/[a]*', []],
    ['extended', '[', []],
  ])('a pattern, %s: %s', (glob, path, expected) => {
    expect(paths(path, glob)).toEqual(expected);
  });

  it('says where it leads', () => {
    expect(lookAtPlace(root, { by: 'place', path: 'out/x' }).outside).toEqual([
      { path: 'out/x', leads: join(top, 'outside/x') },
    ]);
  });

  it('has nothing to say about a workspace that is not there', () => {
    expect(lookAtPlace(join(top, 'gone'), { by: 'place', path: 'out' })).toEqual({ outside: [] });
  });
});
