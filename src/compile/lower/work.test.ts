import { describe, expect, it } from 'vitest';
import type { ParallelWork } from '../../model/workflow.ts';
import { compiledSample } from '../fixtures/sample-library.ts';
import { MOST_AT_ONCE } from './values.ts';

const parallel = (branches: number, concurrency = ''): ParallelWork => {
  const steps = Array.from({ length: branches }, (_, index) => `      - { id: s${index}, run: [x] }\n`).join(
    '',
  );
  const text = `lockstep: 1\nname: w\nsteps:\n  - id: all\n    parallel: true\n${concurrency}    steps:\n${steps}`;
  return compiledSample(text).steps[0]?.work as ParallelWork;
};

describe('a parallel that does not say how many at a time', () => {
  it('runs all of its branches at once while they are few', () => {
    expect(parallel(MOST_AT_ONCE)).not.toHaveProperty('concurrency');
  });

  it('runs no more than the ceiling at once: each may be a process', () => {
    expect(parallel(MOST_AT_ONCE + 1).concurrency).toBe(MOST_AT_ONCE);
  });

  it('goes past the ceiling where it says so', () => {
    expect(parallel(MOST_AT_ONCE + 1, '    concurrency: 5000\n').concurrency).toBe(5000);
  });
});
