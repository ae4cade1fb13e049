import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

/** What is said of each expression, asked after a step `a`. */
function wrongOf(step: string, expressions: string[], files = {}): string[] {
  const asking = expressions
    .map((text, index) => `  - { id: t${index}, run: 'echo {{ ${text} }}' }\n`)
    .join('');
  const said = problemsOf(`steps:\n  - ${step}\n${asking}`, files);
  return said.map(
    (line) =>
      `${expressions[Number(line.split(':')[0]) - 5]}: ${line.split(': ').slice(2).join(': ').split(' → ')[0]}`,
  );
}

describe('rule 2: the value of a step', () => {
  const typed: [string, string, string[], string[]][] = [
    ['a command: text', '{ id: a, run: x }', ['output + "x"'], ['output.x']],
    [
      'lines: a list of texts',
      '{ id: a, run: x, capture: lines }',
      ['output[0] + "x"'],
      ['output.x', 'output[0].x'],
    ],
    ['json: anything', '{ id: a, run: x, capture: json }', ['output.x[0].y'], []],
    [
      'a schema: what it says',
      '{ id: a, prompt: { text: x }, done: { schema: { type: object, properties: { ok: { type: boolean } } } } }',
      ['output.ok'],
      ['output.okay'],
    ],
    ['a prompt without: anything', '{ id: a, prompt: { text: x } }', ['output.x'], []],
    [
      'a question: one of its choices',
      '{ id: a, ask: which?, choices: [x, y] }',
      ['output + "x"'],
      ['output.x'],
    ],
    ['a free question: anything', '{ id: a, ask: which? }', ['output.x'], []],
    [
      'write-file: its path',
      '{ id: a, call: write-file, with: { path: x, content: x } }',
      ['output + "x"'],
      ['output.x'],
    ],
    [
      'read-file: as capture says',
      '{ id: a, call: read-file, with: { path: x }, capture: lines }',
      ['output[0]'],
      ['output.x'],
    ],
    [
      'capture-artifact: a list of paths',
      '{ id: a, call: capture-artifact, with: { files: x } }',
      ['output[0] + "x"'],
      ['output.x'],
    ],
    [
      'parallel: a map by id',
      '{ id: a, parallel: true, steps: [{ id: p, run: x }, { id: q, run: x }] }',
      ['output.p + "x"'],
      ['output.r', 'output.p.x'],
    ],
    [
      'sequence: that of the last step',
      '{ id: a, steps: [{ id: p, run: x, capture: json }, { id: q, run: x }] }',
      ['output + "x"'],
      ['output.x'],
    ],
    [
      'sequence whose last may be skipped: anything',
      `{ id: a, steps: [{ id: q, run: x, if: 'run.id == ""' }] }`,
      ['output.x'],
      [],
    ],
    [
      'loop: that of the last step',
      `{ id: a, loop: { until: 'true', max: 2 }, steps: [{ id: q, run: x }] }`,
      ['output + "x"'],
      ['output.x'],
    ],
    [
      'each: a list of passes',
      `{ id: a, each: 'i in ["x"]', steps: [{ id: p, run: x }] }`,
      ['output[0].item.x', 'output[0].status', 'output[0].output + "x"'],
      ['output[0].items', 'output[0].output.x', 'output[0].branch'],
    ],
    [
      'each with a worktree per pass: the branch, too',
      `{ id: a, each: 'i in ["x"]', workspace: worktree, steps: [{ id: p, run: x }] }`,
      ['output[0].branch + "x"'],
      ['output[0].branch.x'],
    ],
  ];
  it.each(typed)('%s', (_, step, right, wrong) => {
    const ask = (text: string) => `steps.a.${text}`;
    expect(wrongOf(step, right.map(ask))).toEqual([]);
    expect(wrongOf(step, wrong.map(ask))).toEqual(
      wrong.map((text) => expect.stringContaining(`${ask(text)}: `)),
    );
  });

  it('a called workflow: its outputs', () => {
    const files = {
      'workflows/sub.yaml': `lockstep: 1\nname: sub\nsteps: [{ id: inner, run: x }]\noutputs: { text: 'a {{ run.id }}', any: '{{ steps.inner.output }}', n: 1, on: true, list: [1], map: { a: 1 } }\n`,
    };
    const fields = ['text.x', 'any.x', 'n.x', 'on.x', 'list.x', 'map.x', 'no'].map(
      (field) => `steps.a.output.${field}`,
    );
    expect(wrongOf('{ id: a, workflow: sub }', fields, files)).toEqual([
      'steps.a.output.text.x: `steps.a.output.text` is a string, which has no field `x`',
      'steps.a.output.n.x: `steps.a.output.n` is a number, which has no field `x`',
      'steps.a.output.on.x: `steps.a.output.on` is a bool, which has no field `x`',
      'steps.a.output.list.x: `steps.a.output.list` is a list, which has no field `x`',
      'steps.a.output.no: `steps.a.output` has no `no`',
    ]);
  });

  it('steps.x has the fields of a result, and no others', () => {
    const fields =
      'status output exit_code stderr tries duration_ms error.class error.message stauts error.kind';
    expect(
      wrongOf(
        '{ id: a, run: x }',
        fields.split(' ').map((field) => `steps.a.${field}`),
      ),
    ).toEqual([
      'steps.a.stauts: `steps.a` has no `stauts`',
      'steps.a.error.kind: `steps.a.error` has no `kind`',
    ]);
  });
});
