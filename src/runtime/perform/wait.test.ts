import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { finished, outcomeOf, type Stage, stage } from '../../../test/support/stage.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Performing } from './perform.ts';

/** Time stands still until it is moved; the wall clock can be set on its own. */
function handClock() {
  let monotonic = 0;
  let wall = 1_000_000;
  let timers: { due: number; callback: () => void }[] = [];
  const clock: Clock = {
    now: () => wall,
    monotonic: () => monotonic,
    after(milliseconds, callback) {
      const timer = { due: monotonic + milliseconds, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    random: (digits) => '0'.repeat(digits),
  };
  return {
    clock,
    pending: () => timers.length,
    setWall(time: number) {
      wall = time;
    },
    pass(milliseconds: number) {
      const until = monotonic + milliseconds;
      wall += milliseconds;
      for (;;) {
        const next = timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        monotonic = next.due;
        timers = timers.filter((timer) => timer !== next);
        next.callback();
      }
      monotonic = until;
    },
  };
}

let here: Stage;
let time: ReturnType<typeof handClock>;
function ready(): void {
  time = handClock();
  here = stage({ context: { clock: time.clock } });
}
afterEach(() => here.remove());

async function isOver(performing: Performing): Promise<boolean> {
  if (performing.now) return true;
  return Promise.race([
    performing.done.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}
const outcome = async (performing: Performing) => outcomeOf(await finished(performing));
function cancel(performing: Performing): void {
  if (performing.now) throw new Error('it is over already');
  performing.cancel('interrupted');
}

describe('a wait for files', () => {
  const wait = {
    kind: 'wait-files',
    path: 'step',
    files: ['in/*.task', 'in/a*'],
    min: 2,
    every: 1000,
  } as const;
  const command = { ...wait, files: [...wait.files] };

  it('F2: is over at once where they are there, and gives the list', () => {
    ready();
    here.write('in/b.task', '');
    here.write('in/a.task', '');
    expect(here.perform(command).now).toMatchObject({
      outcome: { ok: true, output: ['in/a.task', 'in/b.task'], polls: 1, duration_ms: 0 },
    });
    expect(time.pending()).toBe(0);
  });

  it('looks again every so often until there are enough', async () => {
    ready();
    const waiting = here.perform(command);
    here.write('in/a.task', '');
    time.pass(1000);
    here.write('in/b.task', '');
    time.pass(999);
    expect(await isOver(waiting)).toBe(false);
    time.pass(1);
    expect(await outcome(waiting)).toMatchObject({
      ok: true,
      output: ['in/a.task', 'in/b.task'],
      duration_ms: 2000,
      polls: 3,
    });
    expect(time.pending()).toBe(0);
  });

  it('gives up at its time-out, with exit code 124 and what there was', async () => {
    ready();
    const waiting = here.perform({ ...command, timeout: 5500 });
    here.write('in/a.task', '');
    time.pass(5500);
    expect(await outcome(waiting)).toMatchObject({
      ok: false,
      exit_code: 124,
      output: ['in/a.task'],
      error: {
        class: 'timeout',
        message: 'it took longer than 5500ms',
        details: { timeout_ms: 5500 },
      },
      duration_ms: 5500,
      polls: 7,
    });
    expect(time.pending()).toBe(0);
  });

  it('looks once more when its time is up: what is there by then counts', async () => {
    ready();
    const waiting = here.perform({ ...command, every: 10_000, timeout: 5000 });
    here.write('in/a.task', '');
    here.write('in/b.task', '');
    time.pass(5000);
    expect(await outcome(waiting)).toMatchObject({ ok: true, exit_code: 0, polls: 2, duration_ms: 5000 });
    expect(time.pending()).toBe(0);
  });

  it('counts the time it waited before a crash', async () => {
    ready();
    const waiting = here.perform({ ...command, timeout: 9000, since: 1_000_000 - 4000 });
    here.write('in/a.task', '');
    here.write('in/b.task', '');
    time.pass(1000);
    expect((await outcome(waiting)).duration_ms).toBe(5000);
    expect(here.perform({ ...command, since: 1_000_000 - 4000 }).now).toMatchObject({
      outcome: { duration_ms: 5000 },
    });
  });

  it('reads its patterns as the workflow says: posix knows no braces', async () => {
    ready();
    here.context.globs = 'posix';
    here.write('in/a.task', '');
    here.write('in/{a}', '');
    expect(here.perform({ ...command, files: ['in/{a,b}.task'], min: 1 }).now).toBeUndefined();
    expect(here.perform({ ...command, files: ['in/{a}'], min: 1 }).now).toMatchObject({
      outcome: { output: ['in/{a}'] },
    });
  });

  it('S4: posix: a match that has become a symlink to the outside fails it', async () => {
    ready();
    here.context.globs = 'posix';
    const waiting = here.perform({ ...command, min: 1 });
    here.write('in/keep', '');
    symlinkSync('/etc/passwd', join(here.root, 'in/a.task'));
    time.pass(1000);
    expect((await outcome(waiting)).error?.class).toBe('path');
  });

  it('waits after a crash only for what is left of its time-out', async () => {
    ready();
    const waiting = here.perform({ ...command, timeout: 5000, since: 1_000_000 - 4000 });
    time.pass(1000);
    expect((await outcome(waiting)).error?.class).toBe('timeout');
  });

  it('S4: fails where a pattern leaves the workspace, and when the workspace is deleted meanwhile', async () => {
    ready();
    expect((await outcome(here.perform({ ...command, files: ['../*'] }))).error?.class).toBe('path');
    const waiting = here.perform(command);
    rmSync(here.root, { recursive: true });
    time.pass(1000);
    expect((await outcome(waiting)).error).toMatchObject({
      class: 'error',
      details: { code: 'workspace-gone' },
    });
    expect(time.pending()).toBe(0);
  });

  it('ends when it is told to', async () => {
    ready();
    const waiting = here.perform(command);
    cancel(waiting);
    expect((await outcome(waiting)).error?.class).toBe('interrupted');
    expect(time.pending()).toBe(0);
  });
});

describe('a wait for a signal', () => {
  const wait = { kind: 'wait-signal', path: 'step', signal: 'go' } as const;

  it('F2: is over at once where it came before, which serves one wait only', async () => {
    ready();
    here.signal('go', { by: 'ada' });
    expect(here.perform(wait).now).toMatchObject({ outcome: { ok: true, output: { by: 'ada' } } });
    const second = here.perform(wait);
    expect(await isOver(second)).toBe(false);
    cancel(second);
  });

  it('is over when it comes', async () => {
    ready();
    const waiting = here.perform(wait);
    time.pass(70);
    here.signal('go', null);
    expect(await outcome(waiting)).toMatchObject({ ok: true, output: null, duration_ms: 70 });
  });

  it('gives up at its time-out, and does not take a signal that comes later', async () => {
    ready();
    const waiting = here.perform({ ...wait, timeout: 100 });
    time.pass(100);
    expect(await outcome(waiting)).toMatchObject({ ok: false, exit_code: 124, error: { class: 'timeout' } });
    here.signal('go', 1);
    expect(here.perform(wait).now).toMatchObject({ outcome: { output: 1 } });
  });
});

describe('a wait for a time', () => {
  const wait = { kind: 'wait-time', path: 'step', duration: 10_000 } as const;

  it('takes as long as it says', async () => {
    ready();
    const waiting = here.perform(wait);
    time.pass(9999);
    expect(await isOver(waiting)).toBe(false);
    time.pass(1);
    expect(await outcome(waiting)).toMatchObject({ ok: true, output: null, duration_ms: 10_000 });
  });

  it('takes after a crash only what is left, and nothing where that is over', async () => {
    ready();
    const waiting = here.perform({ ...wait, since: 1_000_000 - 8000 });
    time.pass(2000);
    expect((await outcome(waiting)).ok).toBe(true);
    expect(here.perform({ ...wait, since: 1 }).now).toBeDefined();
  });

  it('LS-TROUBLE-CLOCK: takes no longer than it says when the clock has jumped back', async () => {
    ready();
    const resumed = here.perform({ ...wait, since: 1_000_000 + 3_600_000 });
    const fresh = here.perform(wait);
    time.setWall(5);
    time.pass(10_000);
    expect([(await outcome(resumed)).ok, (await outcome(fresh)).ok]).toEqual([true, true]);
  });

  it('ends when it is told to', async () => {
    ready();
    const waiting = here.perform(wait);
    cancel(waiting);
    expect((await outcome(waiting)).error?.class).toBe('interrupted');
    expect(time.pending()).toBe(0);
  });
});

describe('the delay before a retry', () => {
  it('ends in `due`', async () => {
    ready();
    const waiting = here.perform({ kind: 'sleep', path: 'step', duration: 50 });
    time.pass(50);
    expect(await finished(waiting)).toEqual({ kind: 'due' });
    expect(here.perform({ kind: 'sleep', path: 'step', duration: 0 }).now).toEqual({ kind: 'due' });
  });
});
