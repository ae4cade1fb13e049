import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';
import { whyOutside } from './places.ts';

describe('S4: paths that are written out', () => {
  it('stay in the workspace, wherever they stand', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x, save_to: /tmp/log }
  - { id: b, run: x, reads: { files: [../x, ok, /etc/passwd], optional: [fine] } }
  - { id: c, prompt: { file: a/../../x.md } }
  - { id: d, call: write-file, with: { path: ../x, content: x } }
  - { id: e, call: move, with: { from: ok, to: '../' } }
  - { id: f, call: capture-artifact, with: { files: [ok, ../x] } }
  - { id: g, wait: { files: ['../*.md'] } }
  - { id: h, run: x, exit: [{ call: read-file, with: { path: /x } }], next: [{ do: [{ prompt: { file: ../p.md } }] }] }
  - { id: i, run: x }
  - { id: j, if: 'size(files("../*.md")) > 0 && files("/x/" + run.id) == [] && files("ok") == []', run: x }
  - { id: k, run: [cat], stdin: { file: ../x } }
  - { id: l, run: [cat], capture: json, done: { schema: { file: '../{{ run.id }}.json' } } }
policy: { dirs: { processed: /x, inbox: ok } }
`).map((line) => line.replace(' → Write it relative to the workspace.', '')),
    ).toEqual([
      '4: path-outside: `save_to` must stay in the workspace, and "/tmp/log" is absolute',
      '5: path-outside: `reads` must stay in the workspace, and "../x" leads out of it',
      '5: path-outside: `reads` must stay in the workspace, and "/etc/passwd" is absolute',
      '6: path-outside: `prompt` must stay in the workspace, and "a/../../x.md" goes through `..`',
      '7: path-outside: `path` must stay in the workspace, and "../x" leads out of it',
      '8: path-outside: `to` must stay in the workspace, and "../" leads out of it',
      '9: path-outside: `files` must stay in the workspace, and "../x" leads out of it',
      '10: path-outside: `wait` must stay in the workspace, and "../*.md" leads out of it',
      '11: path-outside: `path` must stay in the workspace, and "/x" is absolute',
      '11: path-outside: `prompt` must stay in the workspace, and "../p.md" leads out of it',
      '13: path-outside: this pattern must stay in the workspace, and "../*.md" leads out of it',
      '13: path-outside: this pattern must stay in the workspace, and "/x/…" is absolute',
      '14: path-outside: `stdin` must stay in the workspace, and "../x" leads out of it',
      '15: path-outside: `done.schema` must stay in the workspace, and "../{{ run.id }}.json" leads out of it',
      '16: path-outside: `dirs.processed` must stay in the workspace, and "/x" is absolute',
    ]);
  });

  it('are refused exactly where they are absolute or go through `..`, also one that comes back', () => {
    const part = fc.constantFrom('..', '.', 'a', 'b', '...', '');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const path = parts.join('/');
        expect(whyOutside(path) !== undefined).toBe(path.startsWith('/') || parts.includes('..'));
        if (posix.normalize(path || '.').startsWith('../')) expect(whyOutside(path)).toBeDefined();
      }),
    );
  });

  const kept: [string, string | undefined][] = [
    ['{{ vars.where }}/../x', 'goes through `..`'],
    ['a/{{ vars.where }}/x', undefined],
    ['../{{ vars.where }}', 'leads out of it'],
    ['/{{ vars.where }}', 'is absolute'],
    ['C:\\x', 'is absolute'],
    ['a..b/..c', undefined],
  ];
  it.each(kept)('%s: what is filled in is looked at when it is', (path, why) => {
    expect(whyOutside(path)).toBe(why);
  });
});
