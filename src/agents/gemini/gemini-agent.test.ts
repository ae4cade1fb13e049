import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { guardOf } from '../../../test/support/guard-of.ts';
import { BUILT_IN } from '../../clients/gemini/tools.ts';
import type { JsonObject } from '../../model/json.ts';
import { ownToolsOf } from '../../model/own-tools.ts';
import { agentContract, contractVariables, type Seen, sampleRequest } from '../../ports/agent.contract.ts';
import type { Agent, AgentEvent, AgentRequest, ToolAct, Verdict } from '../../ports/agent.ts';
import type { HookDoor } from '../../ports/hook-door.ts';
import { hookDoor } from '../../system/hook-door.ts';
import { childProcesses } from '../../system/processes.ts';
import { geminiAgent } from './gemini-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'gemini-agent-'));
const processes = childProcesses({ graceMs: 100 });
afterAll(() => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
const program = fileURLToPath(new URL('../../../scripts/hook.cjs', import.meta.url));
const playing = new URL('./fixtures/stand-in.js', import.meta.url).href;
const home = join(folder, 'home');
const theirs = join(home, '.gemini');
const cwd = join(folder, 'project');
let count = 0;
let events: AgentEvent[];
beforeEach(() => {
  events = [];
  for (const path of [home, cwd]) rmSync(path, { recursive: true, force: true });
  for (const path of [theirs, cwd]) mkdirSync(path, { recursive: true });
});

/** With an executable that plays the client so. */
function agentOf(behaviour: object, door: HookDoor = hookDoor({ program })): Agent {
  count += 1;
  const path = join(folder, `gemini-${count}`);
  const text = `#!${process.execPath}\nimport(${JSON.stringify(playing)}).then((it) => it.play(${JSON.stringify(behaviour)}));\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return geminiAgent({ path, processes, hookDoor: door, home });
}

interface Told extends Seen {
  denied: string[];
  policy: string;
  argv: string[];
  settings: JsonObject & { hooks?: JsonObject; modelConfigs?: JsonObject };
  env: Record<string, string>;
}

const ours = (names: string[]) => [...new Set(names.map((name) => BUILT_IN[name] as string))];

agentContract('gemini', {
  make: (behaviour) => agentOf(behaviour),
  seen(answer) {
    const told = JSON.parse(answer.text) as Told;
    const env = Object.entries(told.env).filter(([name]) => contractVariables.includes(name));
    const overrides = told.settings.modelConfigs?.customOverrides as
      | { modelConfig: { generateContentConfig: { thinkingConfig: { thinkingLevel: string } } } }[]
      | undefined;
    const level = overrides?.[0]?.modelConfig.generateContentConfig.thinkingConfig.thinkingLevel;
    return {
      ...told,
      env: Object.fromEntries(env),
      allow: ours(Object.keys(BUILT_IN).filter((name) => !told.denied.includes(name))),
      deny: ours(told.denied),
      ...(level !== undefined && { params: { thinking_level: level.toLowerCase() } }),
    };
  },
  blind: {},
  params: { thinking_level: 'high' },
});

function request(more: Partial<AgentRequest> = {}): AgentRequest {
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  return sampleRequest({ cwd, env, onEvent: (event) => events.push(event), ...more });
}

async function told(more: Partial<AgentRequest> = {}): Promise<Told> {
  const answer = await agentOf({ does: 'report' }).perform(request(more));
  expect(answer.error).toBeUndefined();
  return JSON.parse(answer.text);
}

function guarding(verdict: (event: ToolAct) => Verdict = () => ({ kind: 'allow' })) {
  const asked: ToolAct[] = [];
  const ended: [string, string?][] = [];
  const guard = guardOf(
    (act) => {
      asked.push(act);
      return verdict(act);
    },
    ({ tool }, error) => ended.push(error === undefined ? [tool] : [tool, error]),
  );
  return { guard, asked, ended };
}

const said = (kind: AgentEvent['kind']) =>
  events.filter((event) => event.kind === kind).map(({ kind: _, ...rest }) => rest);

describe('what it is given', () => {
  it('AG-GEMINI-STDIN: M1: the prompt and the system prompt are in no argument, nor is a key', async () => {
    const seen = await told({
      prompt: 'the task',
      system: 'the manner',
      env: { PATH: process.env.PATH ?? '', HOME: home, GEMINI_API_KEY: 'the-key' },
    });
    expect(seen).toMatchObject({ prompt: 'the task', system: 'the manner' });
    expect(seen.env.GEMINI_API_KEY).toBe('the-key');
    expect(seen.argv.join(' ')).not.toMatch(/the task|the manner|the-key/);
  });

  it('AG-GEMINI-HOME: M4: leaves the settings of the user as they are, with what they say in force, and no file behind', async () => {
    const settings = '{ // mine\n "ui": { "theme": "dark" }, "mcpServers": { "own": { "command": "o" } } }';
    writeFileSync(join(theirs, 'settings.json'), settings);
    writeFileSync(join(theirs, 'GEMINI.md'), 'Be kind.');
    writeFileSync(join(theirs, 'oauth_creds.json'), '{}');
    const seen = await told({ mcpServers: { tracker: { command: 'x' } }, maxTurns: 3, system: 'Be brief.' });
    expect(seen.settings).toMatchObject({
      ui: { theme: 'dark' },
      mcpServers: { own: { command: 'o' }, tracker: { command: 'x' } },
      model: { maxSessionTurns: 3 },
    });
    expect(seen.system).toBe('Be brief.\n\nBe kind.');
    expect(readFileSync(join(theirs, 'settings.json'), 'utf8')).toBe(settings);
    expect(readFileSync(join(theirs, 'GEMINI.md'), 'utf8')).toBe('Be kind.');
    expect(existsSync(seen.env.GEMINI_CLI_HOME as string)).toBe(false);
    expect(readdirSync(theirs).sort()).toEqual([
      'GEMINI.md',
      'history',
      'oauth_creds.json',
      'settings.json',
      'tmp',
    ]);
  });

  it('WR44-FR-008: our own server is in its settings, and no policy denies what the list names', async () => {
    const own = { command: 'node', args: ['lockstep.js', 'mcp', '--for-run', 'r', '--tools', 'issues_get'] };
    const { policy: tools } = ownToolsOf({ allow: ['Read', 'issues_get'], deny: [] });
    const { settings, denied } = await told({ tools, mcpServers: { lockstep: own } });
    expect(settings.mcpServers).toEqual({ lockstep: { ...own, trust: true } });
    expect(denied).not.toContain('*');
    expect((await told({ tools: { allow: ['Read'], deny: [] } })).settings.mcpServers).toBeUndefined();
  });

  it('WR44-FR-008: a server of its user by the name of ours is left out, or ours is there instead; one of a project is refused', async () => {
    const servers = { lockstep: { command: 'lockstep', args: ['mcp'], cwd: '/x' }, notes: { command: 'n' } };
    writeFileSync(join(theirs, 'settings.json'), JSON.stringify({ mcpServers: servers }));
    expect((await told()).settings.mcpServers).toEqual({ notes: { command: 'n' } });
    const { settings } = await told({ mcpServers: { lockstep: { command: 'node' } } });
    expect(settings.mcpServers).toMatchObject({ lockstep: { command: 'node', trust: true } });
    expect(settings.mcpServers).not.toHaveProperty('lockstep.cwd');
    writeFileSync(join(theirs, 'settings.json'), '{}');
    mkdirSync(join(cwd, '.gemini'), { recursive: true });
    writeFileSync(join(cwd, '.gemini/settings.json'), JSON.stringify({ mcpServers: servers }));
    const { error } = await agentOf({ does: 'report' }).perform(request());
    expect(error?.message).toContain("which is the name of Lockstep's own");
    rmSync(join(cwd, '.gemini'), { recursive: true });
  });

  it('AG-GEMINI-SESSION: a fresh session has an id of ours, one that goes on is named, and both are kept where Gemini has its own', async () => {
    const fresh = await told();
    expect(fresh.argv[fresh.argv.indexOf('--session-id') + 1]).toMatch(/^[0-9a-f-]{36}$/);
    const again = await told({ session: 'abc' });
    expect(again.session).toBe('abc');
    expect(again.argv).not.toContain('--session-id');
    const agent = agentOf({ does: 'say', text: 'ok' });
    const { session } = await agent.perform(request());
    expect((await agent.perform(request({ session: session as string }))).session).toBe(session);
  });

  it('AG-GEMINI-MODE: maps each permission mode to an approval mode, and refuses one it does not know', async () => {
    const modes = [
      [undefined, 'yolo'],
      ['default', 'yolo'],
      ['bypassPermissions', 'yolo'],
      ['acceptEdits', 'auto_edit'],
      ['dontAsk', 'default'],
      ['plan', 'plan'],
    ] as const;
    for (const [permissionMode, expected] of modes)
      expect((await told(permissionMode && { permissionMode })).permissionMode).toBe(expected);
    const { error } = await agentOf({ does: 'say', text: '' }).perform(
      request({ permissionMode: 'constructor' }),
    );
    expect(error?.message).toContain('`permission_mode: constructor` means nothing');
  });

  it('keeps the model from leaving the plan mode by itself', async () => {
    expect((await told({ permissionMode: 'plan' })).denied).toEqual(['exit_plan_mode']);
  });

  it('AG-GEMINI-PARAMS: warns of a parameter it does not know, and of one of the wrong kind', async () => {
    const seen = await told({ params: { temperature: 0.2, effort: 'high', top_p: 'much', max_attempts: 2 } });
    expect(seen.settings).toMatchObject({ general: { maxAttempts: 2 } });
    expect(JSON.stringify(seen.settings.modelConfigs)).toContain(
      '"generateContentConfig":{"temperature":0.2}',
    );
    expect(said('warning')).toEqual([
      { message: expect.stringContaining('knows no parameter `effort`') },
      { message: '`top_p` of gemini is a number, not "much": it changes nothing' },
    ]);
  });

  it('trusts the folder it works in, and starts no second process of itself', async () => {
    expect((await told()).env).toMatchObject({
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: '1',
    });
  });

  it('does not begin with settings it cannot read, and says which', async () => {
    writeFileSync(join(theirs, 'settings.json'), '{ broken');
    const { error } = await agentOf({ does: 'say', text: '' }).perform(request());
    expect(error).toMatchObject({
      class: 'error',
      message: expect.stringContaining(join(theirs, 'settings.json')),
    });
  });

  it('does not begin with a prompt that Gemini would cut', async () => {
    const { error } = await agentOf({ does: 'say', text: '' }).perform(
      request({ prompt: 'x'.repeat(9_000_000) }),
    );
    expect(error?.message).toContain('longer than');
  });
});

describe('what it says', () => {
  it('AG-GEMINI-TEXT: the answer is what it said after its last tool, and is told in whole messages', async () => {
    const answer = await agentOf({ does: 'write', path: 'a.txt', content: 'x' }).perform(request());
    expect(answer.text).toBe('done');
    expect(said('text')).toEqual([{ text: 'I will write it.' }, { text: 'done' }]);
    expect(said('tool')).toEqual([{ tool: 'Write', summary: 'a.txt' }]);
    expect(said('tool-result')).toEqual([{ tool: 'Write', summary: 'ok' }]);
  });

  it('AG-GEMINI-USAGE: counts turns, what was thought as output, and knows no price', async () => {
    const answer = await agentOf({ does: 'write', path: 'a.txt', content: 'x' }).perform(request());
    expect(answer).toMatchObject({
      model: 'standard-1',
      usage: { input_tokens: 10, output_tokens: 7, cost: null, turns: 2 },
    });
    expect(answer.usageByModel).toBeUndefined();
  });

  it('tells models apart where it used several', async () => {
    const used = (input: number, output: number) => ({
      total_tokens: input + output,
      input_tokens: input,
      output_tokens: output,
    });
    const result = {
      type: 'result',
      status: 'success',
      stats: { ...used(110, 12), models: { small: used(10, 2), large: used(100, 10) } },
    };
    const { model, usageByModel } = await agentOf({ does: 'messages', messages: [result] }).perform(
      request(),
    );
    expect(model).toBe('large');
    expect(usageByModel).toEqual([
      { model: 'large', usage: { input_tokens: 100, output_tokens: 10, cost: null, turns: 0 } },
      { model: 'small', usage: { input_tokens: 10, output_tokens: 2, cost: null, turns: 0 } },
    ]);
  });

  it('takes a stray line for what it is, and a noisy stderr for no error', async () => {
    const stats = { total_tokens: 0, input_tokens: 0, output_tokens: 0, models: {} };
    const messages = ['not an event', { type: 'result', status: 'success', stats }];
    const answer = await agentOf({ does: 'messages', messages }).perform(request());
    expect(answer.error).toBeUndefined();
    expect(answer.stderr).toContain('YOLO mode');
  });
});

describe('the guard', () => {
  it('AG-GEMINI-GUARD: asks about each call in our words, and tells how it ended', async () => {
    const { guard, asked, ended } = guarding();
    const calls = [
      { name: 'run_shell_command', input: { command: 'ls', description: 'd' } },
      { name: 'replace', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } },
      {
        name: 'mcp_my_server_find',
        input: { q: 1 },
        more: { mcp_context: { server_name: 'my_server', tool_name: 'find' } },
      },
    ];
    const answer = await agentOf({ does: 'calls', calls }).perform(request({ guard }));
    expect(answer).toMatchObject({ text: 'done' });
    expect(answer.error).toBeUndefined();
    expect(asked).toEqual([
      { tool: 'Bash', input: { command: 'ls', description: 'd' }, command: 'ls' },
      {
        tool: 'Edit',
        input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
        file: 'a.ts',
        field: 'file_path',
      },
      { tool: 'mcp__my_server__find', input: { q: 1 } },
    ]);
    expect(ended.map(([tool]) => tool)).toEqual(['Bash', 'Edit', expect.stringContaining('mcp__')]);
  });

  it('AG-GEMINI-POLICY: LS-CALLS-CLIENT: a tool that is withheld whole is not even offered, and a try at it is told', async () => {
    const { guard, asked } = guarding();
    await agentOf({ does: 'write', path: 'a.txt', content: 'x' }).perform(
      request({ guard, tools: { allow: ['Read', 'Bash(ls *)'], deny: [] } }),
    );
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
    expect(asked).toEqual([]);
    expect(said('tool')).toEqual([
      { tool: 'Write', summary: 'a.txt', denied: expect.stringContaining('not found') },
    ]);
  });

  it('AG-GEMINI-FAIL-CLOSED: LS-CALLS-CLIENT: M2: a call that ran without a question ends the dispatch, and is told', async () => {
    const { guard } = guarding();
    const failed = { type: 'execution_failed', message: 'exit code 1' };
    for (const end of [
      { status: 'success', output: '' },
      { status: 'error', error: failed },
    ]) {
      const calls = [
        { type: 'tool_use', tool_name: 'write_file', tool_id: '1', parameters: { file_path: 'a' } },
        { type: 'tool_result', tool_id: '1', ...end },
      ];
      const { error } = await agentOf({ does: 'messages', messages: calls }).perform(request({ guard }));
      expect(error).toMatchObject({
        class: 'error',
        message: expect.stringContaining('used Write without asking'),
      });
    }
    const unasked = { tool: 'Write', summary: 'a', unasked: true };
    expect(said('tool')).toEqual([unasked, unasked]);
  });

  it('M2: where its hook is not heard of when the session begins, that ends it', async () => {
    const { guard } = guarding();
    const failing = { open: async () => ({ command: 'exit 1', patienceMs: 1000, close: async () => {} }) };
    const agent = agentOf({ does: 'calls', calls: [{ name: 'glob', input: {} }] }, failing);
    const { error } = await agent.perform(request({ guard }));
    expect(error?.message).toContain('does not run its hooks');
    // What it did before it was ended is told as what it is.
    for (const call of said('tool')) expect(call).toMatchObject({ unasked: true });
  });

  it('does not begin where the project has switched hooks off', async () => {
    mkdirSync(join(cwd, '.gemini'));
    writeFileSync(join(cwd, '.gemini', 'settings.json'), '{"hooksConfig":{"enabled":false}}');
    const agent = agentOf({ does: 'say', text: 'ok' });
    expect((await agent.perform(request({ guard: guarding().guard }))).error?.message).toContain(
      'hooksConfig',
    );
    expect((await agent.perform(request())).error).toBeUndefined();
  });

  it('leaves hooks off that the user has switched off, but for the one of the guard', async () => {
    const own = { hooksConfig: { enabled: false }, hooks: { AfterTool: [{ hooks: [] }] } };
    writeFileSync(join(theirs, 'settings.json'), JSON.stringify(own));
    const { settings } = await told({ guard: guarding().guard });
    expect(settings.hooksConfig).toMatchObject({ enabled: true });
    expect(Object.keys(settings.hooks ?? {}).sort()).toEqual(['BeforeTool', 'SessionStart']);
  });
});

describe('what goes wrong', () => {
  const failing = (message: string, exit: number) =>
    agentOf({
      does: 'messages',
      messages: [{ type: 'result', status: 'error', error: { type: 'unknown', message }, stats: {} }],
      exit,
    }).perform(request());

  it('AG-GEMINI-API-ERROR: an error of the API, in words', async () => {
    const inner = '{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"no such model","details":[]}}';
    expect(await failing(`[API Error: ${inner}]`, 144)).toMatchObject({
      exitCode: 144,
      error: { class: 'error', message: 'gemini: the API answered 400: no such model' },
    });
  });

  it('AG-GEMINI-RATE-LIMIT: a rate limit with when to come back; an overloaded server', async () => {
    const limited = await failing('[API Error: too many\nSuggested retry after 1.5s.]\nPlease wait', 173);
    expect(limited.error).toMatchObject({ class: 'rate-limit', retryAfter: 1500 });
    expect((await failing('[API Error: try later]', 247)).error).toMatchObject({
      class: 'overloaded',
      message: 'gemini: the API answered 503: try later',
    });
  });

  it('AG-GEMINI-EXIT-CODES: its own exit codes, each with what to do', async () => {
    const codes = [
      [41, 'error', 'it is not signed in'],
      [42, 'error', 'it did not take what it was given'],
      [52, 'error', 'its settings cannot be used'],
      [55, 'error', 'it does not trust the folder'],
    ] as const;
    for (const [code, kind, words] of codes) {
      const answer = await agentOf({ does: 'exit', code, stderr: 'Error: because' }).perform(request());
      expect(answer).toMatchObject({ exitCode: code, error: { class: kind } });
      expect(answer.error?.message).toContain(`gemini: ${words}`);
      expect(answer.error?.message).toContain('because');
    }
  });

  it('AG-GEMINI-TURNS: the limit of turns', async () => {
    expect(await failing('Reached max session turns for this session.', 53)).toMatchObject({
      error: { class: 'limit', hint: expect.stringContaining('max_turns') },
    });
  });

  it('an end without a result, though all went well', async () => {
    const { error } = await agentOf({ does: 'messages', messages: [] }).perform(request());
    expect(error).toMatchObject({ class: 'error', message: 'gemini ended without an answer' });
  });
});
