import { describe, expect, it } from 'vitest';
import { closest } from './closest-name.ts';

describe('closest', () => {
  it.each([
    ['biuld', ['build', 'test'], 'build'],
    ['Steps', ['steps'], 'steps'],
    ['step', ['steps', 'session'], 'steps'],
    ['pln', ['plan', 'run'], 'plan'],
    ['implemnt', ['implement', 'review'], 'implement'],
    ['x', ['y'], undefined],
    ['x', ['X'], 'X'],
    ['ab', ['ac'], 'ac'],
    ['x', ['yy'], undefined],
    ['nope', ['steps', 'inputs'], undefined],
    ['a', [], undefined],
    ['abc', ['abd', 'abe'], 'abd'],
    ['x'.repeat(1_000), ['x'.repeat(999)], undefined],
  ])('%s among %j is %s', (word, names, expected) => {
    expect(closest(word, names)).toBe(expected);
  });
});
