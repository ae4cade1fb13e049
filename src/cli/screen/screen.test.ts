import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { play } from '../../views/fixtures/play.ts';
import { failed, many, type Story, shipped, waiting } from '../../views/fixtures/stories.ts';
import { command, each, prompt, workflowOf } from '../../views/fixtures/workflow.ts';
import { createRunView } from '../../views/run-view.ts';
import { VirtualTerminal } from './fixtures/virtual-terminal.ts';
import { createScreen, type ScreenOptions } from './screen.ts';

let zone: string | undefined;
beforeAll(() => {
  zone = process.env.TZ;
  process.env.TZ = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** A process that can be told signals without being ended by them. */
class Host extends EventEmitter {
  pid = 1;
  killed: string[] = [];
  kill(_pid: number, signal: string): void {
    this.killed.push(signal);
  }
}

function logOf(story: Story, options: Partial<ScreenOptions> = {}): string {
  let text = '';
  const view = createRunView(story.workflow);
  const screen = createScreen({
    outline: view.outline,
    stream: {
      write(chunk) {
        text += chunk;
        return true;
      },
    },
    interactive: false,
    color: false,
    unicode: true,
    level: 'normal',
    format: 'text',
    now: () => view.outline.lastAt,
    ...options,
  });
  for (const entry of story.entries) screen.show(view.record(entry));
  screen.close(view.summary());
  return text;
}

describe('without a terminal', () => {
  it.each(['shipped', 'failed', 'waiting'] as const)(
    'prints one plain line per change, then the summary: %s',
    async (name) => {
      const text = logOf({ shipped, failed, waiting }[name]());
      expect(text).not.toContain('\x1b');
      await expect(text).toMatchFileSnapshot(`golden/log-${name}.txt`);
    },
  );

  it('LS-GROW-PROGRESS: with --progress what is new is printed once, below what holds it, and not more than 50 lines a second', () => {
    const items = Array.from({ length: 1000 }, (_, index) => `item-${index}`);
    const workflow = workflowOf('w', [each('all', 'inputs.items', [command('one')], { concurrency: 100 })]);
    const entries = play(workflow, { inputs: { items }, outcome: () => ({ duration_ms: 1 }) });
    let now = 0;
    const looks: (() => void)[] = [];
    const text = logOf(
      { workflow, entries },
      {
        level: 'quiet',
        progress: true,
        now: () => now++,
        every: (_, look) => {
          looks.push(look);
          return () => {};
        },
      },
    );
    const lines = text.trimEnd().split('\n');
    const seconds = Math.ceil(now / 1000);
    expect(seconds).toBeLessThan(10);
    expect(lines.length).toBeLessThanOrEqual((50 + 1) * seconds + 1);
    const passes = lines.filter((line) => line.startsWith('  └─'));
    expect(new Set(passes).size).toBe(passes.length);
    expect(passes.length).toBeGreaterThan(20);
    expect(lines).toContain('  └─ for_each: [1/1000] Processing item-0');
    expect(looks).toHaveLength(1);
  });

  it('AG-BACKOFF: says who is busy, and when it is tried again', () => {
    const workflow = workflowOf('w', [prompt('p', { retry: { max: 2, delay: 1000, on: [] } })]);
    const error = { class: 'rate-limit', message: 'slow down', details: { retry_after_ms: 12_000 } } as const;
    const outcome = (_: string, nth: number) => (nth === 0 ? { ok: false, exit_code: 1, error } : undefined);
    expect(logOf({ workflow, entries: play(workflow, { outcome }) })).toContain(
      'p  rate limited, again in 12.0 s (retry 1 of 2): slow down',
    );
  });

  it('tells checks, commands and prompt files with --verbose', async () => {
    await expect(logOf(shipped(), { level: 'verbose' })).toMatchFileSnapshot(
      'golden/log-shipped-verbose.txt',
    );
  });

  it.each([
    [
      'shipped',
      shipped,
      [
        '10:17:55 ? notes  Ready to publish?',
        '10:17:55 ? ship  paused after 1 m 55 s, $0.40: 1 question for a person',
        '10:18:29 ✓ ship  completed in 1 m 59 s, $0.40',
      ],
    ],
    [
      'failed',
      failed,
      [
        '10:15:03 ✗ audit  failed after 1.0 s: 3 vulnerabilities',
        '10:16:07 ✗ verify/test  failed after 1 m 04 s: ended with exit code 1: AssertionError: expected 1 to be 2',
        '10:16:07 ✗ release  failed after 1 m 07 s: "verify/test" failed: ended with exit code 1',
      ],
    ],
  ] as const)(
    'prints questions, errors and the last line only with --quiet: %s',
    (_name, story, expected) => {
      expect(logOf(story(), { level: 'quiet' }).trimEnd().split('\n')).toEqual(expected);
    },
  );

  it('prints one object per entry, and nothing else, as JSON', () => {
    const story = shipped();
    const lines = logOf(story, { format: 'json' }).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(story.entries);
  });

  it('colours lines when asked to, and uses ASCII where nothing else can be shown', () => {
    expect(logOf(failed(), { color: true })).toContain('\x1b[32m✓ \x1b[0mbuild');
    expect(logOf(failed(), { unicode: false })).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

/** A live screen on a virtual terminal, with a clock that is moved by hand. */
function live(story: Story, columns = 80, rows = 24, options: Partial<ScreenOptions> = {}) {
  const terminal = new VirtualTerminal(columns, rows);
  const view = createRunView(story.workflow);
  const host = new Host();
  let tick = (): void => {};
  let stopped = false;
  const screen = createScreen({
    outline: view.outline,
    stream: terminal,
    interactive: true,
    color: true,
    unicode: true,
    level: 'normal',
    format: 'text',
    now: () => view.outline.lastAt,
    every(_milliseconds, callback) {
      tick = callback;
      return () => {
        stopped = true;
      };
    },
    host,
    ...options,
  });
  return { terminal, view, screen, host, tick: () => tick(), isStopped: () => stopped };
}

describe('on a terminal', () => {
  it('C1: lets what has ended scroll away above the live tree, and ends with the summary', async () => {
    const story = shipped();
    const { terminal, view, screen, tick } = live(story);
    for (const entry of story.entries) {
      screen.show(view.record(entry));
      tick();
    }
    screen.close(view.summary());
    expect(terminal.cursorVisible).toBe(true);
    expect(terminal.foreign).toEqual([]);
    await expect(`${terminal.history().join('\n')}\n`).toMatchFileSnapshot('golden/live-shipped-80.txt');
  });

  it('C4: paints when the clock ticks, not when something happens, in one write each', () => {
    const story = many();
    const { terminal, view, screen, tick } = live(story);
    for (const entry of story.entries) screen.show(view.record(entry));
    const before = terminal.writes.length;
    expect(before).toBeLessThanOrEqual(1);
    tick();
    expect(terminal.writes.length).toBe(before + 1);
    for (const write of terminal.writes) expect(write.split('\x1b[?2026h')).toHaveLength(2);
    screen.close();
  });

  it('folds what ended between two frames when it is more than the terminal has rows, never what failed', () => {
    const story = many();
    const { terminal, view, screen, tick } = live(story, 80, 24);
    for (const entry of story.entries) screen.show(view.record(entry));
    tick();
    const history = terminal.history();
    expect(history).toContain('✓ prepare-1 … convert[0]/rewrite  17 steps done');
    expect(history.filter((line) => line.includes('the model refused'))).toHaveLength(21);
    screen.close();
  });

  it('C2: cannot be made to move the cursor by a title, an item, an error or what a command prints', () => {
    const evil = 'x\x1b[2J\x1b[H\r\n\x07\x9b1A\u202eevil';
    const workflow = workflowOf(evil, [
      each('all', JSON.stringify([evil, { title: evil }]), [
        command('a', [evil], { title: `{{ "${evil.replace(/[\x00-\x1f"\\]/g, '')}" }}` }),
      ]),
    ]);
    const entries = play(workflow, {
      outcome: () => ({ ok: false, stderr: evil, error: { class: 'exit', message: evil, hint: evil } }),
    });
    const { terminal, view, screen, tick } = live({ workflow, entries }, 60, 20, { level: 'verbose' });
    for (const entry of entries) {
      screen.show(view.record(entry));
      screen.activity('all[0]/a', evil);
      screen.output('all[0]/a', evil);
      screen.say(evil);
      tick();
    }
    screen.close(view.summary({ filesChanged: [evil], logs: evil }));
    expect(terminal.foreign).toEqual([]);
    expect(terminal.history().join('\n')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it('leaves no stale line when the terminal is resized while it runs', () => {
    const story = shipped();
    const sizes = [
      [80, 24],
      [44, 30],
      [120, 24],
      [60, 40],
      [33, 40],
      [80, 24],
    ] as const;
    const { terminal, view, screen, tick } = live(story, 80, 40);
    story.entries.forEach((entry, index) => {
      screen.show(view.record(entry));
      tick();
      const size = sizes[Math.floor(index / 3) % sizes.length] ?? [80, 24];
      terminal.resize(size[0], size[1]);
      const heads = terminal.history().filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] ship/.test(line));
      expect(heads.length).toBeLessThanOrEqual(1);
    });
    screen.close();
    expect(terminal.history().filter((line) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏○]/.test(line))).toEqual([]);
  });

  it('does not paint into a stream that cannot take more', () => {
    const story = shipped();
    const terminal = Object.assign(new VirtualTerminal(80, 24), { writableNeedDrain: true });
    const { view, screen, tick } = live(story, 80, 24, { stream: terminal });
    for (const entry of story.entries.slice(0, 20)) screen.show(view.record(entry));
    tick();
    expect(terminal.writes).toEqual([]);
    terminal.writableNeedDrain = false;
    tick();
    expect(terminal.history()).toContain('✓ analyze  Analyze the specification  done in 12.4 s, $0.04');
    screen.close();
  });

  it('asks in place, with the tree out of the way, and goes on with the answer', async () => {
    const story = waiting();
    const input = new PassThrough();
    const { terminal, view, screen, tick } = live(story, 80, 30, { input });
    for (const entry of story.entries) {
      if (entry.kind === 'run-paused') break;
      screen.show(view.record(entry));
    }
    tick();
    const [colour, draft] = [...view.outline.questions.values()];
    if (!colour || !draft) throw new Error('two questions are open');
    const first = screen.ask(colour);
    const second = screen.ask(draft);
    await vi.waitFor(() => expect(terminal.history().join('\n')).toContain('first/colour asks'));
    expect(terminal.cursorVisible).toBe(true);
    const before = terminal.writes.length;
    tick();
    expect(terminal.writes.length).toBe(before);
    input.write('2\n');
    expect(await first).toEqual({ answer: 'dark blue' });
    const answered = { n: 99, at: view.outline.lastAt, path: 'first/colour', answer: 'dark blue', by: 'ada' };
    screen.show(view.record({ kind: 'question-answered', ...answered }));
    await vi.waitFor(() => expect(terminal.history().join('\n')).toContain('first/draft asks'));
    input.write('accept good enough\n');
    expect(await second).toEqual({ answer: 'accept', note: 'good enough' });
    const history = terminal.history();
    expect(history.filter((line) => line.includes('decide  step'))).toHaveLength(1);
    // What was typed stands there already; that the step ended with it does not.
    expect(history.filter((line) => line.includes('first/colour'))).toEqual([
      '? first/colour asks',
      expect.stringMatching(/^✓ first\/colour {2}done in/),
    ]);
    screen.close();
  });

  it('asks nothing where nobody can answer', async () => {
    const { screen } = live(waiting());
    await expect(
      screen.ask({ path: 'x', question: 'ask', text: '?', reasons: [], askedAt: 0, accept: [], reject: [] }),
    ).resolves.toBeUndefined();
    screen.close();
  });

  it('C3: shows the cursor again when the process exits, is ended by a signal, or is stopped and goes on', () => {
    const story = shipped();
    const { terminal, view, screen, host, tick, isStopped } = live(story);
    for (const entry of story.entries.slice(0, 4)) screen.show(view.record(entry));
    tick();
    expect(terminal.cursorVisible).toBe(false);
    host.emit('SIGTSTP');
    expect([terminal.cursorVisible, host.killed]).toEqual([true, ['SIGSTOP']]);
    host.emit('SIGCONT');
    expect(terminal.cursorVisible).toBe(false);
    host.emit('SIGTERM');
    expect([terminal.cursorVisible, host.killed]).toEqual([true, ['SIGSTOP', 'SIGTERM']]);
    expect(host.eventNames()).toEqual([]);
    screen.close();
    expect(isStopped()).toBe(true);
  });

  it('leaves a signal alone that somebody else handles', () => {
    const { terminal, view, screen, host, tick } = live(shipped());
    host.on('SIGINT', () => {});
    for (const entry of shipped().entries.slice(0, 4)) screen.show(view.record(entry));
    tick();
    host.emit('SIGINT');
    expect([terminal.cursorVisible, host.killed]).toEqual([false, []]);
    screen.close();
    expect([terminal.cursorVisible, host.eventNames()]).toEqual([true, ['SIGINT']]);
  });
});

describe('a real process', () => {
  it('C3: that is ended by SIGTERM dies of it, with the cursor shown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-screen-'));
    try {
      const source = `
        import { createScreen } from ${JSON.stringify(join(import.meta.dirname, 'screen.ts'))};
        import { createRunView } from ${JSON.stringify(join(import.meta.dirname, '../../views/run-view.ts'))};
        import { play } from ${JSON.stringify(join(import.meta.dirname, '../../views/fixtures/play.ts'))};
        import { command, workflowOf } from ${JSON.stringify(join(import.meta.dirname, '../../views/fixtures/workflow.ts'))};
        const workflow = workflowOf('child', [command('analyze')]);
        const view = createRunView(workflow);
        const screen = createScreen({ outline: view.outline, stream: process.stdout, interactive: true, color: false,
          unicode: true, level: 'normal', format: 'text', now: Date.now, columns: 80, rows: 24 });
        for (const entry of play(workflow).slice(0, 2)) screen.show(view.record(entry));
        setInterval(() => {}, 1000);`;
      const entry = join(folder, 'child.ts');
      const bundle = join(folder, 'child.mjs');
      writeFileSync(entry, source);
      await build({
        entryPoints: [entry],
        bundle: true,
        platform: 'node',
        format: 'esm',
        outfile: bundle,
        logLevel: 'error',
      });
      const child = spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += String(chunk);
        if (text.includes('analyze')) child.kill('SIGTERM');
      });
      const signal = await new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)));
      expect(signal).toBe('SIGTERM');
      expect(text).toContain('\x1b[?25l');
      expect(text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(text.lastIndexOf('\x1b[?25l'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
