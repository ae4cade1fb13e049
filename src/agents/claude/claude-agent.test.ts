import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ownToolsOf } from '../../model/own-tools.ts';
import {
  agentContract,
  type ClientBehaviour,
  contractVariables,
  type Seen,
  sampleRequest,
} from '../../ports/agent.contract.ts';
import type { Agent, AgentAnswer, AgentEvent, AgentRequest, ToolGuard } from '../../ports/agent.ts';
import type { HookDoor } from '../../ports/hook-door.ts';
import { systemClock } from '../../system/clock.ts';
import { hookDoor } from '../../system/hook-door.ts';
import { childProcesses } from '../../system/processes.ts';
import { claudeAgent } from './claude-agent.ts';
import { standInSdk } from './fixtures/stand-in-sdk.js';

const folder = mkdtempSync(join(tmpdir(), 'claude-agent-'));
const processes = childProcesses({ graceMs: 100 });
afterAll(() => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
const door = hookDoor({ program: new URL('../../../scripts/hook.cjs', import.meta.url).pathname, folder });
const standIn = new URL('./fixtures/stand-in.js', import.meta.url).href;
let count = 0;

/** An executable that plays the client so. */
function executable(behaviour: object): string {
  count += 1;
  const path = join(folder, `claude-${count}`);
  const text = `#!${process.execPath}\nimport(${JSON.stringify(standIn)}).then((it) => it.play(${JSON.stringify(behaviour)}));\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function agentOf(
  kind: 'cli' | 'sdk',
  behaviour: object,
  more: { hookDoor?: HookDoor; isRoot?: boolean } = {},
): Agent {
  const path = executable(behaviour);
  return claudeAgent({
    found: { kind, path },
    processes,
    hookDoor: door,
    clock: systemClock(),
    isRoot: false,
    load: async () => standInSdk(path),
    ...more,
  });
}

const OWN = { command: 'node', args: ['lockstep.js', 'mcp', '--for-run', 'r', '--tools', 'issues_get'] };
const ALWAYS = ['mcp__lockstep', 'ListAgents', 'SendMessage', 'Monitor', 'PowerShell', 'Agent', 'MultiEdit'];

function seen(answer: AgentAnswer): Seen {
  const told = JSON.parse(answer.text) as Seen & { env: Record<string, string> };
  const env = Object.entries(told.env).filter(([name]) => contractVariables.includes(name));
  const deny = told.deny?.filter((tool) => !ALWAYS.includes(tool));
  return { ...told, env: Object.fromEntries(env), ...(deny && { deny }) };
}

function requestOf(more: Partial<AgentRequest> = {}): { request: AgentRequest; events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  const request = sampleRequest({ cwd: folder, onEvent: (event) => events.push(event), ...more });
  return { request, events };
}

const guardOf = (verdict: 'allow' | 'deny'): ToolGuard & { ends: unknown[] } => {
  const ends: unknown[] = [];
  return {
    ends,
    decide: async () => (verdict === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: 'not here' }),
    ended: (event, error) => ends.push([event.tool, error]),
  };
};

interface Told extends Seen {
  argv: string[];
  flags: Record<string, string | undefined>;
  env: Record<string, string>;
}

describe.each(['cli', 'sdk'] as const)('%s', (kind) => {
  agentContract(`claude, ${kind}`, {
    make: (behaviour: ClientBehaviour) => agentOf(kind, behaviour),
    seen,
    blind: {},
    params: { effort: 'high' },
  });

  const report = async (more: Partial<AgentRequest>, isRoot = false) => {
    const { request, events } = requestOf(more);
    const answer = await agentOf(kind, { does: 'report' }, { isRoot }).perform(request);
    const warnings = events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []));
    return { told: JSON.parse(answer.text) as Told, warnings, events };
  };
  const playing = async (messages: object[], more: Partial<AgentRequest> = {}) => {
    const { request, events } = requestOf(more);
    return { answer: await agentOf(kind, { does: 'messages', messages }).perform(request), events };
  };
  const result = (more: object = {}) => ({
    ...{
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      session_id: 's-1',
      num_turns: 1,
    },
    model_usage_since_last_result: { m: { inputTokens: 1, outputTokens: 1, costUSD: 0.5 } },
    ...more,
  });
  const assistant = (content: object[], more: object = {}) => ({
    ...{ type: 'assistant', parent_tool_use_id: null, ...more },
    message: { id: `msg-${Math.random()}`, model: 'm', content, usage: { input_tokens: 7 } },
  });

  describe('what it is given', () => {
    it('L3: AG-CLAUDE-ARGV: neither the prompt nor a key nor the system prompt stands in argv', async () => {
      const { told } = await report({
        prompt: 'PROMPT-TEXT',
        env: { PATH: process.env.PATH ?? '', ANTHROPIC_API_KEY: 'KEY-IN-ENV' },
        secrets: ['ANTHROPIC_API_KEY'],
        mcpServers: { tracker: { command: 'x', env: { TOKEN: 'KEY-OF-SERVER' } } },
      });
      expect(told.prompt).toBe('PROMPT-TEXT');
      expect(told.env.ANTHROPIC_API_KEY).toBe('KEY-IN-ENV');
      expect(told.mcpServers).toEqual(['tracker']);
      for (const text of ['PROMPT-TEXT', 'KEY-IN-ENV', 'KEY-OF-SERVER'])
        expect(told.argv.join(' ')).not.toContain(text);
    });

    it('WR44-FR-008: our own server is in its configuration, and no flag withholds what the list names', async () => {
      const { policy } = ownToolsOf({
        allow: ['Read', 'mcp__wrangler__issues_get', 'session_get'],
        deny: [],
      });
      const { told } = await report({
        tools: policy,
        mcpServers: { lockstep: OWN },
        guard: guardOf('allow'),
      });
      expect(told.mcpServers).toEqual(['lockstep']);
      expect(told.flags.tools).toBe('Read');
      expect(told.flags.disallowedTools).not.toContain('mcp__lockstep');
    });

    it('a session that nobody goes on in is not kept', async () => {
      const flag = '--no-session-persistence';
      expect((await report({})).told.argv).not.toContain(flag);
      expect((await report({ passing: true })).told.argv).toContain(flag);
    });

    it('AG-CLAUDE-PARAMS: knows its own parameters, and warns of any other and of wrong ones', async () => {
      const { told, warnings } = await report({
        params: {
          effort: 'low',
          fallback_model: 'small',
          max_budget_usd: 2.5,
          add_dirs: ['/a', '/b'],
          strict_mcp: true,
          temperature: 1,
          betas: 'x',
        },
      });
      expect(told.flags).toMatchObject({ effort: 'low', 'fallback-model': 'small', 'max-budget-usd': '2.5' });
      expect(told.argv).toEqual(
        expect.arrayContaining(['--add-dir=/a', '--add-dir=/b', '--strict-mcp-config']),
      );
      expect(warnings).toHaveLength(2);
      expect(warnings.join()).toMatch(/no parameter `temperature`.*`betas` must be a list of texts/);
    });

    it('UX-COST-LIMIT: is given what is left of the limit of the run, or its own budget where that is less', async () => {
      const budgetOf = async (more: object) => (await report(more)).told.flags['max-budget-usd'];
      expect(await budgetOf({})).toBeUndefined();
      expect(await budgetOf({ budget: 1.25 })).toBe('1.25');
      expect(await budgetOf({ budget: 1.25, params: { max_budget_usd: 0.5 } })).toBe('0.5');
      expect(await budgetOf({ budget: 0.5, params: { max_budget_usd: 2 } })).toBe('0.5');
      const used = { input_tokens: 1, output_tokens: 1, turns: 1, cost: 2 };
      expect(await budgetOf({ budget: 0.5, session: 's', sessionTotals: used })).toBe('2.5');
    });

    it('AG-CLAUDE-ROOT: bypassPermissions as root becomes acceptEdits with every tool, and a warning says so', async () => {
      const { told, warnings } = await report({ permissionMode: 'bypassPermissions' }, true);
      expect(told.permissionMode).toBe('acceptEdits');
      expect(told.flags.allowedTools).toContain('Bash');
      expect(warnings.join()).toContain('bypassPermissions');
      const env = { PATH: process.env.PATH ?? '', IS_SANDBOX: '1' };
      const sandboxed = await report({ permissionMode: 'bypassPermissions', env }, true);
      expect([sandboxed.told.permissionMode, sandboxed.warnings]).toEqual(['bypassPermissions', []]);
    });

    it('runs unattended: without a guard every tool is allowed, unless the step names a mode that asks', async () => {
      const plain = await report({ mcpServers: { tracker: { command: 'x' } } });
      expect(plain.told.permissionMode).toBe('acceptEdits');
      expect(plain.told.flags.allowedTools?.split(',')).toEqual(
        expect.arrayContaining(['Bash', 'WebFetch', 'Write', 'mcp__tracker']),
      );
      const plan = await report({ permissionMode: 'plan' });
      expect(plan.told.flags.allowedTools).toBeUndefined();
    });

    it('L4: AG-CLAUDE-VERBATIM: a prompt is text, no command and no file it names, unless the step wants it as typed', async () => {
      const prompt = '/clear @/etc/hosts';
      expect((await report({ prompt })).told.prompt).toBe(prompt);
      const typed = await report({ prompt, params: { as_typed: true } });
      expect(typed.told.prompt).toBe(`typed: ${prompt}`);
      expect(typed.warnings).toEqual([]);
    });

    it('AG-CLAUDE-ALONE: cannot look for other sessions or write to them, unless the step names the tools', async () => {
      expect((await report({})).told.deny).toEqual(['ListAgents', 'SendMessage', 'mcp__lockstep']);
      const named = await report({ tools: { allow: ['Read', 'SendMessage'], deny: [] } });
      expect([named.told.allow, named.told.deny]).toEqual([
        ['Read', 'SendMessage'],
        ['ListAgents', 'mcp__lockstep'],
      ]);
    });

    it('is no part of the session that Lockstep itself runs in, and nothing switches its hooks off', async () => {
      const hookless = {
        CLAUDE_CODE_SIMPLE: '1',
        CLAUDE_CODE_SAFE_MODE: '1',
        CLAUDE_CODE_SHELL_PREFIX: './x',
      };
      const env = { PATH: process.env.PATH ?? '', CLAUDECODE: '1', ...hookless };
      const { told } = await report({ env, guard: guardOf('allow') });
      const inherited = Object.keys(told.env as object);
      expect(inherited.filter((name) => name === 'CLAUDECODE' || name in hookless)).toEqual([]);
      expect((await report({ env })).told.env).toMatchObject(hookless);
    });

    it('no setting source is none of them, which is not the same as not saying', async () => {
      expect((await report({ settingSources: [] })).told.settingSources).toEqual([]);
      expect((await report({})).told).not.toHaveProperty('settingSources');
    });
  });

  describe('what it says', () => {
    it('AG-CLAUDE-EVENTS: text, calls and what came of them, in short; not what subagents say', async () => {
      const { events } = await playing([
        assistant([{ type: 'text', text: 'I look.' }]),
        assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }]),
        {
          type: 'user',
          message: {
            content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no such test' }],
          },
        },
        assistant([{ type: 'text', text: 'inner' }], { parent_tool_use_id: 't9' }),
        result(),
      ]);
      const told = events.filter(({ kind: each }) => ['text', 'tool', 'tool-result'].includes(each));
      expect(told).toEqual([
        { kind: 'text', text: 'I look.' },
        { kind: 'tool', tool: 'Bash', summary: 'npm test' },
        { kind: 'tool-result', tool: 'Bash', summary: 'no such test', failed: true },
      ]);
    });

    it('V1: several results: the last one is the answer, all of them are paid for', async () => {
      const { answer } = await playing([result({ result: 'first' }), result({ result: 'second' })]);
      expect(answer).toMatchObject({ text: 'second', usage: { cost: 1 }, session: 's-1' });
    });

    it('V2: what was used so far is told while it works, each request once', async () => {
      const block = assistant([{ type: 'text', text: 'a' }]);
      const { events } = await playing([block, block, assistant([{ type: 'text', text: 'b' }]), result()]);
      const counts = events.flatMap((event) => (event.kind === 'usage' ? [event.usage.input_tokens] : []));
      expect(counts).toEqual([7, 14, 1]);
    });

    it('AG-CLAUDE-STRUCTURE: success without a structured answer is no structured answer', async () => {
      const schema = { type: 'object' };
      const { answer } = await playing([result({ result: 'just words' })], { schema });
      expect(answer).toMatchObject({ text: 'just words' });
      expect(answer).not.toHaveProperty('structured');
      expect(answer.error).toBeUndefined();
      const gaveUp = await playing(
        [
          assistant([{ type: 'text', text: 'I cannot.' }]),
          result({ subtype: 'error_max_structured_output_retries', is_error: true, result: undefined }),
        ],
        { schema },
      );
      expect(gaveUp.answer).toMatchObject({ text: 'I cannot.', exitCode: 0 });
      expect(gaveUp.answer.error).toBeUndefined();
    });

    it.each([{ type: 'object' }, { type: 'array' }])(
      'LS-BUILTIN-CLAUDE-SCHEMA: the draft of a schema is not said, since Claude refuses those it does not know: %j',
      async (schema) => {
        const { told } = await report({
          schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
        });
        expect(told.flags['json-schema']).toContain(JSON.stringify(schema));
        expect(told.flags['json-schema']).not.toContain('$schema');
      },
    );

    it('AG-CLAUDE-STRUCTURE: a schema that is no object is put into one and taken out again', async () => {
      const schema = { type: 'array', items: { $ref: '#/$defs/word' }, $defs: { word: { type: 'string' } } };
      const { told } = await report({ schema });
      expect(JSON.parse(told.flags['json-schema'] ?? '')).toMatchObject({
        type: 'object',
        properties: { value: { type: 'array', items: { $ref: '#/$defs/word' } } },
        $defs: { word: { type: 'string' } },
      });
      const { answer } = await playing([result({ structured_output: { value: ['a'] } })], { schema });
      expect(answer).toMatchObject({ structured: ['a'], text: '["a"]' });
    });

    it('AG-CLAUDE-API-ERROR: an error of the API that calls itself a success has failed, with its class', async () => {
      const { answer } = await playing([
        {
          type: 'system',
          subtype: 'api_retry',
          attempt: 1,
          max_retries: 2,
          retry_delay_ms: 7000,
          error_status: 429,
        },
        assistant([{ type: 'text', text: 'API Error: 429' }]),
        result({ is_error: true, api_error_status: 429, result: 'API Error: 429' }),
      ]);
      expect(answer.error).toMatchObject({ class: 'rate-limit', retryAfter: 7000 });
      expect(answer.exitCode).toBe(1);
    });

    it('AG-CLAUDE-API-ERROR: a limit of the subscription says when it ends', async () => {
      const resetsAt = Math.round(Date.now() / 1000) + 600;
      const { answer } = await playing([
        { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } },
        result({ is_error: true, result: 'Claude AI usage limit reached' }),
      ]);
      expect(answer.error?.class).toBe('rate-limit');
      expect(answer.error?.retryAfter).toBeGreaterThan(590_000);
      expect(answer.error?.retryAfter).toBeLessThanOrEqual(601_000);
    });

    it('AG-CLAUDE-LIMITS: used up turns are a limit, and no exit code that a retry would take', async () => {
      const { answer } = await playing([
        result({
          subtype: 'error_max_turns',
          is_error: true,
          errors: ['Reached maximum number of turns (2)'],
        }),
      ]);
      expect(answer.error).toMatchObject({ class: 'limit' });
      expect(answer.exitCode).toBeUndefined();
    });

    it('a server it could not reach is a warning', async () => {
      const init = {
        type: 'system',
        subtype: 'init',
        mcp_servers: [
          { name: 'tracker', status: 'failed' },
          { name: 'own', status: 'failed' },
        ],
      };
      const { events } = await playing([init, result()], { mcpServers: { tracker: { command: 'x' } } });
      const warnings = events.filter((event) => event.kind === 'warning');
      expect(warnings).toEqual([
        { kind: 'warning', message: 'claude could not reach the MCP server `tracker`' },
      ]);
    });

    it('WR44-FR-008: L5: a server of its user by the name of ours is withheld, and never stands in for ours', async () => {
      expect((await report({})).told.flags.disallowedTools).toContain('mcp__lockstep');
      const init = (name: string, source?: string) => ({
        type: 'system',
        subtype: 'init',
        mcp_servers: [{ name, status: 'connected', ...(source !== undefined && { source }) }],
      });
      const told = async (...[name, source, given]: [string, string?, object?]) =>
        (await playing([init(name, source), result()], { mcpServers: { ...given } })).answer.error?.message;
      const given = { lockstep: OWN };
      expect(await told('lockstep', 'dynamic', given)).toBeUndefined();
      expect(await told('lockstep', undefined, given)).toBeUndefined();
      expect(await told('lockstep', 'user')).toBeUndefined();
      const refused = expect.stringContaining("which is the name of Lockstep's own");
      expect(await told('lockstep', 'project', given)).toEqual(refused);
      expect(await told('Lockstep', 'user')).toEqual(refused);
    });

    it('passes over what it does not know', async () => {
      const { answer } = await playing([
        { type: 'news' },
        { no: 'type' },
        assistant([]),
        { type: 'user', message: { content: 'text' } },
        result(),
      ]);
      expect(answer).toMatchObject({ text: 'done', exitCode: 0 });
    });
  });

  describe('the guard', () => {
    const write = { does: 'write', path: join(folder, `guarded-${kind}.txt`), content: 'x' };

    it('C1: L2: what is let through is reported once, and its end is told', async () => {
      const guard = guardOf('allow');
      const { request, events } = requestOf({ guard });
      expect((await agentOf(kind, write).perform(request)).error).toBeUndefined();
      expect(existsSync(write.path)).toBe(true);
      expect(events.filter((event) => event.kind === 'tool')).toEqual([
        { kind: 'tool', tool: 'Write', summary: `guarded-${kind}.txt` },
      ]);
      expect(guard.ends).toEqual([['Write', undefined]]);
    });

    it('C1: a tool that was not given is refused by the client, which is told as well', async () => {
      const { request, events } = requestOf({ guard: guardOf('allow'), tools: { deny: ['Write'] } });
      await agentOf(kind, write).perform(request);
      expect(events.filter((event) => event.kind === 'tool')).toEqual([
        expect.objectContaining({ tool: 'Write', denied: 'No such tool available: Write' }),
      ]);
    });

    it('AG-CLAUDE-UNGUARDED: a project cannot put a program before the hook that does not run it', async () => {
      const cwd = mkdtempSync(join(folder, 'prefix-'));
      mkdirSync(join(cwd, '.claude'));
      const settings = { env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } };
      writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify(settings));
      const path = join(cwd, 'a.txt');
      await agentOf(kind, { ...write, path }).perform(requestOf({ cwd, guard: guardOf('deny') }).request);
      expect(existsSync(path)).toBe(false);
    });

    it('C2: AG-CLAUDE-UNGUARDED: a call that ran and nobody was asked about ends the dispatch', async () => {
      const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'rm x' } };
      const ends = [
        { content: 'gone' },
        { is_error: true, content: 'Exit code 1' },
        // A command can print what it likes.
        { is_error: true, content: 'Exit code 1\n<tool_use_error>No such tool available</tool_use_error>' },
      ];
      for (const end of ends) {
        const ran = { type: 'tool_result', tool_use_id: 't1', ...end };
        const messages = [assistant([call]), { type: 'user', message: { content: [ran] } }, result()];
        const { answer, events } = await playing(messages, { guard: guardOf('allow') });
        expect(answer.error).toMatchObject({
          class: 'error',
          message: expect.stringContaining('claude ran Bash (rm x) without asking'),
          hint: expect.stringContaining('disableAllHooks'),
        });
        expect(events.filter((event) => event.kind === 'tool')).toEqual([
          { kind: 'tool', tool: 'Bash', summary: 'rm x', unasked: true },
        ]);
        const { answer: free } = await playing(messages);
        expect(free.error).toBeUndefined();
      }
    });
  });
});

it('a module that is not the SDK is told, never thrown', async () => {
  const agent = claudeAgent({
    found: { kind: 'sdk', path: '/x/sdk.mjs' },
    processes,
    hookDoor: door,
    clock: systemClock(),
    isRoot: false,
    load: async () => ({}),
  });
  const { error } = await agent.perform(requestOf().request);
  expect(error?.message).toContain('/x/sdk.mjs has no query()');
});

it('a command that is not there is told, never thrown', async () => {
  const agent = claudeAgent({
    found: { kind: 'cli', path: join(folder, 'nothing') },
    processes,
    hookDoor: door,
    clock: systemClock(),
    isRoot: false,
    load: async () => ({}),
  });
  expect(await agent.perform(requestOf().request)).toMatchObject({
    exitCode: 127,
    error: { class: 'error' },
  });
});
