import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { processRuns, startOfProcess, thisMachine } from './machine.ts';

describe('this machine', () => {
  it('is the same each time it is asked, and another after a restart', () => {
    expect(thisMachine()).toEqual(thisMachine());
    expect(thisMachine('another')).toEqual({ ...thisMachine(), boot: 'another' });
  });

  it('is known on Linux', (context) => {
    if (process.platform !== 'linux') context.skip('needs /proc');
    expect(thisMachine().boot).toMatch(/^[0-9a-f-]{36}$/);
    expect(thisMachine().namespace).toMatch(/^pid:\[[0-9]+\]$/);
    expect(startOfProcess(process.pid)).toMatch(/^[1-9][0-9]*$/);
  });
});

describe('a process', () => {
  it('runs, whoever owns it, until it has ended', async () => {
    const child = spawn('sleep', ['600']);
    const pid = child.pid as number;
    const started = startOfProcess(pid);
    expect(processRuns(pid, started)).toBe(true);
    expect(processRuns(pid, '')).toBe(true);
    expect(processRuns(1, '')).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(processRuns(pid, started)).toBe(false);
  });

  it('that started at another time is another one', (context) => {
    if (process.platform !== 'linux') context.skip('needs /proc');
    expect(processRuns(process.pid, `${startOfProcess(process.pid)}0`)).toBe(false);
  });

  it('whose name holds spaces and parentheses is read all the same', async (context) => {
    if (process.platform !== 'linux') context.skip('needs /proc');
    const program = `process.title = 'a) Z (b 1'; console.log('named'); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ['-e', program]);
    const before = startOfProcess(child.pid as number);
    await once(child.stdout, 'data');
    expect(startOfProcess(child.pid as number)).toBe(before);
    expect(processRuns(child.pid as number, before)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
  });
});
