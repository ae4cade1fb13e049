import { afterEach, expect, it } from 'vitest';
import { finished, type Stage, stage } from '../../../test/support/stage.ts';
import { workspaces } from '../../workspaces/workspaces.ts';

let here: Stage;
afterEach(() => here.remove());

it('E1: gives what the world looks like as facts', async () => {
  here = stage({ git: true });
  here.write('b.md', '');
  here.write('a.md', '');
  const needs = [
    { kind: 'files', pattern: '*.md' },
    { kind: 'files', pattern: '*.txt' },
    { kind: 'changed', pattern: 'a*' },
    { kind: 'uncommitted', pattern: 'b*' },
  ] as const;
  expect(await finished(here.perform({ kind: 'observe', path: 'step', needs: [...needs] }))).toEqual({
    kind: 'observed',
    facts: [
      { kind: 'files', pattern: '*.md', value: ['a.md', 'b.md'] },
      { kind: 'files', pattern: '*.txt', value: [] },
      { kind: 'changed', pattern: 'a*', value: ['a.md'] },
      { kind: 'uncommitted', pattern: 'b*', value: ['b.md'] },
    ],
  });
});

it('tells what changed since a mark, of the files that match', async () => {
  here = stage({ git: true });
  here.write('a.md', '');
  const since = (await workspaces().open(here.root).fingerprint()) ?? '';
  here.write('b.md', '');
  here.write('c.txt', '');
  const needs = ['*.md', '*.sql'].map((pattern) => ({ kind: 'changed-since' as const, pattern, since }));
  expect(await finished(here.perform({ kind: 'observe', path: 'step', needs }))).toMatchObject({
    facts: [{ value: ['b.md'] }, { value: [] }],
  });
});

it('S4: a pattern that leaves the workspace is a failure, not an empty list', () => {
  here = stage();
  const needs = [{ kind: 'files', pattern: '../**' } as const];
  expect(here.perform({ kind: 'observe', path: 'step', needs })).toMatchObject({
    now: { kind: 'outcome', outcome: { ok: false, exit_code: 2, error: { class: 'path' } } },
  });
});
