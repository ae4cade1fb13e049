// Lines that agents write all day: a deny list for something else lets each of them through.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runsCommand } from '../../src/expressions/phrases.ts';
import { corpusOf } from './corpus.ts';
import { refusal, reportOf } from './judge.ts';
import { noShellLines } from './sandbox.ts';

const folder = join(import.meta.dirname, 'corpus');
const files = readdirSync(folder).filter((name) => name.startsWith('honest-'));
const honest = corpusOf(...files);
const shown = ({ at, line }: { at: string; line: string }) => `${at}: ${JSON.stringify(line)}`;

interface Allowed {
  allow: string[];
  line: string;
}

/** `allow: Bash(a *), Bash(b)` on a line of its own, then the lines that these allow. */
const allowed: (Allowed & { at: string })[] = corpusOf('allowed.txt').map(({ at, line, heading }) => ({
  at,
  line,
  allow: heading.split(/, (?=Bash)/),
}));

describe('SEC-SHELL-HONEST', () => {
  it('the corpus has more than 1,200 lines, no two of them alike', () => {
    const lines = honest.map(({ line }) => line);
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
    expect(lines.length).toBeGreaterThan(1200);
  });

  it('each is a shell line', () => {
    const wrong = new Set(noShellLines([...honest, ...allowed].map(({ line }) => line)));
    const found = [...honest, ...allowed].filter(({ line }) => wrong.has(line));
    expect(reportOf(found.map(shown), honest.length)).toBe('');
  });

  it.each([
    ['Bash(git push *)'],
    ['Bash(git push:*)'],
    ['Bash(git push --force*)'],
    ['Bash(shutdown *)'],
    ['Bash(npm publish*)'],
    ['Bash(terraform apply *)'],
  ])('deny: [%s] lets each honest line through', (item) => {
    const denied = honest.flatMap((entry) => {
      const why = refusal({ deny: [item] }, entry.line);
      return why === undefined ? [] : [`${shown(entry)} (${why})`];
    });
    expect(reportOf(denied, honest.length)).toBe('');
  });

  it('command_runs("git push") is false of each honest line', () => {
    const wrong = honest.filter(({ line }) => {
      try {
        return runsCommand(line, 'git push') !== false;
      } catch {
        return true;
      }
    });
    expect(reportOf(wrong.map(shown), honest.length)).toBe('');
  });

  it('an allow list allows each line of which it allows every command', () => {
    const refused = allowed.flatMap((entry) => {
      const why = refusal({ allow: entry.allow }, entry.line);
      return why === undefined ? [] : [`${shown(entry)} (${why})`];
    });
    expect(reportOf(refused, allowed.length)).toBe('');
    expect(allowed.length).toBeGreaterThan(150);
  });

  it('the files of the corpus hold no control character but tabs', () => {
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]/);
  });
});
