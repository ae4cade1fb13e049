import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWorkflow } from './fixtures/any-workflow.ts';
import { ship } from './fixtures/play-stories.ts';
import { command, each, loop, parallel, sequence, stepOf, workflowOf } from './fixtures/workflow.ts';
import { mermaidGraph, textGraph } from './graph.ts';
import { displayWidth } from './text/width.ts';

const LABEL = "[A-Za-z0-9 _.,:/()=+\\-!?*'\\u00a1-\\u{10ffff}]|#\\d+;|<br/>";
const NODE = new RegExp(
  `^ +n\\d+(?:\\[\\["(?:${LABEL})*"\\]\\]|\\["(?:${LABEL})*"\\]|\\{\\{"(?:${LABEL})*"\\}\\}|\\(\\["(?:${LABEL})*"\\]\\)|\\[/"(?:${LABEL})*"/\\]|\\(\\("(?:${LABEL})*"\\)\\))$`,
  'u',
);
const SUBGRAPH = new RegExp(`^ +subgraph n\\d+\\["(?:${LABEL})*"\\]$`, 'u');
const EDGE = new RegExp(`^ +(n\\d+) (?:-->|-\\.->)(?:\\|"(?:${LABEL})*"\\|)? (n\\d+)$`, 'u');

/** What Mermaid's grammar wants of the few shapes we use, and that every edge joins nodes that exist. */
function expectValid(text: string): void {
  const [first, ...lines] = text.trimEnd().split('\n');
  expect(first).toBe('flowchart TD');
  const nodes = new Set<string>();
  const groups = new Set<string>();
  const edges: [string, string][] = [];
  let depth = 0;
  for (const line of lines) {
    const edge = EDGE.exec(line);
    if (edge) edges.push([edge[1] as string, edge[2] as string]);
    else if (SUBGRAPH.test(line)) {
      depth += 1;
      groups.add((/n\d+/.exec(line) as RegExpExecArray)[0]);
    } else if (/^ +end$/.test(line)) depth -= 1;
    else if (!/^ +direction TB$/.test(line)) {
      expect(line).toMatch(NODE);
      nodes.add((/n\d+/.exec(line) as RegExpExecArray)[0]);
    }
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
  for (const [from, to] of edges) {
    expect(nodes.has(from) && nodes.has(to)).toBe(true);
    expect(groups.has(from) || groups.has(to)).toBe(false);
  }
}

describe('mermaidGraph', () => {
  it('draws blocks, loops, jumps and conditions', async () => {
    const text = mermaidGraph(ship);
    expectValid(text);
    await expect(text).toMatchFileSnapshot('golden/graph-ship.mmd');
  });

  it('draws called workflows, jumps out of them and to the end, and empty blocks', async () => {
    const inner = workflowOf('inner', [
      command('a', ['true'], { next: [{ goto: 'end', do: [] }] }),
      command('b'),
    ]);
    const workflow = workflowOf(
      'outer',
      [
        stepOf('sub', { kind: 'workflow', workflow: 'inner', with: {} }),
        sequence('empty', []),
        parallel('nothing', []),
        loop('again', 'true', 2, [
          command('x', ['true'], { next: [{ when: 'status == "failed"', goto: 'again', do: [] }] }),
        ]),
        each('items', 'vars.list', [
          command('y', ['true'], { next: [{ when: 'true', goto: 'end', do: [] }] }),
        ]),
      ],
      { workflows: { inner } },
    );
    const text = mermaidGraph(workflow);
    expectValid(text);
    await expect(text).toMatchFileSnapshot('golden/graph-outer.mmd');
  });

  it('stays valid whatever ids, titles and expressions hold', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '"]',
        'end',
        '%%{init: {}}%%',
        '`x`',
        '#quot;',
        '</script>',
        '-->',
        'a;b',
        '\n  n1 --> n2',
        '{{x}}',
        '|y|',
        '\\',
        '&lt;',
      ),
    );
    fc.assert(
      fc.property(nasty, nasty, nasty, (id, title, cel) => {
        const step = command(id, [title], { title, if: cel, next: [{ when: cel, goto: id, do: [] }] });
        expectValid(mermaidGraph(workflowOf(title, [loop(title, cel, 2, [step]), step])));
      }),
    );
  });

  it('stays valid for any shape of workflow', () => {
    fc.assert(fc.property(anyWorkflow, (workflow) => expectValid(mermaidGraph(workflow))));
  });
});

describe('textGraph', () => {
  it.each([80, 60])('draws the workflow as a tree at %i columns', async (width) => {
    const text = textGraph(ship, { width, color: false, unicode: true });
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    await expect(`${text}\n`).toMatchFileSnapshot(`golden/graph-ship-${width}.txt`);
  });
});
