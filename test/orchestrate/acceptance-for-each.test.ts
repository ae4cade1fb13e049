// for_each: where items come from, what a pass sees, how it is recorded, left and resumed.

import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../cli/started.ts';
import { type AnyJson, ran, type Scene, scene } from './support.ts';

describe('items and passes', () => {
  let all: Scene;
  beforeAll(() => {
    all = scene({
      workflow: `version: "1.1"
name: loops
steps:
  - { name: List, command: [printf, "one\\\\ntwo words\\\\n"], output_capture: lines }
  - name: Parse
    command: [printf, '{"files": ["a.py", {"deep": 1}], "nested": {"list": [10, true, null]}, "empty": [], "a key": {"c-d": ["odd"]}}']
    output_capture: json
  - { name: Top, command: [printf, "[1, 2]"], output_capture: json }
  - { name: Same, command: [printf, "outer"] }
  - name: Lines
    for_each:
      items_from: "steps.List.lines"
      steps:
        - { name: Show, command: [printf, "%s/%s/%s", "\${item}", "\${loop.index}", "\${loop.total}"] }
        - { name: Use, command: [printf, "%s|%s", "\${steps.Show.output}", "\${steps.Same.output}"] }
  - name: Files
    for_each:
      items_from: "steps.Parse.json.files"
      as: file
      steps: [ { name: Show, command: [printf, "%s", "\${file}"] } ]
  - name: Nested
    for_each:
      items_from: "steps.Parse.json.nested.list"
      steps: [ { name: Show, command: [printf, "%s", "\${item}"] } ]
  - name: Odd
    for_each: { items_from: "steps.Parse.json.a key.c-d", steps: [ { name: Show, command: [printf, "%s", "\${item}"] } ] }
  - name: Whole
    for_each: { items_from: steps.Top.json, steps: [ { name: Show, command: [printf, "%s", "\${item}"] } ] }
  - name: Empty
    for_each: { items_from: steps.Parse.json.empty, steps: [ { name: Show, command: [echo] } ] }
  - name: Literal
    for_each:
      items: [text, 2, { name: Ada, tags: [x] }, [1, 2], false]
      as: thing
      steps: [ { name: Same, command: [printf, "%s", "\${thing}"] }, { name: Inner, command: [printf, "%s", "\${steps.Same.output}"] } ]
  - name: Deep
    for_each:
      items: [{ name: Ada }]
      as: person
      steps: [ { name: Show, command: [printf, "%s", "\${person.name}"] } ]
  - name: Outer
    for_each:
      items: [a, b]
      as: letter
      steps:
        - { name: First, command: [printf, "%s", "\${letter}"] }
        - name: Inner
          for_each:
            items: [1, 2]
            as: digit
            steps: [ { name: Show, command: [printf, "%s%s%s%s", "\${letter}", "\${digit}", "\${loop.index}", "\${steps.First.output}"] } ]
        - { name: Last, command: [printf, "%s%s", "\${loop.index}", "\${loop.total}"] }
`,
    });
    ran(all.run());
  });
  const outputs = (loop: string, step = 'Show') =>
    all.step(loop).map((pass: Record<string, AnyJson>) => pass[step].output);

  it('ORC-3: items_from goes over the lines of a step, in order', () => {
    expect(outputs('Lines')).toEqual(['one/0/2', 'two words/1/2']);
    expect(outputs('Lines', 'Use')).toEqual(['one/0/2|outer', 'two words/1/2|outer']);
  });

  it('ORC-13: items_from reaches into JSON by a path of names', () => {
    expect(outputs('Files')).toEqual(['a.py', '{"deep":1}']);
    expect(outputs('Nested')).toEqual(['10', 'true', 'null']);
    expect(outputs('Odd')).toEqual(['odd']);
    expect(outputs('Whole')).toEqual(['1', '2']);
  });

  it('ORC-43: results are steps.<loop>[i].<step>, and for_each has how far it is', () => {
    expect(all.step('Lines')).toMatchObject([
      { Show: { status: 'completed', exit_code: 0 }, Use: { status: 'completed' } },
      { Show: { status: 'completed', exit_code: 0 }, Use: { status: 'completed' } },
    ]);
    expect(all.state().for_each).toMatchObject({
      Lines: { items: ['one', 'two words'], completed_indices: [0, 1] },
      Empty: { items: [], completed_indices: [] },
      Literal: {
        items: ['text', 2, { name: 'Ada', tags: ['x'] }, [1, 2], false],
        completed_indices: [0, 1, 2, 3, 4],
      },
    });
    expect(all.step('Empty')).toEqual([]);
  });

  it('literal items may be anything; a name in the loop goes before the same name outside', () => {
    expect(outputs('Literal', 'Inner')).toEqual([
      'text',
      '2',
      '{"name":"Ada","tags":["x"]}',
      '[1,2]',
      'false',
    ]);
    expect(outputs('Deep')).toEqual(['Ada']);
    expect(all.step('Same').output).toBe('outer');
  });

  it('a loop in a loop sees both items; loop.index is that of the inner one', () => {
    const inner = (pass: number) => all.step('Outer')[pass].Inner.map(({ Show }: AnyJson) => Show.output);
    expect([inner(0), inner(1)]).toEqual([
      ['a10a', 'a21a'],
      ['b10b', 'b21b'],
    ]);
    expect(outputs('Outer', 'Last')).toEqual(['02', '12']);
  });
});

describe('what a pass does not see', () => {
  it('neither the results of another pass nor, outside, those of a pass', () => {
    const made = scene({
      workflow: `version: "1.1"
name: scopes
strict_flow: false
steps:
  - name: Loop
    for_each:
      items: [first, second]
      steps:
        - { name: Once, when: { equals: { left: "\${loop.index}", right: "0" } }, command: [printf, made] }
        - { name: Read, command: [printf, "%s", "\${steps.Once.output}"] }
  - { name: Outside, command: [printf, "%s", "\${steps.Read.output}"] }
`,
    });
    ran(made.run());
    expect(made.step('Loop')).toMatchObject([
      { Once: { status: 'completed' }, Read: { status: 'completed', output: 'made' } },
      { Once: { status: 'skipped', exit_code: 0 }, Read: { status: 'failed', exit_code: 2 } },
    ]);
    expect(made.step('Outside')).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { context: { invalid_reference: ['steps.Read.output'] } },
    });
  });
});

describe('items_from that is wrong', () => {
  it('what is not of the form is refused at load, each at its place', () => {
    const pointers = [
      'steps.List.output',
      'List.lines',
      'steps.List',
      'steps.List.lines[0]',
      'steps.List.lines.0',
      'steps.List.json.*',
      'steps.List.json.a[0]',
      'steps.List.json.',
      'steps.List.json..a',
      'context.items',
      '',
      '${steps.List.lines}',
    ];
    const loops = pointers.map(
      (pointer, index) =>
        `  - { name: Loop-${index}, for_each: { items_from: "${pointer}", steps: [ { name: A, command: [echo] } ] } }\n`,
    );
    const problems = scene({
      workflow: `version: "1.1"\nname: pointers\nsteps:\n  - { name: List, command: [echo] }\n${loops.join('')}`,
    }).refused();
    expect(problems.map(({ span }) => pointers[(span?.line ?? 0) - 5])).toEqual(pointers);
    for (const { message } of problems) expect(message).toContain('items_from');
  });

  it('a value that is missing or no list fails the step with exit code 2 and says which; on.failure applies', () => {
    const wrong: [string, string][] = [
      ['Text', 'steps.Json.json.text'],
      ['Map', 'steps.Json.json.map'],
      ['Gone', 'steps.Json.json.gone'],
      ['Gone-deep', 'steps.Json.json.text.deeper'],
      ['No-step', 'steps.Nope.lines'],
      ['No-lines', 'steps.Json.lines'],
      ['Not-yet', 'steps.Last.lines'],
    ];
    const made = scene({
      workflow: {
        version: '1.1',
        name: 'values',
        strict_flow: false,
        steps: [
          { name: 'Json', command: ['echo', '{"text": "x", "map": {"a": 1}}'], output_capture: 'json' },
          ...wrong.map(([name, items_from]) => ({
            name,
            for_each: { items_from, steps: [{ name: 'A', command: ['sh', '-c', 'echo x >> ran.txt'] }] },
          })),
          {
            name: 'Caught',
            for_each: { items_from: 'steps.Json.json.gone', steps: [{ name: 'A', command: ['echo'] }] },
            on: { failure: { goto: 'Last' } },
          },
          { name: 'Between', command: ['echo'] },
          { name: 'Last', command: ['echo', 'x'], output_capture: 'lines' },
        ],
      },
    });
    ran(made.run());
    for (const [name, pointer] of wrong) {
      expect(made.step(name), name).toMatchObject({ status: 'failed', exit_code: 2 });
      expect(JSON.stringify(made.step(name).error), name).toContain(pointer);
    }
    expect(made.exists('ran.txt')).toBe(false);
    expect(made.step('Between').status).toBe('pending');
    expect(made.step('Last').status).toBe('completed');
  });
});

describe('leaving a loop', () => {
  it('a goto out of it ends the loop there; what the target does then counts', () => {
    const made = scene({
      workflow: `version: "1.1"
name: leave
steps:
  - name: Loop
    for_each:
      items: [a, b, c]
      steps:
        - { name: Try, command: [sh, -c, "echo \${item} >> tried.txt; test \${item} != b"], on: { failure: { goto: Rescue } } }
        - { name: Next, command: [echo, "\${item}"] }
  - { name: Between, command: [echo] }
  - { name: Rescue, command: [echo, rescued] }
`,
    });
    ran(made.run());
    expect(made.read('tried.txt')).toBe('a\nb\n');
    expect(made.step('Rescue').output).toBe('rescued\n');
    expect(made.step('Between').status).toBe('pending');
    expect(made.state()).toMatchObject({
      status: 'completed',
      for_each: { Loop: { items: ['a', 'b', 'c'], completed_indices: [0] } },
    });
    expect(made.step('Loop')[1]).toMatchObject({
      Try: { status: 'failed', exit_code: 1 },
      Next: { status: 'pending' },
    });
  });

  it('a goto inside it stays in the pass; _end ends the run as completed', () => {
    const made = scene({
      workflow: `version: "1.1"
name: inside
steps:
  - name: Loop
    for_each:
      items: [a, b, c]
      steps:
        - { name: Try, command: [test, "\${item}", "=", a], on: { success: { goto: End }, failure: { goto: _end } } }
        - { name: Over, command: [echo] }
        - { name: End, command: [echo, "\${item}"] }
  - { name: After, command: [echo] }
`,
    });
    ran(made.run());
    expect(made.state()).toMatchObject({ status: 'completed', steps: { After: { status: 'pending' } } });
    expect(made.step('Loop')[0]).toMatchObject({ Over: { status: 'pending' }, End: { output: 'a\n' } });
    expect(made.state().for_each.Loop.completed_indices).toEqual([0]);
  });

  it("the loop's own on sees how it ended", () => {
    const loop = (name: string, exit: number) => ({
      name,
      for_each: { items: [1], steps: [{ name: 'A', command: ['sh', '-c', `exit ${exit}`] }] },
      on: { success: { goto: 'Good' }, failure: { goto: 'Bad' } },
    });
    const tail = [
      { name: 'Between', command: ['echo'] },
      { name: 'Good', command: ['echo'], on: { success: { goto: '_end' } } },
      { name: 'Bad', command: ['echo'] },
    ];
    const good = scene({ workflow: { version: '1.1', name: 'good', steps: [loop('Loop', 0), ...tail] } });
    ran(good.run());
    expect([good.step('Good').status, good.step('Bad').status]).toEqual(['completed', 'pending']);
    good.workflow({ version: '1.1', name: 'bad', steps: [loop('Loop', 5), ...tail] });
    ran(good.run());
    expect([good.step('Good').status, good.step('Bad').status]).toEqual(['pending', 'completed']);
    expect(good.step('Between').status).toBe('pending');
  });
});

describe('going on', () => {
  const WORKFLOW = (command: string) => `version: "1.1"
name: resume
steps:
  - { name: List, command: [printf, "a\\\\nb\\\\nc\\\\n"], output_capture: lines }
  - name: Loop
    for_each:
      items_from: steps.List.lines
      steps:
        - { name: Before, command: [sh, -c, "echo \${item} >> before.txt"] }
        - { name: Work, command: [sh, -c, "${command}"] }
        - { name: After, command: [sh, -c, "echo \${item} >> after.txt"] }
`;

  it('a loop that failed goes on with the failed step of its pass, and nothing is done twice', () => {
    const made = scene({ workflow: WORKFLOW('test ${item} != b -o -e mended') });
    ran(made.run(), 1);
    expect(made.state()).toMatchObject({
      status: 'failed',
      for_each: { Loop: { items: ['a', 'b', 'c'], completed_indices: [0], current_index: 1 } },
    });
    made.write('mended', '');
    ran(made.lockstep(['resume']));
    expect(made.runs()).toHaveLength(1);
    expect(made.read('before.txt')).toBe('a\nb\nc\n');
    expect(made.read('after.txt')).toBe('a\nb\nc\n');
    expect(made.state()).toMatchObject({
      status: 'completed',
      for_each: { Loop: { completed_indices: [0, 1, 2] } },
    });
  });

  it('a loop that was interrupted goes on with the pass it was in', async () => {
    const made = scene({
      workflow: WORKFLOW('test ${item} != b -o -e mended || { touch waiting; sleep 60; }'),
    });
    const running = made.start();
    await until(() => made.exists('waiting'));
    expect(made.state().for_each.Loop).toMatchObject({ completed_indices: [0], current_index: 1 });
    running.send('SIGINT');
    expect((await running.ended).exitCode).toBe(130);
    made.write('mended', '');
    ran(made.lockstep(['resume', made.state().run_id]));
    expect(made.read('before.txt')).toBe('a\nb\nc\n');
    expect(made.read('after.txt')).toBe('a\nb\nc\n');
    expect(made.state()).toMatchObject({
      status: 'completed',
      for_each: { Loop: { completed_indices: [0, 1, 2] } },
    });
  });
});
