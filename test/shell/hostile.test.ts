// Lines that run a denied command in disguise. The sandbox shows that each of them really does.

import { describe, expect, it } from 'vitest';
import { runsCommand } from '../../src/expressions/phrases.ts';
import { tries } from '../support/tries.ts';
import { corpusOf } from './corpus.ts';
import { isPush, isRemoval, refusal, reportOf } from './judge.ts';
import { bothShells, canSandbox, type Ran } from './sandbox.ts';

const pushing = corpusOf('hostile-push.txt');
const removing = corpusOf('hostile-rm.txt');
const outOfReach = corpusOf('out-of-reach.txt');
/** Lines whose programs the sandbox has not got: taken on trust. */
const UNPROVEN = 'unproven';

describe('SEC-SHELL-DENY', () => {
  it.each([
    ['Bash(git push *)', pushing],
    ['Bash(git push:*)', pushing],
    ['Bash(git push*)', pushing],
    ['Bash(rm *)', removing],
    ['Bash(rm:*)', removing],
  ] as const)('%s denies each hostile line', (item, lines) => {
    const passed = lines.filter(({ line }) => refusal({ deny: [item] }, line) === undefined);
    expect(
      reportOf(
        passed.map(({ at, line }) => `${at}: ${JSON.stringify(line)}`),
        lines.length,
      ),
    ).toBe('');
  });

  it('no hostile line is allowed by a list of harmless commands', () => {
    const allow = [
      'Bash(npm *)',
      'Bash(echo *)',
      'Bash(git status*)',
      'Bash(git log *)',
      'Bash(ls *)',
      'Bash(cat *)',
    ];
    // `npm exec -- git push` is what whoever allows `npm *` allows.
    const lines = [...pushing, ...removing].filter(({ heading }) => !heading.startsWith(UNPROVEN));
    const passed = lines.filter(({ line }) => refusal({ allow }, line) === undefined);
    expect(
      reportOf(
        passed.map(({ at, line }) => `${at}: ${JSON.stringify(line)}`),
        lines.length,
      ),
    ).toBe('');
  });

  it.each([
    ['git push', pushing],
    ['rm', removing],
  ] as const)('command_runs("%s") is true of each hostile line, or refuses to say', (wanted, lines) => {
    const missed = lines.filter(({ line }) => {
      try {
        return runsCommand(line, wanted) === false;
      } catch {
        return false;
      }
    });
    expect(
      reportOf(
        missed.map(({ at, line }) => `${at}: ${JSON.stringify(line)}`),
        lines.length,
      ),
    ).toBe('');
  });
});

describe.skipIf(!canSandbox())('what the lists say is true [skip: needs namespaces]', () => {
  const shells = bothShells();

  it.each([
    ['git push', isPush, [...pushing, ...outOfReach]],
    ['rm', isRemoval, removing],
  ] as const)('each hostile line runs %s in bash or dash', async (_, isMeant, all) => {
    // No shell can be given a NUL.
    const provable = all.filter(({ line, heading }) => !heading.startsWith(UNPROVEN) && !line.includes('\0'));
    const lines = provable.filter((_line, index) => index % tries(1, 4) === 0);
    const texts = lines.map(({ line }) => line);
    const [inBash, inDash] = await shells.run(texts);
    const runs = (ran: Ran | undefined) => ran?.programs.some((program) => isMeant(program)) === true;
    const wrong = lines.filter((_line, index) => !runs(inBash[index]) && !runs(inDash[index]));
    expect(
      reportOf(
        wrong.map(({ at, line }) => `${at}: ${JSON.stringify(line)}`),
        lines.length,
      ),
    ).toBe('');
  });
});
