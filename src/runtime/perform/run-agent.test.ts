import { Buffer } from 'node:buffer';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentOf,
  eventually,
  finished,
  outcomeOf,
  prompt,
  type Stage,
  type StageOptions,
  stage,
} from '../../../test/support/stage.ts';
import { commandAgent } from '../../agents/command/command-agent.ts';
import type { ResolvedReads } from '../../model/command.ts';
import type { Ability, Agent, AgentRequest } from '../../ports/agent.ts';
import { childProcesses } from '../../system/processes.ts';
import { workspaces } from '../../workspaces/workspaces.ts';

let open: Stage | undefined;
function on(agent: Agent, options?: StageOptions): Stage {
  open = stage({ agents: [agent], ...options });
  return open;
}
afterEach(() => open?.remove());

/** Answers with what it is asked for by `pick`, and can all that is named. */
function asked(pick: (request: AgentRequest) => unknown, ...can: Ability[]): Agent {
  return agentOf((request) => ({ text: JSON.stringify({ seen: pick(request) ?? null }) }), {
    can: new Set(can),
  });
}
const seen = async (here: Stage, command: ReturnType<typeof prompt>) =>
  ((await here.outcome(command)).output as { seen: unknown }).seen;

describe('what the agent is asked', () => {
  it('LS-AGENT-REQUEST: carries everything the step says', async () => {
    const everything: Ability[] = [
      'system-prompt',
      'tools',
      'model',
      'schema',
      'session',
      'mcp',
      'setting-sources',
      'permission-mode',
      'max-turns',
    ];
    const here = on(
      asked(
        ({ signal, onEvent, keep, guard, env, ...request }) => ({
          ...request,
          token: env.TOKEN,
          log: env.LOG,
        }),
        ...everything,
      ),
      { environment: { TOKEN: '123456' } },
    );
    const schema = { type: 'object' };
    const command = prompt('Do it.', {
      path: 'execute[1]/implement~2',
      system: 'You are terse.',
      model: 'large',
      tools: { allow: ['Read'], deny: ['Bash'] },
      params: {
        effort: 'high',
        permission_mode: 'plan',
        setting_sources: ['project'],
        mcp_servers: { a: { command: 'x', check: false } },
        max_turns: 7,
      },
      schema: { name: 'review', schema },
      session: 's-1',
      env: { LOG: 'debug' },
      secrets: ['TOKEN'],
      dispatch: { path: 1, id: 4 },
    });
    expect(await seen(here, command)).toEqual({
      path: 'execute[1]/implement~2',
      step: 'implement',
      system: 'You are terse.',
      prompt: 'Do it.',
      tools: { allow: ['Read'], deny: ['Bash'] },
      params: { effort: 'high' },
      mcpServers: { a: { command: 'x' } },
      settingSources: ['project'],
      permissionMode: 'plan',
      maxTurns: 7,
      model: 'large',
      schema,
      session: 's-1',
      cwd: here.root,
      secrets: ['TOKEN'],
      token: '123456',
      log: 'debug',
      dispatch: { path: 1, id: 4 },
    });
  });

  it('has a name of its own where it is an action of a step', async () => {
    const here = on(asked(({ path, step }) => [path, step]));
    expect(await seen(here, prompt('x', { path: 'a/plan~2', part: 'enter[0]' }))).toEqual([
      'a/plan~2.enter[0]',
      'plan.enter[0]',
    ]);
  });

  it('puts a system prompt and a schema into the prompt of an agent that takes neither', async () => {
    const here = on(asked(({ prompt: text, system, schema }) => [text, system, schema]));
    const command = prompt('Do it.', {
      system: 'Be terse.',
      schema: { name: 'r', schema: { type: 'object' } },
    });
    const [text, system, schema] = (await seen(here, command)) as [string, string, unknown];
    expect(text).toMatch(/^Be terse\.\n\nDo it\.\n\nAnswer with one JSON value[\s\S]*"type": "object"/);
    expect([system, schema]).toEqual(['', null]);
  });

  it('warns of everything the agent cannot do, and drops nothing in silence', async () => {
    const here = on(asked(({ session }) => session));
    const outcome = await here.outcome(
      prompt('x', {
        tools: { deny: ['Bash'] },
        model: 'large',
        session: 's-1',
        params: { permission_mode: 'plan', setting_sources: [], mcp_servers: { a: {} }, max_turns: 1 },
      }),
    );
    expect(outcome.output).toEqual({ seen: null });
    expect(outcome.warnings).toHaveLength(7);
    expect(outcome.warnings?.join()).toMatch(
      /tools.*large.*session.*mcp_servers.*setting_sources.*permission_mode.*max_turns/,
    );
    expect(here.events.filter((event) => event.kind === 'warning')).toHaveLength(7);
    expect((await here.outcome(prompt('x'))).warnings).toBeUndefined();
  });

  it('refuses known params of the wrong kind, all at once', async () => {
    const here = on(asked(() => null));
    const params = { max_turns: 'seven', mcp_servers: [], permission_mode: 1, setting_sources: 'all' };
    const { error } = await here.outcome(prompt('x', { params }));
    expect(error?.class).toBe('error');
    for (const name of Object.keys(params)) expect(error?.message).toContain(`\`${name}\``);
  });

  it('hands a prompt file over as it is, read when the step starts', async () => {
    const here = on(asked((request) => request.prompt));
    here.write('task.md', 'Do {{ this }}.\n');
    expect(await seen(here, prompt('', { prompt: { kind: 'file', path: 'task.md' } }))).toBe(
      'Do {{ this }}.\n',
    );
    expect(await here.outcome(prompt('', { prompt: { kind: 'file', path: 'no.md' } }))).toMatchObject({
      exit_code: 2,
      error: { class: 'missing-files', details: { missing_files: ['no.md'] } },
    });
    expect(
      (await here.outcome(prompt('', { prompt: { kind: 'file', path: '/etc/passwd' } }))).error?.class,
    ).toBe('path');
  });

  it('tells a rejected try what was wrong, in the same session where it can', async () => {
    const here = on(asked((request) => request.prompt, 'session'));
    const command = prompt('Do it.', { feedback: ['No tests.'], try: 2 });
    expect(await seen(here, { ...command, session: 's' })).not.toContain('Do it.');
    expect(await seen(here, { ...command, session: 's' })).toContain('1. No tests.');
    expect(await seen(here, command)).toMatch(/^Do it\.[\s\S]*1\. No tests\./);
  });

  describe('files it reads', () => {
    const reads: Omit<ResolvedReads, 'inject'> = {
      files: ['docs/*.md'],
      optional: ['b.txt', 'no.txt'],
      position: 'append',
    };
    const ready = () => {
      const here = on(asked((request) => request.prompt));
      here.write('docs/b.md', 'bee\n');
      here.write('docs/a.md', 'ay\n');
      here.write('b.txt', 'optional');
      return here;
    };

    it('are listed', async () => {
      const command = prompt('Do it.', {
        reads: {
          ...reads,
          inject: 'list',
          instruction: 'Read:',
        },
      });
      expect(await seen(ready(), command)).toBe(
        'Do it.\n\nRead:\nRequired:\n- docs/a.md\n- docs/b.md\nOptional (if available):\n- b.txt',
      );
    });

    it('are put in whole, in byte order', async () => {
      const command = prompt('Do it.', {
        reads: { ...reads, optional: [], inject: 'content', position: 'prepend' },
      });
      expect(await seen(ready(), command)).toBe(
        'The following file contents are provided for context:\n\n=== File: docs/a.md (3 bytes) ===\nay\n\n=== File: docs/b.md (4 bytes) ===\nbee\n\nDo it.',
      );
    });

    it('are not put in unless asked for, and missing ones fail the step before it starts', async () => {
      const here = ready();
      const none = { ...reads, optional: [], inject: 'none' } satisfies ResolvedReads;
      expect(await seen(here, prompt('Do it.', { reads: none }))).toBe('Do it.');
      const missing = await here.outcome(prompt('x', { reads: { ...none, files: ['x.md', 'y.md'] } }));
      expect(missing.error).toMatchObject({
        class: 'missing-files',
        details: { missing_files: ['x.md', 'y.md'] },
      });
    });

    it('are cut where they are too much, with a mark, a count and a warning', async () => {
      const here = on(agentOf((request) => ({ text: request.prompt })));
      here.write('big.txt', `${'é'.repeat(150_000)}`);
      here.write('more.txt', 'more');
      here.write('a.png', 'a\0b');
      const outcome = await here.outcome(
        prompt('Do it.', { reads: { files: ['*'], optional: [], inject: 'content', position: 'prepend' } }),
      );
      const shown = String(outcome.output).replace(/é+/, '…é…');
      expect(shown).toContain('=== File: a.png (3 bytes, not text, not shown) ===\n\n');
      expect(shown).toContain(
        '=== File: big.txt (262144/300000) ===\n…é…\n[... truncated: 256 KiB of 293 KiB shown]\n\n',
      );
      expect(shown).toContain('=== Files not shown (1 file, 4 bytes) ===\n- more.txt (4 bytes)\n\nDo it.');
      expect(outcome.injection).toEqual({
        truncated: true,
        total_size: 300_004,
        shown_size: 262_144,
        files_shown: 1,
        files_truncated: 1,
        files_omitted: 1,
      });
      expect(shown).not.toContain('\uFFFD');
      expect(outcome.warnings).toEqual([
        expect.stringContaining('2 of 3 files are not in the prompt in full'),
      ]);
    });
  });
});

describe('what comes of it', () => {
  it('LS-AGENT-ANSWER: keeps usage, session, model, provider and exit code', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, cost: 0.5, turns: 3 };
    const here = on(agentOf(() => ({ text: 'ok', usage, session: 's-1', model: 'large-2' })));
    expect(await here.outcome(prompt('x', { model: 'large' }))).toMatchObject({
      ok: true,
      output: 'ok',
      usage,
      session: 's-1',
      model: 'large-2',
      provider: 'test',
      exit_code: 0,
    });
    expect(here.usage).toEqual([['step', usage]]);
  });

  it('AG-SESSION-TOTALS: keeps the counters of a session apart from what was used, and hands them on with it', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, cost: 0.5, turns: 3 };
    const totals = { input_tokens: 11, output_tokens: 12, cost: null, turns: 4 };
    const usageByModel = [{ model: 'large', usage }];
    const given: unknown[] = [];
    const answer = { text: 'ok', usage, usageByModel, session: 's', sessionTotals: totals };
    const perform = (request: AgentRequest) => {
      given.push(request.sessionTotals);
      return answer;
    };
    const here = on(agentOf(perform, { can: new Set(['session']) }));
    expect(await here.outcome(prompt('x', { session: 's', sessionTotals: totals }))).toMatchObject({
      usage,
      usage_by_model: usageByModel,
      session_totals: totals,
    });
    await here.outcome(prompt('x'));
    expect(given).toEqual([totals, undefined]);
    here.remove();
    const without = on(agentOf(perform));
    await without.outcome(prompt('x', { session: 's', sessionTotals: totals }));
    expect(given.at(-1)).toBeUndefined();
  });

  it('rule 2: parses JSON and keeps the answer as it came', async () => {
    const here = on(agentOf(() => ({ text: '```json\n{"a": 1}\n```' })));
    expect(await here.outcome(prompt('x'))).toMatchObject({
      output: { a: 1 },
      raw: '```json\n{"a": 1}\n```',
    });
    const plain = on(agentOf(() => ({ text: 'just text' })));
    expect(await plain.outcome(prompt('x'))).not.toHaveProperty('raw');
  });

  it('checks a schema, and is no failure when it does not fit: the work is there', async () => {
    const schema = { name: 'review', schema: { type: 'object', required: ['ok'] } };
    const here = on(agentOf(() => ({ text: '{}' })));
    expect(await here.outcome(prompt('x', { schema }))).toMatchObject({
      ok: true,
      output: {},
      violations: ['the answer must have the property "ok"'],
    });
    const silent = on(agentOf(() => ({ text: 'Done!' }), { can: new Set<Ability>(['schema']) }));
    expect((await silent.outcome(prompt('x', { schema }))).violations).toEqual([
      'the answer is not JSON: answer with one JSON value that fits the schema `review`',
    ]);
  });

  it('fails where the schema cannot be used', async () => {
    const schema = { name: 'review', schema: { type: 'strnig' } };
    const here = on(agentOf(() => ({ text: '{}' })));
    expect(await here.outcome(prompt('x', { schema }))).toMatchObject({
      ok: false,
      error: { class: 'error' },
    });
  });

  it('passes on the class of a failure, what there was, and when to come back', async () => {
    const here = on(
      agentOf(() => ({
        text: 'half',
        exitCode: 1,
        stderr: 'slow down',
        error: { class: 'rate-limit', message: 'slow down', hint: 'Wait.', retryAfter: 1500 },
      })),
    );
    expect(await here.outcome(prompt('x'))).toMatchObject({
      ok: false,
      output: 'half',
      exit_code: 1,
      stderr: 'slow down',
      error: { class: 'rate-limit', message: 'slow down', hint: 'Wait.', details: { retry_after_ms: 1500 } },
    });
  });

  it('F1: is an outcome too where the agent throws, or is not to be had', async () => {
    const throwing = on(
      agentOf(() => {
        throw new Error('broken');
      }),
    );
    expect(await throwing.outcome(prompt('x'))).toMatchObject({
      ok: false,
      error: { class: 'error', message: 'broken' },
    });
    expect(await throwing.outcome(prompt('x', { provider: 'other' }))).toMatchObject({
      ok: false,
      error: { class: 'error' },
    });
  });

  it('writes prompt and streams to its logs, and the answer of an agent without a stream', async () => {
    const here = on(
      agentOf(({ onEvent }) => {
        onEvent({ kind: 'output', stream: 'stdout', chunk: Buffer.from('{"type":') });
        onEvent({ kind: 'output', stream: 'stdout', chunk: Buffer.from('"x"}\n') });
        onEvent({ kind: 'output', stream: 'stderr', chunk: Buffer.from('warn\n') });
        return { text: 'ok' };
      }),
    );
    const outcome = await here.outcome(prompt('Do it.', { path: 'a/b' }));
    expect(here.log('a/b.prompt.txt')).toBe('Do it.');
    expect(here.log('a/b.stdout')).toBe('{"type":"x"}\n');
    expect(here.log('a/b.stderr')).toBe('warn\n');
    expect(outcome.stderr).toBe('warn\n');
    const quiet = on(agentOf(() => ({ text: 'ok' })));
    await quiet.outcome(prompt('x'));
    expect(quiet.log('step.stdout')).toBe('ok');
  });

  it('saves the streamed answer of an agent that prints it, the final text of any other', async () => {
    const printing = agentOf(
      ({ onEvent }) => {
        onEvent({ kind: 'output', stream: 'stdout', chunk: Buffer.from('whole answer\n') });
        return { text: 'cut' };
      },
      { answersOnStdout: true },
    );
    const here = on(printing);
    await here.outcome(prompt('x', { saveTo: 'out.md' }));
    expect(here.read('out.md')).toBe('whole answer\n');
    const other = on({ ...printing, answersOnStdout: false });
    await other.outcome(prompt('x', { saveTo: 'out.md' }));
    expect(other.read('out.md')).toBe('cut');
  });

  it('tells the display what the agent does, and the run what it uses', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, cost: null, turns: 1 };
    const here = on(
      agentOf(({ onEvent }) => {
        onEvent({ kind: 'tool', tool: 'Bash', summary: 'npm test' });
        onEvent({ kind: 'text', text: 'thinking' });
        onEvent({ kind: 'usage', usage });
        return { text: '' };
      }),
    );
    await here.outcome(prompt('x'));
    expect(here.events).toEqual([
      { kind: 'tool', path: 'step', tool: 'Bash', summary: 'npm test' },
      { kind: 'text', path: 'step', text: 'thinking' },
    ]);
    expect(here.usage).toEqual([['step', usage]]);
  });
});

describe('an agent that is a command, exactly captured', () => {
  const exact = { limit: 8192, onParseError: 'fail', exact: true } as const;
  const text = { ...exact, as: 'text' } as const;
  const json = { ...exact, as: 'json', limit: 1024, textLimit: 8 } as const;
  const ready = (script: string, options: StageOptions = {}) => {
    const processes = childProcesses({ graceMs: 100 });
    const mine = commandAgent({
      name: 'mine',
      provider: {
        command: ['/bin/sh', '-c', script, 'sh', '{{ prompt }}'],
        input: 'argv',
        defaults: {},
      },
      processes,
    });
    return on(mine, { context: { keepStdout: 'truncated' }, ...options });
  };

  it('is never taken apart as JSON, and keeps its last newline', async () => {
    const here = ready('printf "%s\\n" "$1"');
    const outcome = await here.outcome(prompt('{"a": 1}', { capture: text }));
    expect(outcome).toMatchObject({ ok: true, exit_code: 0, output: '{"a": 1}\n' });
    expect(outcome).not.toHaveProperty('raw');
    expect(here.log('step.stdout')).toBeUndefined();
  });

  it('is cut like a command, and then the log has it all', async () => {
    const here = ready('seq 1 3000');
    const outcome = await here.outcome(prompt('', { capture: text, saveTo: 'out' }));
    expect(outcome.truncated).toEqual({ bytes: 13893, kept: 8192 });
    expect(String(outcome.output)).toHaveLength(8192);
    expect(here.log('step.stdout')).toBe(here.read('out'));
    expect(here.read('out')).toHaveLength(13893);
  });

  it('is lines or JSON as a command’s output is: no fenced block is looked for', async () => {
    const here = ready('printf "%s" "$1"');
    const lines = { ...exact, as: 'lines', limit: 2 } as const;
    expect(await here.outcome(prompt('a\r\nb\r\nc', { capture: lines }))).toMatchObject({
      output: ['a', 'b'],
      truncated: { bytes: 7 },
    });
    expect((await here.outcome(prompt('[1]', { capture: json }))).output).toEqual([1]);
    expect(await here.outcome(prompt('```\n[1]\n```', { capture: json, path: 'fenced' }))).toMatchObject({
      ok: false,
      exit_code: 2,
      error: { class: 'output', details: { json_parse_error: 'invalid' } },
    });
    expect(here.log('fenced.stdout')).toBe('```\n[1]\n```');
    const keep = { ...json, onParseError: 'keep' } as const;
    expect(await here.outcome(prompt('no json at all', { capture: keep }))).toMatchObject({
      ok: true,
      output: 'no json ',
      unparsed: 'invalid',
    });
    expect(await here.outcome(prompt(`"${'x'.repeat(2000)}"`, { capture: keep }))).toMatchObject({
      ok: true,
      unparsed: 'overflow',
      truncated: { bytes: 2002, kept: 8 },
    });
  });

  it('keeps its own exit code, whatever it printed', async () => {
    const here = ready('printf "%s" "$1"; exit 1');
    expect(await here.outcome(prompt('no', { capture: json }))).toMatchObject({
      ok: false,
      exit_code: 1,
      output: 'no',
      error: { class: 'exit' },
    });
    const slow = ready('printf half; sleep 30');
    expect(await slow.outcome(prompt('', { capture: text, timeout: 150 }))).toMatchObject({
      exit_code: 124,
      output: 'half',
      error: { class: 'timeout', details: { timeout_ms: 150 } },
    });
  });

  it('is held to a schema of the workspace', async () => {
    const here = ready('printf "%s" "$1"');
    here.write('s.json', '{"required": ["ok"]}');
    const command = (said: string) => prompt(said, { capture: json, schemaFile: 's.json' });
    expect(await here.outcome(command('{"ok": 1}'))).toMatchObject({ ok: true, violations: [] });
    expect(await here.outcome(command('{}'))).toMatchObject({
      ok: true,
      violations: ['the answer must have the property "ok"'],
    });
    expect((await here.outcome(command('no'))).error?.details).toEqual({ json_parse_error: 'invalid' });
    here.write('s.json', 'no');
    expect(await here.outcome(command('{}'))).toMatchObject({ ok: false, exit_code: 2, output: {} });
    // The prompt is the task and no more: what is to be checked is not told.
    expect(here.log('step.prompt.txt')).not.toContain('required');
  });

  it('S3: says with which words it was started, masked before they are cut, and what it cost', async () => {
    const secret = 'hunter2hunter2';
    const here = ready('true', { environment: { TOKEN: secret }, secrets: ['TOKEN'] });
    here.write('task.md', `${'x'.repeat(1020)}${secret}`);
    const outcome = await here.outcome(
      prompt('', { prompt: { kind: 'file', path: 'task.md' }, capture: text, saveTo: 'out' }),
    );
    expect(outcome.invocation).toEqual({
      argv: ['/bin/sh', '-c', 'true', 'sh', `${'x'.repeat(1020)}***`],
      env_count: 5,
    });
    expect(outcome.metrics).toEqual({
      provider_ms: expect.any(Number),
      file_io_ms: expect.any(Number),
      file_operations: 2,
    });
    const long = await here.outcome(prompt('y'.repeat(2000), { capture: text }));
    expect(long.invocation?.argv?.[4]).toBe(`${'y'.repeat(1024)}…`);
  });

  it('tells of a parameter nobody uses', async () => {
    const notes: string[] = [];
    const here = ready('true', {
      context: { debug: (_, topic, said) => void notes.push(`${topic}: ${said}`) },
    });
    await here.outcome(prompt('x', { params: { effort: 'high' } }));
    const message = 'provider_params key "effort" is not used by the command of provider "mine"';
    expect(here.events).toContainEqual({ kind: 'debug', path: 'step', message });
    expect(notes).toEqual(
      expect.arrayContaining([`parameters: ${message}`, 'command: ["/bin/sh","-c","true","sh","x"]']),
    );
  });

  it('an agent that does not print its answer is captured the same way', async () => {
    const here = on(agentOf(({ prompt: said }) => ({ text: said })));
    expect((await here.outcome(prompt('{"a": 1}\n', { capture: text }))).output).toBe('{"a": 1}\n');
    expect((await here.outcome(prompt('[1]', { capture: json }))).output).toEqual([1]);
    const structured = on(agentOf(() => ({ text: '', structured: { a: 1 } })));
    expect((await structured.outcome(prompt('', { capture: text }))).output).toBe('{"a":1}');
    expect((await structured.outcome(prompt('', { capture: json }))).output).toEqual({ a: 1 });
  });
});

describe('S4: what a prompt is made of', () => {
  it('is caught when it has become a symlink to the outside', async () => {
    const here = on(asked((request) => request.prompt));
    here.write('task.md', 'Do it.');
    here.write('docs/a.md', 'ay');
    const reads = {
      files: ['docs/*.md'],
      optional: [],
      inject: 'list',
      position: 'prepend',
    } satisfies ResolvedReads;
    const commands = [
      prompt('', { prompt: { kind: 'file', path: 'task.md' } }),
      prompt('x', { reads }),
      prompt('x', { reads: { ...reads, inject: 'content' } }),
      prompt('x', { saveTo: 'docs/a.md' }),
    ];
    for (const command of commands) expect((await here.outcome(command)).ok).toBe(true);
    for (const path of ['task.md', 'docs/a.md']) {
      rmSync(join(here.root, path));
      symlinkSync('/etc/hostname', join(here.root, path));
    }
    for (const command of commands) {
      expect(await here.outcome(command)).toMatchObject({
        ok: false,
        exit_code: 2,
        error: { class: 'path' },
      });
    }
  });
});

describe('posix globs', () => {
  it('in reads: each file once, folders named, a name that is a pattern falls back to itself', async () => {
    const here = on(
      asked((request) => request.prompt),
      { context: { globs: 'posix' } },
    );
    for (const path of ['b.md', 'a.md', '.hidden.md', 'sub/c.md', 'odd[1].md', 'x.tmp/y'])
      here.write(path, path);
    const list = async (files: string[], optional: string[] = []) =>
      seen(
        here,
        prompt('Do.', { reads: { files, optional, inject: 'list', instruction: 'I:', position: 'prepend' } }),
      );
    expect(await list(['*.md', './a.md', 'b.md'])).toBe('I:\n- a.md\n- b.md\n- odd[1].md\n\nDo.');
    expect(await list(['odd[1].md'], ['no*', '*/c.md', 'x.*'])).toBe(
      'I:\nRequired:\n- odd[1].md\nOptional (if available):\n- sub/c.md\n- x.tmp\n\nDo.',
    );
    const content = {
      files: ['x.*', 'a.md'],
      optional: ['.h*'],
      inject: 'content',
      instruction: 'I:',
      position: 'append',
    } as const;
    expect(
      await seen(here, prompt('Do.\n', { reads: { ...content, files: ['x.*', 'a.md'], optional: ['.h*'] } })),
    ).toBe(
      'Do.\n\nI:\n\n=== File: .hidden.md (10 bytes) ===\n.hidden.md\n\n=== File: a.md (4 bytes) ===\na.md\n\n=== File: x.tmp (directory) ===\n',
    );
    const none = {
      files: [],
      optional: ['no*'],
      inject: 'list',
      position: 'prepend',
    } satisfies ResolvedReads;
    expect(await seen(here, prompt('Do.\n', { reads: none }))).toBe('Do.\n');
    expect(await seen(here, prompt('', { reads: { ...none, files: ['a.md'], instruction: 'I:' } }))).toBe(
      'I:\n- a.md',
    );
  });
});

describe('bounds and secrets', () => {
  const limit = (bytes: number) => ({ capture: { as: 'text', limit: bytes, onParseError: 'fail' } }) as const;

  it('S5: what an agent keeps is bounded, marked, and says how much there was', async () => {
    const here = on(
      agentOf(({ keep }) => {
        const kept = keep('answer');
        for (let count = 0; count < 1000; count++) kept.write('0123456789');
        return { text: kept.text() };
      }),
    );
    const outcome = await here.outcome(prompt('x', limit(100)));
    expect(outcome.truncated).toEqual({ bytes: 10_000, kept: 100 });
    expect(outcome.output).toMatch(
      /^(0123456789){5}\n\[… 9900 bytes left out; .* step\.stdout …\]\n(0123456789){5}$/,
    );
  });

  it('S5: so is what it gathered elsewhere', async () => {
    const here = on(agentOf(() => ({ text: 'x'.repeat(100_000) })));
    const outcome = await here.outcome(prompt('x', limit(100)));
    expect(outcome.truncated).toEqual({ bytes: 100_000, kept: 100 });
    expect(here.log('step.stdout')?.length).toBeGreaterThan(0);
  });

  it('S3: no secret reaches outcome, logs or display, however the agent brings it up', async () => {
    const secret = 'hunter2hunter2';
    const half = secret.slice(0, 7);
    const here = on(
      agentOf(({ keep, onEvent, env }) => {
        const said = env.TOKEN ?? 'none';
        const kept = keep('answer');
        kept.write(`${'x'.repeat(43)}${said.slice(0, 7)}`);
        kept.write(`${said.slice(7)}${'y'.repeat(1000)}`);
        onEvent({ kind: 'output', stream: 'stdout', chunk: Buffer.from(said.slice(0, 3)) });
        onEvent({ kind: 'output', stream: 'stdout', chunk: Buffer.from(said.slice(3)) });
        onEvent({ kind: 'tool', tool: 'Bash', summary: `curl -H ${said}` });
        onEvent({ kind: 'text', text: said });
        const errors = keep('stderr');
        errors.write(said);
        return {
          text: kept.text(),
          structured: { [said]: [said] },
          stderr: errors.text(),
          error: { class: 'exit', message: said, hint: said, details: { said } },
        };
      }),
      { environment: { TOKEN: secret }, secrets: ['TOKEN'] },
    );
    const outcome = await here.outcome(prompt(`use ${secret}`, { secrets: ['TOKEN'], ...limit(100) }));
    const logs = here.run.logs().map((name) => here.log(name));
    const everything = JSON.stringify([outcome, logs, here.events]);
    expect(logs.join()).toContain('use ***');
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(half);
  });
});

describe('time-out and cancel', () => {
  const untilAborted = agentOf(
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve({ text: 'half', session: 's', error: { class: 'cancelled', message: 'told to end' } }),
        );
      }),
  );

  it('takes longer than its time-out: 124', async () => {
    expect(await on(untilAborted).outcome(prompt('x', { timeout: 20 }))).toMatchObject({
      ok: false,
      exit_code: 124,
      output: 'half',
      error: { class: 'timeout' },
    });
  });

  it.each(['cancelled', 'interrupted', 'limit'] as const)('is %s', async (reason) => {
    const performing = on(untilAborted).perform(prompt('x'));
    if (performing.now) throw new Error('it is over already');
    performing.cancel(reason);
    expect(outcomeOf(await performing.done)).toMatchObject({ ok: false, error: { class: reason } });
  });

  it('goes on without an agent that does not end when it is told to, and says so', async () => {
    const stubborn = agentOf(() => new Promise(() => {}));
    const here = on(stubborn);
    const due: (() => void)[] = [];
    const after = (_: number, callback: () => void) => {
      due.push(callback);
      return () => {};
    };
    here.context.clock = { ...here.context.clock, after };
    const performing = here.perform(prompt('x'));
    if (performing.now) throw new Error('it is over already');
    performing.cancel('cancelled');
    for (const callback of due) callback();
    const outcome = outcomeOf(await performing.done);
    expect(outcome).toMatchObject({ ok: false, error: { class: 'cancelled' } });
    expect(outcome.warnings?.[0]).toContain('may still be running');
  });

  it('an agent that ends by itself as cancelled has failed', async () => {
    const here = on(agentOf(() => ({ text: '', error: { class: 'cancelled', message: 'gone' } })));
    expect((await here.outcome(prompt('x'))).error?.class).toBe('error');
  });
});

describe('rule 6: agents at the same time', () => {
  /** An agent per path, which ends when it is told to. */
  function acting(actions: Record<string, (stage: Stage) => void>) {
    const ends = new Map<string, () => void>();
    const agent = agentOf(async ({ path }) => {
      await new Promise<void>((resolve) => ends.set(path, resolve));
      actions[path]?.(here);
      return { text: 'ok' };
    });
    const here = on(agent, { git: true });
    const start = (path: string, more: Parameters<typeof prompt>[1] = {}) => {
      const performing = here.perform(prompt('x', { path, concurrent: true, ...more }));
      const begun = () => eventually(() => ends.has(path));
      return {
        begun,
        async end() {
          await begun();
          ends.get(path)?.();
          return outcomeOf(await finished(performing));
        },
      };
    };
    return { here, start };
  }

  it('one that is asked for a mark says what the tree was like when it began, where that can be told', async () => {
    const { here, start } = acting({});
    const [a, b] = [start('a', { mark: true }), start('b')];
    const { mark = '' } = await a.end();
    expect((await b.end()).mark).toBeUndefined();
    expect(await workspaces().open(here.root).changedSince(mark)).toEqual([]);
    here.write('src/later.ts', 'x');
    expect(await workspaces().open(here.root).changedSince(mark)).toEqual(['src/later.ts']);
  });

  it('fail, all that may have done it, when a file was changed', async () => {
    const { start } = acting({ b: (here) => here.write('src/x.ts', 'changed') });
    const [a, b, c] = [start('a'), start('b'), start('c')];
    expect(await a.end()).toMatchObject({ ok: true });
    expect(await b.end()).toMatchObject({
      ok: false,
      error: {
        class: 'changed-files',
        message: expect.stringContaining('one of the agents of a, b and c changed src/x.ts'),
        details: { files: ['src/x.ts'], agents: ['a', 'b', 'c'] },
      },
    });
    expect(await c.end()).toMatchObject({ ok: false, error: { class: 'changed-files' } });
  });

  it('are held to account for their own time only', async () => {
    const { here, start } = acting({});
    const early = start('early');
    await early.begun();
    here.write('before.txt', 'x');
    const late = start('late');
    expect((await late.end()).ok).toBe(true);
    expect((await early.end()).error?.class).toBe('changed-files');
  });

  it('an agent alone is named alone', async () => {
    const { start } = acting({ a: (here) => here.write('x.txt', '') });
    expect((await start('a').end()).error?.message).toMatch(/^the agent changed x\.txt/);
  });

  it('are not blamed for what we wrote', async () => {
    const { here, start } = acting({});
    const a = start('a', { saveTo: 'a.md' });
    const b = start('b');
    const wrote = here.perform({
      ...prompt(''),
      kind: 'call-handler',
      handler: 'write-file',
      with: { path: 'notes.md', content: 'x' },
    });
    expect(outcomeOf(await finished(wrote)).ok).toBe(true);
    expect((await a.end()).ok).toBe(true);
    expect((await b.end()).ok).toBe(true);
  });

  it('are warned, not failed, when a command that ran too may have done it', async () => {
    const { here, start } = acting({});
    const a = start('a');
    await a.begun();
    await here.outcome({
      ...prompt(''),
      kind: 'run-command',
      path: 'build',
      command: { kind: 'shell', line: 'echo > built.txt' },
    });
    const outcome = await a.end();
    expect(outcome.ok).toBe(true);
    expect(outcome.warnings?.[0]).toMatch(/built\.txt changed .*build ran too/);
  });

  it('may write where nobody else runs', async () => {
    const { start } = acting({ a: (here) => here.write('x.txt', '') });
    expect((await start('a', { concurrent: false }).end()).ok).toBe(true);
  });

  it('cannot be watched outside git, and run all the same', async () => {
    const here = on(agentOf(() => ({ text: 'ok' })));
    expect((await here.outcome(prompt('x', { concurrent: true }))).ok).toBe(true);
  });
});
