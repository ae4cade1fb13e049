import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { coversGlob, fitsPattern, literalPattern, meetsPattern } from './path-pattern.ts';

const table: [pattern: string, path: string, fits: boolean][] = [
  ['docs/**', 'docs/a/b.md', true],
  ['docs/**', 'docs/.hidden', true],
  ['docs/**', 'docs', true],
  ['docs/**', 'docsx/a', false],
  ['*.md', 'a.md', true],
  ['*.md', 'a/b.md', false],
  ['**/*.md', 'b.md', true],
  ['**/*.md', 'a/b/c.md', true],
  ['**/*.md', 'a/b/c.mdx', false],
  ['**', 'a/b', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'a/xb', false],
  ['a/**/b', 'ab', false],
  ['**/node_modules/**', 'x/node_modules/y/z', true],
  ['src/{a,b}/*.{ts,js}', 'src/b/x.js', true],
  ['src/{a,b}/*.{ts,js}', 'src/c/x.js', false],
  ['{a,{b,c}}.md', 'c.md', true],
  ['{a}', '{a}', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[!a-c]x', 'dx', true],
  ['[!a]x', '/x', false],
  ['[', '[', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['/etc/**', '/etc/passwd', true],
  ['a**b', 'a/b', false],
  ['', 'a', false],
];
it.each(table)('the pattern `%s` and the path `%s`: %s', (pattern, path, fits) => {
  expect(fitsPattern(pattern, path)).toBe(fits);
});

it('agrees with picomatch on patterns of stars, names and braces', () => {
  const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.+$/.test(text));
  const piece = fc.oneof(name, fc.constantFrom('*', '**', 'a*', '*b', '*a*', '{a,b}', '?'));
  const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('/'));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(pattern, path, (one, other) => {
      // picomatch lets a last `**` stand for the folder before it only sometimes; we always do.
      fc.pre(!one.endsWith('/**'));
      expect(`${one} ${other} ${fitsPattern(one, other)}`).toBe(
        `${one} ${other} ${picomatch(one, { dot: true })(other)}`,
      );
    }),
    { numRuns: tries(2_000, 400) },
  );
});

it('takes no longer for a pattern made to be slow', () => {
  expect(fitsPattern(`${'*a'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false);
  expect(fitsPattern(`${'**/'.repeat(200)}b`, `${'a/'.repeat(2_000)}c`)).toBe(false);
});

it('says nothing of a pattern that stands for too many others', () => {
  expect(fitsPattern('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', 'aaaaaaa')).toBeUndefined();
});

describe('SEC-CALLS-GLOB: two patterns', () => {
  it.each<[pattern: string, glob: string, meets: boolean, covers: boolean]>([
    ['src/**', 'src/lib/*.ts', true, true],
    ['src/**', 'src/**/*.ts', true, true],
    ['src/**', '**/*.ts', true, false],
    ['src/**', 'lib/*', false, false],
    ['secret/**', 'secre?/key', true, false],
    ['{src,lib}/**', '{src,lib}/*.ts', true, true],
    ['*.md', '**', true, false],
    ['docs/*.md', 'docs/*', true, false],
    ['[a-m]*', '[n-z]*', false, false],
  ])('%s and %s', (pattern, glob, meets, covers) => {
    expect([meetsPattern(pattern, glob), coversGlob(pattern, glob)]).toEqual([meets, covers]);
  });

  it('what is said of them is true of every path', () => {
    const name = fc.stringMatching(/^[ab]{1,2}$/);
    const piece = fc.oneof(name, fc.constantFrom('*', '**', 'a*', '*b', '{a,b}', '?', '[!a]'));
    const pattern = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('/'));
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(pattern, pattern, path, (one, other, tried) => {
        if (fitsPattern(other, tried) !== true) return;
        const fits = fitsPattern(one, tried);
        if (fits) expect([one, other, meetsPattern(one, other)]).toEqual([one, other, true]);
        else expect([one, other, coversGlob(one, other)]).toEqual([one, other, false]);
      }),
      { numRuns: tries(3_000, 600) },
    );
  });

  it('a literal path is only itself', () => {
    const path = 'app/[id]/{a,b}*?';
    expect(fitsPattern(literalPattern(path), path)).toBe(true);
    expect(fitsPattern(literalPattern(path), 'app/i/a')).toBe(false);
  });

  it('says nothing of what is too much', () => {
    const much = '*a*b*c*d*e*f*g*h*'.repeat(4);
    expect([true, undefined]).toContain(meetsPattern(much, `*${much.split('').reverse().join('')}`));
  });
});
