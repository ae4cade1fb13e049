import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CLIENTS, type ClientName } from '../../src/model/live-session.ts';
import { type Scratch, scratch } from '../scratch.ts';

const open: Scratch[] = [];
const make = () => {
  const project = scratch({ git: true });
  project.env.LOCKSTEP_HOME = join(project.env.HOME as string, '.lockstep');
  open.push(project);
  return project;
};
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

const FILES: Record<ClientName, string> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
};
const settingsOf = (project: Scratch, client: ClientName) => join(project.env.HOME as string, FILES[client]);
const put = (file: string, text: string | Buffer) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const ODD = `{
\t"env": { "KEY": "sk-secret" }, // mine
\t"hooks": {
\t\t"Stop": [ { "hooks": [ {"type": "command", "command": "say done",} ] } ],
\t},
}`;

describe.each(CLIENTS)('init --client %s', (client) => {
  it.each([
    ['no file', undefined],
    ['an empty one', ''],
    ['comments and tabs', ODD],
    ['one line, CRLF', '{"a": 1}\r\n'],
    ['a mark at its beginning', '\uFEFF{ "a": [1,2] }'],
  ])('GOB-INIT-BYTES: in and out again leaves the very bytes: %s', (_, text) => {
    const project = make();
    const file = settingsOf(project, client);
    if (text !== undefined) put(file, text);
    const installed = project.lockstep('init', '--client', client, '--yes');
    expect(installed).toMatchObject({ exitCode: 0, stderr: '' });
    const written = readFileSync(file, 'utf8');
    expect(written).toContain(`hook ${client} 1`);
    const again = project.lockstep('init', '--client', client, '--yes');
    expect(again.stdout).toContain('Nothing to do');
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect(project.lockstep('init', '--client', client, '--remove', '--yes').exitCode).toBe(0);
    if (text === undefined) expect(existsSync(dirname(file))).toBe(false);
    else expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(join(project.root, '.lockstep/local/guard.json'))).toBe(false);
  });

  it('GOB-INIT-CHANGED: a file that was changed since keeps the change, and loses only ours', () => {
    const project = make();
    const file = settingsOf(project, client);
    put(file, ODD);
    project.lockstep('init', '--client', client, '--yes');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"env"', '"new": true, "env"'));
    project.lockstep('init', '--client', client, '--remove', '--yes');
    expect(readFileSync(file, 'utf8')).toBe(ODD.replace('"env"', '"new": true, "env"'));
  });

  it('GOB-INIT-ASKS: what changes is shown, nothing of the rest; without a terminal and --yes nothing is written', () => {
    const project = make();
    const file = settingsOf(project, client);
    put(file, ODD);
    const ended = project.lockstep('init', '--client', client);
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('error[confirmation-needed]'),
    });
    expect(ended.stdout).toContain(`${file}\n  @@ line`);
    expect(ended.stdout).toContain(`hook ${client} 1`);
    expect(ended.stdout).not.toContain('sk-secret');
    expect(readFileSync(file, 'utf8')).toBe(ODD);
  });

  it('a file that is no JSON is not touched', () => {
    const project = make();
    const file = settingsOf(project, client);
    put(file, '{"a": ');
    expect(project.lockstep('init', '--client', client, '--yes').stderr).toContain(
      'error[settings-unreadable]',
    );
    expect(readFileSync(file, 'utf8')).toBe('{"a": ');
    put(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(project.lockstep('init', '--client', client, '--yes').stderr).toContain('it is not UTF-8');
    expect(readFileSync(file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });

  it('--project writes into the settings of the project', () => {
    const project = make();
    const file = join(project.root, client === 'claude' ? '.claude/settings.local.json' : FILES[client]);
    project.lockstep('init', '--client', client, '--project', '--yes');
    expect(readFileSync(file, 'utf8')).toContain(`hook ${client} 1`);
    expect(existsSync(settingsOf(project, client))).toBe(false);
    project.lockstep('init', '--client', client, '--project', '--remove', '--yes');
    expect(existsSync(file)).toBe(false);
  });

  it('GOB-DOCTOR-HOOKS: doctor says that hooks are there, and what they cannot hold', () => {
    const project = make();
    project.lockstep('init', '--client', client, '--yes');
    const { stdout } = project.lockstep('doctor');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`${client}: hooks in ${settingsOf(project, client)}`);
    expect(stdout).toContain('what hooks cannot hold');
  });
});

it('a link stays one, and the mode of a file stays', () => {
  const project = make();
  const file = settingsOf(project, 'claude');
  const real = join(project.env.HOME as string, 'dotfiles.json');
  put(real, '{}\n');
  chmodSync(real, 0o600);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(real, file);
  project.lockstep('init', '--client', 'claude', '--yes');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o600);
  project.lockstep('init', '--client', 'claude', '--remove', '--yes');
  expect(readFileSync(real, 'utf8')).toBe('{}\n');
  rmSync(real);
});

it('GOB-INIT-BELOW: an agent does not take the hooks out', () => {
  const project = make();
  project.env.LOCKSTEP_AGENT = 'r/s';
  const { exitCode, stderr } = project.spawned('init', '--client', 'claude', '--remove', '--yes');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error[below-agent]');
});
