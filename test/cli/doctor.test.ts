// What a person is told before the first run, and what a canary shows; with stand-ins for the clients.

import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CAPABILITIES } from '../../src/model/capabilities.ts';
import { projectRoot, type Scratch } from '../scratch.ts';
import { endStarted, projectWith, type Started, start } from './started.ts';

const HELLO = 'lockstep: 1\nname: hello\nsteps: [{ id: say, run: [echo, hello] }]\n';
const NAMES = ['claude', 'codex', 'gemini'] as const;

let project: Scratch;
let bin: string;
let temporary: string;
const setUp = () => {
  project = projectWith({ '.lockstep/workflows/hello.yaml': HELLO }, { git: true });
  const base = dirname(project.root);
  bin = join(base, 'bin');
  temporary = join(base, 'tmp');
  mkdirSync(temporary, { recursive: true });
  // Nobody's own clients: only what is put into `bin`, and what the stand-ins need themselves.
  for (const name of ['git', 'sh', 'sleep']) symlinkSync(join('/usr/bin', name), join(bin, name));
  symlinkSync(process.execPath, join(bin, 'node'));
  Object.assign(project.env, { PATH: bin, TMPDIR: temporary, LOCKSTEP_CLIENTS: '' });
};

/** Started first and looked at last: it waits for twenty seconds, and the other tests need not wait with it. */
let slow: { project: Scratch; doctor: Started };
beforeAll(() => {
  setUp();
  client('claude', '#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 1; done\n');
  client('gemini', '#!/bin/sh\necho "needs Node 30" >&2\nexit 4\n');
  slow = { project, doctor: start(project, 'doctor') };
});
afterAll(() => {
  endStarted();
  slow.project.remove();
});
beforeEach(setUp);
afterEach(() => project.remove());

function client(name: string, lines: string): void {
  writeFileSync(join(bin, name), lines);
  chmodSync(join(bin, name), 0o755);
}
const says = (text: string) => `#!/bin/sh\necho '${text}'\n`;
const stage = pathToFileURL(join(projectRoot, 'test/support/canary-client.js')).href;
const singer = (how: string) =>
  client('claude', `#!${process.execPath}\nimport('${stage}').then(({ play }) => play('${how}'));\n`);
// biome-ignore lint/suspicious/noExplicitAny: looked into by path
const json = (...argv: string[]): any => JSON.parse(project.lockstep('doctor', '--json', ...argv).stdout);

describe('doctor', () => {
  it('AG-DOCTOR-NONE: without any client it ends with 0, says what to install, and names scripts', () => {
    const { exitCode, stdout, stderr } = project.lockstep('doctor');
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const name of NAMES) expect(stdout).toContain(`${name}: not found`);
    expect(stdout.match(/To use it: npm install -g @/g)).toHaveLength(3);
    expect(stdout).toContain('--script');
    expect(stdout.trimEnd().endsWith('A workflow can run here.')).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(join(project.root, '.lockstep/runs'))).toBe(false);
  });

  it('AG-DOCTOR-CLIENTS: tells path, version and what each can be held to; of keys the names only', () => {
    client('claude', says('2.1.7 (Claude Code)'));
    client('codex', '#!/bin/sh\ncase "$1" in --version) echo codex-cli 0.200.0;; esac\n');
    client('gemini', says('0.61.0'));
    Object.assign(project.env, { ANTHROPIC_API_KEY: 'very-secret-value', CLAUDE_CODE_SIMPLE: '1' });
    const { exitCode, stdout } = project.lockstep('doctor');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`claude: 2.1.7 (${bin}/claude); ANTHROPIC_API_KEY is set`);
    expect(stdout).toContain('older than');
    expect(stdout).toContain('CLAUDE_CODE_SIMPLE is set');
    expect(stdout).toMatch(/warning {2}gemini: 0\.61\.0 .*no key and no login/s);
    expect(stdout).toContain('codex: its sandbox works here');
    expect(stdout).toMatch(/can be held to +claude +codex +gemini\n/);
    expect(stdout).toMatch(/^ {2}tools\.deny +yes +yes +yes$/m);
    const told = json();
    expect(told.clients.map(({ found }: { found: object }) => found)).toMatchObject([
      { via: 'command', path: join(bin, 'claude'), version: '2.1.7' },
      { version: '0.200.0' },
      { version: '0.61.0' },
    ]);
    for (const { name, can } of told.clients) expect(can).toEqual(CAPABILITIES[name as 'claude']);
    expect(stdout + JSON.stringify(told)).not.toContain('very-secret-value');
  });

  it('AG-DOCTOR-CLIENTS: the Agent SDK of the project is found, with its version', () => {
    const folder = 'node_modules/@anthropic-ai/claude-agent-sdk';
    project.write(
      `${folder}/package.json`,
      '{ "version": "0.3.1", "type": "module", "exports": "./sdk.mjs" }',
    );
    project.write(`${folder}/sdk.mjs`, 'throw new Error("nobody loads this")');
    expect(json().clients[0].found).toMatchObject({ via: 'sdk', version: '0.3.1' });
    expect(project.lockstep('doctor').stdout).toContain('claude: Agent SDK 0.3.1');
  });

  it('AG-DOCTOR-EXIT: a workflow with errors, and runs that cannot be written, are problems', () => {
    project.write('.lockstep/workflows/wrong.yaml', HELLO.replace('hello', 'wrong').replace('run:', 'rnu:'));
    project.env.LOCKSTEP_STATE_DIR = join(project.root, '.lockstep/workflows/hello.yaml/runs');
    const { exitCode, stdout } = project.lockstep('doctor');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('`lockstep validate wrong` says which');
    expect(stdout).toContain('is not a folder');
    const told = json('--state-dir', 'elsewhere');
    expect(told).toMatchObject({
      usable: false,
      library: { invalid: [{ name: 'wrong', layer: 'project' }] },
    });
    expect(told.runs.unwritable).toBeUndefined();
    expect(existsSync(join(project.root, 'elsewhere'))).toBe(false);
  });

  it('AG-DOCTOR-MACHINE: git, Node, the disk, the hook and the library are looked at', () => {
    const told = json();
    expect(told).toMatchObject({
      usable: true,
      node: process.versions.node,
      git: { repository: true, identity: 'Ada', version: expect.stringMatching(/^\d/) },
      runs: { free: expect.any(Number) },
      hook: { answers: true, failsClosed: true },
      mcp: { answers: true },
      library: { project: true, invalid: [] },
    });
    expect(told.library.counts.workflow).toBeGreaterThanOrEqual(1);
  });

  it('completion knows its options', () => {
    expect(project.lockstep('__complete', '--', 'doctor', '--').stdout).toContain('--canary\n');
  });
});

describe('AG-DOCTOR-CANARY: with a stand-in for a client', () => {
  it('that obeys: what was tried is told, and that it was denied; nothing is left', () => {
    singer('obeys');
    const { exitCode, stdout } = project.lockstep('doctor', '--canary');
    expect(stdout).toContain('With a key of yours this costs a few tokens');
    expect(stdout).toMatch(/ok {7}claude is held to what a step says: .*Bash were tried/);
    expect(stdout).toMatch(/Bash touch touched\.txt: denied/);
    expect(exitCode).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(join(project.root, '.lockstep/runs'))).toBe(false);
    expect(json('--canary', 'claude').canary).toMatchObject({ verdict: 'enforced', files: [] });
  });

  it('that ignores its hooks: NOT enforced, exit code 1, and the records are kept', () => {
    singer('ignores');
    const { exitCode, stdout } = project.lockstep('doctor', '--canary', 'claude');
    expect(stdout).toMatch(/problem {2}claude is NOT held to what a step says: .*(?:was|were) made/);
    expect(exitCode).toBe(1);
    const records = /lockstep logs --state-dir (\S+)/.exec(stdout)?.[1] ?? '';
    expect(existsSync(join(records, 'latest/journal.jsonl'))).toBe(true);
    expect(existsSync(join(project.root, 'touched.txt'))).toBe(false);
  });

  it.each([
    ['talks', /nothing was shown: the model did not try/],
    ['fails', /nothing was shown: it failed: .*Invalid API key/],
  ])('that %s: nothing was shown, exit code 1', (how, says) => {
    singer(how);
    const { exitCode, stdout } = project.lockstep('doctor', '--canary');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(says);
    expect(exitCode).toBe(1);
  });

  it('with several clients one has to be named; one that is not there, or none, is wrong input', () => {
    const refused = (...argv: string[]) => {
      const { exitCode, stdout, stderr } = project.lockstep('doctor', '--canary', ...argv);
      expect([exitCode, stdout]).toEqual([2, '']);
      return stderr;
    };
    expect(refused()).toContain('error[canary-client] no client was found');
    singer('obeys');
    client('gemini', says('0.61.0'));
    expect(refused()).toContain('hint: Say which: --canary claude or gemini.');
    expect(refused('codex')).toContain('error[canary-client] codex was not found');
    expect(refused('cursor')).toContain('claude, codex, gemini');
  });
});

describe('doctor and slow clients', () => {
  it('AG-DOCTOR-BROKEN: a client that hangs, and one that fails, are problems: exit code 1, within half a minute', async () => {
    const { exitCode, output } = await slow.doctor.ended;
    expect(exitCode).toBe(1);
    expect(output).toMatch(/problem {2}claude: .* did not answer within 20 s/s);
    expect(output.replace(/\s+/g, ' ')).toContain('ended with exit code 4: needs Node 30');
    expect(output).toContain('To be mended before workflows run here: claude, gemini.');
  });
});
