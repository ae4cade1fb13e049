import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byBranch } from './branch-order.ts';

it('steps of branches that go on at once are compared branch by branch', () => {
  const atOnce = new Set(['p']);
  const expected = ['before', 'p/a', 'p/a/x', 'p/b', 'after'];
  for (const came of [
    ['before', 'p/a', 'p/b', 'p/a/x', 'after'],
    ['before', 'p/b', 'p/a', 'p/a/x', 'after'],
  ])
    expect(byBranch(came, atOnce)).toEqual(expected);
});

it('items are put in the order of their numbers', () => {
  const came = ['e[10]/a', 'e[9]/a', 'e[9]/b', 'e[10]/b'];
  expect(byBranch(came, new Set(['e']))).toEqual(['e[9]/a', 'e[9]/b', 'e[10]/a', 'e[10]/b']);
});

it('what goes on one after the other keeps its order, also inside a branch', () => {
  const came = ['b', 'a', 'b~2', 'p/y/two', 'p/y/one', 'loop#1/a', 'loop#2/a'];
  expect(byBranch(came, new Set(['p']))).toEqual(came);
});

it('however the branches interleave, the result is the same', () => {
  const branches = ['x', 'y', 'z'].map((name) => [1, 2, 3].map((step) => `p/${name}/s${step}`));
  const turns = fc.shuffledSubarray([0, 0, 0, 1, 1, 1, 2, 2, 2], { minLength: 9 });
  fc.assert(
    fc.property(turns, (order) => {
      const left = branches.map((branch) => [...branch]);
      const came = order.map((turn) => left[turn]?.shift() as string);
      expect(byBranch(came, new Set(['p']))).toEqual(branches.flat());
    }),
  );
});
