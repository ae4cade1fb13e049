import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { InboxMessage, Origin } from '../ports/store.ts';
import { callers } from './callers.ts';
import { lookUpIn } from './lineage.ts';

const root = mkdtempSync(join(tmpdir(), 'lockstep-callers-'));
chmodSync(root, 0o755);
const bundle = join(root, 'callers.cjs');
const home = join(root, 'home');
buildSync({
  entryPoints: ['src/system/callers.ts'],
  bundle: true,
  format: 'cjs',
  platform: 'node',
  outfile: bundle,
});
chmodSync(bundle, 0o644);
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(root, { recursive: true }));

const ANSWER: InboxMessage = { kind: 'answer', path: 'q', answer: 'no', by: 'ada' };
const SEAL = `require(${JSON.stringify(bundle)}).callers(${JSON.stringify(home)}).seal(${JSON.stringify(ANSWER)}).then(({ id, message, open }) => {
  console.log(JSON.stringify({ id, message }));
  process.stdin.once('data', () => { open(); console.log('"opened"'); });
});`;
const ABOVE = `console.log(JSON.stringify(require(${JSON.stringify(bundle)}).callers(${JSON.stringify(home)}).agentAbove() ?? null))`;

/** A command that stands by a message; `line` is what it says next. */
async function sealing(options: { env?: Record<string, string>; uid?: number } = {}) {
  const { env = {}, uid } = options;
  const child = spawn(process.execPath, ['-e', SEAL], {
    env: { PATH: process.env.PATH, TMPDIR: root, ...env },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  started.push(child);
  let text = '';
  const heard: (() => void)[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (const wake of heard.splice(0)) wake();
  });
  const line = async (): Promise<unknown> => {
    while (!text.includes('\n')) await new Promise<void>((resolve) => heard.push(resolve));
    const end = text.indexOf('\n');
    const value: unknown = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    return value;
  };
  const { id, message } = (await line()) as { id: string; message: InboxMessage & { from: Origin } };
  return { child, id, message, line };
}

describe.runIf(process.platform === 'linux')('a message of another process [skip: needs /proc]', () => {
  it('C1: SEC-PEOPLE-SEAL: is accepted while that process stands by it, and not after', async () => {
    const { child, id, message, line } = await sealing();
    expect(callers(home).check(message)).toMatchObject({ id, channel: { kind: 'command', pid: child.pid } });
    child.stdin?.write('\n');
    expect(await line()).toBe('opened');
    expect(callers(home).check(message)).toMatchObject({
      id,
      refused: expect.stringContaining('did not send it'),
    });
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(callers(home).check(message)).toMatchObject({ id, refused: expect.stringContaining('is gone') });
  });

  it('C1: SEC-PEOPLE-SEAL: altered in any field it is refused, and a copy is the same message', async () => {
    const { id, message } = await sealing();
    const { from } = message;
    const altered: InboxMessage[] = [
      { ...message, answer: 'yes' } as InboxMessage,
      { ...message, path: 'other' } as InboxMessage,
      { ...message, by: 'bert' },
      { ...message, note: 'added' } as InboxMessage,
      { ...message, from: { ...from, nonce: 'another' } },
      { ...message, from: { ...from, pid: process.pid } },
      { ...message, from: { ...from, pid: 1 } },
      { ...message, from: { ...from, started: '1' } },
      { ...message, from: undefined } as InboxMessage,
    ];
    for (const each of altered)
      expect(callers(home).check(JSON.parse(JSON.stringify(each))), JSON.stringify(each)).toHaveProperty(
        'refused',
      );
    expect(callers(home).check(JSON.parse(JSON.stringify(message)))).toMatchObject({ id, channel: {} });
  });

  it('C1: SEC-PEOPLE-CHECK: an answer of a process below a step is refused', async () => {
    const { message } = await sealing({ env: { LOCKSTEP_RUN: 'run', LOCKSTEP_STEP: 'check' } });
    expect(callers(home).check(message)).toMatchObject({
      refused: 'it was sent from below a step (run/check)',
    });
  });

  it('C1: SEC-PEOPLE-SEAL: of a process below an agent it is refused, although that process stands by it', async () => {
    const { message } = await sealing({ env: { LOCKSTEP_AGENT: 'run/step' } });
    expect(callers(home).check(message)).toMatchObject({
      refused: 'it was sent from below an agent (run/step)',
    });
  });

  it('C1: another user may send one, and nobody may name another user’s process', async (context) => {
    if (process.getuid?.() !== 0) context.skip('becoming another user needs root');
    // The holder is nobody, who may not look into root's processes; the sender is root.
    const checked = (message: InboxMessage) =>
      JSON.parse(
        spawnSync(
          process.execPath,
          [
            '-e',
            `console.log(JSON.stringify(require(${JSON.stringify(bundle)}).callers(${JSON.stringify(home)}).check(${JSON.stringify(message)})))`,
          ],
          { uid: 65_534, gid: 65_534, cwd: '/', encoding: 'utf8', env: { PATH: process.env.PATH } },
        ).stdout,
      ) as unknown;
    const { message } = await sealing();
    expect(checked(message)).toMatchObject({ channel: { kind: 'command' } });
    // A process of nobody stands by a message that names root's process as its sender.
    const forge = `const { createHash } = require('node:crypto');
      const message = ${JSON.stringify({ ...message, answer: 'yes' })};
      const digest = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 40);
      const path = '/tmp/lockstep-' + digest;
      require('node:net').createServer().listen(path, () => {
        require('node:fs').unlinkSync(path);
        console.log(JSON.stringify(message));
      });`;
    const forger = spawn(process.execPath, ['-e', forge], {
      ...{ uid: 65_534, gid: 65_534, cwd: '/', env: { PATH: process.env.PATH } },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(forger);
    const [chunk] = (await once(forger.stdout, 'data')) as [Buffer];
    expect(checked(JSON.parse(chunk.toString()))).toMatchObject({
      refused: expect.stringContaining('did not send it'),
    });
  });
});

describe.runIf(process.platform === 'linux')('below an agent [skip: needs /proc]', () => {
  const node = `${process.execPath} -e '${ABOVE}'`;
  const says = (line: string, env: Record<string, string> = { LOCKSTEP_AGENT: 'run/step' }) =>
    spawnSync('sh', ['-c', line], {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    }).stdout.trim();

  it('SEC-PEOPLE-BELOW: an agent above is seen through whatever lies between', () => {
    for (const line of [
      `${node}; true`,
      `env -u LOCKSTEP_AGENT ${node}; true`,
      `env -i ${node}; true`,
      `env -i sh -c 'env -i setsid -w ${node.replaceAll("'", `'"'"'`)}; true'; true`,
    ])
      expect(says(line), line).toContain('run/step');
    // A variable that is empty counts all the same.
    expect(says(`LOCKSTEP_AGENT= ${node}; true`)).toBe('"unnamed"');
  });

  it('SEC-PEOPLE-BELOW: an editor with an agent of its own around us is none of ours', () => {
    expect(
      says(`${node}; true`, { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', LOCKSTEP_STATE_DIR: '/x' }),
    ).toBe('null');
  });
});

it('C2: what ps prints is read where there is no /proc, and this process is known without it', () => {
  const printed = `    1     0     1 ??       /sbin/launchd
  321     1   321 ttys001  -zsh
  400   321   400 ttys001  /Applications/My Editor.app/Contents/MacOS/My Editor
garbage
`;
  const lookUp = lookUpIn(printed);
  expect(lookUp(400)).toMatchObject({ parent: 321, terminal: 'ttys001', name: 'My Editor' });
  expect(lookUp(321)).toMatchObject({ parent: 1, terminal: 'ttys001', name: '-zsh' });
  expect(lookUp(1)).toMatchObject({ terminal: '', name: 'launchd' });
  expect(lookUp(999)).toBeUndefined();
  expect(lookUpIn('')(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
});
