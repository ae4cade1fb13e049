import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  eventually,
  lives,
  outcomeOf,
  type Stage,
  type StageOptions,
  stage,
} from '../../../test/support/stage.ts';
import type { JsonObject } from '../../model/json.ts';

const script = resolve(import.meta.dirname, '../../../test/support/mcp-server.js');
const server = { command: process.execPath, args: [script] };

let open: Stage | undefined;
function on(options?: StageOptions): Stage {
  open = stage(options);
  return open;
}
afterEach(() => open?.remove());

const tool = (name: string, given: JsonObject = {}, more: JsonObject = {}) =>
  call('call-mcp-tool', { server, tool: name, arguments: given, ...more });

describe('a server that is started', () => {
  it('answers with text, or with structure where it has any', async () => {
    const here = on();
    expect((await here.outcome(tool('echo', { text: 'hi' }))).output).toBe('you said hi');
    expect((await here.outcome(tool('add', { a: 1, b: 2 }))).output).toEqual({ sum: 3 });
  });

  it('GOB-ACTION-MCP: may be named: then it is one of `servers`', async () => {
    const here = on();
    const servers = { ours: server, other: { url: 'http://127.0.0.1:1' } };
    const named = (name: string) => tool('echo', { text: 'hi' }, { server: name, servers });
    expect((await here.outcome(named('ours'))).output).toBe('you said hi');
    expect((await here.outcome(named('constructor'))).error?.message).toBe(
      'there is no MCP server "constructor": `servers` has ours and other',
    );
    expect((await here.outcome(tool('echo', {}, { server: 'ours' }))).error?.message).toContain(
      '`servers` has none',
    );
  });

  it('SEC-NUM-DOORS: a number in its structure that may have been rounded is no result', async () => {
    const outcome = await on().outcome(tool('add', { a: 9007199254740991, b: 2 }));
    expect(outcome).toMatchObject({
      ok: false,
      output: null,
      error: { details: { code: 'number-inexact' } },
    });
    expect(outcome.error?.message).toContain('at $.sum');
  });

  it('runs in the workspace with the environment of the step and its own', async () => {
    const here = on({
      environment: { TOKEN: 'hunter2', OTHER: 'other secret' },
      secrets: ['TOKEN', 'OTHER'],
    });
    const outcome = await here.outcome({
      ...tool('environment', {}, { server: { ...server, env: { EXTRA: 'extra' } } }),
      secrets: ['TOKEN'],
    });
    const { cwd, env } = JSON.parse(outcome.output as string);
    expect(cwd).toBe(here.root);
    expect(env).toMatchObject({ EXTRA: 'extra', TOKEN: '***', LOCKSTEP_STEP: 'step' });
    expect(env).not.toHaveProperty('OTHER');
  });

  it('is gone afterwards, and so is what it started', async () => {
    const here = on();
    const pids = String((await here.outcome(tool('child'))).output)
      .split(' ')
      .map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(lives)).toEqual([]);
  });

  it('may answer with an error, which fails the step with its words', async () => {
    const { error } = await on().outcome(tool('fail'));
    expect(error).toMatchObject({
      class: 'error',
      message: 'the MCP tool `fail` answered with an error: no such issue',
    });
  });

  it.each<[string, JsonObject, RegExp]>([
    ['knows no such tool', { tool: 'nope' }, /nope/],
    ['crashes', { tool: 'crash' }, /`crash` could not be called.*out of luck/s],
    ['cannot be started', { server: { command: 'no-such-server' } }, /no-such-server/],
    ['is no MCP server', { server: { command: 'echo', args: ['hello'] } }, /could not be called/],
    ['is not described', { server: { cmd: 'x' } }, /`with.server` must be a map with `command`/],
  ])('that %s is a readable failure', async (_, given, message) => {
    const outcome = await on().outcome(tool('echo', {}, given));
    expect(outcome.ok).toBe(false);
    expect(outcome.error?.message).toMatch(message);
  });

  it('says of what is no text that it was left out', async () => {
    expect((await on().outcome(tool('picture'))).output).toBe('see:\n[image image/png left out]');
  });

  it('is held to the time-out of the step, and to a cancel', async () => {
    const here = on();
    expect(await here.outcome({ ...tool('hang'), timeout: 1500 })).toMatchObject({
      ok: false,
      exit_code: 124,
      error: { class: 'timeout' },
    });
    const performing = here.perform(tool('hang'));
    if (performing.now) throw new Error('it is over already');
    performing.cancel('interrupted');
    expect(outcomeOf(await performing.done)).toMatchObject({ ok: false, error: { class: 'interrupted' } });
  });

  it('writes what it says on stderr to the log of the step', async () => {
    const here = on();
    await here.outcome(tool('crash'));
    await eventually(() => here.log('step.stderr') !== undefined);
    expect(here.log('step.stderr')).toBe('out of luck\n');
  });
});

describe('a server that is reached over HTTP', () => {
  let process_: ChildProcess;
  let url: string;
  beforeAll(async () => {
    process_ = spawn(process.execPath, [script, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [chunk] = (await once(process_.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    url = chunk.toString().trim();
  });
  afterAll(() => process_.kill());

  it('answers, and gets the headers it is to get', async () => {
    const here = on();
    const over = (name: string, given: JsonObject = {}) =>
      tool(name, given, { server: { url, headers: { Authorization: 'Bearer x' } } });
    expect((await here.outcome(over('add', { a: 2, b: 2 }))).output).toEqual({ sum: 4 });
    expect((await here.outcome(over('header'))).output).toBe('Bearer x');
  });

  it('gets secrets that a header names and the step declares, and no others', async () => {
    const here = on({ environment: { TOKEN: 'hunter2', OTHER: 'other secret' } });
    const headers = { Authorization: 'Bearer ${TOKEN} ${OTHER}' };
    const outcome = await here.outcome({
      ...tool('header', {}, { server: { url, headers } }),
      secrets: ['TOKEN'],
    });
    expect(outcome.output).toBe('Bearer hunter2 ${OTHER}');
  });

  it('that is not there is a readable failure', async () => {
    const outcome = await on().outcome(tool('echo', {}, { server: { url: 'http://127.0.0.1:9/mcp' } }));
    expect(outcome.error?.message).toContain('could not be called');
  });
});
