import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentContract, contractVariables, type Seen, sampleRequest } from '../../ports/agent.contract.ts';
import type { Agent, AgentAnswer, AgentEvent, AgentRequest, ToolGuard } from '../../ports/agent.ts';
import { hookDoor } from '../../system/hook-door.ts';
import { childProcesses } from '../../system/processes.ts';
import { codexAgent } from './codex-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'codex-agent-'));
const processes = childProcesses({ graceMs: 100 });
afterAll(() => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
const playing = new URL('./fixtures/stand-in.js', import.meta.url).href;
const program = fileURLToPath(new URL('../../../scripts/hook.cjs', import.meta.url));
let count = 0;

/** An executable that plays the client so. */
function agentThat(behaviour: object): Agent {
  count += 1;
  const path = join(folder, `codex-${count}`);
  const text = `#!${process.execPath}\nimport(${JSON.stringify(playing)}).then((it) => it.play(${JSON.stringify(behaviour)}));\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return codexAgent({ path, processes, hookDoor: hookDoor({ program }) });
}

function seen(answer: AgentAnswer): Seen {
  const told = JSON.parse(answer.text) as Seen & { env: Record<string, string> };
  const env = Object.entries(told.env).filter(([name]) => contractVariables.includes(name));
  return { ...told, env: Object.fromEntries(env) };
}

agentContract('codex', {
  make: agentThat,
  seen,
  blind: {
    allow: 'codex takes no list of tools: each call is judged, and the sandbox holds',
    deny: 'codex takes no list of tools: each call is judged, and the sandbox holds',
  },
  params: { effort: 'high' },
});

let cwd: string;
let events: AgentEvent[];
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'codex-agent-work-')));
  events = [];
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function request(more: Partial<AgentRequest> = {}): AgentRequest {
  const env = { PATH: process.env.PATH ?? '', CODEX_HOME: join(cwd, 'nowhere') };
  return sampleRequest({ prompt: 'the prompt', cwd, env, onEvent: (event) => events.push(event), ...more });
}

const allowing: ToolGuard = { decide: async () => ({ kind: 'allow' }), ended() {} };
const warnings = () => events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []));

interface Reported extends Seen {
  argv: string[];
  settings: { [key: string]: unknown };
}
async function report(more: Partial<AgentRequest> = {}): Promise<Reported> {
  const answer = await agentThat({ does: 'report' }).perform(request(more));
  expect(answer.error).toBeUndefined();
  return JSON.parse(answer.text) as Reported;
}

describe('what is given', () => {
  it('AG-CODEX-ARGV: neither the prompt nor a secret is among the words', async () => {
    const env = { PATH: process.env.PATH ?? '', TOKEN: 'tok-secret' };
    const { argv, prompt } = await report({
      prompt: 'a very private prompt',
      env,
      secrets: ['TOKEN'],
      mcpServers: {
        a: { command: 'x', env: { KEY: '${TOKEN}' } },
        b: { url: 'http://x', headers: { K: '${TOKEN}' } },
      },
    });
    expect(prompt).toBe('a very private prompt');
    expect(argv.join(' ')).not.toMatch(/private|tok-secret/);
  });

  it('WR44-FR-008: our own server is in its configuration, approved, and required to start', async () => {
    const args = ['lockstep.js', 'mcp', '--for-run', 'r', '--tools', 'issues_get'];
    const { settings } = await report({ mcpServers: { lockstep: { command: 'node', args } } });
    expect(settings.mcp_servers).toEqual({
      lockstep: {
        command: 'node',
        args,
        default_tools_approval_mode: 'approve',
        required: true,
        enabled: true,
      },
    });
    expect((await report()).settings.mcp_servers).toBeUndefined();
  });

  it('WR44-FR-008: X6: a server of its user by the name of ours is switched off, or ours is laid over it', async () => {
    const home = join(cwd, 'home');
    const env = { PATH: process.env.PATH ?? '', CODEX_HOME: home };
    mkdirSync(home);
    writeFileSync(
      join(home, 'config.toml'),
      '[mcp_servers.lockstep]\ncommand = "lockstep"\nargs = ["mcp"]\n',
    );
    const { argv } = await report({ env });
    expect(argv).toContain('mcp_servers.lockstep.enabled=false');
    const ours = await report({ env, mcpServers: { lockstep: { command: 'node' } } });
    expect(ours.argv).not.toContain('mcp_servers.lockstep.enabled=false');
    const refused = "which is the name of Lockstep's own";
    const told = async () => (await agentThat({ does: 'report' }).perform(request({ env }))).error?.message;
    writeFileSync(join(home, 'config.toml'), '[mcp_servers.Lockstep]\ncommand = "x"\n');
    expect(await told()).toContain(refused);
    writeFileSync(join(home, 'config.toml'), '');
    mkdirSync(join(cwd, '.codex'));
    writeFileSync(join(cwd, '.codex/config.toml'), '[mcp_servers.lockstep]\ncommand = "x"\n');
    expect(await told()).toContain(refused);
  });

  it('nobody is asked for approval, and nothing is looked up that could be newer', async () => {
    const { settings, argv } = await report();
    expect(settings).toMatchObject({ approval_policy: 'never', check_for_update_on_startup: false });
    expect(argv).toEqual(expect.arrayContaining(['--skip-git-repo-check', '--color', 'never']));
  });

  it('a session that nobody goes on in is not kept', async () => {
    expect((await report()).argv).not.toContain('--ephemeral');
    expect((await report({ passing: true })).argv).toContain('--ephemeral');
  });

  it.each<[string | undefined, AgentRequest['tools'], string]>([
    [undefined, { deny: [] }, 'workspace-write'],
    ['acceptEdits', { deny: [] }, 'workspace-write'],
    ['plan', { deny: [] }, 'read-only'],
    ['bypassPermissions', { deny: [] }, 'danger-full-access'],
    ['danger-full-access', { deny: [] }, 'danger-full-access'],
    ['bypassPermissions', { allow: ['Read', 'Bash'], deny: [] }, 'read-only'],
    [undefined, { allow: ['Edit(docs/**)'], deny: [] }, 'workspace-write'],
    [undefined, { deny: ['Write', 'Edit', 'NotebookEdit'] }, 'read-only'],
  ])('AG-CODEX-SANDBOX: mode %s with %j is %s', async (permissionMode, tools, sandbox) => {
    const { settings } = await report({ tools, ...(permissionMode !== undefined && { permissionMode }) });
    expect(settings.sandbox_mode).toBe(sandbox);
  });

  it('LS-BUILTIN-CODEX-COMMITS: in a worktree it may write what a commit writes, and neither hooks nor configuration', async () => {
    const git = (...argv: string[]) => execFileSync('git', ['-C', join(cwd, 'main'), ...argv]);
    execFileSync('git', ['init', '-q', join(cwd, 'main')]);
    git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '-q', '--detach', '../a tree');
    const added = ({ argv }: Reported) => argv.filter((_, at) => argv[at - 1] === '--add-dir');
    const inside = ['worktrees/a-tree', 'objects', 'refs', 'logs'].map((each) =>
      join(cwd, 'main/.git', each),
    );
    expect(added(await report({ cwd: join(cwd, 'a tree') }))).toEqual(inside);
    expect(
      added(await report({ cwd: join(cwd, 'a tree'), tools: { allow: ['Read', 'Bash'], deny: [] } })),
    ).toEqual([]);
    expect(added(await report({ cwd: join(cwd, 'main') }))).toEqual([]);
    expect(added(await report())).toEqual([]);
  });

  it('a mode that nobody knows starts nothing', async () => {
    const { error } = await agentThat({ does: 'say', text: 'x' }).perform(
      request({ permissionMode: 'toString' }),
    );
    expect(error?.message).toContain('workspace-write');
    expect(events).toEqual([]);
  });

  it('AG-CODEX-PARAMS: params that it knows are passed on, and cannot loosen what holds it; others are told', async () => {
    const config = {
      model_verbosity: 'high',
      sandbox_mode: 'danger-full-access',
      approval_policy: 'on-request',
    };
    const { settings, argv } = await report({
      params: { effort: 'high', profile: 'work', config, colour: 'red', hook_trust: 1 },
    });
    expect(settings).toMatchObject({ model_reasoning_effort: 'high', model_verbosity: 'high' });
    expect(settings).toMatchObject({ sandbox_mode: 'workspace-write', approval_policy: 'never' });
    expect(argv[argv.indexOf('-p') + 1]).toBe('work');
    expect(warnings().join()).toMatch(/hook_trust.*colour/);
  });

  it('a step that goes on in the session of another says its instructions with the prompt', async () => {
    const system = 'You review.';
    const session = '01a1df9e-6627-7710-ae08-ed93ec3deb99';
    expect((await report({ system, session })).prompt).toBe('You review.\n\nthe prompt');
    const again = await report({ system, session, dispatch: { path: 1, id: 1 } });
    expect(again).toMatchObject({ prompt: 'the prompt', system });
  });

  it('instructions that fit into no word go with the prompt', async () => {
    const { prompt, system } = await report({ system: 'x'.repeat(200_000) });
    expect(prompt).toHaveLength(200_000 + '\n\nthe prompt'.length);
    expect(system).toBeUndefined();
  });
});

describe('hooks', () => {
  const trusting = '--dangerously-bypass-hook-trust';

  it('AG-CODEX-HOOK-TRUST: only our hook is trusted, and the project’s where the step asks for what the project brings', async () => {
    expect((await report({ guard: allowing })).argv).not.toContain(trusting);
    expect((await report({ guard: allowing, settingSources: ['user'] })).argv).not.toContain(trusting);
    expect((await report({ settingSources: ['user', 'project'] })).argv).toContain(trusting);
    expect((await report({ params: { hook_trust: 'all' } })).argv).toContain(trusting);
    expect(warnings()).not.toContainEqual(expect.stringContaining(trusting));
  });

  it('X4: codex gives the hook longer than the hook gives itself', async () => {
    const { settings } = await report({ guard: allowing });
    const [{ hooks }] = settings['hooks.PreToolUse'] as [{ hooks: [{ timeout: number; command: string }] }];
    const patience = Number(/ (\d+) \|\| \{ .*exit 2; \}$/.exec(hooks[0].command)?.[1]);
    expect(hooks[0].timeout * 1000).toBeGreaterThan(patience);
  });

  it('without a guard there is no hook, and the search is as its user has it', async () => {
    const { settings } = await report();
    expect(Object.keys(settings).filter((key) => /hooks|web_search/.test(key))).toEqual([]);
  });

  it('AG-CODEX-SEARCH: a search that no hook sees is off for whoever is held to something, unless a list names it', async () => {
    const search = async (tools: AgentRequest['tools']) =>
      (await report({ guard: allowing, tools })).settings.web_search;
    expect(await search({ deny: [] })).toBe('disabled');
    expect(await search({ allow: ['Read'], deny: [] })).toBe('disabled');
    expect(await search({ allow: ['WebSearch'], deny: [] })).toBeUndefined();
    expect(await search({ allow: ['WebSearch'], deny: ['WebSearch'] })).toBe('disabled');
  });

  it('AG-CODEX-UNASKED: X5: a call that nobody was asked about ends codex, and the step has failed', async () => {
    const { error } = await agentThat({ does: 'unasked' }).perform(request({ guard: allowing }));
    expect(error).toMatchObject({ class: 'error', message: expect.stringContaining('without asking') });
    const free = agentThat({ does: 'print', lines: [{ type: 'turn.completed', usage: {} }] });
    expect((await free.perform(request())).error).toBeUndefined();
  });
});

describe('what it says', () => {
  const message = (text: string) => ({ type: 'item.completed', item: { type: 'agent_message', text } });
  const done = (input: number, output: number) => ({
    type: 'turn.completed',
    usage: { input_tokens: input, cached_input_tokens: 5, output_tokens: output, reasoning_output_tokens: 1 },
  });
  const hear = (lines: object[], more: Partial<AgentRequest> = {}, code = 0) =>
    agentThat({ does: 'print', lines, code }).perform(request(more));

  it('AG-CODEX-EVENTS: what it does, as it does it; the last message is the answer', async () => {
    const call = (type: string, more: object) =>
      ['item.started', 'item.completed'].map((kind) => ({ type: kind, item: { type, ...more } }));
    const answer = await hear([
      message('First I look.'),
      ...call('command_execution', {
        command: "/bin/bash -lc 'npm test'",
        aggregated_output: 'a\nred\n',
        exit_code: 1,
      }),
      ...call('file_change', {
        changes: [
          { path: join(cwd, 'src/a.ts'), kind: 'update' },
          { path: join(cwd, 'b'), kind: 'add' },
        ],
      }),
      ...call('mcp_tool_call', {
        server: 'db',
        tool: 'query',
        arguments: { sql: 'select' },
        error: { message: 'no' },
        status: 'failed',
      }),
      ...call('web_search', { query: 'why' }),
      ...call('collab_tool_call', { prompt: 'help' }),
      ...call('a_kind_of_tomorrow', {}),
      message('All done.'),
      done(100, 10),
    ]);
    expect(answer).toMatchObject({
      text: 'All done.',
      exitCode: 0,
      usage: { input_tokens: 100, output_tokens: 10, cost: null, turns: 6 },
    });
    const shown = events.flatMap((event) => {
      if (event.kind === 'text') return [event.text];
      if (event.kind === 'tool') return [`${event.tool} ${event.summary}`];
      return event.kind === 'tool-result' && event.failed ? [`failed: ${event.tool} ${event.summary}`] : [];
    });
    expect(shown).toEqual([
      'First I look.',
      'Bash npm test',
      'failed: Bash red',
      'Edit src/a.ts',
      'Write b',
      'mcp__db__query select',
      'failed: mcp__db__query no',
      'WebSearch why',
      'Task help',
      'All done.',
    ]);
  });

  it('AG-CODEX-USAGE: of a session that goes on, only what came on top', async () => {
    const sessionTotals = { input_tokens: 70, output_tokens: 4, cost: null, turns: 3 };
    const session = '01a1df9e-6627-7710-ae08-ed93ec3deb07';
    const lines = [message('x'), done(100, 10)];
    expect(await hear(lines, { session, sessionTotals })).toMatchObject({
      usage: { input_tokens: 30, output_tokens: 6, turns: 1 },
      sessionTotals: { input_tokens: 100, output_tokens: 10 },
    });
    expect((await hear(lines, { sessionTotals })).usage).toMatchObject({ input_tokens: 100 });
    expect((await hear([done(50, 1)], { session, sessionTotals })).usage).toMatchObject({ input_tokens: 50 });
  });

  it('an error that is only said is a warning, once; one that ends the turn is a failure', async () => {
    const said = { type: 'item.completed', item: { type: 'error', message: 'Model metadata not found.' } };
    const answer = await hear([
      said,
      said,
      { type: 'error', message: 'Reconnecting... 1/5' },
      message('x'),
      done(1, 1),
    ]);
    expect(answer.error).toBeUndefined();
    expect(warnings().filter((warning) => warning.includes('metadata'))).toEqual([
      'codex: Model metadata not found.',
    ]);
    const failed = await hear(
      [message('half'), { type: 'turn.failed', error: { message: 'last status: 429 Too Many Requests' } }],
      {},
      1,
    );
    expect(failed).toMatchObject({ text: 'half', exitCode: 1, error: { class: 'rate-limit' } });
  });

  it('a message too long for a line to hold, words that are no message and an end without a turn are told apart', async () => {
    expect((await hear([message('x')])).error).toMatchObject({ message: 'codex ended without an answer' });
    expect((await hear([{ type: 'error', message: 'at capacity' }], {}, 1)).error?.class).toBe('overloaded');
    expect((await hear(['strange', null, [], message('x'), done(1, 1)] as object[])).text).toBe('x');
  });

  it('a session that was not found is told', async () => {
    const lines = [{ type: 'thread.started', thread_id: 'another' }, message('x'), done(1, 1)];
    expect((await hear(lines, { session: 'mine' })).session).toBe('another');
    expect(warnings()).toContainEqual(expect.stringContaining('mine'));
  });

  it('what is no JSON is not called structured', async () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    expect((await hear([message('{"a":1}'), done(1, 1)], { schema })).structured).toEqual({ a: 1 });
    expect(await hear([message('so: {}'), done(1, 1)], { schema })).not.toHaveProperty('structured');
  });

  it('leaves no file behind', async () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const { argv } = await report({ schema, guard: allowing });
    const file = argv[argv.indexOf('--output-schema') + 1] as string;
    expect(existsSync(dirname(file))).toBe(false);
  });
});
