import { afterAll, describe, expect, it } from 'vitest';
import type { CommandProvider } from '../../model/workflow.ts';
import {
  agentContract,
  type ClientBehaviour,
  contractVariables,
  sampleRequest,
} from '../../ports/agent.contract.ts';
import type { Agent, AgentEvent, AgentRequest } from '../../ports/agent.ts';
import { childProcesses } from '../../system/processes.ts';
import { commandAgent } from './command-agent.ts';

const processes = childProcesses({ graceMs: 100 });
afterAll(() => processes.killAll());

const agent = (provider: Partial<CommandProvider>): Agent =>
  commandAgent({
    name: 'mine',
    provider: { command: [], input: 'argv', defaults: {}, ...provider },
    processes,
  });

const reporting = `
  const [prompt, system, model, effort, maxTurns, mode, sources, servers] = process.argv.slice(1);
  const names = ${JSON.stringify(contractVariables)};
  const env = Object.fromEntries(names.filter((n) => n in process.env).map((n) => [n, process.env[n]]));
  console.log(JSON.stringify({ prompt, system, model, params: { effort }, env, cwd: process.cwd(),
    maxTurns: Number(maxTurns), permissionMode: mode, settingSources: JSON.parse(sources),
    mcpServers: Object.keys(JSON.parse(servers)) }));`;

function behaving(behaviour: ClientBehaviour): Agent | string {
  const node = (source: string, ...words: string[]) =>
    agent({ command: [process.execPath, '-e', source, '--', ...words] });
  switch (behaviour.does) {
    case 'report':
      return agent({
        command: [
          process.execPath,
          '-e',
          reporting,
          '--',
          ...['prompt', 'system', 'model', 'effort', 'max_turns', 'permission_mode'].map(
            (name) => `{{ ${name} }}`,
          ),
          '{{setting_sources}}',
          '{{mcp_servers}}',
        ],
        defaults: {
          model: 'small',
          effort: 'low',
          max_turns: 1,
          permission_mode: 'ask',
          setting_sources: [],
          mcp_servers: {},
        },
      });
    case 'say':
      return node('console.log(process.argv[1])', behaviour.text);
    case 'structure':
      return 'a command takes no schema; the runtime puts it into the prompt';
    case 'write':
      return node(
        'require("fs").writeFileSync(process.argv[1], process.argv[2])',
        behaviour.path,
        behaviour.content,
      );
    case 'hang':
      return agent({
        command: [
          '/bin/sh',
          '-c',
          `sh -c 'trap "" TERM; echo $$ > ${behaviour.pidFile}; while :; do sleep 1; done' & wait`,
        ],
      });
    case 'crash':
      return agent({ command: ['/bin/sh', '-c', 'kill -SEGV $$'] });
    case 'exit':
      return agent({ command: ['/bin/sh', '-c', `echo "${behaviour.stderr}" >&2; exit ${behaviour.code}`] });
    case 'break-off':
      return 'its output is plain text: there is no message to break off';
    case 'flood':
      return node('process.stdout.write("x".repeat(Number(process.argv[1])))', String(behaviour.bytes));
  }
}

agentContract('command', {
  make: behaving,
  seen: (answer) => JSON.parse(answer.text),
  blind: {
    session: 'a command has no sessions',
    allow: 'a command has no tools of ours',
    deny: 'a command has no tools of ours',
  },
  params: { effort: 'high' },
});

function request(more: Partial<AgentRequest> = {}): AgentRequest {
  return sampleRequest({ prompt: 'the prompt', ...more });
}

describe('templates', () => {
  const echo = ['/bin/sh', '-c', 'for word; do printf "<%s>" "$word"; done', 'sh'];

  it('LS-COMMAND-ARGV: puts the prompt into an argument, unread by any shell', async () => {
    const answer = await agent({ command: [...echo, '-p', '{{ prompt }}', 'a{{prompt}}b'] }).perform(
      request({ prompt: '$(id) {{ model }}\n' }),
    );
    expect(answer.text).toBe('<-p><$(id) {{ model }}\n><a$(id) {{ model }}\nb>');
  });

  it('passes no prompt where the template has no place for it', async () => {
    expect((await agent({ command: [...echo, 'x'] }).perform(request())).text).toBe('<x>');
  });

  it('LS-COMMAND-STDIN: gives the prompt on standard input', async () => {
    const prompt = 'line\n'.repeat(100_000);
    const answer = await agent({ command: ['wc', '-l'], input: 'stdin' }).perform(request({ prompt }));
    expect(answer.text.trim()).toBe('100000');
  });

  it('does not mind a command that leaves its input unread', async () => {
    const prompt = 'x'.repeat(1_000_000);
    const answer = await agent({ command: ['echo', 'fine'], input: 'stdin' }).perform(request({ prompt }));
    expect(answer).toMatchObject({ text: 'fine', exitCode: 0 });
  });

  it("LS-COMMAND-DEFAULTS: fills in params, the step's before the provider's; what is no text as JSON", async () => {
    const mine = agent({
      command: [...echo, '{{ model }}', '{{ effort }}', '{{ list }}'],
      defaults: { model: 'small', effort: 'low', list: [1, 'a'] },
    });
    expect((await mine.perform(request({ params: { effort: 'high' } }))).text).toBe('<small><high><[1,"a"]>');
    expect((await mine.perform(request({ model: 'large' }))).text).toBe('<large><low><[1,"a"]>');
  });

  it('names all placeholders without a value at once, and starts nothing', async () => {
    const answer = await agent({
      command: ['touch', '{{ a }}', '{{ b-c }}', '{{ prompt }}', '{{ a }}'],
    }).perform(request());
    expect(answer).toMatchObject({
      exitCode: 2,
      error: { class: 'error', details: { missing_placeholders: ['a', 'b-c'] } },
    });
  });

  it('says that with `input: stdin` there is no place for the prompt', async () => {
    const { error } = await agent({ command: ['cat', '{{ prompt }}'], input: 'stdin' }).perform(request());
    expect(error?.hint).toContain('stdin');
    expect(error?.details).toEqual({ missing_placeholders: ['prompt'] });
  });

  it('gives the prompt nowhere with `input: none`', async () => {
    const mine = agent({ command: ['/bin/sh', '-c', 'cat; echo "$# words"', 'sh', 'x'], input: 'none' });
    expect((await mine.perform(request())).text).toBe('1 words');
    const { error } = await agent({ command: ['echo', '{{ prompt }}'], input: 'none' }).perform(request());
    expect(error).toMatchObject({
      hint: expect.stringContaining('nowhere'),
      details: { missing_placeholders: ['prompt'] },
    });
  });

  it('takes a parameter that is null for one without a value', async () => {
    const mine = agent({ command: [...echo, '{{ model }}'], defaults: { model: null } });
    expect((await mine.perform(request())).error?.details).toEqual({ missing_placeholders: ['model'] });
    expect((await mine.perform(request({ params: { model: 'm' } }))).text).toBe('<m>');
    const overridden = agent({ command: [...echo, '{{ model }}'], defaults: { model: 'small' } });
    expect((await overridden.perform(request({ params: { model: null } }))).exitCode).toBe(2);
  });

  it('K3: tells of a parameter that the command has no place for, and of the words it was started with', async () => {
    const heard: AgentEvent[] = [];
    await agent({ command: [...echo, '{{ a }}'], defaults: { d: 1 } }).perform(
      request({ params: { a: { b: [1, null] }, model: 'x' }, onEvent: (event) => heard.push(event) }),
    );
    expect(heard.filter(({ kind }) => kind === 'debug' || kind === 'started')).toEqual([
      {
        kind: 'debug',
        message: 'provider_params key "model" is not used by the command of provider "mine"',
      },
      { kind: 'started', argv: [...echo, '{"b":[1,null]}'] },
    ]);
  });

  it('declares the abilities that the template has a place for, and no others', () => {
    expect([...agent({ command: ['x'] }).can]).toEqual(['streaming']);
    expect([...agent({ command: ['x', '{{ model }}', '--s={{system}}', '{{ max_turns }}'] }).can]).toEqual([
      'streaming',
      'model',
      'system-prompt',
      'max-turns',
    ]);
  });
});

describe('ends', () => {
  const table: [string, string[], object][] = [
    ['not found', ['no-such-command-here'], { exitCode: 127, error: { class: 'error' } }],
    ['not to be run', ['/etc/passwd'], { exitCode: 126, error: { class: 'error' } }],
    ['ended by a signal', ['/bin/sh', '-c', 'kill -9 $$'], { exitCode: 137, error: { class: 'exit' } }],
    ['an empty command', [], { error: { class: 'error' } }],
  ];
  it.each(table)('%s', async (_, command, expected) => {
    expect(await agent({ command }).perform(request())).toMatchObject(expected);
  });

  it('gives what there was when it fails', async () => {
    const answer = await agent({ command: ['/bin/sh', '-c', 'echo half; echo why >&2; exit 4'] }).perform(
      request(),
    );
    expect(answer).toMatchObject({ text: 'half', stderr: 'why\n', exitCode: 4 });
    expect(answer.error?.message).toBe('the agent ended with exit code 4: why');
  });
});
