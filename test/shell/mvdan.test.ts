// The second oracle, mvdan/sh: what it takes for a shell line, and that a line printed in another way is judged alike.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../support/tries.ts';
import { corpusOf } from './corpus.ts';
import { isPush, isRemoval, refusal, reportOf } from './judge.ts';
import { reprinted } from './mvdan.ts';
import { Random } from './random.ts';
import { LineMaker } from './random-line.ts';
import { canSandbox, Sandbox } from './sandbox.ts';

const TIME = 300_000;
const names = readdirSync(join(import.meta.dirname, 'corpus'));
const honest = corpusOf(...names.filter((name) => name.startsWith('honest-'))).map(({ line }) => line);
// A printer may leave out a character that only an odd reader would take for a blank.
const isPlain = (line: string) => !/[^\n\t\x20-\x7e]/.test(line);
const isTried = (_line: string, index: number) => index % tries(1, 4) === 0;
const pushing = corpusOf('hostile-push.txt')
  .map(({ line }) => line)
  .filter(isPlain);
const removing = corpusOf('hostile-rm.txt')
  .map(({ line }) => line)
  .filter(isPlain);

describe.skipIf(!canSandbox())('SEC-SHELL-MVDAN [skip: needs namespaces]', () => {
  let bash: Sandbox;
  beforeAll(() => {
    bash = new Sandbox('bash');
  });
  afterAll(() => bash?.remove());

  it.each([[false], [true]])(
    'an honest line is let through as mvdan/sh prints it (minified: %s)',
    async (minify) => {
      const random = new LineMaker(new Random(7), honest);
      const lines = [...honest, ...Array.from({ length: tries(300, 60) }, () => random.plain())].filter(
        isTried,
      );
      const printed = await reprinted(lines, { minify });
      const foreign = lines.filter((_, index) => printed[index] === undefined);
      expect(foreign.length, foreign.join('\n---\n')).toBeLessThan(lines.length / 100);
      const denied = printed.flatMap((line) =>
        line !== undefined && refusal({ deny: ['Bash(git push *)'] }, line) !== undefined
          ? [JSON.stringify(line)]
          : [],
      );
      expect(reportOf(denied, lines.length)).toBe('');
    },
    TIME,
  );

  it.each([
    ['Bash(git push *)', pushing, false],
    ['Bash(git push *)', pushing, true],
    ['Bash(rm *)', removing, false],
    ['Bash(rm *)', removing, true],
  ] as const)(
    '%s denies a hostile line as mvdan/sh prints it',
    async (item, all, minify) => {
      const lines = all.filter(isTried);
      const printed = await reprinted(lines, { minify });
      const known = printed.filter((line) => line !== undefined);
      expect(known.length).toBeGreaterThan(lines.length * 0.9);
      const passed = known.filter((line) => refusal({ deny: [item] }, line) === undefined);
      // Whether the printer kept the meaning, only a shell can tell.
      const ran = await bash.run(passed);
      const meant = passed.filter((_line, index) =>
        ran[index]?.programs.some((program) => isPush(program) || isRemoval(program)),
      );
      expect(
        reportOf(
          meant.map((line) => JSON.stringify(line)),
          lines.length,
        ),
      ).toBe('');
    },
    TIME,
  );
});
