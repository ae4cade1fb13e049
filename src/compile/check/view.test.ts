import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { problemsOf } from '../fixtures/sample-problems.ts';

/** The steps of a workflow; the first stands in line 4. */
const steps = (text: string) => problemsOf(`steps:\n${text.replace(/^\n/, '')}`);

describe('rule 1: which steps are seen', () => {
  it('LS-CEL-NOT-YET: those that can have run, on some way', () => {
    expect(
      steps(`
  - { id: a, run: x, if: 'steps.b.status == "done"' }
  - { id: b, run: x, if: 'steps.a.status == "done" && steps.b.status == "done"' }
  - { id: c, run: x, done: { that: 'steps.c.status == "done"' } }
  - { id: d, steps: [{ id: e, run: x, if: 'steps.d.status == "done"' }] }
  - { id: f, run: x, if: 'steps.e.status == "done" && steps.d.status == "done"' }
`),
    ).toEqual([
      '4: cel-unknown-field: step `b` cannot have run yet: it comes after `a`',
      '5: cel-unknown-field: step `b` is this very step, and has not ended here',
      '6: cel-unknown-field: step `c` is this very step, and has not ended here; its output is `output`',
      '7: cel-unknown-field: step `d` is a block around this step, and has not ended here',
    ]);
  });

  it('a goto or a loop that leads back lets later ones be seen', () => {
    expect(
      steps(`
  - { id: a, run: x, if: 'steps.b.status == "done"' }
  - { id: b, run: x, next: [{ when: 'output == ""', goto: a }] }
  - id: l
    loop: { while: 'truthy(steps.d.output)', max: 3 }
    steps:
      - { id: c, run: x, if: 'steps.d.status == "done"' }
      - { id: d, run: x }
  - { id: e, run: x, if: 'steps.f.status == "done"' }
  - { id: f, run: x }
`),
    ).toEqual(['11: cel-unknown-field: step `f` cannot have run yet: it comes after `e`']);
  });

  it('LS-CEL-SWITCHED-OFF: a step that is switched off, and what is in it, sees what it would see otherwise', () => {
    const off = (flag: string) => `
  - { id: a, run: x, capture: json, output: found }
  - { id: b, run: 'x {{ found.y }}', if: '${flag}' }
  - { id: l, if: '${flag}', loop: { while: 'truthy(found.z)', max: 1 }, steps: [{ id: c, run: 'x {{ found }} {{ late }}' }] }
  - { id: m, loop: { while: '${flag}', max: 1 }, steps: [{ id: d, run: 'x {{ found }}' }] }
  - { id: e, each: "i in ${flag === 'false' ? '[]' : '[1]'}", steps: [{ id: f, run: 'x {{ found }}' }] }
  - { id: g, run: x, output: late }
`;
    const late =
      '6: cel-unknown-name: `late` is bound by step `g`, which cannot have run yet: no way leads from it to here';
    expect(steps(off('inputs.y == 1 || true')).filter((line) => line.includes('late'))).toEqual([late]);
    expect(steps(off('false')).filter((line) => line.includes('cel-'))).toEqual([late]);
  });

  it('a goto that leads past a step does not hide it', () => {
    expect(
      steps(`
  - { id: a, run: x, next: [{ when: 'output == ""', goto: c }] }
  - { id: b, run: x }
  - { id: c, run: x, if: 'steps.b.status == "done"' }
`),
    ).toEqual([]);
  });

  it('LS-CEL-OTHER-BRANCH: no step of another branch of a parallel, even where a loop leads around', () => {
    expect(
      steps(`
  - id: l
    loop: { until: 'steps.b.status == "done"', max: 3 }
    steps:
      - id: reviews
        parallel: true
        steps:
          - { id: a, run: x }
          - { id: b, run: x, if: 'steps.a.status == "done"' }
          - { id: s, steps: [{ id: c, run: x }, { id: d, run: x, if: 'steps.c.status == "done" && steps.a.status == "done"' }] }
      - { id: after, run: x, if: 'steps.a.status == "done" && steps.d.status == "done"' }
`),
    ).toEqual([
      '11: cel-unknown-field: step `a` is in another branch of `parallel` `reviews` (it may not have finished)',
      '12: cel-unknown-field: step `a` is in another branch of `parallel` `reviews` (it may not have finished)',
    ]);
  });

  it('the steps of a pass only inside that pass', () => {
    expect(
      steps(`
  - { id: before, run: x }
  - id: execute
    each: t in ["a"]
    enter: [{ call: noop, when: 'steps.two.status == "done"' }]
    exit: [{ call: noop, when: 'steps.two.status == "done"' }]
    next: [{ when: 'steps.two.status == "done"', goto: end }]
    steps:
      - { id: one, run: x, if: 'steps.two.status == "done" && steps.before.status == "done"' }
      - { id: two, run: x, if: 'steps.one.status == "done"' }
      - { id: in-2, each: 'u in [t]', steps: [{ id: three, run: x, if: 'steps.two.status == "done" && t == u' }] }
  - { id: after, run: x, if: 'steps.two.status == "done"' }
  - { id: deep, run: x, if: 'steps.three.status == "done"' }
outputs: { all: '{{ steps.execute.output }}', one: '{{ steps.one.output }}' }
`),
    ).toEqual([
      '7: cel-unknown-field: step `two` cannot have run yet: no way leads from it to here',
      '9: cel-unknown-field: step `two`: steps inside `each` `execute` are seen only inside a pass; use steps.execute.output',
      '11: cel-unknown-field: step `two` cannot have run yet: it comes after `one`',
      '14: cel-unknown-field: step `two`: steps inside `each` `execute` are seen only inside a pass; use steps.execute.output',
      '15: cel-unknown-field: step `three`: steps inside `each` `execute` are seen only inside a pass; use steps.execute.output',
      '16: cel-unknown-field: step `one`: steps inside `each` `execute` are seen only inside a pass; use steps.execute.output',
    ]);
  });

  it('none of a called workflow, and the message says where its outputs are', () => {
    const files = { 'workflows/sub.yaml': 'lockstep: 1\nname: sub\nsteps: [{ id: inner, run: x }]\n' };
    expect(
      problemsOf(
        `steps: [{ id: a-b, workflow: sub }, { id: c, run: 'echo {{ steps.inner.output }}' }]\n`,
        files,
      ),
    ).toEqual([
      '3: cel-unknown-field: step `inner` is part of the workflow that `a-b` calls; what it gives back is in steps["a-b"].output',
    ]);
  });

  it('its own result in exit and next', () => {
    expect(
      steps(`
  - { id: a, run: x, exit: [{ call: noop, when: 'steps.a.exit_code == 1' }], next: [{ when: 'steps.a.exit_code == 2', goto: end }] }
`),
    ).toEqual([]);
  });
});

describe('rule 1: which names are seen', () => {
  it('LS-CEL-MISSPELT: those that a step or an action can have bound, typed by what they hold', () => {
    expect(
      steps(`
  - { id: a, run: 'echo {{ plan.tasks }}' }
  - { id: b, prompt: { text: x }, output: plan, done: { schema: { type: object, properties: { tasks: { type: array } } } } }
  - { id: c, run: 'echo {{ plan.taks }} {{ plann }} {{ c }}', enter: [{ run: [x], output: entered }], exit: [{ run: [x], output: left }] }
  - { id: d, run: 'echo {{ entered }} {{ left }}', next: [{ do: [{ run: [x], output: chosen, when: 'left == chosen' }] }] }
  - { id: e, run: 'echo {{ chosen }} {{ done }}', enter: [{ run: [x], output: early, when: 'early == ""' }], done: { that: 'early == ""' } }
`),
    ).toEqual([
      '4: cel-unknown-name: `plan` is bound by step `b`, which cannot have run yet: it comes after `a`',
      '6: cel-unknown-field: `plan` has no `taks` → Did you mean `plan.tasks`?',
      '6: cel-unknown-name: there is nothing called `plann` here → Did you mean `plan`?',
      '6: cel-unknown-name: there is nothing called `c` here → There are `inputs`, `vars`, `run`, `plan`, `steps` and `entered`. A text is written in quotes: "c".',
      '8: cel-unknown-name: there is nothing called `done` here → There are `inputs`, `vars`, `run`, `chosen`, `steps`, `plan`, `entered`, `left` and 1 more. A text is written in quotes: "done".',
    ]);
  });

  it('a name that several steps bind is of no type they do not share', () => {
    expect(
      steps(`
  - { id: a, run: x, output: same }
  - { id: b, run: x, output: same }
  - { id: c, run: x, output: other }
  - { id: d, run: x, capture: lines, output: other }
  - { id: e, run: 'echo {{ same.x }} {{ other.x }}' }
`),
    ).toEqual(['8: cel-unknown-field: `same` is a string, which has no field `x`']);
  });

  it('the name of an each inside it, typed by the list where that is a path', () => {
    expect(
      problemsOf(`
inputs: { files: { type: list } }
steps:
  - { id: plan, prompt: { text: x }, done: { schema: { type: object, properties: { tasks: { type: array, items: { type: object, properties: { title: { type: string } } } } } } } }
  - { id: e, each: 'task in steps.plan.output.tasks', title: '{{ task }}', steps: [{ id: f, run: 'echo {{ task.titel }}' }] }
  - { id: g, each: 'file in inputs.files', enter: [{ call: noop, when: 'file.any == pass.index' }], steps: [{ id: h, run: 'echo {{ file.any }}' }] }
  - { id: i, run: 'echo {{ task }}' }
  - { id: j, each: 'x in steps.j.output', steps: [{ id: k, run: 'echo {{ x.item }}' }] }
`),
    ).toEqual([
      '6: cel-unknown-name: `task` is there only inside `each` `e`',
      '6: cel-unknown-field: `task` has no `titel` → Did you mean `task.title`?',
      '8: cel-unknown-name: `task` is there only inside `each` `e`',
      '9: cel-unknown-field: step `j` is this very step, and has not ended here',
    ]);
  });

  it('pass inside each and loop, output and status once there is one, event and session in a live session', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x, if: 'pass.number == 1 && output == "" && status == "" && event.tool == "" && session.title == ""' }
  - { id: b, run: x, done: { that: ['output == ""', 'status == "done"'] }, exit: [{ call: noop, when: 'output == status' }] }
  - { id: l, loop: { while: 'pass.number < 3', max: 3 }, next: [{ when: 'pass.number == 1', goto: end }], steps: [{ id: c, run: x, if: 'pass.total == pass.totl' }] }
rules: [{ when: 'event.tool == "Edit" && session.files_read.size() > 0 && event.tol == ""', block: no }]
`),
    ).toEqual([
      '4: cel-unknown-name: `pass` is there only inside a pass of `each` or `loop`',
      '4: cel-unknown-name: `output` is there only once the work has ended: in `done`, `exit` and `next`',
      '4: cel-unknown-name: `status` is there only once the step has ended: in `exit` and `next`',
      '5: cel-unknown-name: `status` is there only once the step has ended: in `exit` and `next`',
      '6: cel-unknown-name: `pass` is there only inside a pass of `each` or `loop`',
      '6: cel-unknown-field: `pass` has no `totl` → Did you mean `pass.total`?',
      '7: cel-unknown-field: `event` has no `tol` → Did you mean `event.tool`?',
    ]);
  });

  it('GOB-NAMES: session and event in every step, rule, event and prompt, field by field; not in outputs', () => {
    expect(
      problemsOf(`
steps:
  - id: a
    if: 'session.source == "startup" && session.step.tests == ""'
    prompt: { text: '{{ session.step.elapsed }} {{ session.observations.map(o, o.text) }} {{ session.artifacts.plan }} {{ event.reason }}' }
    done: { that: ['user_says("go on") || session.handoff.notes != "" || session.todos.exists(t, t.status == "done")'] }
    next: [{ when: 'session.step.actions >= 5 || session.context_restored', goto: end }]
  - { id: b, run: 'echo {{ session.stp }}', if: 'session.title > 3', exit: [{ set: {}, when: 'session.step.stop > 1' }] }
outputs: { title: '{{ session.title }}' }
`),
    ).toEqual([
      '9: cel-unknown-field: `session` has no `stp` → Did you mean `session.step`?',
      '9: cel-type: a string and an int have no order: `>` cannot compare them → string(x) makes a text of a number; int(x) and double(x) make a number of a text.',
      '9: cel-unknown-field: `session.step` has no `stop` → Did you mean `session.step.stops`?',
      '10: cel-unknown-name: `session` is there only in steps, rules and `events`: `outputs` belong to no session',
    ]);
  });

  it('inputs and vars, typed by their declarations', () => {
    expect(
      problemsOf(`
inputs: { spec: { type: file }, n: { type: number }, on: { type: boolean }, map: { type: map } }
vars: { text: x, list: [], any: null }
steps:
  - { id: a, run: x, if: 'inputs.spec.txt == ""' }
  - { id: b, run: x, if: 'inputs.n' }
  - { id: c, run: x, if: 'inputs.on && inputs.map.x && inputs.spec.data.x' }
  - { id: d, run: x, if: 'vars.text + 1 == 2' }
  - { id: e, run: x, if: 'vars.list.x == 1 || vars.any.x || vars.non' }
`).map((line) => line.split(' → ')[0]),
    ).toEqual([
      '6: cel-unknown-field: `inputs.spec` has no `txt`',
      '7: cel-type: true or false is expected here, and this is a number',
      '9: cel-type: `+` cannot be used between a string and an int',
      '10: cel-unknown-field: `vars.list` is a list, which has no field `x`',
      '10: cel-unknown-field: `vars` has no `non`',
    ]);
  });

  it('of a thing that many steps bind, or that is read by a key that is computed, only that it is there', () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `  - { id: s${index}, run: x, output: name }\n`,
    ).join('');
    expect(
      problemsOf(
        `vars: { which: s1 }\nsteps:\n${many}  - { id: z, run: 'echo {{ name.x }} {{ steps[vars.which].output }} {{ steps[vars.which].no }}' }\n`,
      ),
    ).toEqual([expect.stringContaining('65: cel-unknown-field')]);
  });

  it('C2: a long row of lists, each made of the next, ends', () => {
    const count = tries(3000, 1000);
    const rows = Array.from(
      { length: count },
      (_, n) =>
        `  - { id: e${n}, each: 'x in steps.e${(n + 1) % count}.output', steps: [{ id: a, run: x }] }\n`,
    );
    const text = `steps:\n${rows.join('')}  - { id: back, run: x, next: [{ when: 'output == ""', goto: e0 }] }\n`;
    expect(problemsOf(text)).toEqual([]);
  });

  it('C2: workflows that call each other often are looked at once', () => {
    const files = Object.fromEntries(
      Array.from({ length: 25 }, (_, n) => [
        `workflows/w${n}.yaml`,
        `lockstep: 1\nname: w${n}\nsteps: [${n === 24 ? '{ id: p, prompt: { text: x } }' : `{ id: a, workflow: w${n + 1} }, { id: b, workflow: w${n + 1} }`}]\n`,
      ]),
    );
    const text =
      'steps: [{ id: all, parallel: true, steps: [{ id: a, workflow: w0 }, { id: b, workflow: w0 }] }]\n';
    expect(problemsOf(text, files)).toEqual([expect.stringContaining('shared-workspace')]);
  });
});
