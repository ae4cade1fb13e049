import { expect, it } from 'vitest';
import { commandsOf, looksLike, readPage } from './markdown.ts';

it('finds blocks with their directives, links outside code, and anchors', () => {
  const page = readPage(`# A *page*, really

See [the other](other.md#part) and \`[not](a.link)\`.

<!-- file: a.txt -->
<!-- run: git init -->

\`\`\`\`md
\`\`\`yaml
inner: [x](y)
\`\`\`
\`\`\`\`

[named]: third.md

text
\`\`\`console
$ lockstep \\
    runs
none
[exit 3]
\`\`\`
`);
  expect(page.anchors).toEqual(new Set(['a-page-really']));
  expect(page.links).toEqual([
    { target: 'other.md#part', line: 3 },
    { target: 'third.md', line: 14 },
  ]);
  expect(page.blocks).toEqual([
    {
      language: 'md',
      text: '```yaml\ninner: [x](y)\n```\n',
      line: 8,
      directives: [
        { name: 'file', value: 'a.txt' },
        { name: 'run', value: 'git init' },
      ],
    },
    { language: 'console', text: '$ lockstep \\\n    runs\nnone\n[exit 3]\n', line: 17, directives: [] },
  ]);
  expect(page.blocks.map(commandsOf).at(-1)).toEqual([
    { line: 'lockstep runs', output: 'none\n', exitCode: 3 },
  ]);
});

it('compares output exactly, but for the places a page leaves open', () => {
  expect(looksLike('done in 12 ms\n', 'done in … ms')).toBe(true);
  expect(looksLike('a\nb\nc\nd\n', 'a\n…\nd\n')).toBe(true);
  expect(looksLike('a\nd\n', 'a\n…\nd\n')).toBe(false);
  expect(looksLike('a.b', 'a?b')).toBe(false);
  expect(looksLike('a\nb', 'a')).toBe(false);
});
