// Real processes, a real hook door, stand-ins for clients.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { hookDoor } from '../system/hook-door.ts';
import { thisMachine } from '../system/machine.ts';
import { childProcesses } from '../system/processes.ts';
import { ownGit } from '../workspaces/git/start-git.ts';
import { ask, lastWord } from './ask.ts';
import type { ClientName } from './facts.ts';
import type { ClientSeeker, DoctorParts } from './parts.ts';
import { probeClient } from './probe-client.ts';
import { probeGit } from './probe-git.ts';
import { probeHook } from './probe-hook.ts';
import { probeMcp } from './probe-mcp.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockstep-doctor-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const parts = (more: Partial<DoctorParts> = {}): DoctorParts => ({
  machine: { ...thisMachine(), home: root },
  processes: childProcesses({ graceMs: 100 }),
  hookDoor: hookDoor({ program: join(import.meta.dirname, '../../scripts/hook.cjs') }),
  server: ['/bin/false'],
  clock: systemClock(),
  git: ownGit(),
  environment: { PATH: process.env.PATH ?? '', HOME: root },
  cwd: root,
  clients: [],
  guard: async () => ({ bound: false, build: 'b', daemons: [], unanswered: 0 }),
  ...more,
});

function command(name: ClientName, script: string): ClientSeeker {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return {
    name,
    install: `get ${name}`,
    switchedOff: false,
    hooks: () => ({ files: [], plugin: false, off: [], limits: [] }),
    find: () => ({ kind: 'cli', path }),
  };
}

describe('a client', () => {
  it.each([
    ['echo 2.1.325 "(Claude Code)"', { version: '2.1.325' }],
    ['echo codex-cli 0.166.0', { version: '0.166.0' }],
    ['echo warning >&2; echo 0.62.0-preview.1', { version: '0.62.0-preview.1' }],
    ['echo hello', { problem: expect.stringContaining('says no version') }],
    ['echo no Node here >&2; exit 3', { problem: 'ended with exit code 3: no Node here' }],
    ['kill -9 $$', { problem: 'was ended by SIGKILL' }],
  ])('that says `%s` to --version', async (script, expected) => {
    const facts = await probeClient(command('gemini', script), parts());
    expect(facts.found).toEqual({ via: 'command', path: join(root, 'gemini'), ...expected });
  });

  it('that cannot be started is named, with the reason', async () => {
    const seeker = {
      ...command('claude', ''),
      find: () => ({ kind: 'cli' as const, path: join(root, 'gone') }),
    };
    expect((await probeClient(seeker, parts())).found?.problem).toContain('cannot be started');
  });

  it('D2: that does not answer is waited for no longer than our patience', async () => {
    const { find } = command('claude', 'trap "" TERM; sleep 60');
    const argv = [find()?.path ?? '', '--version'];
    const said = await ask(parts(), { argv, cwd: root, env: {} }, 200);
    expect(said.problem).toBe('did not answer within 0.2 s');
    expect(lastWord(said)).toBe(said.problem);
  });

  it('that prints without end is not kept', async () => {
    const { find } = command('claude', 'yes | head -c 10000000');
    const said = await ask(
      parts(),
      { argv: [find()?.path ?? ''], cwd: root, env: parts().environment },
      20_000,
    );
    expect(said.stdout.length).toBeLessThan(200_000);
  });

  it('that is a package has the version of the package, and is not started', async () => {
    const seeker: ClientSeeker = {
      ...command('claude', ''),
      find: () => ({ kind: 'sdk', path: '/sdk.mjs', version: '0.3.325' }),
    };
    const { found } = await probeClient(seeker, parts());
    expect(found).toEqual({ via: 'sdk', path: '/sdk.mjs', version: '0.3.325' });
  });

  it('D1: of keys and logins only names are known', async () => {
    const environment = {
      ...parts().environment,
      GEMINI_API_KEY: 'very-secret',
      GOOGLE_API_KEY: '',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1',
    };
    mkdirSync(join(root, '.gemini'));
    writeFileSync(join(root, '.gemini/oauth_creds.json'), 'also-secret');
    const facts = await probeClient(command('gemini', 'echo 1.0.0'), parts({ environment }));
    expect(facts).toMatchObject({
      variables: ['GEMINI_API_KEY'],
      addresses: ['GOOGLE_GEMINI_BASE_URL'],
      login: join(root, '.gemini/oauth_creds.json'),
    });
    expect(JSON.stringify(facts)).not.toContain('secret');
  });

  it('whose folder is elsewhere has its login there', async () => {
    writeFileSync(join(root, 'auth.json'), '');
    const environment = { ...parts().environment, CODEX_HOME: root };
    expect((await probeClient(command('codex', 'echo 1.0.0'), parts({ environment }))).login).toBe(
      join(root, 'auth.json'),
    );
    expect((await probeClient(command('codex', 'echo 1.0.0'), parts())).login).toBeUndefined();
  });

  it('AG-DOCTOR-SANDBOX: codex is asked whether its sandbox works', async () => {
    const codex = (sandbox: string) =>
      command(
        'codex',
        `case "$*" in --version) echo codex-cli 1.0.0;; "sandbox -- true") ${sandbox};; *) exit 9;; esac`,
      );
    expect((await probeClient(codex('exit 0'), parts())).sandbox).toEqual({ works: true });
    expect((await probeClient(codex('echo no namespaces >&2; exit 1'), parts())).sandbox).toEqual({
      works: false,
      problem: 'ended with exit code 1: no namespaces',
    });
  });
});

describe('MCP-DOCTOR: the MCP server', () => {
  const server = (script: string): string[] => ['/bin/sh', '-c', script];

  it('answers its first message, and ends when its input does', async () => {
    const facts = await probeMcp(parts({ server: server('read line; echo "{\\"name\\":\\"lockstep\\"}"') }));
    expect(facts).toEqual({ answers: true, tookMs: expect.any(Number) });
  });

  it('that is not there, or says something else, does not answer, with what it said', async () => {
    const broken = await probeMcp(parts({ server: server('echo broken >&2; exit 1') }));
    expect(broken).toMatchObject({ answers: false, problem: expect.stringContaining('broken') });
    expect(await probeMcp(parts({ server: ['/nowhere/lockstep'] }))).toMatchObject({ answers: false });
  });
});

describe('AG-DOCTOR-HOOK: the hook', () => {
  it('brings the answer back, and denies when nobody is there', async () => {
    expect(await probeHook(parts())).toEqual({
      answers: true,
      failsClosed: true,
      tookMs: expect.any(Number),
    });
  });

  it('that is not there does not answer, and denies', async () => {
    const facts = await probeHook(parts({ hookDoor: hookDoor({ program: join(root, 'gone.cjs') }) }));
    expect(facts).toMatchObject({
      answers: false,
      failsClosed: true,
      problem: expect.stringContaining('exit code 2'),
    });
  });

  it('that lets everything through is found out', async () => {
    const open = { command: 'cat; exit 0', patienceMs: 1, close: async () => {} };
    const facts = await probeHook(parts({ hookDoor: { open: async () => open } }));
    expect(facts).toMatchObject({ answers: false, failsClosed: false });
  });

  it('whose door cannot be opened says why', async () => {
    const facts = await probeHook(parts({ hookDoor: { open: () => Promise.reject(new Error('no room')) } }));
    expect(facts).toEqual({ answers: false, failsClosed: false, problem: 'no room' });
  });
});

describe('git', () => {
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };

  it('tells a repository, and whose commits they would be', async () => {
    const name = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' };
    expect(await probeGit(parts({ environment: { ...environment, ...name } }))).toMatchObject({
      repository: false,
      identity: 'Ada',
      version: expect.stringMatching(/^\d+\.\d+/),
    });
    await ask(parts(), { argv: ['git', 'init', '-q', '.'], cwd: root, env: environment }, 10_000);
    const only = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'user.useConfigOnly',
      GIT_CONFIG_VALUE_0: 'true',
    };
    const facts = await probeGit(parts({ environment: { ...environment, ...only } }));
    expect(facts.repository).toBe(true);
    expect(facts.identity).toBeUndefined();
  });

  it('that is not there is told', async () => {
    const facts = await probeGit(parts({ environment: { PATH: root } }));
    expect(facts).toEqual({ repository: false, problem: expect.stringContaining('cannot be started') });
  });
});
