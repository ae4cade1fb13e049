// Variables: which name means what, where they are filled in, and where a text stays as it is.

import { beforeAll, describe, expect, it } from 'vitest';
import { ran, type Scene, scene } from './support.ts';

describe('what is filled in', () => {
  let all: Scene;
  beforeAll(() => {
    all = scene({
      files: {
        'prompts/x.md': 'Literal ${context.word} {{ inputs.word }} {% if %} $$ $${x}',
        'data/x.csv': 'Also ${context.word} and {{ run.id }}',
        'seen/x.flag': '',
      },
      workflow: `version: "1.1.1"
name: "places"
strict_flow: false
context:
  word: x
  number: 3
  yes: true
  nothing: null
  map: { host: localhost, ports: [1, 2] }
  list: [a, 1]
  my-key: dashed
  indirect: "\${context.word} $$"
steps:
  - name: Words
    command: [printf, "[%s]", "a \${context.word} b", "\${context.number}", "\${context.yes}", "\${context.map}", "\${context.map.host}", "\${context.list}", "\${context.my-key}"]
  - name: Run
    command: [printf, "%s|%s|%s", "\${run.id}", "\${run.root}", "\${run.timestamp_utc}"]
  - { name: State, command: [cat, "\${run.root}/state.json"], output_capture: json }
  - name: Escapes
    command: [printf, "[%s]", "$$5", "$\${context.word}", "$$\${context.word}", "$$$\${context.word}", "$$$$", "$HOME $1 $(x)", "a$", "\${context.indirect}"]
  - name: Foreign
    command: [printf, "[%s]", "{{ inputs.word }}", "{% if x %}", "{{", "}}", "{# no #}", "\${context.word}{{ run.id }}"]
  - name: Env
    env: { FROM: "\${context.word}", ESCAPED: "$$ $\${x}", BRACES: "{{ run.id }}" }
    command: [sh, -c, 'printf "[%s]" "$FROM" "$ESCAPED" "$BRACES"']
  - name: Paths
    provider: codex
    input_file: "prompts/\${context.word}.md"
    output_file: "out/\${context.word}-\${steps.Words.exit_code}.txt"
    depends_on:
      required: ["data/\${context.word}.csv"]
      optional: ["seen/\${context.word}.*", "none/\${context.word}"]
      inject: { mode: content, instruction: "Literally \${context.word} {{ run.id }} $$:", position: append }
  - name: Wait
    wait_for: { glob: "seen/\${context.word}.*", timeout_sec: 5 }
  - name: Equal
    when: { equals: { left: "\${context.word}-\${context.number}", right: "x-\${context.number}" } }
    command: [echo, yes]
  - name: There
    when: { exists: "seen/\${context.word}.*" }
    command: [echo, yes]
  - name: Absent
    when: { not_exists: "none/\${context.word}.*" }
    command: [echo, yes]
  - name: Loop
    for_each:
      items: ["\${context.word}", "$$", "{{ run.id }}"]
      steps:
        - { name: Show, command: [printf, "%s", "\${item}"] }
`,
    });
    ran(all.run());
  });
  const output = (name: string) => all.step(name).output;

  it('words of a command: any type, strings as they are and the rest as JSON', () => {
    expect(output('Words')).toBe(
      '[a x b][3][true][{"host":"localhost","ports":[1,2]}][localhost][["a",1]][dashed]',
    );
  });

  it('the run: its id, where its records are, and when it began', () => {
    const { run_id } = all.state();
    const time = run_id.slice(0, run_id.indexOf('-'));
    expect(run_id).toMatch(/^\d{8}T\d{6}Z-[0-9a-z]{6}$/);
    expect(output('Run')).toBe(`${run_id}|.lockstep/runs/${run_id}|${time}`);
  });

  it('a step finds the state as it is before it, at run.root', () => {
    expect(all.step('State').json).toMatchObject({
      status: 'running',
      steps: {
        Run: { status: 'completed', exit_code: 0, output: output('Run') },
        State: { status: 'running' },
        Escapes: { status: 'pending' },
      },
    });
  });

  it('$$ is a dollar, $${ is ${, both read from the left; a lone dollar stays; what was filled in is not read again', () => {
    expect(output('Escapes')).toBe(
      '[$5][${context.word}][$x][$${context.word}][$$][$HOME $1 $(x)][a$][${context.word} $$]',
    );
  });

  it('braces of our own language mean nothing', () => {
    expect(output('Foreign')).toBe('[{{ inputs.word }}][{% if x %}][{{][}}][{# no #}][x{{ run.id }}]');
  });

  it('env is literal', () => {
    expect(output('Env')).toBe('[${context.word}][$$ $${x}][{{ run.id }}]');
  });

  it('paths, patterns and conditions are filled in', () => {
    expect(all.step('Paths')).toMatchObject({ status: 'completed', exit_code: 0 });
    expect(all.read('out/x-0.txt')).toBe('codex was here\n');
    expect(all.step('Wait')).toMatchObject({ status: 'completed', files: ['seen/x.flag'] });
    for (const name of ['Equal', 'There', 'Absent']) expect(all.step(name).status).toBe('completed');
  });

  it('the contents of files and the instruction are literal', () => {
    const [{ stdin } = { stdin: '' }] = all.agentCalls('codex');
    expect(stdin.startsWith('Literal ${context.word} {{ inputs.word }} {% if %} $$ $${x}\n\n')).toBe(true);
    expect(stdin).toContain('\n\nLiterally ${context.word} {{ run.id }} $$:\n\n');
    expect(stdin).toContain('\nAlso ${context.word} and {{ run.id }}');
  });

  it('literal items are literal', () => {
    expect(all.state().steps.Loop.map(({ Show }: { Show: { output: string } }) => Show.output)).toEqual([
      '${context.word}',
      '$$',
      '{{ run.id }}',
    ]);
  });
});

describe('which name means what', () => {
  it('run goes before the loop, the loop before steps, steps before context', () => {
    const names = scene({
      workflow: {
        version: '1.1',
        name: 'precedence',
        context: { a: 'from context' },
        steps: [
          { name: 'A', command: ['printf', 'from A'] },
          ...['context', 'run', 'steps', 'thing'].map((as) => ({
            name: `as-${as}`,
            for_each: {
              items: [{ a: 'item a', id: 'item id', A: { output: 'item output' } }],
              as,
              steps: [
                {
                  name: 'Show',
                  command: [
                    'printf',
                    '[%s]',
                    '${context.a}',
                    '${run.id}',
                    '${steps.A.output}',
                    '${loop.index}',
                  ],
                },
              ],
            },
          })),
        ],
      },
    });
    ran(names.run());
    const { run_id, steps } = names.state();
    expect(steps['as-context'][0].Show.output).toBe(`[item a][${run_id}][from A][0]`);
    expect(steps['as-run'][0].Show.output).toBe(`[from context][${run_id}][from A][0]`);
    expect(steps['as-steps'][0].Show.output).toBe(`[from context][${run_id}][item output][0]`);
    expect(steps['as-thing'][0].Show.output).toBe(`[from context][${run_id}][from A][0]`);
  });

  it('names of steps and aliases may hold what our own ids may not', () => {
    const names = scene({
      workflow: `version: "1.1"
name: "Any name: at all!"
steps:
  - { name: "Run tests (fast)", command: [printf, fine] }
  - { name: "1st/second", command: [printf, "%s", "\${steps.Run tests (fast).output}"] }
  - name: "Füße"
    for_each:
      items: [1]
      as: "my-file"
      steps: [ { name: "end", command: [printf, "%s %s", "\${my-file}", "\${steps.1st/second.output}"], on: { success: { goto: "_end" } } } ]
  - { name: "never", command: [echo, never] }
`,
    });
    ran(names.run());
    const { steps } = names.state();
    expect(Object.keys(steps)).toEqual(['Run tests (fast)', '1st/second', 'Füße', 'never']);
    expect(steps['1st/second'].output).toBe('fine');
    expect(steps.Füße[0].end.output).toBe('1 fine');
    expect(steps.never.status).toBe('pending');
  });

  it('names that are nearly the same stay apart, and none leads a log out of its folder', () => {
    const names = ['A B', 'A-B', 'A_B', 'a b', '../../evil', 'constructor', 'x'.repeat(300)];
    const made = scene({
      workflow: {
        version: '1.1',
        name: '../up',
        steps: [
          ...names.map((name) => ({
            name,
            command: ['sh', '-c', 'printf %s "$1"; echo "$1" >&2', 'sh', name],
          })),
          { name: 'Show', command: ['printf', '[%s]', ...names.map((name) => `\${steps.${name}.output}`)] },
        ],
      },
    });
    ran(made.run(['--debug']));
    expect(Object.keys(made.state().steps)).toEqual([...names, 'Show']);
    expect(made.step('Show').output).toBe(names.map((name) => `[${name}]`).join(''));
    expect(made.logNames().filter((name) => name.endsWith('.stderr'))).toHaveLength(names.length);
    expect(made.sh('find .. -name "*evil*" | grep -v "/logs/"').stdout).toBe('');
  });
});

describe('what is not defined', () => {
  let all: Scene;
  beforeAll(() => {
    const echo = (...words: string[]) => ({
      command: ['sh', '-c', 'echo ran >> ran.txt; echo "$@"', 'sh', ...words],
    });
    all = scene({
      files: { 'x.md': 'x' },
      workflow: {
        version: '1.1',
        name: 'undefined',
        strict_flow: false,
        context: { given: 'x', map: { a: 1 } },
        steps: [
          { name: 'Text', command: ['printf', 'x'] },
          { name: 'Lines', command: ['printf', 'x'], output_capture: 'lines' },
          { name: 'Skipped', when: { equals: { left: 'a', right: 'b' } }, command: ['echo'] },
          { name: 'Two', ...echo('${context.one} ${context.given}', '${context.two}', '${context.one}') },
          { name: 'Deep', ...echo('${context.map.b}') },
          { name: 'Bare', ...echo('${HOME}') },
          { name: 'Item', ...echo('${item}', '${loop.index}', '${loop.total}') },
          { name: 'Nowhere', ...echo('${nowhere.x}', '${run.nothing}') },
          {
            name: 'Steps',
            ...echo(
              '${steps.Nope.output}',
              '${steps.Text.lines}',
              '${steps.Lines.output}',
              '${steps.Text.foo}',
            ),
          },
          { name: 'Later', ...echo('${steps.Last.output}') },
          { name: 'Of-skipped', ...echo('${steps.Skipped.output}') },
          { name: 'Skipped-code', ...echo('${steps.Skipped.exit_code}') },
          { name: 'In-when', when: { equals: { left: '${context.one}', right: 'x' } }, ...echo('x') },
          { name: 'In-exists', when: { exists: '${context.one}' }, ...echo('x') },
          { name: 'In-depends', depends_on: { required: ['${context.one}'] }, ...echo('x') },
          { name: 'In-output', output_file: '${context.one}', ...echo('x') },
          { name: 'In-wait', wait_for: { glob: '${context.one}', timeout_sec: 0.2 } },
          { name: 'In-input', provider: 'claude', input_file: '${context.one}' },
          {
            name: 'In-params',
            provider: 'claude',
            input_file: 'x.md',
            provider_params: { model: ['${context.one}'] },
          },
          { name: 'Caught', ...echo('${context.one}'), on: { failure: { goto: 'Last' } } },
          { name: 'Jumped-over', command: ['echo', 'no'] },
          { name: 'Last', command: ['echo', '${context.late}'] },
        ],
      },
    });
    ran(all.run(['--context', 'late=given on the command line']));
  });
  const context = (name: string) => all.step(name).error.context;

  it.each([
    'Two',
    'Deep',
    'Bare',
    'Item',
    'Nowhere',
    'Steps',
    'Later',
    'Of-skipped',
    'In-when',
    'In-exists',
    'In-depends',
    'In-output',
    'In-wait',
    'In-input',
    'In-params',
    'Caught',
  ])('%s fails with exit code 2', (name) => {
    expect(all.step(name)).toMatchObject({ status: 'failed', exit_code: 2, error: { exit_code: 2 } });
    expect(context(name).undefined_vars.length).toBeGreaterThan(0);
  });

  it('undefined_vars has every name, once, as it was written', () => {
    expect(context('Two').undefined_vars).toEqual(['${context.one}', '${context.two}']);
    expect(context('Deep').undefined_vars).toEqual(['${context.map.b}']);
    expect(context('Bare').undefined_vars).toEqual(['${HOME}']);
    expect(context('Item').undefined_vars).toEqual(['${item}', '${loop.index}', '${loop.total}']);
    expect(context('Nowhere').undefined_vars).toEqual(['${nowhere.x}', '${run.nothing}']);
    for (const name of [
      'In-when',
      'In-exists',
      'In-depends',
      'In-output',
      'In-wait',
      'In-input',
      'In-params',
      'Caught',
    ])
      expect(context(name).undefined_vars, name).toEqual(['${context.one}']);
  });

  it('a reference to a step that has no such value is in invalid_reference', () => {
    expect(context('Steps').invalid_reference).toEqual([
      'steps.Nope.output',
      'steps.Text.lines',
      'steps.Lines.output',
      'steps.Text.foo',
    ]);
    expect(context('Later').invalid_reference).toEqual(['steps.Last.output']);
    expect(context('Of-skipped').invalid_reference).toEqual(['steps.Skipped.output']);
    expect(all.step('Skipped-code').output).toBe('0\n');
  });

  it('nothing was started, and on.failure applies', () => {
    expect(all.read('ran.txt')).toBe('ran\n'); // Skipped-code
    expect(all.agentCalls('claude')).toEqual([]);
    expect(all.step('Jumped-over').status).toBe('pending');
    expect(all.step('Last').output).toBe('given on the command line\n');
    expect(all.state().context).toMatchObject({
      given: 'x',
      map: { a: 1 },
      late: 'given on the command line',
    });
  });
});
