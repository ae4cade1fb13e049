import { describe, expect, it } from 'vitest';
import { built } from './build-nodes.ts';
import { report } from './diagnostics.ts';
import { child, headSpan, locateIn, type MapNode, nodeSpan, type ScalarNode, toJson } from './read/node.ts';
import { sourceText } from './read/source.ts';
import { readYaml } from './read/yaml.ts';

const FOREIGN = `version: "1.1"
steps:
  - name: Say hello
    command: ["echo", "hi ''\${context.who}\\t!"]
    output_file: 'out.txt'
`;

function read(text: string): MapNode {
  const node = readYaml(sourceText('theirs.yaml', text), report());
  if (node?.kind !== 'map') throw new Error('not a map');
  return node;
}

const document = read(FOREIGN);
const steps = child(document, 'steps');
const step = steps?.kind === 'list' ? (steps.items[0] as MapNode) : document;
const words = child(step, 'command');
const word = (words?.kind === 'list' ? words.items[1] : undefined) as ScalarNode;

/** What the span underlines. */
function marked({ line, column, endLine, endColumn }: ReturnType<typeof nodeSpan>): string {
  const text = FOREIGN.split('\n')[line - 1] ?? '';
  return line === endLine ? text.slice(column - 1, endColumn - 1) : `${line}-${endLine}`;
}

describe('build', () => {
  it('makes what JSON says, leaving out what is undefined', () => {
    const node = built(step).map([
      ['id', 'say-hello'],
      ['if', undefined],
      ['labels', { name: 'Say hello', kind: 'scalar', __proto: null }],
      ['run', ['echo', 1, true, null, { source: { span: 'text' } }]],
    ]);
    expect(toJson(node)).toEqual({
      id: 'say-hello',
      labels: { name: 'Say hello', kind: 'scalar', __proto: null },
      run: ['echo', 1, true, null, { source: { span: 'text' } }],
    });
  });

  it('keeps foreign nodes as and where they are', () => {
    const node = built(step).map([['run', words]]);
    expect(child(node, 'run')).toBe(words);
  });

  it('points at the head of a foreign map or list, and at the whole of a scalar', () => {
    const node = built(step).map([['on_fail', 'stop']]);
    expect(marked(headSpan(node))).toBe('name');
    expect(marked(nodeSpan(child(node, 'on_fail') as ScalarNode))).toBe('name');
    expect(marked(nodeSpan(built(word).scalar('x')))).toBe('"hi \'\'${context.who}\\t!"');
    expect(marked(nodeSpan(built(steps as MapNode).list([])))).toBe('name');
  });

  it('gives keys the place that is named, else that of their value', () => {
    const saved = step.entries.get('output_file');
    const node = built(step).map([
      ['save_to', saved?.value, saved?.keyNode],
      ['capture', built(word).scalar('text')],
    ]);
    expect(marked(nodeSpan(node.entries.get('save_to')?.keyNode as ScalarNode))).toBe('output_file');
    expect(marked(nodeSpan(node.entries.get('capture')?.keyNode as ScalarNode))).toMatch(/^"hi/);
  });

  it('locates any part of a made text at the whole foreign scalar', () => {
    const locate = locateIn(built(word).scalar('a much longer text than the one that stands there'));
    expect(marked(locate(30, 40))).toMatch(/^"hi .*!"$/);
    expect(marked(locate(0, 0))).toMatch(/^"hi .*!"$/);
  });

  it('locates the pieces of a text at the parts that they were made from', () => {
    // The value of the word: hi ''${context.who}<tab>!
    const text = built(word).text([
      { text: "hi ''", from: [0, 5] },
      { text: '{{ inputs.who }}', from: [5, 19] },
      { text: '\t!', from: [19, 21] },
    ]);
    expect(text.value).toBe("hi ''{{ inputs.who }}\t!");
    const locate = locateIn(text);
    expect(marked(locate(8, 18))).toBe('${context.who}');
    expect(marked(locate(0, 2))).toBe("hi ''");
    expect(marked(locate(0, 8))).toBe("hi ''${context.who}");
    expect(marked(locate(100, 101))).toMatch(/^"hi .*!"$/);
  });

  it('locates pieces at other parts of the file, and at nothing else', () => {
    const saved = step.entries.get('output_file')?.value as ScalarNode;
    const text = built(step).text([{ text: 'one', at: word }, { text: ' && ' }, { text: 'two', at: saved }]);
    const locate = locateIn(text);
    expect(marked(locate(0, 3))).toMatch(/^"hi .*!"$/);
    expect(marked(locate(7, 10))).toBe("'out.txt'");
    expect(marked(locate(4, 5))).toBe('name');
  });

  it('stands at a part of a scalar where the translation says so', () => {
    expect(marked(nodeSpan(built(word).within(5, 19).scalar('x')))).toBe('${context.who}');
  });
});
