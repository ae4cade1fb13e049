import { afterEach, expect, it } from 'vitest';
import { type Stage, stage } from '../../../test/support/stage.ts';

let here: Stage;
afterEach(() => here.remove());

it('E1: gives what the world looks like as facts, at once', () => {
  here = stage({ git: true });
  here.write('b.md', '');
  here.write('a.md', '');
  const needs = [
    { kind: 'files', pattern: '*.md' },
    { kind: 'files', pattern: '*.txt' },
    { kind: 'changed', pattern: 'a*' },
  ] as const;
  expect(here.perform({ kind: 'observe', path: 'step', needs: [...needs] })).toEqual({
    now: {
      kind: 'observed',
      facts: [
        { kind: 'files', pattern: '*.md', value: ['a.md', 'b.md'] },
        { kind: 'files', pattern: '*.txt', value: [] },
        { kind: 'changed', pattern: 'a*', value: ['a.md'] },
      ],
    },
  });
});

it('S4: a pattern that leaves the workspace is a failure, not an empty list', () => {
  here = stage();
  const needs = [{ kind: 'files', pattern: '../**' } as const];
  expect(here.perform({ kind: 'observe', path: 'step', needs })).toMatchObject({
    now: { kind: 'outcome', outcome: { ok: false, exit_code: 2, error: { class: 'path' } } },
  });
});
