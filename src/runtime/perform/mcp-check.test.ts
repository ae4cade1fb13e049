import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import {
  agentOf,
  eventually,
  finished,
  lives,
  outcomeOf,
  prompt,
  type Stage,
  stage,
} from '../../../test/support/stage.ts';
import type { JsonObject } from '../../model/json.ts';
import type { AgentRequest } from '../../ports/agent.ts';
import { systemClock } from '../../system/clock.ts';

const SERVER = fileURLToPath(new URL('../../../test/support/mcp-server.js', import.meta.url));
const NODE = process.execPath;

let here: Stage;
let asked: AgentRequest[];
let delays: number[];
const children: ChildProcess[] = [];
const servers: Server[] = [];
afterEach(() => {
  here.remove();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) server.close();
});

/** Delays are noted and cut short: how long they are is looked at, not waited for. */
function ready(environment: Record<string, string> = {}, can: 'mcp'[] = ['mcp']): void {
  asked = [];
  delays = [];
  const clock = systemClock();
  const after = (milliseconds: number, callback: () => void) => {
    delays.push(milliseconds);
    return clock.after(Math.min(milliseconds, 10), callback);
  };
  here = stage({
    agents: [
      agentOf(
        (request) => {
          asked.push(request);
          return { text: 'ok' };
        },
        { can: new Set(can) },
      ),
    ],
    environment,
    secrets: Object.keys(environment),
    context: { clock: { ...clock, after } },
  });
}
const withServers = (mcp_servers: JsonObject, more = {}) => prompt('x', { params: { mcp_servers }, ...more });
const stdio = { command: NODE, args: [SERVER] };
const sh = (line: string, more: JsonObject = {}) => ({ command: 'sh', args: ['-c', line], ...more });

/** A server of its own process; its address. */
async function listening(mode: string): Promise<string> {
  const child = spawn(NODE, [SERVER, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await eventually(() => said.includes('\n'));
  return said.trim();
}

describe('servers that can be reached', () => {
  it('AG-MCP: one over its own input and output is started, asked, ended, and passed on as it is', async () => {
    ready();
    const started = `echo $$ > pid; exec ${NODE} ${SERVER}`;
    const outcome = await here.outcome(withServers({ tracker: sh(started) }));
    expect(outcome).toMatchObject({ ok: true, output: 'ok' });
    expect(asked[0]?.mcpServers).toEqual({ tracker: sh(started) });
    expect(lives(Number(here.read('pid')))).toBe(false);
    expect(delays).toEqual([]);
  });

  it.each(['http', 'sse'])('AG-MCP: one over %s', async (type) => {
    ready();
    const url = await listening(`--${type}`);
    const outcome = await here.outcome(withServers({ far: { type, url } }));
    expect(outcome).toMatchObject({ ok: true });
    expect(asked[0]?.mcpServers).toEqual({ far: { type, url } });
  });

  it('AG-MCP: one that is there at the third time', async () => {
    ready();
    const late = `echo x >> tried; test $(wc -l < tried) -ge 3 && exec ${NODE} ${SERVER}`;
    expect(await here.outcome(withServers({ late: sh(late) }))).toMatchObject({ ok: true });
    expect(delays).toEqual([500, 1000]);
    expect(here.events.filter((event) => event.kind === 'text')).toMatchObject([
      { text: 'MCP server late cannot be reached, again in 0.5 s' },
      { text: 'MCP server late cannot be reached, again in 1 s' },
    ]);
  });

  it('works in the folder it names, with the variables of the step and its own', async () => {
    ready({ TOKEN: 'sesame-open' });
    here.write('sub/x', '');
    const line = `test "$TOKEN $OTHER $(basename $PWD)" = "sesame-open s-sesame-open sub" && exec ${NODE} ${SERVER}`;
    const server = sh(line, { cwd: 'sub', env: { OTHER: 's-${TOKEN}' } });
    expect(await here.outcome(withServers({ one: server }, { secrets: ['TOKEN'] }))).toMatchObject({
      ok: true,
    });
    expect(asked[0]?.mcpServers).toEqual({ one: server });
  });

  it('`check: false` leaves the look out, and reaches no client', async () => {
    ready();
    const outcome = await here.outcome(withServers({ own: { command: 'no-such-command', check: false } }));
    expect(outcome).toMatchObject({ ok: true });
    expect(asked[0]?.mcpServers).toEqual({ own: { command: 'no-such-command' } });
  });

  it('nothing is looked at for an agent that takes none', async () => {
    ready({}, []);
    const outcome = await here.outcome(withServers({ one: { command: 'no-such-command' } }));
    expect(outcome).toMatchObject({ ok: true, warnings: [expect.stringContaining('mcp_servers')] });
  });
});

describe('servers that cannot be reached', () => {
  it('AG-MCP-FAILURE: are tried four times with back-off, then the step fails: which, what was tried, what it said', async () => {
    ready();
    const server = sh('echo x >> tried; echo "no key for the tracker" >&2; exit 3');
    const outcome = await here.outcome(withServers({ tracker: server, good: stdio }));
    expect(here.read('tried')).toBe('x\nx\nx\nx\n');
    expect(delays).toEqual([500, 1000, 2000]);
    expect(asked).toEqual([]);
    expect(outcome).toMatchObject({
      ok: false,
      exit_code: 2,
      error: {
        class: 'error',
        message: expect.stringMatching(
          /^the MCP server `tracker` cannot be reached: `sh -c echo x[^`]*`, tried 4 times, the last time: [^;]+; it said: no key for the tracker$/,
        ),
        hint: expect.stringContaining('check: false'),
        details: { mcp_servers: ['tracker'] },
      },
    });
  });

  it('AG-MCP-FAILURE: all of them are named at once, whatever is wrong with each', async () => {
    ready();
    const taken = createServer((_, response) => response.writeHead(500).end('out of order'));
    servers.push(taken);
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const broken = `http://127.0.0.1:${(taken.address() as AddressInfo).port}/mcp?key=hidden`;
    const { error } = await here.outcome(
      withServers({
        gone: { command: 'no-such-command' },
        down: { type: 'http', url: 'http://127.0.0.1:1/mcp' },
        broken: { type: 'http', url: broken },
        neither: { args: [] },
        unset: { command: NODE, env: { A: '${NOT_SET}' } },
      }),
    );
    expect(error?.details).toEqual({ mcp_servers: ['gone', 'down', 'broken', 'neither', 'unset'] });
    expect(error?.message).toMatch(
      /`gone` cannot be reached: `no-such-command`, tried 4 times[^;]*(not found|ENOENT)/,
    );
    expect(error?.message).toMatch(/`down` .*http:\/\/127\.0\.0\.1:1\/mcp, tried 4 times/);
    expect(error?.message).toMatch(/`broken` .*\/mcp, tried 4 times.*(500|out of order)/);
    expect(error?.message).not.toContain('hidden');
    expect(error?.message).toContain('`neither` cannot be used: it needs a `command`');
    expect(error?.message).toContain('`unset` cannot be used: NOT_SET is not set');
  });

  it('AG-KEYS, S3: a secret of a server is in no message and no log', async () => {
    ready({ TOKEN: 'sesame-open' });
    const server = sh('echo "bad token $KEY" >&2; exit 1', { env: { KEY: '${TOKEN}' } });
    const outcome = await here.outcome(withServers({ one: server }, { secrets: ['TOKEN'] }));
    expect(outcome.error?.message).toContain('bad token ***');
    for (const name of here.run.logs()) expect(here.log(name)).not.toContain('sesame-open');
    expect(JSON.stringify([outcome, here.events])).not.toContain('sesame-open');
    expect(here.log('step.mcp-one.stderr')).toContain('bad token ***');
  });

  it('what is no server is refused with all that is wrong', async () => {
    ready();
    const { error } = await here.outcome(withServers({ one: 'x', two: { command: 'y', check: 'no' } }));
    expect(error?.message).toBe(
      'in params: `mcp_servers.one` must be a map and `mcp_servers.two.check` must be true or false',
    );
  });
});

describe('while it is looked at', () => {
  it('a cancel ends the look, and everything it started', async () => {
    ready();
    const performing = here.perform(withServers({ slow: sh('echo $$ > pid; exec sleep 1000') }));
    await eventually(() => here.exists('pid') && here.read('pid') !== '');
    if (performing.now) throw new Error('it is over already');
    performing.cancel('cancelled');
    expect(outcomeOf(await finished(performing)).error?.class).toBe('cancelled');
    expect(lives(Number(here.read('pid')))).toBe(false);
    expect(asked).toEqual([]);
  });

  it('its time counts as the time of the step', async () => {
    ready();
    const outcome = await here.outcome(withServers({ slow: sh('exec sleep 1000') }, { timeout: 300 }));
    expect(outcome).toMatchObject({ exit_code: 124, error: { class: 'timeout' } });
    expect(asked).toEqual([]);
  });
});
