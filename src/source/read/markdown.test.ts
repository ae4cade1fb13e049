import { describe, expect, it } from 'vitest';
import { report } from '../diagnostics.ts';
import { readMarkdown } from './markdown.ts';
import { locateIn, toJson } from './node.ts';
import { sourceText } from './source.ts';

function read(text: string) {
  const problems = report();
  const page = readMarkdown(sourceText('p.md', text), problems);
  return {
    matter: page?.matter && toJson(page.matter),
    body: page?.body.value,
    node: page?.body,
    problems: problems.diagnostics().map(({ code, span }) => `${span?.line}:${span?.column} ${code}`),
  };
}

describe('readMarkdown', () => {
  it.each<[string, string, unknown, string]>([
    ['front matter and body', '---\nname: x\n---\n\nHello\nyou\n\n', { name: 'x' }, 'Hello\nyou'],
    ['no front matter', 'Hello\n', undefined, 'Hello'],
    ['empty front matter', '---\n---\nHello', {}, 'Hello'],
    ['a body that has rules of its own', '---\na: 1\n---\nx\n\n---\n\ny\n', { a: 1 }, 'x\n\n---\n\ny'],
    ['CRLF and a byte order mark', '\uFEFF---\r\na: 1\r\n---\r\nx\r\ny\r\n', { a: 1 }, 'x\ny'],
    ['no body', '---\na: 1\n---', { a: 1 }, ''],
    ['an indented first line', '---\na: 1\n---\n\n    code\n', { a: 1 }, '    code'],
    ['nothing', '', undefined, ''],
  ])('reads %s', (_, text, matter, body) => {
    const page = read(text);
    expect(page.problems).toEqual([]);
    expect(page.matter).toEqual(matter);
    expect(page.body).toBe(body);
  });

  it('points into the body', () => {
    const { node } = read('---\r\na: 1\r\n---\r\n\r\none\r\ntwo {{ x }}\r\n');
    const at = String(node?.value).indexOf('x');
    expect(node && locateIn(node)(at, at + 1)).toMatchObject({ line: 6, column: 8, endColumn: 9 });
  });

  it('says where problems of the front matter are, and keeps the body', () => {
    expect(read('---\na: 1\na: 2\n---\nx')).toMatchObject({
      problems: ['3:1 yaml-duplicate-key'],
      body: 'x',
    });
    expect(read('---\nname: "x\n---\nx')).toMatchObject({
      problems: ['2:7 yaml-syntax'],
      body: 'x',
      matter: undefined,
    });
    expect(read('---\nname: x\nx')).toMatchObject({ problems: ['1:1 front-matter-open'], body: undefined });
    expect(read('x\0y')).toMatchObject({ problems: ['1:2 text-encoding'] });
  });
});
