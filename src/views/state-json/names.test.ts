import { describe, expect, it } from 'vitest';
import { stepOf } from '../fixtures/workflow.ts';
import { keysOf } from './names.ts';

const record = (id: string, name?: string) => ({
  id,
  step: stepOf(
    id,
    { kind: 'wait', for: 'files', files: ['x'], min: 1, every: 500 },
    name === undefined ? {} : { labels: { name } },
  ),
});

describe('what steps are called', () => {
  it('by their names, else by their ids', () => {
    expect(keysOf([record('a'), record('b', 'Any name!'), { id: 'c', step: undefined }])).toEqual([
      'a',
      'Any name!',
      'c',
    ]);
  });

  it('by a name that is the id of another, as long as that one goes by a name of its own', () => {
    expect(keysOf([record('A_B', 'A B'), record('A_B_2', 'A_B')])).toEqual(['A B', 'A_B']);
    expect(keysOf([record('A_B'), record('A_B_2', 'A_B')])).toEqual(['A_B', 'A_B_2']);
  });

  it('never two by the same', () => {
    expect(keysOf([record('a', 'x'), record('b', 'x'), record('c', 'a')])).toEqual(['a', 'b', 'c']);
  });
});
