// Random lines, judged by the lists and then run for real: no line that is let through runs or writes what the lists are
// against. LOCKSTEP_FUZZ_SEED and LOCKSTEP_FUZZ_LINES choose others; a failure names the seed.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tries } from '../support/tries.ts';
import { corpusOf } from './corpus.ts';
import { fitsPatterns, isPush, isRemoval, refusal, reportOf } from './judge.ts';
import { Random } from './random.ts';
import { LineMaker } from './random-line.ts';
import { bothShells, canSandbox, noShellLines, type Ran } from './sandbox.ts';

const SEED = Number(process.env.LOCKSTEP_FUZZ_SEED ?? 20261115);
const LINES = Number(process.env.LOCKSTEP_FUZZ_LINES ?? tries(50_000, 1_500));
/** Commands and files that a failure shows. */
const SHOWN = 60;
const TIME = 1_200_000;

const DENY = ['Bash(git push *)', 'Bash(rm *)'];
const ALLOW: readonly (readonly string[])[] = [
  ['Bash(npm *)'],
  ['Bash(npm test)'],
  ['Bash(npm test*)', 'Bash(git diff *)'],
  ['Bash(npm *)', 'Bash(git diff *)', 'Bash(echo *)'],
  ['Bash(npm *)', 'Bash(git status*)', 'Bash(git log *)', 'Bash(ls *)', 'Bash(true)', 'Bash(echo *)'],
  ['Bash(git commit *)', 'Bash(cat *)', 'Bash(echo *)', 'Bash(npm *)'],
  ['Bash(git diff:*)', 'Bash(make *)', 'Bash(node *)'],
];

// Other languages start what they like: see out-of-reach.txt. Lines that read a script from a file as well.
const isOfAnotherLanguage = (line: string) => /\b(?:awk|gawk|perl|sed|script|base64|rev|tr)\b/.test(line);
const files = readdirSync(join(import.meta.dirname, 'corpus')).filter((name) =>
  /^(?:honest|hostile|allowed)/.test(name),
);
const corpus = corpusOf(...files)
  .map(({ line }) => line)
  .filter((line) => line.length < 600 && !isOfAnotherLanguage(line))
  // A loop that waits for something would wait for ever: nothing ever happens in the sandbox.
  .filter((line) => !/\b(?:while|until)\b/.test(line) || /\b(?:break|read)\b/.test(line));

interface Case {
  line: string;
  allow: readonly string[];
}

function randomCases(count: number): Case[] {
  const random = new Random(SEED);
  const maker = new LineMaker(random, corpus);
  const seen = new Set<string>();
  const cases: Case[] = [];
  while (cases.length < count) {
    const line = maker.line();
    const allow = random.pick(ALLOW);
    if (seen.has(line) || isOfAnotherLanguage(line)) continue;
    seen.add(line);
    cases.push({ line, allow });
  }
  return cases;
}

/** What was found before: each line is judged under every list. */
const found: Case[] = corpusOf('found.txt').flatMap(({ line }) =>
  line.includes('\0') ? [] : ALLOW.map((allow) => ({ line, allow })),
);

describe.skipIf(!canSandbox())('SEC-SHELL-FUZZ [skip: needs namespaces]', () => {
  const shells = bothShells();

  it.each([
    ['what was found before', found],
    [`${LINES} random lines`, LINES],
  ] as const)(
    'no line that is let through runs or writes what it may not: %s',
    async (_, given) => {
      const cases = typeof given === 'number' ? randomCases(given) : given;
      const judged = cases.map(({ line, allow }) => ({
        line,
        allow,
        isAllowed: refusal({ allow: [...allow] }, line) === undefined,
        isUndenied: refusal({ deny: DENY }, line) === undefined,
      }));
      const passed = judged.filter(({ isAllowed, isUndenied }) => isAllowed || isUndenied);
      const lines = [...new Set(passed.map(({ line }) => line))];
      const [inBash, inDash] = await shells.run(lines);
      const ran = new Map(lines.map((line, index) => [line, [inBash[index], inDash[index]] as [Ran, Ran]]));
      const problems: string[] = [];
      for (const { line, allow, isAllowed, isUndenied } of passed) {
        for (const [index, done] of (ran.get(line) as [Ran, Ran]).entries()) {
          const where = `${index === 0 ? 'bash' : 'dash'}: ${JSON.stringify(line)}`;
          const denied = done.programs.find((program) => isPush(program) || isRemoval(program));
          if (isUndenied && denied) problems.push(`${where} ran ${denied.join(' ')}, which is denied`);
          const other = [...done.programs, ...done.missing].find((program) => !fitsPatterns(allow, program));
          if (isAllowed && other)
            problems.push(`${where} ran ${other.join(' ')}; allowed is ${allow.join(', ')}`);
          if (isAllowed && done.wrote) problems.push(`${where} wrote a file; allowed is ${allow.join(', ')}`);
        }
      }
      const stuck = lines.filter((_line, index) => inBash[index]?.stuck || inDash[index]?.stuck).length;
      const share = (key: 'isAllowed' | 'isUndenied') =>
        `${((100 * judged.filter((one) => one[key]).length) / judged.length).toFixed(1)} %`;
      console.log(
        `seed ${SEED}: ${cases.length} lines, allowed ${share('isAllowed')}, not denied ${share('isUndenied')}, ` +
          `${lines.length} run in bash and dash, ${stuck} of them stopped`,
      );
      problems.sort((a, b) => a.length - b.length);
      const report = reportOf(problems.slice(0, SHOWN), problems.length);
      expect(report === '' ? '' : `seed ${SEED}: ${report}`).toBe('');
    },
    TIME,
  );

  it('what each line of found.txt is about is judged without a fault', () => {
    for (const { line } of corpusOf('found.txt')) expect(() => refusal({ deny: DENY }, line)).not.toThrow();
  });
});

describe('SEC-SHELL-USEFUL', () => {
  const random = new Random(SEED);
  const maker = new LineMaker(random, corpus);
  const plain = [...new Set(Array.from({ length: 5000 }, () => maker.plain()))];

  it('plain random lines are shell lines', () => {
    expect(noShellLines(plain.slice(0, 300))).toEqual([]);
  });

  it('of plain random lines a deny list lets 99 % through', () => {
    const denied = plain.filter((line) => refusal({ deny: DENY }, line) !== undefined);
    expect(denied.length, denied.slice(0, SHOWN).join('\n---\n')).toBeLessThanOrEqual(plain.length / 100);
  });

  it('an allow list that names their commands allows 95 % of them', () => {
    const names = [
      'npm',
      'git',
      'ls',
      'node',
      'echo',
      'make',
      'true',
      'cat',
      'tail',
      'break',
      'A=b *',
      'timeout',
      'diff',
      'bash',
      'f',
    ];
    const allow = names.flatMap((name) => [
      `Bash(${name})`,
      `Bash(${name} *)`,
      `Bash(${name} > *)`,
      `Bash(${name} * > *)`,
    ]);
    const refused = plain.filter((line) => refusal({ allow }, line) !== undefined);
    expect(refused.length, refused.slice(0, SHOWN).join('\n---\n')).toBeLessThanOrEqual(plain.length / 20);
  });
});
