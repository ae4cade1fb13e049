import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookAnswer, OpenDoor } from '../ports/hook-door.ts';
import { hookDoor } from './hook-door.ts';

const program = fileURLToPath(new URL('../../scripts/hook.cjs', import.meta.url));
let folder: string;
let doors: OpenDoor[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hook-door-test-'));
  doors = [];
});
afterEach(async () => {
  for (const door of doors) await door.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(
  handler: (payload: string) => Promise<HookAnswer>,
  options: { program?: string; patienceMs?: number } = {},
): Promise<OpenDoor> {
  const door = await hookDoor({ program, folder, ...options }).open(handler);
  doors.push(door);
  return door;
}

interface Knocked {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** As a client does it: through a shell, the payload on standard input. */
function knock(command: string, payload = '', env: Record<string, string> = {}): Promise<Knocked> {
  const child = spawn('/bin/sh', ['-c', command], { env: { PATH: process.env.PATH ?? '', ...env } });
  child.stdin.on('error', () => {});
  child.stdin.end(payload);
  return ended(child);
}

async function ended(child: ChildProcess): Promise<Knocked> {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.on('data', (chunk) => {
      said[stream] += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...said };
}

describe('AG-GUARD-DOOR: a hook that knocks', () => {
  it('hands over what it was given, prints the answer and ends as told', async () => {
    const door = await open(async (payload) => ({ stdout: `heard ${payload}`, stderr: 'so', exitCode: 7 }));
    const line = door.command.replace(/ \|\| \{.*$/, '');
    expect(await knock(line, '{"tool":"Write “x”"}')).toEqual({
      code: 7,
      stdout: 'heard {"tool":"Write “x”"}',
      stderr: 'so',
    });
  });

  it('ends with 0 and says nothing where the answer is empty', async () => {
    const door = await open(async () => ({}));
    expect(await knock(door.command, '{}')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('H1: every end but a clean one is exit code 2', async () => {
    const door = await open(async () => ({ exitCode: 7 }));
    const { code, stderr } = await knock(door.command, '{}');
    expect(code).toBe(2);
    // Codex and Gemini overlook a 2 without a word.
    expect(stderr).toContain('denied');
  });

  it('H3: calls in parallel, at several doors, get their own answers', async () => {
    const answers: (() => void)[] = [];
    const handler = (name: string) => async (payload: string) => {
      // Nobody is answered before all have asked.
      await new Promise<void>((resolve) => {
        answers.push(resolve);
        if (answers.length === 8) for (const answer of answers.reverse()) answer();
      });
      return { stdout: `${name} ${payload}` };
    };
    const [one, other] = [await open(handler('one')), await open(handler('other'))];
    const knocks = [0, 1, 2, 3].flatMap((n) => [knock(one.command, `${n}`), knock(other.command, `${n}`)]);
    expect((await Promise.all(knocks)).map(({ stdout }) => stdout)).toEqual(
      [0, 1, 2, 3].flatMap((n) => [`one ${n}`, `other ${n}`]),
    );
  });

  it('carries payloads and answers of several megabytes', async () => {
    const big = 'é'.repeat(4 * 2 ** 20);
    const door = await open(async (payload) => ({ stdout: payload }));
    const { code, stdout } = await knock(door.command, big);
    expect(code).toBe(0);
    expect(stdout === big).toBe(true);
  });

  it('asks nothing where it was given nothing, and denies', async () => {
    let asked = 0;
    const door = await open(async () => {
      asked++;
      return {};
    });
    expect((await knock(door.command, '')).code).toBe(2);
    expect(asked).toBe(0);
  });

  it('what the handler throws is a denial that says so', async () => {
    const door = await open(() => Promise.reject(new Error('no idea')));
    expect(await knock(door.command, '{}')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'the call could not be judged, and is denied: no idea\n',
    });
  });
});

describe('AG-GUARD-CLOSED: H1: a hook that nobody answers ends with exit code 2', () => {
  it('when the door was closed', async () => {
    const door = await open(async () => ({}));
    await door.close();
    const { code, stdout, stderr } = await knock(door.command, '{}');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('The call is denied.');
  });

  it('when the door is closed while it waits', async () => {
    let heard = () => {};
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const door = await open(async () => {
      heard();
      return new Promise(() => {});
    });
    const knocking = knock(door.command, '{}');
    await asked;
    await door.close();
    expect((await knocking).code).toBe(2);
  });

  it('when no answer comes in time', async () => {
    const door = await open(() => new Promise(() => {}), { patienceMs: 100 });
    expect(await knock(door.command, '{}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('in time'),
    });
  });

  it.each(['', '{"exitCode":0', '{}', 'null', '{"exitCode":"0"}'])('when the answer is %j', async (text) => {
    const path = join(folder, 'other');
    const server = createServer({ allowHalfOpen: true }, (caller) => {
      caller.resume();
      caller.on('end', () => caller.end(text));
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      expect((await knock(`node '${program}' '${path}' 5000`, '{}')).code).toBe(2);
    } finally {
      server.close();
    }
  });

  it('when the program is not there, or cannot start', async () => {
    const gone = await open(async () => ({}), { program: join(folder, 'gone.cjs') });
    expect((await knock(gone.command, '{}')).code).toBe(2);
  });

  it('and what a project sets for its own Node programs does not get in the way', async () => {
    const door = await open(async () => ({ stdout: 'ok' }));
    const env = { NODE_OPTIONS: '--require /no/such/file', NODE_EXTRA_CA_CERTS: '/no/such/file' };
    expect(await knock(door.command, '{}', env)).toEqual({ code: 0, stdout: 'ok', stderr: '' });
  });
});

describe('the folder of a door', () => {
  const left = () => readdirSync(folder);

  it('H2: is for this user alone', async () => {
    await open(async () => ({}));
    const [name = ''] = left();
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
  });

  it('is gone when the door is closed, which may be done twice', async () => {
    const door = await open(async () => ({}));
    expect(left()).toHaveLength(1);
    await door.close();
    await door.close();
    expect(left()).toEqual([]);
  });

  it('a folder whose name would be too long for a socket is not used', async () => {
    const deep = join(folder, 'x'.repeat(100));
    mkdirSync(deep);
    const door = await hookDoor({ program, folder: deep }).open(async () => ({ stdout: 'ok' }));
    doors.push(door);
    expect((await knock(door.command, '{}')).stdout).toBe('ok');
  });

  it('AG-GUARD-SWEPT: H4: what a killed process left is removed by the next; what lives stays', async () => {
    buildSync({
      entryPoints: [join(import.meta.dirname, 'hook-door.ts')],
      ...{ bundle: true, platform: 'node', format: 'esm', outfile: join(folder, 'hook-door.mjs') },
    });
    const script = `
      const { hookDoor } = await import(${JSON.stringify(pathToFileURL(join(folder, 'hook-door.mjs')).href)});
      const door = await hookDoor(${JSON.stringify({ program, folder })}).open(async () => ({}));
      console.log(door.command);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    child.on('error', () => {});
    const path = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += chunk;
        const found = /'([^']+\/door)'/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      let errors = '';
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      child.on('close', () => reject(new Error(errors)));
    });
    const alive = await open(async () => ({ stdout: 'here' }));
    expect(existsSync(path)).toBe(true); // its owner lives
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    expect(existsSync(path)).toBe(true);
    expect(await hookDoor({ program, folder }).sweep()).toBe(1);
    expect(existsSync(dirname(path))).toBe(false);
    expect((await knock(alive.command, '{}')).stdout).toBe('here');
  });

  it('H4: one without a socket is left alone while it may be about to get one', async () => {
    const young = join(folder, 'lockstep-door-young');
    const old = join(folder, 'lockstep-door-old');
    mkdirSync(young);
    mkdirSync(old);
    writeFileSync(join(folder, 'lockstep-door-file'), '');
    utimesSync(old, 1, 1);
    expect(await hookDoor({ program, folder }).sweep()).toBe(1);
    expect(left().sort()).toEqual(['lockstep-door-file', 'lockstep-door-young']);
  });
});
