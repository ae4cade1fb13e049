import { expect, it } from 'vitest';
import { idOf, idsIn, isAt } from './place.ts';

it.each([
  ['plan', 'plan', undefined, true],
  ['plan', 'plan~2', undefined, true],
  ['plan~2', 'plan~2', undefined, true],
  ['plan', 'execute[1]/plan', undefined, true],
  ['execute[1]/plan', 'execute[1]/plan~3', undefined, true],
  ['execute[0]/plan', 'execute[1]/plan', undefined, false],
  ['loop', 'loop#2', undefined, true],
  ['plan', 'plan', 'done[0]', false],
  ['plan.done[0]', 'plan', 'done[0]', true],
  ['plan.done[0]', 'execute[1]/plan~2', 'done[0]', true],
  ['plan.done[1]', 'plan', 'done[0]', false],
  ['an', 'plan', undefined, false],
])('%s names %s %s: %s', (named, path, part, expected) => {
  expect(isAt(named, { path, part })).toBe(expected);
});

it('takes a name apart', () => {
  expect(idOf('execute~2[1]/fix#3/reviews~2')).toBe('reviews');
  expect(idsIn('execute[1]/fix#3/reviews.done[0]')).toEqual(['execute', 'fix', 'reviews']);
  expect(idsIn('publish.probe')).toEqual(['publish']);
});
