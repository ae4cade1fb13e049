import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { afterAll, describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import { openBoundary } from './boundary.ts';
import { compareBytes } from './byte-order.ts';
import { glob } from './glob.ts';
import { matchesPath, parseGlob } from './glob-pattern.ts';
import { matchesSegment, parseSegment } from './glob-segment.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-glob-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function tree(name: string, files: string[], links: Record<string, string> = {}) {
  const root = join(base, name);
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  return openBoundary(root);
}

const boundary = tree('tree', [
  'README.md',
  'a.plan.md',
  'src/a.ts',
  'src/b.tsx',
  'src/deep/er/c.ts',
  'src/deep/d.md',
  'test/a.test.ts',
  'docs/x.plan.md',
  '.env',
  '.github/workflows/ci.yml',
  'src/.hidden/h.ts',
  '.git/config',
  'node_modules/pkg/index.ts',
  'src/node_modules/m.ts',
  '.lockstep/workflows/w.yaml',
  '.lockstep/runs/1/journal.jsonl',
  'odd/a b.txt',
  'odd/[x].txt',
  'odd/{y}.txt',
  'odd/*.txt',
  'odd/(z).txt',
  'odd/ü.txt',
  'odd/1.txt',
]);

describe('patterns', () => {
  const table: [string, string[]][] = [
    ['*.md', ['README.md', 'a.plan.md']],
    ['**/*.plan.md', ['a.plan.md', 'docs/x.plan.md']],
    ['src/**/*.ts', ['src/a.ts', 'src/deep/er/c.ts']],
    ['src/**', ['src/a.ts', 'src/b.tsx', 'src/deep', 'src/deep/d.md', 'src/deep/er', 'src/deep/er/c.ts']],
    ['src', ['src']],
    ['./src/a.ts', ['src/a.ts']],
    ['src//a.ts', ['src/a.ts']],
    ['src/', ['src']],
    ['*/', ['docs', 'odd', 'src', 'test']],
    ['README.md/', []],
    ['**/**/c.ts', ['src/deep/er/c.ts']],
    ['src/**/deep/**/c.ts', ['src/deep/er/c.ts']],
    ['src/*.{ts,tsx}', ['src/a.ts', 'src/b.tsx']],
    ['{src,test}/a*.ts', ['src/a.ts', 'test/a.test.ts']],
    ['{src/deep,docs}/*.md', ['docs/x.plan.md', 'src/deep/d.md']],
    ['odd/{0..2}.txt', ['odd/1.txt']],
    ['src/{b,{a,c}}.ts*', ['src/a.ts', 'src/b.tsx']],
    ['src/[ab].ts*', ['src/a.ts', 'src/b.tsx']],
    ['src/[!a].ts*', ['src/b.tsx']],
    ['src/?.ts', ['src/a.ts']],
    ['odd/?.txt', ['odd/*.txt', 'odd/1.txt', 'odd/ü.txt']],
    ['odd/[[:digit:]].txt', ['odd/1.txt']],
    ['odd/[[]x].txt', ['odd/[x].txt']],
    [String.raw`odd/\[x\].txt`, ['odd/[x].txt']],
    [String.raw`odd/\*.txt`, ['odd/*.txt']],
    ['odd/{y}.txt', ['odd/{y}.txt']],
    ['odd/(z).txt', ['odd/(z).txt']],
    ['odd/a b.txt', ['odd/a b.txt']],
    ['nothing/*', []],
    ['README.md/*', []],
    // G2
    ['*env', []],
    ['.*', ['.env', '.github', '.lockstep']],
    ['.env', ['.env']],
    ['[.]env', []],
    ['?env', []],
    ['**/.hidden/*', ['src/.hidden/h.ts']],
    ['.github/**', ['.github/workflows', '.github/workflows/ci.yml']],
    // G3
    ['**/index.ts', []],
    ['*/m.ts', []],
    ['node_modules/**', ['node_modules/pkg', 'node_modules/pkg/index.ts']],
    ['**/node_modules/*.ts', ['src/node_modules/m.ts']],
    ['.git/*', ['.git/config']],
    ['.lockstep/**', ['.lockstep/workflows', '.lockstep/workflows/w.yaml']],
    ['.lockstep/runs/**', ['.lockstep/runs/1', '.lockstep/runs/1/journal.jsonl']],
  ];
  it.each(table)('%j finds %j', (pattern, expected) => {
    expect(glob(boundary, pattern)).toEqual(expected);
  });

  it.each([
    ['', 'it is empty'],
    ['!**/*.md', 'a pattern says what is meant'],
    ['@(a|b).ts', 'groups such as'],
    ['src/!(a).ts', 'groups such as'],
    ['{a,b}'.repeat(11), 'more than 1000'],
    ['{1..999999}', 'more than 1000'],
    ['a'.repeat(5000), 'too long'],
  ])('%j is refused, not read as something else', (pattern, why) => {
    expect(() => glob(boundary, pattern)).toThrow(
      expect.objectContaining({ code: 'glob-invalid', message: expect.stringContaining(why) }),
    );
  });

  it('takes time linear in pattern and name where backtracking would take hours', () => {
    const from = performance.now();
    const name = 'a'.repeat(255);
    expect(matchesSegment(parseSegment(`${'*a'.repeat(100)}*b`), name, false)).toBe(false);
    expect(matchesPath(parseGlob(boundary, `${'**/a/'.repeat(200)}b`), Array(400).fill('a').join('/'))).toBe(
      false,
    );
    for (const hostile of ['{'.repeat(4000), '{,'.repeat(1300), '['.repeat(4000), '\\'.repeat(4001)])
      try {
        glob(boundary, hostile);
      } catch (error) {
        expect(error).toMatchObject({ code: 'glob-invalid' });
      }
    expect(performance.now() - from).toBeLessThan(5000);
  });

  it('agrees with picomatch on everything both know', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'ab',
      '*',
      '?',
      'a*',
      '*b',
      '*a*',
      '[ab]',
      '[^a]',
      '{a,b}',
      '{a,bb}*',
      '.a',
      '.*',
    );
    const patterns = fc.array(fc.oneof({ weight: 3, arbitrary: piece }, fc.constant('**')), {
      minLength: 1,
      maxLength: 4,
    });
    const names = fc.array(fc.constantFrom('a', 'b', 'ab', 'bb', 'aab', '.a', 'x'), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(patterns, names, (segments, path) => {
        // There `a/**` also finds `a` itself; here `**` at the end is what lies inside.
        fc.pre(segments.at(-1) !== '**');
        const pattern = segments.join('/');
        const ours = matchesPath(parseGlob(boundary, pattern), path.join('/'));
        expect(ours).toBe(picomatch(pattern, { dot: true })(path.join('/')));
      }),
      { numRuns: tries(3_000, 600) },
    );
  });
});

describe('posix', () => {
  const table: [string, string[]][] = [
    ['*.md', ['README.md', 'a.plan.md']],
    ['*', ['README.md', 'a.plan.md', 'docs', 'node_modules', 'odd', 'src', 'test']],
    ['src/a**.ts', ['src/a.ts']],
    // A pattern that matches nothing may be a name, as in a shell; the folder itself is there too.
    ['odd/[x].txt', ['odd/[x].txt']],
    ['.', ['.']],
    ['./', ['.']],
    ['src/*/*.md', ['src/deep/d.md']],
    ['src/?.ts', ['src/a.ts']],
    ['src/[ab].ts*', ['src/a.ts', 'src/b.tsx']],
    ['src/[!a].ts*', ['src/b.tsx']],
    ['src/[^a].ts*', ['src/b.tsx']],
    ['src/', ['src']],
    ['./src//a.ts', ['src/a.ts']],
    ['*/index.ts', []],
    ['node_modules/*/index.ts', ['node_modules/pkg/index.ts']],
    ['*/m.ts', []],
    ['*/node_modules/m.ts', ['src/node_modules/m.ts']],
    // No braces, no groups: they are names.
    ['odd/{y}.txt', ['odd/{y}.txt']],
    ['src/{a,b}.ts', []],
    ['odd/(z).txt', ['odd/(z).txt']],
    ['@(a|b).ts', []],
    ['!a', []],
    // A leading dot is found only by one.
    ['*env', []],
    ['?env', []],
    ['[.]env', []],
    ['.*', ['.env', '.git', '.github', '.lockstep']],
    ['src/*/h.ts', []],
    ['src/.*/h.ts', ['src/.hidden/h.ts']],
    [String.raw`odd/\*.txt`, ['odd/*.txt']],
    ['odd/[[]x].txt', ['odd/[x].txt']],
    [
      'odd/*.txt',
      ['odd/(z).txt', 'odd/*.txt', 'odd/1.txt', 'odd/[x].txt', 'odd/a b.txt', 'odd/{y}.txt', 'odd/ü.txt'],
    ],
  ];
  it.each(table)('%j finds %j', (pattern, expected) => {
    expect(glob(boundary, pattern, 'posix')).toEqual(expected);
  });

  it.each(['**', 'src/**/c.ts', '**/c.ts', 'src/***'])(
    '%j is refused: it would find less than it says',
    (pattern) => {
      expect(() => glob(boundary, pattern, 'posix')).toThrow(
        expect.objectContaining({ code: 'glob-invalid' }),
      );
    },
  );

  it('an empty pattern is refused', () => {
    expect(() => glob(boundary, '', 'posix')).toThrow(expect.objectContaining({ code: 'glob-invalid' }));
  });

  it('agrees with the shell, file by file', () => {
    const names = ['a', 'b', 'ab', '.a', '.ab', 'a.b', '-', ']', 'x/a', 'x/.b', '.x/a', 'xx/ab', 'A'];
    const here = tree('shell', names);
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '*',
      '?',
      '**',
      '[ab]',
      '[!a]',
      '[a-c]',
      '[]a]',
      '[a',
      'x',
      '-',
      'A',
    );
    const segment = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    const patterns = fc.array(segment, { minLength: 1, maxLength: 2 }).map((segments) => segments.join('/'));
    const sample = fc
      .sample(patterns, { numRuns: 300, seed: 7 })
      .filter((pattern) => !/(^|\/)(\.{1,2}|\*{2,})(\/|$)/.test(pattern));
    // Word splitting is off: what the shell prints is what it expanded.
    const script = 'IFS=; LC_ALL=C; for p; do printf "%s\\n" $p; printf "\\n"; done';
    const said = execFileSync('/bin/sh', ['-c', script, 'sh', ...sample], {
      cwd: here.real,
      encoding: 'utf8',
    });
    const answers = said.split('\n\n').map((lines) => lines.split('\n'));
    sample.forEach((pattern, index) => {
      const theirs = (answers[index] ?? [])
        // A pattern that matches nothing is printed as it is; `.` and `..` are no files of ours.
        .filter((name) => !/(^|\/)\.{1,2}(\/|$)/.test(name) && existsSync(join(here.real, name)));
      expect([pattern, glob(here, pattern, 'posix')]).toEqual([pattern, theirs.sort(compareBytes)]);
    });
  });
});

describe('walking', () => {
  it('G4: symlinks in a circle end the walk, and ** does not go through any', () => {
    const looped = tree('loop', ['a/b/file'], {
      'a/b/up': '..',
      'a/self': '.',
      alias: 'a',
      'to-file': 'a/b/file',
      dangling: 'no',
    });
    expect(glob(looped, '**')).toEqual(['a', 'a/b', 'a/b/file', 'a/b/up', 'a/self', 'alias', 'to-file']);
    expect(glob(looped, 'alias/b/*')).toEqual(['alias/b/file', 'alias/b/up']);
    expect(glob(looped, 'alias/**')).toEqual(['alias/b', 'alias/b/file', 'alias/b/up', 'alias/self']);
    expect(glob(looped, 'a/b/up/b/up/b/file')).toEqual(['a/b/up/b/up/b/file']);
    expect(glob(looped, 'dangling')).toEqual([]);
  });

  it('G6: folders where nothing can match are not read', () => {
    const wide = tree('wide', Array.from({ length: 3000 }, (_, n) => `big/${n}/file`).concat('small/x.md'));
    const time = (pattern: string) => {
      const from = performance.now();
      expect(glob(wide, pattern).length).toBeGreaterThan(0);
      return performance.now() - from;
    };
    time('small/*.md');
    const all = time('**/x.md');
    expect(Math.min(time('small/*.md'), time('small/*.md'))).toBeLessThan(all / 5);
  });

  it('a tree hundreds of folders deep is walked', () => {
    mkdirSync(join(base, 'deep', 'folder/'.repeat(500)), { recursive: true });
    expect(glob(openBoundary(join(base, 'deep')), '**')).toHaveLength(500);
  });
});

it('G1: names are ordered as their UTF-8 bytes', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 });
  fc.assert(
    fc.property(texts, (names) => {
      const bytes = (text: string) => Buffer.from(text);
      const shown = (list: Buffer[]) => list.map((each) => each.toString('hex')).join(' ');
      expect(shown([...names].sort(compareBytes).map(bytes))).toBe(
        shown(names.map(bytes).sort(Buffer.compare)),
      );
    }),
  );
});
