import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import { Fault } from '../model/fault.ts';
import { isWithin, normalise, openBoundary, realSegments } from './boundary.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-boundary-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const root = join(base, 'work');
mkdirSync(join(root, 'a/b/c'), { recursive: true });
mkdirSync(join(base, 'out/deep'), { recursive: true });
writeFileSync(join(base, 'out/deep/file'), '');
writeFileSync(join(root, 'a/file'), '');

// Links of every direction; random paths walk through them.
const links: Record<string, string> = {
  'a/in': 'b',
  'a/root': '../',
  'a/out': '../../out',
  'a/b/abs-in': join(root, 'a'),
  'a/b/abs-out': join(base, 'out'),
  'a/b/c/up': '../../..',
  'a/b/c/upper': '../../../..',
  'a/b/dangling-in': 'nothing/here',
  'a/b/dangling-out': '../../../nothing',
  'a/chain': 'in/abs-out/deep',
  'a/self': 'self',
};
for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
const boundary = openBoundary(root);

const segment = fc.constantFrom(
  'a',
  'b',
  'c',
  'in',
  'root',
  'out',
  'abs-in',
  'abs-out',
  'up',
  'upper',
  'dangling-in',
  'dangling-out',
  'chain',
  'self',
  'deep',
  'file',
  'new',
  '.',
  '..',
  '',
  'work',
);
const paths = fc.array(segment, { maxLength: 8 }).map((segments) => segments.join('/'));

it('S4: where a path is said to lead is where the kernel says it leads, and that is inside', () => {
  fc.assert(
    fc.property(paths, (path) => {
      let segments: string[];
      try {
        segments = realSegments(boundary, path);
      } catch (error) {
        expect((error as Fault).code).toBe('path-outside');
        return;
      }
      const place = join(boundary.real, ...segments);
      expect(isWithin(boundary.real, place)).toBe(true);
      // The deepest part that exists has no link left in it.
      for (let part = place; ; part = resolve(part, '..')) {
        const real = tryRealpath(part);
        if (real === undefined) continue;
        expect(real).toBe(part);
        break;
      }
    }),
    { numRuns: tries(3_000, 600) },
  );
});

it('S4: what is refused really leads outside, or nowhere', () => {
  fc.assert(
    fc.property(paths, (path) => {
      const refused = codeOf(() => realSegments(boundary, path)) === 'path-outside';
      if (codeOf(() => normalise(boundary, path)) !== undefined) {
        expect(refused).toBe(true);
        return;
      }
      // Where the kernel can follow it to the end, both agree.
      const real = tryRealpath(join(root, normalise(boundary, path)));
      if (real !== undefined) expect(refused).toBe(!isWithin(root, real));
    }),
    { numRuns: tries(3_000, 600) },
  );
});

it('S4: a path of plain names is never refused, and is itself', () => {
  const name = fc
    .string({ minLength: 1, unit: 'binary' })
    .filter((text) => !/[/\0]/.test(text) && !/^\.\.?$/.test(text));
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
      fc.pre(names[0] !== 'a');
      expect(normalise(boundary, names.join('/'))).toBe(names.join('/'));
      expect(realSegments(boundary, names.join('/'))).toEqual(names);
    }),
  );
});

it('a folder whose name only begins like the root is outside', () => {
  expect(isWithin('/work', '/workshop')).toBe(false);
  expect(isWithin('/work', '/work/shop')).toBe(true);
  expect(isWithin('/', '/anything')).toBe(true);
});

function tryRealpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}
