import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { CLIENTS, type ClientName, type HookEvent } from '../model/live-session.ts';
import { actsUnder } from './codex/read-hook.ts';
import { readHook } from './hook-clients.ts';
import { LIMITS } from './hook-limits.ts';
import type { ReadAround } from './hook-payload.ts';
import { installedHooks, patienceMs, stopCap, timeoutMs } from './hooks.ts';
import { OWN_SERVERS, ownToolNames } from './own-calls.ts';

const around: ReadAround = { hash: (text) => String(text.length) };

function read(client: ClientName, payload: JsonObject, more: Partial<ReadAround> = {}): HookEvent {
  const base = { session_id: 's1', cwd: '/w', tool_name: 'Bash', tool_input: {}, trigger: 'manual' };
  const reading = readHook(client, { ...base, ...payload }, { ...around, ...more });
  if ('problem' in reading) throw new Error(reading.problem);
  return reading;
}

describe('GOB-HOOK-INSTALLED: what is installed', () => {
  it.each(CLIENTS)('%s: every hook is read as what it is installed for', (client) => {
    for (const { event, kind } of installedHooks(client))
      expect([event, read(client, { hook_event_name: event }).kind]).toEqual([event, kind]);
  });

  it.each(CLIENTS)('%s: has all that a session can be held by', (client) => {
    const kinds = installedHooks(client).map(({ kind }) => kind);
    const needed = [
      'session_start',
      'user_prompt',
      'tool_call',
      'tool_result',
      'stop',
      'session_end',
    ] as const;
    for (const kind of needed) expect(kinds).toContain(kind);
    if (client === 'claude') expect(kinds).toContain('settings_change');
  });

  it.each(CLIENTS)('%s: no time-out is one that makes it drop hooks, or fires at once', (client) => {
    for (const { timeout } of installedHooks(client)) {
      expect(Number.isInteger(timeout)).toBe(true);
      expect(timeout).toBeGreaterThan(client === 'gemini' ? 1_000 : 1);
      expect(timeout).toBeLessThanOrEqual(client === 'gemini' ? 2_147_483_647 : 3_600);
    }
  });

  it.each(CLIENTS)('H1: %s: our program gives up before the client does', (client) => {
    for (const { kind } of installedHooks(client)) {
      const slack = timeoutMs(client, kind) - patienceMs(client, kind);
      expect([kind, slack >= (kind === 'session_end' ? 9_000 : 10_000)]).toEqual([kind, true]);
    }
    // What a client gives whatever it is told: Claude 1.5 s and Codex about 1 s, and 30 s for a prompt.
    expect(patienceMs(client, 'session_end')).toBeLessThan(1_000);
    expect(patienceMs(client, 'user_prompt')).toBeLessThan(30_000);
  });
});

it.each([
  ['claude', undefined, 8],
  ['claude', '20', 20],
  ['claude', '0', undefined],
  ['claude', 'many', 8],
  ['claude', '', 8],
  ['codex', undefined, undefined],
  ['gemini', undefined, 15],
] as const)('GOB-HOOK-CAP: %s with %j lets %j stops be held in a row', (client, setting, cap) => {
  expect(stopCap(client, setting)).toBe(cap);
});

describe('GOB-HOOK-LIMITS: what a client cannot be held to is said', () => {
  it('each once, in a sentence, with what is done about it', () => {
    const ids = LIMITS.map(({ client, id }) => `${client} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { limit, remedy } of LIMITS)
      for (const sentence of [limit, remedy]) expect(sentence).toMatch(/^[A-Z`].{20,}\.$/s);
  });

  it.each([
    ['claude', 'disableAllHooks'],
    ['claude', 'time-out'],
    ['claude', 'Esc'],
    ['claude', 'eight held stops'],
    ['claude', '--bare'],
    ['claude', 'background agent'],
    ['codex', 'web_search'],
    ['codex', 'write_stdin'],
    ['codex', 'trusted'],
    ['codex', 'exit code'],
    ['codex', 'Esc'],
    ['gemini', 'subagent'],
    ['gemini', 'PreCompress'],
    ['gemini', 'hooksConfig.enabled'],
    ['gemini', 'missing'],
  ])('%s: %s', (client, word) => {
    expect(LIMITS.filter((one) => one.client === client && one.limit.includes(word))).toHaveLength(1);
  });
});

describe('GOB-HOOK-OWN: live 3.21: tools of our own server', () => {
  const own = ownToolNames(['continue_workflow', 'session_get']);
  const called = (client: ClientName, payload: JsonObject, more: Partial<ReadAround> = {}) => {
    const name = client === 'gemini' ? 'BeforeTool' : 'PreToolUse';
    const event = read(client, { hook_event_name: name, ...payload }, more);
    return 'acts' in event ? event.acts.map(({ tool }) => tool) : [];
  };

  it.each<[ClientName, JsonObject]>([
    ['claude', { tool_name: 'mcp__plugin_lockstep_lockstep__continue_workflow' }],
    ['claude', { tool_name: 'mcp__lockstep__continue_workflow' }],
    ['codex', { tool_name: 'mcp__lockstep__continue_workflow' }],
    ['gemini', { tool_name: 'mcp_lockstep_continue_workflow' }],
    [
      'gemini',
      {
        tool_name: 'mcp_lockstep_continue_workflow',
        mcp_context: { server_name: 'lockstep', tool_name: 'continue_workflow', command: 'lockstep' },
      },
    ],
  ])('%s %j is known by its exact name', (client, payload) => {
    expect(called(client, payload)).toEqual(['mcp__lockstep__continue_workflow']);
    expect(own).toContain('mcp__lockstep__continue_workflow');
  });

  it.each<[ClientName, JsonObject, Partial<ReadAround>]>([
    // The plugin is installed: a server of the project that is called as ours is another's.
    [
      'claude',
      { tool_name: 'mcp__lockstep__continue_workflow' },
      { ownServers: ['plugin_lockstep_lockstep'] },
    ],
    ['claude', { tool_name: 'mcp__plugin_evil_lockstep__continue_workflow' }, {}],
    ['claude', { tool_name: 'mcp__lockstep__x__continue_workflow' }, {}],
    ['claude', { tool_name: 'mcp__Lockstep__continue_workflow' }, {}],
    ['claude', { tool_name: 'continue_workflow' }, {}],
    ['codex', { tool_name: 'mcp__lockstep_x__continue_workflow' }, {}],
    ['codex', { tool_name: 'mcp__lockstep__continue_workflow' }, { ownServers: [] }],
    [
      'gemini',
      {
        tool_name: 'mcp_lockstep_continue_workflow',
        mcp_context: { server_name: 'lockstep', tool_name: 'continue_workflow', command: 'evil' },
      },
      { isOurs: ({ command }) => command === 'lockstep' },
    ],
    [
      'gemini',
      {
        tool_name: 'mcp_lockstep_continue_workflow',
        mcp_context: { server_name: 'other', tool_name: 'continue_workflow' },
      },
      {},
    ],
  ])('%s %j with %j is not', (client, payload, more) => {
    const tools = called(client, payload, more);
    expect(tools).toHaveLength(1);
    expect(own).not.toContain(tools[0]);
  });

  it('every client has a name for it', () => {
    for (const client of CLIENTS) expect(OWN_SERVERS[client]).toContain('lockstep');
  });

  it('what an issue says is text, whichever prefix its tool has', () => {
    const tool_input = { title: 'x', file: '.git/config' };
    const event = read('claude', {
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__plugin_lockstep_lockstep__issues_create',
      tool_input,
    });
    expect(event).toMatchObject({ acts: [{ tool: 'mcp__lockstep__issues_create', input: tool_input }] });
    expect('acts' in event && event.acts[0]?.file).toBeUndefined();
  });
});

describe('Codex: what a command is depends on the lists', () => {
  it('its acts are read again under the lists that bind it', () => {
    const event = read('codex', { hook_event_name: 'PreToolUse', tool_input: { command: 'cat /w/a' } });
    if (event.kind !== 'tool_call') throw new Error('no call');
    expect(event.acts.map(({ tool }) => tool)).toEqual(['Bash', 'Read']);
    const readers = { tools: { allow: ['Read'], deny: [] }, servers: [] };
    expect(actsUnder(event, readers)).toMatchObject([{ tool: 'Read', file: '/w/a', cwd: '/w' }]);
    const known = read(
      'codex',
      { hook_event_name: 'PreToolUse', tool_input: { command: 'cat /w/a' } },
      { tools: readers.tools },
    );
    expect(known).toMatchObject({ tool: 'Read', acts: [{ tool: 'Read' }] });
  });

  it('a patch, a subagent and what is unreadable stay what they are', () => {
    const command = '*** Begin Patch\n*** Delete File: a\n*** End Patch';
    const payloads: JsonObject[] = [
      { tool_name: 'apply_patch', tool_input: { command } },
      { tool_name: 'spawn_agent', tool_input: { message: 'x' } },
      { tool_name: 'Bash', tool_input: 7 },
      { tool_name: 'update_plan', tool_input: {} },
    ];
    for (const payload of payloads) {
      const event = read('codex', { hook_event_name: 'PreToolUse', ...payload });
      if (event.kind !== 'tool_call') throw new Error('no call');
      expect(actsUnder(event, { tools: { allow: [], deny: [] }, servers: [] })).toEqual(event.acts);
    }
  });
});
