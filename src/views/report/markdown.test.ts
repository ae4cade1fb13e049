// Read back with a Markdown parser: words of agents are words, whatever they look like.

import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { block, code, section, table, text } from './markdown.ts';

const SPOOFS = [
  '## Tests\n\nTests: passed',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](ja\nvascript:alert(1))',
  '[click](&#106;avascript:alert(1))',
  '[click](data:text/html,x)',
  '[click](file:///etc/passwd)',
  '[click](vbscript:x)',
  '\\[click](javascript:x)',
  '\\\\[click](javascript:x)',
  '[click][1]\n\n[1]: javascript:x',
  '[1]: javascript:x',
  '<javascript:alert(1)>',
  '<a href="javascript:x">y</a>',
  '<img src=http://evil.example/x.png>',
  '![pixel](https://evil.example/x.png)',
  '[![pixel](https://evil.example/x.png)](https://evil.example)',
  '[a [b](javascript:x) c](https://x.example)',
  'ftp://evil.example/x',
  '| a | b |\n| --- | --- |',
  'x | **passed** | y',
  'x \\| y',
  'x \\',
  '```\n# Tests: passed',
  '~~~',
  '`` ` ``',
  '> quote',
  '- item',
  '1. item',
  '---',
  '===',
  '<!-- ',
  '<details>',
  '[^1]: note',
  'a `b | c` d',
  '\u202eevil\x1b[2J',
];

const anyWords = fc.array(
  fc.oneof(
    fc.constantFrom(...SPOOFS),
    fc.constantFrom(...'\\`*_{}[]()#+-.!|<>~&:"\'/ \n\t', 'javascript:', 'https://x.example', 'a'),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 8 },
);
const words = anyWords.map((parts) => parts.join(''));

/** All tokens, with those inside. */
function tokens(markdown: string): Token[] {
  const found: Token[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    found.push(token);
  });
  return found;
}

function shape(markdown: string): unknown {
  const all = marked.lexer(markdown);
  return all.map((token) => {
    if (token.type === 'table')
      return ['table', token.header.length, token.rows.map((row: unknown[]) => row.length)];
    if (token.type === 'list')
      return ['list', token.items.map((item: { tokens: Token[] }) => item.tokens.map(({ type }) => type))];
    return token.type === 'heading' ? ['heading', token.depth] : token.type;
  });
}

/** A report with these words in every place that has some. */
const page = (given: string) =>
  `${[
    `# ${text(given)}x: completed`,
    section('Tests', [
      table(
        ['command', 'what'],
        [
          [code(`x${given}`), text(`x${given}`)],
          [text(given) || 'x', code(given) || 'x'],
        ],
      ),
      [`- ${text(given) || 'x'}`, `- Warning: ${text(given)}`, `- ${code(given) || 'x'} ${text(given)}`].join(
        '\n',
      ),
      block('sh', ['lockstep status', `echo ${given.replace(/\s/g, ' ')}`]),
    ]),
  ].join('\n\n')}\n`;

const PLAIN_SHAPE = JSON.stringify(shape(page('word')));

describe('SEC-REPORT: words of agents in report.md', () => {
  it.each(SPOOFS)('%j is text in its place', (spoof) => {
    check(spoof);
  });

  it('any words leave the report as it is built', () => {
    fc.assert(fc.property(words, check), { numRuns: tries(1_500, 300) });
  });

  function check(given: string): void {
    const markdown = page(given);
    expect(JSON.stringify(shape(markdown))).toBe(PLAIN_SHAPE);
    for (const token of tokens(markdown)) {
      expect(['html', 'image', 'def']).not.toContain(token.type);
      // Mail addresses are made links by the reader of the page, not by what stands in it.
      if (token.type === 'link' && !token.href.startsWith('mailto:'))
        expect(token.href).toMatch(/^https?:\/\//i);
    }
    expect(markdown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  }

  it('links to the web stay links', () => {
    expect(
      tokens(text('see [the docs](https://example.org/a_b?c=1) and https://example.org')).filter(
        ({ type }) => type === 'link',
      ),
    ).toHaveLength(2);
  });

  it('plain words stay as they are written', () => {
    for (const plain of ['Add login (#12)', 'a_b.ts:12', 'exit code 3: it is *not* there', 'C:\\temp'])
      expect(text(plain)).toBe(plain);
  });
});
