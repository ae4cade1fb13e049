import { describe, expect, it } from 'vitest';
import { failed, rehearse, story } from '../../test/support/rehearsal.ts';
import {
  doRun,
  each,
  loop,
  noop,
  prompt,
  run,
  sequence,
  set,
  step,
  workflow,
} from '../../test/support/workflow.ts';
import type { CallHandler, Perform, RunAgent, RunCommand } from '../model/command.ts';
import type { Action, Check, CommandLine, PromptWork, Step } from '../model/workflow.ts';

const first = <K extends Perform['kind']>(commands: Perform[], kind: K) =>
  commands.find((command) => command.kind === kind) as Extract<Perform, { kind: K }>;

const promptStep = (id: string, work: Partial<PromptWork>, fields = {}): Step =>
  step(
    id,
    {
      kind: 'prompt',
      prompt: { kind: 'template', text: '' },
      performer: { params: {}, tools: { deny: [] } },
      with: {},
      ...work,
    },
    fields,
  );

describe('prompts', () => {
  it('render with what `with` gives them, and the whole scope besides', () => {
    const flow = workflow(
      [
        promptStep('p', {
          prompt: { kind: 'template', text: 'Do {{ what }} in {{ vars.place }}' },
          with: { what: '{{ "all " + vars.place }}' },
        }),
      ],
      { vars: { place: 'here' } },
    );
    expect(first(rehearse(flow).commands, 'run-agent').prompt).toEqual({
      kind: 'text',
      text: 'Do all here in here',
    });
  });

  it('a prompt that declares inputs sees only those, and `run`', () => {
    const declared = (text: string) =>
      workflow(
        [
          promptStep('p', {
            prompt: { kind: 'template', text, inputs: ['what'] },
            with: { what: 'tea', other: 'x' },
          }),
        ],
        { vars: { place: 'here' } },
      );
    expect(first(rehearse(declared('{{ what }}')).commands, 'run-agent').prompt).toEqual({
      kind: 'text',
      text: 'tea',
    });
    expect(rehearse(declared('{{ what }}{{ run.branch }}')).state.error).toBeUndefined();
    expect(rehearse(declared('{{ vars.place }}')).state.error).toMatchObject({ class: 'expression' });
    expect(rehearse(declared('{{ other }}')).state.error).toMatchObject({ class: 'expression' });
  });

  it('a file is named, not read: that is done when the step starts', () => {
    const flow = workflow([promptStep('p', { prompt: { kind: 'file', path: 'tasks/{{ inputs.n }}.md' } })]);
    const played = rehearse(flow, { inputs: { n: 3 } });
    expect(first(played.commands, 'run-agent').prompt).toEqual({ kind: 'file', path: 'tasks/3.md' });
    expect(played.entries.find((entry) => entry.kind === 'attempt-started')).toMatchObject({
      prompt: 'tasks/3.md',
    });
  });

  it('the system text is the agent, then standing advice, then references', () => {
    const flow = workflow(
      [
        promptStep('p', {
          performer: {
            agent: { name: 'planner', source: 2, system: 'You plan {{ inputs.thing }}.' },
            model: 'big',
            provider: 'mine',
            params: { effort: 'high' },
            tools: { allow: ['Read'], deny: ['Bash'] },
          },
        }),
      ],
      {
        guidance: ['Be brief about {{ inputs.thing }}.'],
        references: [
          {
            id: 'r',
            title: 'The manual',
            source: 'docs/m.md',
            purpose: 'facts',
            authoritative: true,
            from: 'workspace',
          },
        ],
      },
    );
    const played = rehearse(flow, { inputs: { thing: 'tea' } });
    expect(first(played.commands, 'run-agent')).toMatchObject({
      system:
        'You plan tea.\n\nKeep in mind:\n- Be brief about tea.\n\nReferences:\n- The manual (docs/m.md), authoritative: facts',
      agent: 'planner',
      model: 'big',
      provider: 'mine',
      params: { effort: 'high' },
      tools: { allow: ['Read'], deny: ['Bash'] },
      concurrent: false,
    });
    expect(played.entries.find((entry) => entry.kind === 'attempt-started')).toMatchObject({
      agent: 'planner',
      agent_source: 2,
      model: 'big',
      provider: 'mine',
    });
  });

  it('session: x goes on in the session of that step, and fails where it has none', () => {
    const flow = (session: string) =>
      workflow([prompt('plan'), each('e', '[1]', [promptStep('go', { session })])]);
    const replies = { plan: { outcome: { session: 'abc' } } };
    const commands = rehearse(flow('plan'), { replies }).commands.filter(
      (command): command is RunAgent => command.kind === 'run-agent',
    );
    expect(commands.map((command) => command.session)).toEqual([undefined, 'abc']);
    expect(rehearse(flow('plan')).state.error?.message).toContain('session: plan');
  });

  it('concurrent is true where another step may run in the same workspace', () => {
    const flow = workflow([each('e', '[1, 2]', [prompt('p')], { concurrency: 2 }), prompt('alone')]);
    const commands = rehearse(flow).commands.filter(
      (command): command is RunAgent => command.kind === 'run-agent',
    );
    expect(commands.map((command) => command.concurrent)).toEqual([true, true, false]);
  });
});

describe('parameters', () => {
  it('are rendered as deep as they go, keep their types, and their keys are as they are', () => {
    const params = { level: '{{ inputs.n }}', deep: [{ '{{ key }}': 'x{{ inputs.n }}' }], none: null };
    const steps = [promptStep('p', { performer: { params, tools: { deny: [] } } })];
    const { commands } = rehearse(workflow(steps), { inputs: { n: 3 } });
    expect(first(commands, 'run-agent').params).toEqual({
      level: 3,
      deep: [{ '{{ key }}': 'x3' }],
      none: null,
    });
  });

  it('see the names of the step, not the values of its prompt', () => {
    const work = { performer: { params: { x: '{{ what }}' }, tools: { deny: [] } }, with: { what: 'tea' } };
    expect(rehearse(workflow([promptStep('p', work)])).state.error?.details).toEqual({ absent: ['what'] });
  });
});

describe('commands', () => {
  it('are journaled as their words, or as the line that a shell gets', () => {
    const started = (command: CommandLine) =>
      rehearse(workflow([step('a', { kind: 'run', command })])).entries.find(
        (entry) => entry.kind === 'attempt-started',
      );
    const words = started({ kind: 'argv', argv: ['a b', '{{ run.id }}'] });
    expect(words).toMatchObject({ argv: ['a b', 'r1'] });
    expect(words).not.toHaveProperty('command');
    const line = started({ kind: 'shell', line: 'echo {{ run.id }}' });
    expect(line).toMatchObject({ command: "echo 'r1'" });
    expect(line).not.toHaveProperty('argv');
  });

  it('have a file as their standard input, and a schema to be held against', () => {
    const work = {
      kind: 'run' as const,
      command: { kind: 'argv' as const, argv: ['a'] },
      stdin: '{{ run.id }}.md',
    };
    const checks: Check[] = [{ kind: 'schema-file', path: '{{ run.id }}.json' }];
    const exit = [doRun('after')];
    const { commands } = rehearse(workflow([step('a', work, { done: { checks }, exit })]), {
      replies: { a: { outcome: { violations: [] } } },
    });
    expect(commands[0]).toMatchObject({ stdin: 'r1.md', schemaFile: 'r1.json' });
    // Actions are nobody's output.
    expect(commands[1]).not.toHaveProperty('stdin');
    expect((commands[1] as RunCommand).schemaFile).toBeUndefined();
    const fixed: Check[] = [{ kind: 'schema', name: 'inline', schema: { type: 'object' } }];
    const other = rehearse(workflow([run('a', { done: { checks: fixed } })]));
    expect((other.commands[0] as RunCommand).schema).toEqual({ name: 'inline', schema: { type: 'object' } });
  });

  const line = (command: CommandLine): Step => step('r', { kind: 'run', command });
  it.each([
    [
      { kind: 'argv', argv: ['echo', '{{ inputs.x }}'] },
      { kind: 'argv', argv: ['echo', "a b'c"] },
    ],
    [
      { kind: 'shell', line: 'echo {{ inputs.x }}' },
      { kind: 'shell', line: `echo 'a b'\\''c'` },
    ],
    [
      { kind: 'input', expression: 'inputs.line' },
      { kind: 'shell', line: 'npm test | tail' },
    ],
    [
      { kind: 'input', expression: 'inputs.words' },
      { kind: 'argv', argv: ['npm', 'test'] },
    ],
  ] as [CommandLine, unknown][])('%o', (command, expected) => {
    const played = rehearse(workflow([line(command)]), {
      inputs: { x: "a b'c", line: 'npm test | tail', words: ['npm', 'test'] },
    });
    expect(first(played.commands, 'run-command').command).toEqual(expected);
  });

  it('an input that is no command fails the step', () => {
    const played = rehearse(workflow([line({ kind: 'input', expression: 'inputs.n' })]), {
      inputs: { n: 3 },
    });
    expect(played.state.error?.message).toContain('is not a command');
  });

  it('carry env, secrets, timeout, save_to and reads, rendered', () => {
    const flow = workflow(
      [
        run('r', {
          env: { A: '{{ literal }}' },
          secrets: ['TOKEN'],
          saveTo: 'out/{{ inputs.n }}.txt',
          reads: {
            files: ['{{ inputs.n }}.md'],
            optional: ['x'],
            inject: 'list',
            instruction: 'Read {{ inputs.n }}',
            position: 'append',
          },
        }),
      ],
      { limits: { visits: 50, stopBlocks: 5, step: 1234 } },
    );
    expect(first(rehearse(flow, { inputs: { n: 7 } }).commands, 'run-command')).toMatchObject({
      env: { A: '{{ literal }}' },
      secrets: ['TOKEN'],
      timeout: 1234,
      saveTo: 'out/7.txt',
      reads: { files: ['7.md'], optional: ['x'], inject: 'list', instruction: 'Read 7', position: 'append' },
    } satisfies Partial<RunCommand>);
  });

  it('a handler gets its arguments rendered, types kept', () => {
    const flow = workflow([
      step('c', { kind: 'call', handler: 'write-file', with: { path: 'a', content: '{{ inputs.list }}' } }),
    ]);
    expect(first(rehearse(flow, { inputs: { list: [1, 2] } }).commands, 'call-handler')).toMatchObject({
      with: { path: 'a', content: [1, 2] },
    } satisfies Partial<CallHandler>);
  });
});

describe('waits', () => {
  it('render their patterns and names, and take the step limit as their time-out', () => {
    const flow = workflow(
      [
        step('files', { kind: 'wait', for: 'files', files: ['{{ inputs.n }}.md'], min: 2, every: 5 }),
        step(
          'signal',
          { kind: 'wait', for: 'signal', signal: 'go-{{ inputs.n }}', timeout: 9 },
          { title: 'Wait {{ inputs.n }}' },
        ),
        step('time', { kind: 'wait', for: 'time', duration: 7 }),
      ],
      { limits: { visits: 50, stopBlocks: 5, step: 99 } },
    );
    const played = rehearse(flow, { inputs: { n: 4 } });
    expect(played.commands).toMatchObject([
      { kind: 'wait-files', files: ['4.md'], min: 2, every: 5, timeout: 99 },
      { kind: 'wait-signal', signal: 'go-4', timeout: 9 },
      { kind: 'wait-time', duration: 7 },
    ]);
    expect(played.entries.filter((entry) => entry.kind === 'attempt-started')[1]).toMatchObject({
      title: 'Wait 4',
      signal: 'go-4',
    });
  });

  it('E4: a wait and a delay that a crash cut short go on from when they began', () => {
    const waiting = workflow([step('time', { kind: 'wait', for: 'time', duration: 70 })]);
    const cut = rehearse(waiting).entries.slice(0, 2);
    expect(rehearse(waiting, {}, cut).commands).toMatchObject([{ kind: 'wait-time', since: 2000 }]);
    const retrying = workflow([run('r', { retry: { max: 1, delay: 40, on: [1] } })]);
    const whole = rehearse(retrying, { replies: { r: [failed(1), 'ok'] } });
    const before = whole.entries.slice(
      0,
      whole.entries.findIndex((entry) => entry.kind === 'retry-scheduled') + 1,
    );
    const resumed = rehearse(retrying, { replies: { r: [failed(1), 'ok'] } }, before);
    expect(resumed.commands[0]).toMatchObject({ kind: 'sleep', duration: 40, since: before.at(-1)?.at });
    expect(resumed.state.status).toBe('completed');
    expect(resumed.entries.filter((entry) => entry.kind === 'retry-scheduled')).toHaveLength(1);
  });
});

describe('actions', () => {
  const action = (work: Action['work'], fields: Partial<Action> = {}): Action => ({ work, ...fields });
  it('may run, call and prompt, and say what they found out by a name', () => {
    const flow = workflow(
      [
        noop('a', {
          enter: [
            action({ kind: 'call', handler: 'read-file', with: { path: 'x' } }, { output: 'text' }),
            action(
              {
                kind: 'prompt',
                prompt: { kind: 'template', text: 'Sum up {{ text }}' },
                performer: { params: {}, tools: { deny: [] } },
                with: {},
              },
              { output: 'sum' },
            ),
          ],
        }),
      ],
      { outputs: { sum: '{{ sum }}' } },
    );
    const played = rehearse(flow, { replies: { 'a.enter[0]': 'long', 'a.enter[1]': 'short' } });
    expect(played.performed).toEqual(['a.enter[0]', 'a.enter[1]', 'a']);
    expect(first(played.commands, 'run-agent')).toMatchObject({
      prompt: { text: 'Sum up long' },
      part: 'enter[1]',
    });
    expect(played.state.outputs).toEqual({ sum: 'short' });
  });

  it('one that cannot be evaluated, or needs a live session, is recorded and changes nothing', () => {
    const flow = workflow(
      [
        noop('a', {
          exit: [set({ x: '{{ nothing.here }}' }), action({ kind: 'say', text: 'hi' }), doRun('last')],
        }),
      ],
      { vars: { x: 1 } },
    );
    const played = rehearse(flow);
    expect(played.entries.filter((entry) => entry.kind === 'action-passed')).toMatchObject([
      { part: 'exit[0]', why: expect.stringContaining('nothing') },
      { part: 'exit[1]', why: expect.stringContaining('live session') },
    ]);
    expect(played.performed).toEqual(['a', 'a.exit[2]']);
    expect(played.state.status).toBe('completed');
  });

  it('may look at files first', () => {
    const flow = workflow([noop('a', { exit: [doRun('tidy', { when: 'size(files("*.tmp")) > 0' })] })]);
    expect(rehearse(flow, { files: { '*.tmp': ['x.tmp'] } }).performed).toEqual(['a', 'a.exit[0]']);
    expect(rehearse(flow).performed).toEqual(['a']);
  });

  it('of a step that was under way when the process died are run again, or put to a person, as recover says', () => {
    const flow = (kind: 'rerun' | 'pause') =>
      workflow([noop('a', { exit: [doRun('out')], recover: { kind } })]);
    const cut = rehearse(flow('rerun')).entries.slice(0, 4);
    expect(cut.at(-1)).toMatchObject({ kind: 'attempt-started', part: 'exit[0]' });
    expect(rehearse(flow('rerun'), {}, cut).performed).toEqual(['a.exit[0]']);
    expect(rehearse(flow('pause'), {}, cut).state.status).toBe('paused');
  });
});

describe('what cannot be evaluated (rule 16)', () => {
  it('in outputs fails the run, and says so', () => {
    expect(
      rehearse(workflow([noop('a')], { outputs: { x: '{{ steps.a.output.gone }}' } })).state.error?.message,
    ).toContain('in outputs');
    expect(
      rehearse(workflow([noop('a')], { outputs: { x: '{{ files("*") }}' } })).state.error?.message,
    ).toContain('cannot look at files');
  });

  it('in outputs of a dry run is left out: what it speaks of was never made', () => {
    const flow = workflow([noop('a', { dryRun: true }), noop('b')], {
      outputs: { x: '{{ steps.b.output.gone }}', y: '{{ steps.a.status }}' },
    });
    expect(rehearse(flow, { skips: { dry_run: true } }).state).toMatchObject({
      status: 'completed',
      outputs: { y: 'done' },
    });
  });

  it('in next fails the step once, after its exit, and asks no rule again', () => {
    const flow = workflow([
      noop('a', { exit: [doRun('out')], next: [{ when: 'nothing.here', goto: 'end' }, { goto: 'b' }] }),
      noop('b'),
    ]);
    const played = rehearse(flow);
    expect(played.performed).toEqual(['a', 'a.exit[0]']);
    expect(played.state).toMatchObject({ status: 'failed', error: { class: 'expression' } });
    expect(story(played).filter((line) => line === 'step-failed a')).toHaveLength(1);
  });

  it('in a loop test fails the loop', () => {
    expect(
      rehearse(workflow([loop('l', { while: 'nothing.here' }, 3, [noop('b')])])).state.error,
    ).toMatchObject({ class: 'expression' });
  });
});

describe('leaving blocks', () => {
  it('a question that stands in a block that is left is withdrawn', () => {
    const flow = workflow([
      step('p', {
        kind: 'parallel',
        steps: [step('q', { kind: 'ask', question: 'Well?' }), run('go', { next: [{ goto: 'after' }] })],
      }),
      noop('skipped'),
      noop('after'),
    ]);
    const played = rehearse(flow);
    expect(played.state).toMatchObject({ status: 'completed' });
    expect(played.state.questions.size).toBe(0);
    expect(story(played)).toContain('step-failed p/q');
    expect(played.performed).toEqual(['p/go', 'after']);
  });

  it('a step that had not begun when its block was left is on record as skipped', () => {
    const flow = workflow([
      step('p', {
        kind: 'parallel',
        steps: [
          sequence('s', [run('go', { next: [{ goto: 'after' }] })]),
          sequence('t', [run('x'), run('y')]),
        ],
      }),
      noop('after'),
    ]);
    const played = rehearse(flow, { lastFirst: false });
    expect(played.state.status).toBe('completed');
    expect(story(played)).toContain('attempt-cancelled p/t/x');
    expect(played.performed.at(-1)).toBe('after');
    expect(played.performed).not.toContain('p/t/y');
  });
});
