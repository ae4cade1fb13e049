import { expect, it } from 'vitest';
import { allows } from './tool-policy.ts';

const table: [pattern: string, line: string, covered: boolean][] = [
  ['Bash', 'anything', true],
  ['Bash(npm test)', 'npm test', true],
  ['Bash(npm test)', 'npm test --all', false],
  ['Bash(npm *)', 'npm run build', true],
  ['Bash(npm *)', 'pnpm run', false],
  ['Bash(git * --force)', 'git push origin --force', true],
  ['Bash(git * --force)', 'git push', false],
  ['Bash(a*b*c*d)', 'a1b2c3d', true],
  ['Bash(a*b*c*d)', 'a1c2b3d', false],
  ['Bash(a*b*a)', 'aba', true],
  ['Bash(aa*aa)', 'aaa', false],
  ['Bash(npm test:*)', 'npm test', true],
  ['Bash(npm test:*)', 'npm testing', true],
  ['Bash(*)', 'two\nlines', true],
  ['Read', 'npm test', false],
  ['Write(*)', 'npm test', false],
];
it.each(table)('rule 8: %s covers `%s`: %s', (pattern, line, covered) => {
  expect(allows({ allow: [pattern], deny: [] }, 'Bash', line)).toBe(covered);
  expect(allows({ deny: [pattern] }, 'Bash', line)).toBe(!covered);
});

it('rule 8: paths are globs, and a dot is like any other character', () => {
  const policy = { allow: ['Write(docs/**)', 'Write(*.md)'], deny: ['Write(docs/secret/**)'] };
  expect(
    ['docs/a/b.txt', 'docs/.hidden', 'x.md', 'a/x.md', 'docs/secret/x'].map((path) =>
      allows(policy, 'Write', path),
    ),
  ).toEqual([true, true, true, false, false]);
});
