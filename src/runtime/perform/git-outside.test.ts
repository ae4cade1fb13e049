import { expect, it } from 'vitest';
import { weighOutside } from './git-outside.ts';

const project = '/home/anna/app';
const made = new Set(['c0ffee'.padEnd(40, '0')]);
const weigh = (said: string[], outside: Partial<Parameters<typeof weighOutside>[0]>) =>
  weighOutside({ references: [], files: [], ...outside }, { project, made, said });
const main = { name: 'refs/heads/main', was: '1'.repeat(40), is: '2'.repeat(40) };

it.each([
  ['git -C ../.. commit -m x'],
  [`cp x ${project}/x`],
  ['cd .. && ls'],
  ['git --git-dir=/x commit'],
  ['GIT_DIR=/x git commit'],
])('a way out of the worktree holds what changed there: %s', (line) => {
  expect(weigh([line], { files: ['a.txt'], references: [main] }).held).toHaveLength(2);
});

it.each([
  ['npm test'],
  ['git commit -m "main points"'],
  [`cat ${project}/.worktrees/a/src/x.ts`],
  ['ls ./src...'],
  ['git log HEAD~2..HEAD'],
])('honest calls do not: %s', (line) => {
  const { held, meanwhile } = weigh([line], { files: ['a.txt'] });
  expect([held, meanwhile]).toEqual([[], [`in your checkout ${project}: a.txt`]]);
});

it('a branch is held where a call names it, or where it leads to work of the run', () => {
  expect(weigh(['git branch -f main HEAD'], { references: [main] }).held).toHaveLength(1);
  expect(weigh(['git push . HEAD:main'], { references: [main] }).held).toHaveLength(1);
  expect(weigh([], { references: [{ ...main, is: [...made][0] }] }).held).toHaveLength(1);
  expect(weigh(['git commit -m domain'], { references: [main] }).held).toEqual([]);
});

it('settings that run or hide something are held, those of who commits are not', () => {
  const settings = [
    '.git/config: core.hookspath is "x" (it was not set)',
    '.git/hooks/pre-push is new',
    '.git/info/exclude was changed',
    '.git/config: user.name is "A" (it was not set)',
    '.git/config: branch.x.remote is "origin" (it was not set)',
    '.git/config: alias.user.name is "!x" (it was not set)',
  ];
  const { held } = weigh([], { repository: { settings } });
  expect(held).toEqual([settings[0], settings[1], settings[2], settings[5]]);
});
