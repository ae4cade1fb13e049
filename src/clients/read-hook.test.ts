// Every payload that the real clients were seen to send (fixtures/, as recorded in November 2026) and what is read in it
// (golden/hook-events.json). `UPDATE_GOLDEN=1` writes that file anew: read the difference.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { CLIENTS, type ClientName, type HookEvent } from '../model/live-session.ts';
import { readHook } from './hook-clients.ts';
import { MEASURED } from './hook-limits.ts';
import type { HookReading, ReadAround } from './hook-payload.ts';

const around: ReadAround = { hash: (text) => createHash('sha256').update(text).digest('hex').slice(0, 12) };
const GOLDEN = new URL('golden/hook-events.json', import.meta.url);

function fixture(name: string): Record<string, Record<string, JsonObject>> {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'));
}

/** What was taken out of the samples before they were written down. */
const PLACES: Record<string, string> = {
  uuid: '11111111-2222-3333-4444-555555555555',
  agent: 'adc75b18db177544a',
  n: '000007',
  time: '2026-11-15T08:10:42.920Z',
  cwd: '/workspace/project',
  home: '/home/user',
  tmp: '/tmp',
  'cwd-slug': '-workspace-project',
};

function filledIn(sample: JsonObject): JsonObject {
  const text = JSON.stringify(sample).replace(/<([a-z-]+)>/g, (tag, name: string) => PLACES[name] ?? tag);
  return JSON.parse(text);
}

/** Fields of `_base` that the notes in the file say an event does not have. */
function lacking(client: ClientName, { hook_event_name: name, source }: JsonObject): string[] {
  if (client === 'claude') {
    if (name === 'SessionStart')
      return source === 'compact' ? ['permission_mode'] : ['permission_mode', 'prompt_id'];
    const isWithout = /^(PreCompact|PostCompact|Notification|SubagentStart|SessionEnd)$/.test(String(name));
    return isWithout ? ['permission_mode'] : [];
  }
  if (client === 'codex' && name === 'SessionStart') return ['turn_id'];
  return client === 'codex' && /Compact$/.test(String(name)) ? ['permission_mode'] : [];
}

interface Sample {
  title: string;
  client: ClientName;
  payload: JsonObject;
}

function samplesOf(file: string): Sample[] {
  return Object.entries(fixture(file)).flatMap(([version, samples]) => {
    const client = CLIENTS.find((name) => version.startsWith(name));
    if (client === undefined) return [];
    const base = isObject(samples._base) ? samples._base : {};
    return Object.entries(samples)
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, sample]) => {
        const kept = Object.entries(base).filter(([field]) => !lacking(client, sample).includes(field));
        return {
          title: `${version}: ${name}`,
          client,
          payload: filledIn({ ...Object.fromEntries(kept), ...sample }),
        };
      });
  });
}

const samples = ['hook-payloads.json', 'hook-payloads-more.json'].flatMap((file) =>
  samplesOf(file).map((sample) => ({ ...sample, title: `${file} › ${sample.title}` })),
);

function sampleOf(title: string): Sample {
  const found =
    samples.find((sample) => sample.title.endsWith(title)) ??
    samples.find((sample) => sample.title.includes(title));
  if (found === undefined) throw new Error(`no sample is called ${title}`);
  return found;
}

function read(client: ClientName, payload: Json, more: Partial<ReadAround> = {}): HookReading {
  return readHook(client, payload as JsonObject, { ...around, ...more });
}

function event(client: ClientName, payload: JsonObject, more: Partial<ReadAround> = {}): HookEvent {
  const reading = read(client, payload, more);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading;
}

const of = (title: string, changes: JsonObject = {}, more: Partial<ReadAround> = {}) => {
  const { client, payload } = sampleOf(title);
  return event(client, { ...payload, ...changes }, more);
};

if (process.env.UPDATE_GOLDEN !== undefined) {
  const events = Object.fromEntries(
    samples.map(({ title, client, payload }) => [title, read(client, payload)]),
  );
  writeFileSync(GOLDEN, `${JSON.stringify(events, null, 1)}\n`);
}
const golden: Record<string, HookReading> = JSON.parse(readFileSync(GOLDEN, 'utf8'));

describe('GOB-HOOK-READ: what the real clients send', () => {
  it('every payload that was seen has its event, and every event its payload', () => {
    expect(Object.keys(golden).sort()).toEqual(samples.map(({ title }) => title).sort());
    expect(samples.length).toBe(84);
  });

  it('they are of the versions that the limits were measured on', () => {
    for (const { title, client } of samples) expect(title).toContain(` ${MEASURED[client]}`);
  });

  it.each(samples)('$title', ({ title, client, payload }) => {
    expect(read(client, payload)).toEqual(golden[title]);
  });

  it.each<[string, HookEvent['kind']]>([
    ['claude-code 2.1.325: PreToolUse', 'tool_call'],
    ['claude-code 2.1.325: PostToolUseFailure', 'tool_result'],
    ['claude-code 2.1.325: StopFailure', 'other'],
    ['claude-code 2.1.325: ConfigChange', 'settings_change'],
    ['claude-code 2.1.325: SubagentStop of a compaction', 'subagent_stop'],
    ['claude-code 2.1.325: UserPromptExpansion', 'other'],
    ['codex 0.166.0: Interrupt', 'other'],
    ['codex 0.166.0: PermissionRequest', 'permission_request'],
    ['gemini-cli 0.61.0: BeforeAgent', 'user_prompt'],
    ['gemini-cli 0.61.0: AfterAgent', 'stop'],
    ['gemini-cli 0.61.0: PreCompress manual', 'compact'],
    // It comes before every call of the model.
    ['gemini-cli 0.61.0: PreCompress', 'other'],
    ['gemini-cli 0.61.0: Notification', 'other'],
  ])('%s is %s', (title, kind) => {
    expect(of(title).kind).toBe(kind);
  });

  it.each(CLIENTS)('an event of %s that nobody knows is none of our business', (client) => {
    const known = { session_id: 's1', cwd: '/w' };
    for (const name of ['BrandNew', 'constructor', '__proto__', 'toString'])
      expect(read(client, { ...known, hook_event_name: name })).toMatchObject({ kind: 'other', name });
  });
});

describe('GOB-HOOK-PERSON: live 3.22: a prompt is not always a person’s', () => {
  it.each([
    ['PROMPT-TEXT', true],
    ['/greet Bob', true],
    ['<b>bold</b> please', true],
    ['a <task-notification> in the middle', true],
    ['<task-notification>\n<task-id>a</task-id>', false],
    ['  \n<task-notification >', false],
    ['<teammate-message from="x">approve</teammate-message>', false],
    ['', false],
  ])('Claude: %j', (prompt, byPerson) => {
    expect(of('claude-code 2.1.325: UserPromptSubmit', { prompt })).toMatchObject({ prompt, byPerson });
  });

  it.each([
    ['<hook_context>You are planning, &lt;b&gt;.</hook_context>\n\nPaint it', 'Paint it', true],
    ['Paint it <hook_context>', 'Paint it <hook_context>', true],
    ['Lockstep: `npm test` ended with exit code 1: continue', undefined, false],
    ['Lockstep guards this session and cannot judge: x', undefined, false],
    ['Lockstep guarded it yesterday', undefined, true],
  ])('Gemini: what Lockstep said itself is not, before a prompt or as one: %j', (prompt, read, byPerson) => {
    const expected = { prompt: read ?? prompt, byPerson };
    expect(of('gemini-cli 0.61.0: BeforeAgent', { prompt })).toMatchObject(expected);
  });

  it('what a subagent is told is not', () => {
    expect(of('codex 0.166.0: UserPromptSubmit of a subagent')).toMatchObject({
      byPerson: false,
      subagent: { id: PLACES.uuid, type: 'default' },
    });
    expect(of('codex 0.166.0: UserPromptSubmit')).toMatchObject({ byPerson: true });
    const agent_id = { not: 'a name' };
    expect(of('codex 0.166.0: UserPromptSubmit', { agent_id })).toMatchObject({ byPerson: false });
    expect(of('claude-code 2.1.325: UserPromptSubmit', { agent_id })).toMatchObject({ byPerson: false });
  });
});

describe('GOB-HOOK-TWICE: live 3.16: what is delivered twice', () => {
  it.each(samples.filter(({ payload }) => payload.hook_event_name !== undefined))(
    '$title: the same payload of the same asking has the same delivery',
    ({ client, payload }) => {
      const [one, other] = [1, 2].map(() => event(client, structuredClone(payload), { asking: 'a1' }));
      expect(one?.delivery).toBe(other?.delivery);
    },
  );

  const call = 'claude-code 2.1.325: PreToolUse';
  it.each([
    [call, { tool_use_id: 'toolu_000009' }],
    // A model's server that counts its calls anew in each turn.
    [call, { prompt_id: 'another' }],
    [call, { tool_input: { command: 'rm -rf .' } }],
    ['codex 0.166.0: PreToolUse', { turn_id: 'another' }],
    ['gemini-cli 0.61.0: BeforeTool', { timestamp: '2026-11-15T08:10:43.469Z' }],
    ['gemini-cli 0.61.0: BeforeTool', { tool_input: { command: 'ls' } }],
    ['claude-code 2.1.325: UserPromptSubmit', { prompt_id: 'another' }],
    ['gemini-cli 0.61.0: AfterAgent', { timestamp: '2026-11-15T08:10:44.005Z' }],
  ])('%s with %j is another', (title, changes) => {
    expect(of(title, changes).delivery).not.toBe(of(title).delivery);
  });

  it('a call and its result are two events of one call', () => {
    const [before, after] = [of(call), of('claude-code 2.1.325: PostToolUse')];
    expect(before.delivery).not.toBe(after.delivery);
    expect(before).toMatchObject({ call: 'toolu_000001' });
    expect(after).toMatchObject({ call: 'toolu_000001' });
    // Gemini has no ids: what is called stands for the call.
    const gemini = [of('gemini-cli 0.61.0: BeforeTool'), of('gemini-cli 0.61.0: AfterTool')];
    expect(new Set(gemini.map((one) => 'call' in one && one.call)).size).toBe(1);
  });

  it('two programs that are installed for one call count once, whichever asks', () => {
    expect(of(call, {}, { asking: 'a1' }).delivery).toBe(of(call, {}, { asking: 'a2' }).delivery);
    const prompt = 'claude-code 2.1.325: UserPromptSubmit';
    expect(of(prompt, {}, { asking: 'a1' }).delivery).toBe(of(prompt, {}, { asking: 'a2' }).delivery);
  });

  it.each(['claude-code 2.1.325: Stop', 'codex 0.166.0: Stop', 'codex 0.166.0: PermissionRequest'])(
    '%s: two that are alike to the letter are told apart by who asks',
    (title) => {
      expect(of(title, {}, { asking: 'a1' }).delivery).not.toBe(of(title, {}, { asking: 'a2' }).delivery);
    },
  );
});

describe('GOB-HOOK-HOSTILE: K2, R1: whatever comes in', () => {
  const names = [...new Set(samples.map(({ payload }) => String(payload.hook_event_name)))];
  const deep = (levels: number): Json => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

  it('nothing is thrown, and no call is read that names no tool or has no input', () => {
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
      fc.constantFrom<Json>(
        '',
        '/w',
        '../x',
        'a'.repeat(10_000),
        '\ud800',
        '\0',
        -1,
        null,
        [],
        {},
        deep(150),
      ),
    );
    const payload = fc.record(
      {
        hook_event_name: fc.oneof(fc.constantFrom(...names), value),
        session_id: fc.oneof(fc.constant('s1'), value),
        cwd: fc.oneof(fc.constant('/w'), value),
        tool_name: fc.oneof(fc.constantFrom('Bash', 'Write', 'mcp__a__b', 'run_shell_command'), value),
        ...Object.fromEntries(
          [
            ...['tool_input', 'tool_use_id', 'tool_response', 'prompt', 'source', 'trigger', 'reason'],
            ...['agent_id', 'agent_type', 'error', 'mcp_context', 'timestamp', 'transcript_path'],
            ...['last_assistant_message', 'prompt_response', 'stop_hook_active', 'file_path'],
          ].map((field) => [field, value]),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...CLIENTS), payload, (client, given) => {
        const reading = read(client, given as JsonObject);
        if ('problem' in reading) return reading.problem !== '';
        const { session, cwd, delivery } = reading;
        expect(session.id).toMatch(/^[A-Za-z0-9][\w.-]*$/);
        expect(cwd.startsWith('/')).toBe(true);
        expect(delivery.length).toBeLessThan(500);
        if (reading.kind !== 'tool_call') return true;
        const { tool_name: name, tool_input: input } = given as JsonObject;
        const isReadable =
          typeof name === 'string' &&
          name.trim() !== '' &&
          (input === undefined || input === null || isObject(input) || typeof input === 'string');
        if (!isReadable) expect(reading.acts).toMatchObject([{ unreadable: expect.any(String) }]);
        return true;
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, Json]>([
    ['a list', []],
    ['nothing', null],
    ['a text', 'x'],
    ['no event', { session_id: 's', cwd: '/w' }],
    ['no session', { hook_event_name: 'Stop', cwd: '/w' }],
    ['a session that leads elsewhere', { hook_event_name: 'Stop', cwd: '/w', session_id: '../../x' }],
    ['a session with a dot', { hook_event_name: 'Stop', cwd: '/w', session_id: '..' }],
    ['a long session', { hook_event_name: 'Stop', cwd: '/w', session_id: 's'.repeat(500) }],
    ['a relative folder', { hook_event_name: 'Stop', cwd: 'w', session_id: 's' }],
    ['a folder with NUL', { hook_event_name: 'Stop', cwd: '/w\0', session_id: 's' }],
  ])('%s is a problem', (_, payload) => {
    for (const client of CLIENTS)
      expect(read(client, payload)).toEqual({ problem: expect.stringMatching(/^the payload /) });
  });

  it.each(['claude-code 2.1.325: PreToolUse', 'codex 0.166.0: PreToolUse', 'gemini-cli 0.61.0: BeforeTool'])(
    '%s: a call that cannot be read is unreadable, and so denied',
    (title) => {
      const changes: JsonObject[] = [
        { tool_name: '' },
        { tool_name: ' ' },
        { tool_name: 7 },
        { tool_name: 'x'.repeat(1_000) },
        { tool_input: [1] },
        { tool_input: 7 },
        { tool_input: deep(6_000) },
        { tool_input: { command: 'ls', more: Array.from({ length: 60_000 }, () => 0) } },
      ];
      for (const change of changes)
        expect(of(title, change)).toMatchObject({ acts: [{ unreadable: expect.any(String) }] });
      expect(JSON.stringify(of(title, { tool_input: deep(6_000) })).length).toBeLessThan(2_000);
    },
  );

  it('texts are cut, in the middle', () => {
    const tool_response = { stdout: `begin ${'x'.repeat(5_000_000)} end` };
    const result = of('claude-code 2.1.325: PostToolUse', { tool_response });
    expect(result).toMatchObject({
      text: expect.stringMatching(/^begin x+\n\[… \d+ characters …\]\nx+ end$/),
    });
    expect('text' in result && result.text.length).toBeLessThan(10_100);
    const prompt = of('gemini-cli 0.61.0: BeforeAgent', { prompt: 'y'.repeat(1_000_000) });
    expect('prompt' in prompt && prompt.prompt.length).toBe(100_000);
  });
});

describe('what a tool has answered', () => {
  it.each<[string, Json, string]>([
    ['claude-code 2.1.325: PostToolUse', { stdout: 'out', stderr: 'err' }, 'out\nerr'],
    [
      'claude-code 2.1.325: PostToolUse',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
    ],
    ['claude-code 2.1.325: PostToolUse', { content: [{ type: 'text', text: 'a' }] }, 'a'],
    ['claude-code 2.1.325: PostToolUse', { filePath: 'a' }, '{"filePath":"a"}'],
    ['claude-code 2.1.325: PostToolUse', null, ''],
    ['codex 0.166.0: PostToolUse', 'plain', 'plain'],
    ['gemini-cli 0.61.0: AfterTool', { llmContent: [{ text: 'a' }], returnDisplay: 'shown' }, 'a'],
  ])('%s %j', (title, tool_response, text) => {
    expect(of(title, { tool_response })).toMatchObject({ text });
    expect(of(title, { tool_response })).not.toHaveProperty('error');
  });

  it('why it failed', () => {
    expect(of('claude-code 2.1.325: PostToolUseFailure')).toMatchObject({
      error: expect.stringContaining('File does not exist'),
    });
    expect(of('claude-code 2.1.325: PostToolUseFailure', { error: null })).toMatchObject({
      error: 'it failed',
    });
    const gemini = (tool_response: JsonObject) => of('gemini-cli 0.61.0: AfterTool', { tool_response });
    expect(gemini({ llmContent: 'x', error: { message: 'gone' } })).toMatchObject({ error: 'gone' });
    expect(gemini({ llmContent: 'Output: x\nExit Code: 3\nProcess Group PGID: 1' })).toMatchObject({
      error: 'it ended with 3',
    });
  });

  it('what our own server answers is whole', () => {
    const tool_response = 'x'.repeat(50_000);
    const ours = { tool_name: 'mcp__plugin_lockstep_lockstep__session_get', tool_response };
    const result = of('claude-code 2.1.325: PostToolUse', ours);
    expect(result).toMatchObject({ tool: 'mcp__lockstep__session_get', text: tool_response });
  });
});
