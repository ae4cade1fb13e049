import { expect, it } from 'vitest';
import { isCalled } from './step-name.ts';

it.each([
  ['review_sec', true],
  ['review.sec', true],
  ['review', false],
])(
  'LS-CLI5-SKIP-WRITTEN: a step answers to its id, and to the name it has where it was written: %s',
  (name, expected) => {
    expect(isCalled({ id: 'review_sec', labels: { name: 'review.sec' } }, name)).toBe(expected);
  },
);

it('LS-CLI5-SKIP-WRITTEN: a label that could be the id of another step names nothing, but for `end`, which is no id', () => {
  expect(isCalled({ id: 'a', labels: { name: 'verify' } }, 'verify')).toBe(false);
  expect(isCalled({ id: 'end_2', labels: { name: 'end' } }, 'end')).toBe(true);
});
