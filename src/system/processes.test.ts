import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Processes, RunningProcess, SpawnRequest } from '../ports/processes.ts';
import { childProcesses } from './processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockstep-processes-'));
afterAll(() => {
  // A test that failed may leave somebody behind. It is ours if it works in our folder.
  for (const pid of onLinux ? readdirSync('/proc').map(Number) : [])
    if (worksHere(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function worksHere(pid: number): boolean {
  try {
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}

const PATH = process.env.PATH ?? '';
const onLinux = process.platform === 'linux';

interface Started extends RunningProcess {
  stdout(): string;
  stderr(): string;
}

function start(processes: Processes, argv: string[], more: Partial<SpawnRequest> = {}): Started {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const running = processes.spawn({
    argv,
    cwd: folder,
    env: { PATH },
    onStdout: (chunk) => out.push(chunk),
    onStderr: (chunk) => err.push(chunk),
    ...more,
  });
  const text = (chunks: Uint8Array[]) => Buffer.concat(chunks).toString();
  return {
    pid: running.pid,
    end: running.end,
    write: (chunk) => running.write(chunk),
    endInput: () => running.endInput(),
    stop: () => running.stop(),
    kill: () => running.kill(),
    stdout: () => text(out),
    stderr: () => text(err),
  };
}

const sh = (processes: Processes, line: string, more?: Partial<SpawnRequest>) =>
  start(processes, ['sh', '-c', line], more);

/** Dead, or dead and not waited for: in a container nobody may wait. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  return onLinux && /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** Waits until the file holds a whole line, and gives the number in it. */
async function pidFrom(name: string): Promise<number> {
  const file = join(folder, name);
  return vi.waitFor(
    () => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (!text.endsWith('\n')) throw new Error(`${name} is not written yet`);
      return Number(text);
    },
    { timeout: 20_000, interval: 5 },
  );
}

const waitFor = (what: () => void) => vi.waitFor(what, { timeout: 20_000, interval: 5 });

describe('a command', () => {
  const processes = childProcesses();

  it('gives its exit code and both streams apart', async () => {
    const running = sh(processes, 'printf out; printf err >&2; exit 3');
    expect(await running.end).toEqual({ exitCode: 3, signal: null });
    expect(running.stdout()).toBe('out');
    expect(running.stderr()).toBe('err');
  });

  it('that a signal ended says which', async () => {
    expect(await sh(processes, 'kill -9 $$').end).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('sees the environment it was given, a marker, and nothing of ours', async () => {
    process.env.LOCKSTEP_TEST_LEAK = 'leaked';
    const running = start(processes, ['env'], { env: { PATH, A: 'b c' } });
    await running.end;
    delete process.env.LOCKSTEP_TEST_LEAK;
    const names = running
      .stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(onLinux ? ['A', 'LOCKSTEP_CHILD', 'PATH'] : ['A', 'PATH']);
    expect(running.stdout()).toContain('A=b c\n');
  });

  it('leads a process group of its own', async () => {
    const running = sh(processes, 'ps -o pgid= -p $$; echo $$');
    await running.end;
    const [group, pid] = running.stdout().trim().split(/\s+/);
    expect(group).toBe(pid);
    expect(Number(pid)).toBe(running.pid);
  });

  it('gets its arguments as they are, without a shell', async () => {
    const odd = ['a b', '$HOME', '*', '"', "'", 'new\nline', '', 'ü'];
    const running = start(processes, [
      process.execPath,
      '-e',
      'console.log(JSON.stringify(process.argv.slice(1)))',
      ...odd,
    ]);
    await running.end;
    expect(JSON.parse(running.stdout())).toEqual(odd);
  });

  it('reads its standard input to the end, text or bytes', async () => {
    const bytes = new Uint8Array([0, 255, 10, 128]);
    const text = start(processes, ['cat'], { stdin: 'größe' });
    const raw = start(processes, ['od', '-An', '-tu1'], { stdin: bytes });
    const none = start(processes, ['cat']);
    await Promise.all([text.end, raw.end, none.end]);
    expect(text.stdout()).toBe('größe');
    expect(raw.stdout().trim().split(/\s+/).map(Number)).toEqual([...bytes]);
    expect(none.stdout()).toBe('');
  });

  it('may leave its standard input unread: EPIPE is no failure', async () => {
    const stdin = 'x'.repeat(10_000_000);
    expect(await start(processes, ['true'], { stdin }).end).toEqual({ exitCode: 0, signal: null });
    const closed = sh(processes, 'exec 0<&-; echo done', { stdin });
    expect(await closed.end).toEqual({ exitCode: 0, signal: null });
    expect(closed.stdout()).toBe('done\n');
  });

  it('that is interactive is written to until its input is ended, and after that nothing happens', async () => {
    const running = start(processes, ['cat'], { interactive: true, stdin: 'first ' });
    running.write('second ');
    await waitFor(() => expect(running.stdout()).toBe('first second '));
    running.write(new TextEncoder().encode('third'));
    running.endInput();
    expect(await running.end).toEqual({ exitCode: 0, signal: null });
    expect(running.stdout()).toBe('first second third');
    running.write('late');
    running.endInput();
    running.stop();
    running.kill();
  });

  it('is ended when a callback throws, and what was thrown comes back', async () => {
    const running = sh(processes, 'echo $$ > thrower; while :; do echo x; done', {
      onStdout: () => {
        throw new Error('the disk is full');
      },
    });
    await expect(running.end).rejects.toThrow('the disk is full');
    expect(isGone(await pidFrom('thrower'))).toBe(true);
  });
});

describe('a command that cannot be started', () => {
  const processes = childProcesses();
  const script = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
    return name;
  };
  mkdirSync(join(folder, 'bin'));
  script('plain.sh', '#!/bin/sh\n', 0o644);
  script('orphan.sh', '#!/no/such/interpreter -x\n', 0o755);
  script('bin/orphan', '#!/no/such/python\n', 0o755);
  script('here', '#!/bin/sh\n', 0o755);

  const table: [string, Partial<SpawnRequest>, string, string | RegExp][] = [
    [
      'a command nobody has',
      { argv: ['no-such-command'] },
      'ENOENT',
      `command "no-such-command" was not found: not in PATH (${PATH}).`,
    ],
    [
      'a PATH with a file in it',
      { argv: ['no-such-command'], env: { PATH: `/no/such/folder:${folder}/here` } },
      'ENOENT',
      /^command "no-such-command" was not found: not in PATH/,
    ],
    [
      'a command that lies in the folder but not in PATH',
      { argv: ['here'] },
      'ENOENT',
      /There is one in the working directory: write \.\/here$/,
    ],
    [
      'a path to nothing',
      { argv: ['./gone.sh'] },
      'ENOENT',
      `command "./gone.sh" was not found: there is no ${folder}/gone.sh`,
    ],
    [
      'a missing working directory',
      { argv: ['true'], cwd: join(folder, 'gone') },
      'ENOENT',
      `true could not be started: the working directory ${folder}/gone does not exist`,
    ],
    [
      'a working directory that is a file',
      { argv: ['true'], cwd: join(folder, 'here') },
      'ENOTDIR',
      `true could not be started: the working directory ${folder}/here is not a directory`,
    ],
    [
      'a file that is not executable',
      { argv: ['./plain.sh'] },
      'EACCES',
      /^\.\/plain\.sh is not executable: .*chmod \+x/,
    ],
    ['a directory', { argv: [folder] }, 'EACCES', /is not executable/],
    [
      'a script without its interpreter',
      { argv: ['./orphan.sh'] },
      'ENOENT',
      `${folder}/orphan.sh exists, but the interpreter in its first line does not: /no/such/interpreter`,
    ],
    [
      'the same through PATH',
      { argv: ['orphan'], env: { PATH: `${folder}/bin` } },
      'ENOENT',
      `${folder}/bin/orphan exists, but the interpreter in its first line does not: /no/such/python`,
    ],
    [
      'arguments that are too large',
      { argv: ['true', 'x'.repeat(8_000_000)] },
      'E2BIG',
      /larger than the system allows \(80\d+ bytes\)/,
    ],
    ['an empty list', { argv: [] }, 'EINVAL', 'the command is empty: there is nothing to run'],
    ['an empty name', { argv: [''] }, 'EINVAL', 'the command is empty: there is nothing to run'],
    [
      'a NUL in an argument',
      { argv: ['echo', 'a', 'b\0c'] },
      'EINVAL',
      /^argument 2 of echo contains a NUL byte/,
    ],
    [
      'a NUL in the environment',
      { argv: ['true'], env: { PATH, BAD: 'a\0' } },
      'EINVAL',
      /^environment variable BAD contains a NUL byte/,
    ],
  ];
  it.each(table)('%s: ends with an error that says so', async (_, request, code, message) => {
    const running = start(processes, request.argv ?? [], request);
    const end = await running.end;
    expect(running.pid).toBeUndefined();
    expect(end).toEqual({ exitCode: null, signal: null, error: { code, message: expect.any(String) } });
    if (typeof message === 'string') expect(end.error?.message).toBe(message);
    else expect(end.error?.message).toMatch(message);
    running.stop();
    running.kill();
    running.write('nobody listens');
    running.endInput();
  });
});

describe('stopping', () => {
  it('TERM reaches the whole group and a command may end in order', async () => {
    const processes = childProcesses({ graceMs: 30_000 });
    const running = sh(
      processes,
      `trap 'echo bye; exit 7' TERM; sh -c 'echo $$ > polite; exec sleep 1000' & echo ready; wait`,
    );
    await waitFor(() => expect(running.stdout()).toBe('ready\n'));
    const grandchild = await pidFrom('polite');
    running.stop();
    running.stop();
    expect(await running.end).toEqual({ exitCode: 7, signal: null });
    expect(running.stdout()).toBe('ready\nbye\n');
    expect(isGone(grandchild)).toBe(true);
  });

  it('a grandchild that ignores TERM is killed after the grace period, its leader having exited', async () => {
    const processes = childProcesses({ graceMs: 200 });
    const running = sh(
      processes,
      `sh -c "trap '' TERM; echo \\$\\$ > stubborn; while :; do sleep 0.05; done" & trap 'exit 0' TERM; wait`,
    );
    const grandchild = await pidFrom('stubborn');
    const asked = performance.now();
    running.stop();
    expect(await running.end).toEqual({ exitCode: 0, signal: null });
    expect(performance.now() - asked).toBeGreaterThanOrEqual(200);
    expect(isGone(grandchild)).toBe(true);
  });

  it('a leader that ignores TERM is killed after the grace period', async () => {
    const running = sh(
      childProcesses({ graceMs: 100 }),
      `trap '' TERM; echo ready; while :; do sleep 0.05; done`,
    );
    await waitFor(() => expect(running.stdout()).toBe('ready\n'));
    running.stop();
    expect(await running.end).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('kill does not wait for the grace period, also while a stop is under way', async () => {
    const processes = childProcesses({ graceMs: 3_600_000 });
    const first = sh(processes, `trap '' TERM; echo ready; while :; do sleep 0.05; done`);
    await waitFor(() => expect(first.stdout()).toBe('ready\n'));
    first.stop();
    first.kill();
    expect(await first.end).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('killAll ends every group before it returns', async () => {
    const processes = childProcesses();
    const all = Array.from({ length: 5 }, (_, n) =>
      sh(processes, `trap '' TERM; sleep 1000 & echo $! > all-${n}; wait; sleep 1000`),
    );
    const grandchildren = await Promise.all(all.map((_, n) => pidFrom(`all-${n}`)));
    processes.killAll();
    // Not awaited in between: on the way out there is no later.
    for (const pid of grandchildren) expect(diesOfItself(pid)).toBe(true);
    for (const { end } of all) expect(await end).toEqual({ exitCode: null, signal: 'SIGKILL' });
    processes.killAll();
  });

  it('one that left the group with setsid is found by its parent or by its marker', async ({ skip }) => {
    skip(!onLinux, 'daemons are found through /proc, which only Linux has');
    const processes = childProcesses({ graceMs: 20_000 });
    const running = sh(
      processes,
      // The first keeps its parent; of the second the parent is gone, as daemons do it.
      `setsid sh -c 'echo $$ > apart; exec sleep 1000' & (setsid sh -c 'echo $$ > daemon; exec sleep 1000' &) & wait`,
    );
    const apart = await pidFrom('apart');
    const daemon = await pidFrom('daemon');
    await waitFor(() =>
      expect(readFileSync(`/proc/${daemon}/stat`, 'utf8')).not.toContain(` S ${running.pid} `),
    );
    running.stop();
    expect(await running.end).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(isGone(apart)).toBe(true);
    expect(isGone(daemon)).toBe(true);
  });

  it('a daemon that ignores TERM is killed too', async ({ skip }) => {
    skip(!onLinux, 'daemons are found through /proc, which only Linux has');
    const running = sh(
      childProcesses({ graceMs: 150 }),
      `(setsid sh -c 'trap "" TERM; echo $$ > hard-daemon; while :; do sleep 0.05; done' &) ; sleep 1000`,
    );
    const daemon = await pidFrom('hard-daemon');
    running.stop();
    await running.end;
    expect(isGone(daemon)).toBe(true);
  });
});

/** KILL has been sent; the kernel needs a moment to act on it, but nobody of ours is needed. */
function diesOfItself(pid: number): boolean {
  const until = performance.now() + 5000;
  while (performance.now() < until) if (isGone(pid)) return true;
  return false;
}

describe('P1: what a command starts ends with it', () => {
  it('a background process that holds the output open does not hold up the end, and is stopped', async () => {
    const running = sh(
      childProcesses({ quietMs: 50 }),
      'sleep 1000 & echo $! > holder; echo started; exit 4',
    );
    expect(await running.end).toEqual({ exitCode: 4, signal: null, leftovers: true });
    expect(running.stdout()).toBe('started\n');
    expect(isGone(await pidFrom('holder'))).toBe(true);
  });

  it('one that holds nothing open is stopped as well', async () => {
    const running = sh(childProcesses({ quietMs: 50 }), 'sleep 1000 >/dev/null 2>&1 & echo $! > silent');
    expect(await running.end).toEqual({ exitCode: 0, signal: null, leftovers: true });
    expect(isGone(await pidFrom('silent'))).toBe(true);
  });

  it('one that ignores TERM is killed', async () => {
    const line = `sh -c "trap '' TERM; echo \\$\\$ > deaf; while :; do sleep 0.05; done" & while [ ! -s deaf ]; do sleep 0.01; done`;
    const running = sh(childProcesses({ quietMs: 50, graceMs: 100 }), line);
    expect(await running.end).toEqual({ exitCode: 0, signal: null, leftovers: true });
    expect(isGone(await pidFrom('deaf'))).toBe(true);
  });

  it('one that prints for ever is not waited for for ever', async () => {
    const running = start(
      childProcesses({ quietMs: 300, graceMs: 200 }),
      ['sh', '-c', 'yes & echo $! > printer'],
      {
        onStdout: () => {},
      },
    );
    expect(await running.end).toEqual({ exitCode: 0, signal: null, leftovers: true });
    expect(isGone(await pidFrom('printer'))).toBe(true);
  });

  it('one that still writes may finish: nothing of its output is lost', async () => {
    // Longer in all than the quiet that would end it.
    const line = '(for n in 1 2 3 4 5 6 7 8; do sleep 0.2; echo $n; done) & exit 0';
    const running = sh(childProcesses({ quietMs: 1000 }), line);
    expect(await running.end).toEqual({ exitCode: 0, signal: null });
    expect(running.stdout()).toBe('1\n2\n3\n4\n5\n6\n7\n8\n');
  });

  it('output that came while we were busy is read before the quiet is believed', async () => {
    const line = '(while [ ! -e go ]; do sleep 0.01; done; echo late; touch written) & exit 0';
    const running = sh(childProcesses({ quietMs: 800 }), line);
    await waitFor(() => expect(() => process.kill(running.pid ?? 0, 0)).toThrow());
    await new Promise(setImmediate);
    // From here to the end of the quiet nothing of ours runs, and the output comes.
    const busyUntil = performance.now() + 850;
    writeFileSync(join(folder, 'go'), '');
    while (performance.now() < busyUntil || !existsSync(join(folder, 'written')));
    await running.end;
    expect(running.stdout()).toBe('late\n');
  });

  it('a daemon outlives a command that ended by itself, but cannot hold it up', async ({ skip }) => {
    skip(!onLinux, 'daemons are found through /proc, which only Linux has');
    const running = sh(
      childProcesses({ quietMs: 50 }),
      `(setsid sh -c 'echo $$ > kept; exec sleep 1000' &); while [ ! -s kept ]; do sleep 0.01; done`,
    );
    const end = await running.end;
    const daemon = await pidFrom('kept');
    const alive = !isGone(daemon);
    process.kill(daemon, 'SIGKILL');
    expect(end).toEqual({ exitCode: 0, signal: null });
    expect(alive).toBe(true);
  });
});

describe('many and much', () => {
  it('S5: gigabytes pass through flat memory', async () => {
    const processes = childProcesses();
    let bytes = 0;
    let highest = 0;
    const before = process.memoryUsage.rss();
    const all = tries(2 ** 31, 2 ** 29);
    const running = start(processes, ['head', '-c', String(all), '/dev/zero'], {
      onStdout: (chunk) => {
        bytes += chunk.length;
        if ((bytes & 0xffffff) < 65_536) highest = Math.max(highest, process.memoryUsage.rss());
      },
    });
    expect(await running.end).toEqual({ exitCode: 0, signal: null });
    expect(bytes).toBe(all);
    expect(highest - before).toBeLessThan(100 * 2 ** 20);
  });

  it('S5: a slow reader holds its writer back instead of filling memory', async () => {
    const running = start(childProcesses(), ['sh', '-c', 'yes | head -c 64M; echo end >&2'], {
      onStdout: () => {
        const until = performance.now() + 0.2;
        while (performance.now() < until);
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    let highest = 0;
    const sample = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers);
    }, 5);
    await running.end;
    clearInterval(sample);
    expect(running.stderr()).toBe('end\n');
    expect(highest - before).toBeLessThan(48 * 2 ** 20);
  });

  it('two hundred at once each get their own output and end', async () => {
    const processes = childProcesses();
    const all = Array.from({ length: 200 }, (_, n) =>
      start(processes, ['sh', '-c', `cat; echo ${n} >&2; exit ${n % 100}`], { stdin: `in ${n}` }),
    );
    const ends = await Promise.all(all.map(({ end }) => end));
    for (const [n, { stdout, stderr }] of all.entries()) {
      expect(ends[n]).toEqual({ exitCode: n % 100, signal: null });
      expect(stdout()).toBe(`in ${n}`);
      expect(stderr()).toBe(`${n}\n`);
    }
  });

  it('two hundred are stopped together, long before the grace period is over', async () => {
    const processes = childProcesses({ graceMs: 3_600_000 });
    const all = Array.from({ length: 200 }, () => sh(processes, 'echo ready; sleep 1000'));
    await waitFor(() => expect(all.every((one) => one.stdout() === 'ready\n')).toBe(true));
    for (const one of all) one.stop();
    const ends = await Promise.all(all.map(({ end }) => end));
    expect(ends.every(({ signal }) => signal === 'SIGTERM')).toBe(true);
    for (const { pid } of all) expect(isGone(pid ?? 0)).toBe(true);
  });
});
