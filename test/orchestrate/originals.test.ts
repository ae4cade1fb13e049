// Files as the users of orchestrate wrote them: fields where they stand, words of YAML 1.1, and what its state and logs say.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AnyJson, ran, type Scene, scene } from './support.ts';

const goto = (target: string) => ({ goto: target });
const sh = (name: string, line: string, more: object = {}) => ({
  name,
  command: ['sh', '-c', line],
  ...more,
});
const flow = (...steps: object[]) => ({ version: '1.1.1', name: 'flow', steps });

/** What is said of a workflow that loads. */
const warnings = (made: Scene): AnyJson[] => {
  const { stdout } = made.lockstep(['validate', 'workflow.yaml', '--json']);
  return JSON.parse(stdout).diagnostics.filter(({ severity }: AnyJson) => severity === 'warning');
};

describe('on.always', () => {
  it.each([
    ['success', 'true', 0],
    ['failure', 'exit 3', 0],
  ])(
    'ORC-ALWAYS: is looked at after success and failure, and decides where to go after a %s',
    (_, line, exitCode) => {
      const made = scene({
        workflow: flow(
          sh('Work', line, { on: { success: goto('Wrong'), failure: goto('Wrong'), always: goto('Clean') } }),
          sh('Wrong', 'touch wrong', { on: { always: goto('_end') } }),
          sh('Clean', 'touch clean'),
        ),
      });
      ran(made.run(), exitCode);
      expect([made.exists('clean'), made.exists('wrong')]).toEqual([true, false]);
      expect(warnings(made).filter(({ code }) => code === 'field-unused')).toHaveLength(2);
    },
  );
});

describe('a loop or a wait', () => {
  it.each([
    ['for_each', { for_each: { items: ['a'], steps: [sh('In', 'touch in')] } }],
    ['wait_for', { wait_for: { glob: 'there.txt', timeout_sec: 1 } }],
  ])('ORC-DEPENDS-AROUND: depends_on of a %s is checked before it begins', (_, work) => {
    const step = {
      name: 'Around',
      ...work,
      depends_on: { required: ['${context.folder}/*.csv', 'gone.txt'], optional: ['perhaps.txt'] },
    };
    const workflow = {
      ...flow({ ...step, on: { failure: goto('Told') } }, sh('Told', 'touch told')),
      context: { folder: 'data' },
    };
    const missing = scene({ workflow, files: { 'there.txt': '', 'data/a.csv': '' } });
    ran(missing.run());
    expect(missing.step('Around').error ?? missing.state().lockstep.steps.Around?.error).toMatchObject({
      exit_code: 2,
      context: { failed_deps: ['gone.txt'] },
    });
    expect([missing.exists('in'), missing.exists('told')]).toEqual([false, true]);

    const there = scene({
      workflow: { ...workflow, steps: [step] },
      files: { 'there.txt': '', 'gone.txt': '', 'data/a.csv': '' },
    });
    ran(there.run());
  });

  it('ORC-DEPENDS-AROUND: it is looked at with the values of its own item', () => {
    const inner = {
      name: 'Inner',
      for_each: { items: [1], steps: [sh('Do', 'touch done-${item_name}')] },
      depends_on: { required: ['${item_name}.txt'] },
    };
    const made = scene({
      workflow: {
        ...flow({ name: 'Outer', for_each: { items: ['a', 'b'], as: 'item_name', steps: [inner] } }),
        strict_flow: false,
      },
      files: { 'b.txt': '' },
    });
    made.run();
    expect([made.exists('done-a'), made.exists('done-b')]).toEqual([false, true]);
  });

  it('ORC-AROUND-FIELDS: timeout_sec and output_capture apply to providers and commands: there they are told and change nothing', () => {
    const made = scene({
      workflow: flow(
        {
          name: 'Loop',
          timeout_sec: 0.01,
          output_capture: 'lines',
          for_each: { items: ['a'], steps: [sh('In', 'sleep 0.2')] },
        },
        {
          name: 'Wait',
          timeout_sec: 0.01,
          output_capture: 'text',
          wait_for: { glob: 'late', timeout_sec: 20 },
        },
      ),
      files: {},
    });
    made.write('late', '');
    ran(made.run());
    const told = warnings(made).map(({ code, message }) => `${code} ${message}`);
    expect(told).toHaveLength(4);
    expect(told[0]).toContain(
      'field-unused the step "Loop" has `timeout_sec`, which applies to providers and commands',
    );
  });
});

describe('what people wrote', () => {
  const hinted = (step: string, top = ''): string[] => {
    const made = scene({ workflow: `version: "1.1"\n${top}steps:\n  - ${step}\n` });
    return made.refused().map(({ message, hint }) => `${message} → ${hint}`);
  };

  it.each([
    ['{ name: A, command: "echo hi" }', 'Write command: ["echo", "hi"]'],
    [
      `{ name: A, command: "git commit -m 'two words' \${context.x}" }`,
      'Write command: ["git", "commit", "-m", "two words", "${context.x}"]',
    ],
    ['{ name: A, command: "ls *.md | wc -l" }', 'Write command: ["bash", "-c", "ls *.md | wc -l"]'],
    ['{ name: A, command: ["true"], retries: 2 }', 'Write retries: { max: 2 }'],
    [
      '{ name: A, command: ["true"], expected_outputs: [a.md, { path: b/c.md }] }',
      'depends_on: { required: ["a.md", "b/c.md"] }',
    ],
    ['{ name: A, command: ["true"], timeout: 5 }', 'Write `timeout_sec`'],
    ['{ name: A, run: "make" }', 'Write `command`'],
    ['{ name: A, provider: claude, prompt: "Do it" }', 'input_file: "prompts/task.md"'],
    ['{ name: A, provider: claude, model: opus }', 'Write provider_params: { model: "opus" }'],
    ['{ name: A, command: ["true"], on_failure: B }', 'Write on: { failure: { goto: "B" } }'],
  ])('ORC-HINTS: %s gets the line that should have been written', (step, hint) => {
    expect(hinted(step).join('\n')).toContain(hint);
  });

  it('ORC-HINTS: secrets at the top belong to the steps that need them', () => {
    const [told, ...more] = hinted('{ name: A, command: ["true"] }', 'secrets: [GITHUB_TOKEN]\n');
    expect(more).toEqual([]);
    expect(told).toContain('Write `secrets: ["GITHUB_TOKEN"]` into each step that needs them');
  });
});

describe('YAML 1.1', () => {
  it('ORC-YAML-1-1: plain yes and no and numbers with a leading zero are told, and nothing in quotes is', () => {
    const made = scene({
      workflow: `version: "1.1"
strict_flow: no
context: { go: yes, code: 010, port: 8080, time: 1:30, quoted: "yes", big: 1_000, not_octal: 089 }
steps:
  - { name: Fails, command: ["false"] }
  - { name: Show, command: [echo, "\${context.go}", "\${context.code}", Off, "no"] }
`,
    });
    ran(made.run());
    expect(made.step('Show').output).toBe('yes 10 Off no\n');
    const told = warnings(made).filter(({ code }) => code === 'yaml-1-1');
    expect(
      told.map(
        ({ span, message }) =>
          `${span.line}: ${message.replace(/^in YAML 1.1, which these files were read as, /, '')}`,
      ),
    ).toEqual([
      '2: `no` is false, and here, where one must stand, it is read as false',
      '3: `yes` is true, and here it is a text',
      '3: `010` is 8, an octal number, and here it is 10',
      '3: `1:30` is 90, a number to the base of 60, and here it is a text',
      '3: `1_000` is the number 1000, and here it is a text',
      '3: `089` is a text, and here it is 89',
      '6: `Off` is false, and here it is a text',
    ]);
  });

  it('ORC-WHOLE-DECIMAL: 2.0 stays 2.0 as text, wherever it is filled in', () => {
    const made = scene({
      workflow: `version: "1.1"
context: { v: 2.0, list: [1.0], half: 1.5 }
providers: { show: { command: [echo, "\${temperature}", "\${top}"], defaults: { temperature: 0.0 } } }
steps:
  - { name: Show, command: [echo, "\${context.v}", "\${context.half}", 3.0] }
  - { name: Ask, provider: show, provider_params: { top: 1.0 } }
  - { name: Loop, for_each: { items: [4.0], steps: [ { name: In, command: [echo, "\${item}"] } ] } }
  - { name: Same, command: [echo, same], when: { equals: { left: "\${context.v}", right: 2.0 } } }
  - { name: Json, command: [echo, '{"v": 2.0}'], output_capture: json }
  - { name: Also, command: [echo, same], when: { equals: { left: "\${steps.Json.json.v}", right: 2.0 } } }
  - { name: Not, command: [echo, same], when: { equals: { left: "\${context.v}", right: 3.0 } } }
`,
    });
    ran(made.run());
    expect(made.step('Show').output).toBe('2.0 1.5 3.0\n');
    expect(made.step('Ask').output).toBe('0.0 1.0\n');
    expect(made.state().steps.Loop[0].In.output).toBe('4.0\n');
    expect(['Same', 'Also', 'Not'].map((name) => made.step(name).status)).toEqual([
      'completed',
      'completed',
      'skipped',
    ]);
  });
});

describe('what is left of a run', () => {
  it.each(['Do it.', 'Do it.\n', 'Ä\r\n\n'])(
    'ORC-PROMPT-BYTES: logs/<Step>.prompt.txt is the prompt to the byte: %j',
    (prompt) => {
      const made = scene({
        workflow: flow({ name: 'Ask', provider: 'codex', input_file: 'ask.md', retries: { max: 1 } }),
        files: { 'ask.md': prompt },
        agents: { codex: [{ exit: 1 }, { stdout: 'ok' }] },
      });
      ran(made.run());
      const calls = made.agentCalls('codex');
      expect(calls.map(({ stdin }) => stdin)).toEqual([prompt, prompt]);
      expect(made.logs('Ask.prompt.txt')).toBe(prompt);
    },
  );

  it('ORC-WORDS: messages and the error context have the words of the file, and the command as far as it is known', () => {
    const made = scene({
      workflow: {
        version: '1.1',
        name: 'words',
        strict_flow: false,
        context: { known: 'here', map: { a: 1 } },
        steps: [
          { name: 'Vars', command: ['cat', '${context.known}/${context.missing}.csv', '${context.map.b}'] },
          { name: 'My Step', command: ['echo', '{"a": 1}'], output_capture: 'json' },
          { name: 'Field', command: ['echo', '${steps.My Step.json.b}'] },
          { name: 'List', for_each: { items_from: 'steps.My Step.json.list', steps: [sh('In', 'true')] } },
          { name: 'NoList', for_each: { items_from: 'steps.My Step.json.a', steps: [sh('In', 'true')] } },
          {
            name: 'Items',
            for_each: {
              items: [{ x: 1 }],
              as: 'my-item',
              steps: [{ name: 'In', command: ['echo', '${my-item.y}'] }],
            },
          },
        ],
      },
    });
    const ended = made.run();
    expect(made.step('Vars').error).toMatchObject({
      message: expect.stringContaining('`${context.missing}` is not there'),
      context: {
        undefined_vars: ['${context.missing}', '${context.map.b}'],
        substituted_command: ['cat', 'here/${context.missing}.csv', '${context.map.b}'],
      },
    });
    expect(made.step('Field').error.message).toContain('`${steps.My Step.json.b}` is not there');
    expect(made.step('Field').error.context.substituted_command).toEqual(['echo', '${steps.My Step.json.b}']);
    const said = ended.stdout + ended.stderr + made.logs('orchestrator.log');
    expect(said).toContain('`${steps.My Step.json.list}` is not there');
    expect(said).toContain('`${steps.My Step.json.a}` is not one');
    expect(said).toContain('`${my-item.y}` is not there');
    expect(said).not.toMatch(/inputs\.|My_Step\.output|called\(/);
  });

  it('ORC-BACKUP-ITEM: --backup-state makes a backup per item', () => {
    const loop = {
      name: 'Loop',
      for_each: { items: ['a', 'b'], steps: [sh('First', 'true'), sh('Second', 'true')] },
    };
    const made = scene({ workflow: flow(loop) });
    ran(made.run(['--backup-state']));
    const backups = readdirSync(made.runRoot()).filter((name) => name.endsWith('.bak'));
    expect(backups.sort()).toEqual([
      'state.json.step_Loop[0].Second.bak',
      'state.json.step_Loop[1].First.bak',
      'state.json.step_Loop[1].Second.bak',
    ]);
    const before = JSON.parse(made.read(`.lockstep/runs/latest/state.json.step_Loop[1].First.bak`));
    expect(before.steps.Loop[0].Second.status).toBe('completed');
    expect(before.steps.Loop[1]?.First?.status ?? 'pending').toBe('pending');
  });
});
