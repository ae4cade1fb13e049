import { describe, expect, it } from 'vitest';
import { literalCalls } from './literal-calls.ts';

const FILES = new Set(['files', 'changed']);

describe('literalCalls', () => {
  it.each<['cel' | 'template', string, string[]]>([
    ['cel', 'size(files("docs/*.md")) > 0 && !("files(1)" in changed(\'x\'))', ['docs/*.md', 'x']],
    ['cel', 'files("docs/" + name + "/x").exists(f, f in files("y"))', ['docs/…', 'y']],
    ['cel', 'files(name + "/x") == "files(\\"z\\")"', []],
    ['cel', 'default(other("x"), files("a\\"b"))', ['a"b']],
    ['cel', 'files(', []],
    [
      'template',
      'files("no") {{ files("a") }} {% if size(files("b")) > 0 %}{{ changed("c") }}{% endif %}',
      ['a', 'b', 'c'],
    ],
    ['template', '{% for f in files("d") %}{{ f }}{% endfor %}', ['d']],
  ])('%s: %s', (kind, source, expected) => {
    const calls = literalCalls(source, kind, FILES);
    expect(calls.map(({ text, whole }) => (whole ? text : `${text}…`))).toEqual(expected);
  });

  it('says where the argument stands', () => {
    const source = 'x {{ size(files("a*")) }}';
    const [call] = literalCalls(source, 'template', FILES);
    expect(source.slice(call?.start, call?.end)).toBe('"a*"');
  });
});
