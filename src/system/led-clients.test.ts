import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hookLine } from '../clients/hook-line.ts';
import { ledClients } from './led-clients.ts';

const home = mkdtempSync(join(tmpdir(), 'lockstep-led-'));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** A program that tells its number and waits until its client has gone. */
const HOOK = 'console.log(process.pid); process.stdin.resume().on("end", () => process.exit())';

/** A client that has a shell run this line; `hook`: the number of what the line started. */
async function clientRunning(line: string): Promise<{ pid: number; hook: number }> {
  const runs = `require('node:child_process').spawn('/bin/sh', ['-c', ${JSON.stringify(line)}], { stdio: 'inherit' })`;
  const child = spawn(process.execPath, ['-e', runs], { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(child);
  const hook = await new Promise<number>((resolve) =>
    child.stdout.once('data', (text) => resolve(Number(text))),
  );
  return { pid: child.pid as number, hook };
}

describe.runIf(process.platform === 'linux')('clients whose hooks hold a session [skip: needs /proc]', () => {
  const [start = ''] = hookLine('claude', true, undefined).match(/"\$@" hook claude \d+.*$/) ?? [];
  const ours = `f=.lockstep/local/guard.json; set -- '${process.execPath}' -e '${HOOK}'; ${start}`;

  it('GOB-E2E-WAYS-OUT: the one whose shell runs our line is known by it', async () => {
    const { pid, hook } = await clientRunning(ours);
    const led = ledClients(home);
    expect(led.known().has(pid)).toBe(false);
    led.noteHook(hook);
    expect([...ledClients(home).known().keys()]).toEqual([pid]);
  });

  it('what any other line started tells nothing of who is above it', async () => {
    const { hook } = await clientRunning(`'${process.execPath}' -e '${HOOK}' || exit 2`);
    ledClients(home).noteHook(hook);
    expect(ledClients(home).known().size).toBe(0);
  });
});
