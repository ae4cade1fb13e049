import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  eventually,
  finished,
  lives,
  outcomeOf,
  type Stage,
  type StageOptions,
  shell,
  stage,
} from '../../../test/support/stage.ts';

let open: Stage | undefined;
function on(options?: StageOptions): Stage {
  open = stage(options);
  return open;
}
afterEach(() => open?.remove());

const argv = (...words: string[]) => shell('', { command: { kind: 'argv', argv: words } });
const SECRET = 'hunter2/hunter2';

describe('a command', () => {
  it('runs in the workspace and gives its output', async () => {
    const here = on();
    expect(await here.outcome(shell('pwd'))).toMatchObject({ ok: true, output: here.root, exit_code: 0 });
  });

  it('given as a list never meets a shell', async () => {
    expect((await on().outcome(argv('echo', '$(id)', '*', ';'))).output).toBe('$(id) * ;');
  });

  it('finds nothing on its standard input', async () => {
    expect((await on().outcome(shell('cat; echo end'))).output).toBe('end');
  });

  it('knows its run and step, in actions of the step too', async () => {
    const line = 'echo $LOCKSTEP_RUN $LOCKSTEP_STEP $LOCKSTEP_RUN_ROOT';
    const here = on();
    const expected = `run-1 a[2]/b.done[1] ${here.run.location}`;
    expect((await here.outcome(shell(line, { path: 'a[2]/b', part: 'done[1]' }))).output).toBe(expected);
  });

  it('writes both streams to its logs, and none where it says nothing', async () => {
    const here = on();
    const outcome = await here.outcome(shell('echo out; echo err >&2', { path: 'a/b' }));
    expect(outcome).toMatchObject({ output: 'out', stderr: 'err\n' });
    expect(here.log('a/b.stdout')).toBe('out\n');
    expect(here.log('a/b.stderr')).toBe('err\n');
    await here.outcome(shell('true', { path: 'quiet' }));
    expect(here.run.logs().filter((name) => name.startsWith('quiet'))).toEqual([]);
  });

  it('keeps the log of each try', async () => {
    const here = on();
    await here.outcome(shell('echo one', { try: 1 }));
    await here.outcome(shell('echo two', { try: 2 }));
    expect([here.log('step.stdout'), here.log('step.try2.stdout')]).toEqual(['one\n', 'two\n']);
  });

  it('tells the display how much it printed and its last line', async () => {
    const here = on();
    await here.outcome(shell('printf "one\\ntwo\\n"', { part: 'exit[0]' }));
    expect(here.events.at(-1)).toEqual({
      kind: 'output',
      path: 'step',
      part: 'exit[0]',
      stream: 'stdout',
      bytes: 8,
      line: 'two',
    });
  });
});

describe('how it ends', () => {
  const table: [string, string, object][] = [
    [
      'an exit code',
      'echo why >&2; exit 3',
      { exit_code: 3, error: { class: 'exit', message: 'the command ended with exit code 3: why' } },
    ],
    [
      'a signal',
      'kill -TERM $$',
      { exit_code: 143, error: { class: 'exit', message: 'the command was ended by SIGTERM' } },
    ],
    ['not found', 'exec no-such-command-here', { exit_code: 127, error: { class: 'exit' } }],
  ];
  it.each(table)('%s', async (_, line, expected) => {
    expect(await on().outcome(shell(line))).toMatchObject({ ok: false, ...expected });
  });

  it('cannot be started: 127 where there is no such command, 126 where it may not be run', async () => {
    const here = on();
    expect(await here.outcome(argv('no-such-command-here'))).toMatchObject({
      exit_code: 127,
      error: { class: 'error' },
    });
    here.write('script', '#!/bin/sh\n');
    chmodSync(join(here.root, 'script'), 0o644);
    expect(await here.outcome(argv('./script'))).toMatchObject({ exit_code: 126, error: { class: 'error' } });
    expect(await here.outcome(argv())).toMatchObject({ ok: false, error: { class: 'error' } });
  });

  it('LS-TROUBLE-WORKSPACE: a workspace that is gone is a clear error', async () => {
    const here = on();
    rmSync(here.root, { recursive: true });
    const { error } = await here.outcome(shell('true'));
    expect(error?.class).toBe('error');
    expect(error?.message).toContain(here.root);
  });

  it('LS-PROCESS-TIMEOUT: takes longer than its time-out: 124, and its children are gone', async () => {
    const here = on();
    const line = `(trap '' TERM; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done') & echo half; wait`;
    const outcome = await here.outcome(shell(line, { timeout: 1500 }));
    expect(outcome).toMatchObject({
      ok: false,
      exit_code: 124,
      output: 'half',
      error: { class: 'timeout', message: 'it took longer than 1500ms' },
    });
    expect(lives(Number(here.read('pid')))).toBe(false);
  });

  it.each([
    ['cancelled', 'cancelled'],
    ['interrupted', 'interrupted'],
    ['limit', 'limit'],
    ['timeout-of-run', 'limit'],
  ] as const)(
    'LS-PROCESS-CANCEL: %s gives an outcome of class %s once everything is gone',
    async (reason, expected) => {
      const here = on();
      const performing = here.perform(shell('echo $$ > pid; sleep 100'));
      if (performing.now) throw new Error('it is over already');
      await eventually(() => here.exists('pid') && here.read('pid') !== '');
      performing.cancel(reason);
      performing.cancel('cancelled');
      expect(outcomeOf(await performing.done)).toMatchObject({ ok: false, error: { class: expected } });
      expect(lives(Number(here.read('pid')))).toBe(false);
    },
  );

  it('says so when it left processes behind', async () => {
    const outcome = await on().outcome(shell('sleep 100 & echo done'));
    expect(outcome).toMatchObject({ ok: true, output: 'done' });
    expect(outcome.warnings).toEqual([expect.stringContaining('left processes running')]);
  });
});

describe('output', () => {
  it('is captured as lines or JSON where the step says so', async () => {
    const here = on();
    const capture = { limit: 1000, onParseError: 'fail' } as const;
    expect(
      (await here.outcome(shell('printf "a\\r\\nb\\n"', { capture: { ...capture, as: 'lines' } }))).output,
    ).toEqual(['a', 'b']);
    expect((await here.outcome(shell('echo "[1]"', { capture: { ...capture, as: 'json' } }))).output).toEqual(
      [1],
    );
    expect(await here.outcome(shell('echo no', { capture: { ...capture, as: 'json' } }))).toMatchObject({
      ok: false,
      output: 'no',
      exit_code: 2,
      error: { class: 'output' },
    });
  });

  it('that is not JSON does not hide how the command ended', async () => {
    const capture = { as: 'json', limit: 1000, onParseError: 'fail' } as const;
    expect(await on().outcome(shell('echo no; exit 7', { capture }))).toMatchObject({
      exit_code: 7,
      error: { class: 'exit' },
    });
  });

  it('LS-OUTPUT-WHOLE, LS-OUTPUT-EXTRACT: is whole in the log and in save_to, and an extract in the outcome', async () => {
    const here = on();
    const capture = { as: 'text', limit: 100, onParseError: 'fail' } as const;
    const outcome = await here.outcome(shell('seq 1 10000', { capture, saveTo: 'out/log.txt' }));
    const whole = execFileSync('seq', ['1', '10000'], { encoding: 'utf8' });
    expect(here.read('out/log.txt')).toBe(whole);
    expect(here.log('step.stdout')).toBe(whole);
    expect(outcome.truncated).toEqual({ bytes: whole.length, kept: 100 });
    expect(outcome.output).toMatch(
      /^1\n2\n[\s\S]*\[… 48794 bytes left out; all of it is in the log step\.stdout …\]\n[\s\S]*10000$/,
    );
  });

  it('makes an empty save_to where there was none, and fails before it starts where that cannot be', async () => {
    const here = on();
    await here.outcome(shell('true', { saveTo: 'empty.txt' }));
    expect(here.read('empty.txt')).toBe('');
    expect(await here.outcome(shell('touch started', { saveTo: '../outside.txt' }))).toMatchObject({
      ok: false,
      exit_code: 2,
      error: { class: 'path' },
    });
    expect(here.exists('started')).toBe(false);
  });

  it('keeps no log under `keep_stdout: truncated` unless something was left out', async () => {
    const here = on({ context: { keepStdout: 'truncated' } });
    const capture = { as: 'text', limit: 10, onParseError: 'fail' } as const;
    await here.outcome(shell('echo short', { capture, path: 'short' }));
    await here.outcome(shell('echo something longer', { capture, path: 'long' }));
    await here.outcome(shell('echo no', { capture: { ...capture, as: 'json' }, path: 'unread' }));
    await here.outcome(shell('seq 1 3000000', { capture, path: 'huge' }));
    expect(here.run.logs()).toEqual(['huge.stdout', 'long.stdout', 'unread.stdout']);
    expect(here.log('long.stdout')).toBe('something longer\n');
  });

  it('that cannot be written ends the command with what is wrong', async () => {
    let written = 0;
    const full = {
      write(chunk: Uint8Array) {
        written += chunk.length;
        if (written > 100_000) throw new Error('no space left on device');
      },
      end() {},
    };
    const here = on();
    const context = {
      ...here.context,
      run: { ...here.run, location: 'x', openArtifact: () => full, openLog: () => full },
    };
    Object.assign(here.context, context);
    const outcome = await here.outcome(shell('yes'));
    expect(outcome).toMatchObject({
      ok: false,
      error: { class: 'error', message: 'no space left on device' },
    });
  });

  it('S5: LS-OUTPUT-MEMORY: 2 GB leave memory flat', async () => {
    let logged = 0;
    const counting = {
      write(chunk: Uint8Array) {
        logged += chunk.length;
      },
      end() {},
    };
    const here = on({ environment: { TOKEN: SECRET }, secrets: ['TOKEN'] });
    Object.assign(here.context, {
      run: { location: 'x', openArtifact: () => counting, openLog: () => counting },
    });
    let peak = 0;
    const report = here.context.report;
    here.context.report = (event) => {
      peak = Math.max(peak, process.memoryUsage.rss());
      here.events.length = 0;
      report(event);
    };
    const before = process.memoryUsage.rss();
    const outcome = await here.outcome(shell('yes "some text that is no secret" | head -c 2147483648'));
    expect(outcome.truncated).toEqual({ bytes: 2147483648, kept: 1024 * 1024 });
    expect(logged).toBe(2147483648);
    expect(peak - before).toBeLessThan(150 * 1024 * 1024);
  }, 180_000);
});

describe('secrets', () => {
  const environment = { TOKEN: SECRET, OTHER: 'another secret', PLAIN: 'plain' };

  it('reach only the steps that declare them; `env` and the rest of the environment reach all', async () => {
    const here = on({ environment, secrets: ['TOKEN', 'OTHER'] });
    const line = 'echo "${TOKEN+token}-${OTHER+other}-$PLAIN-$MINE"';
    expect((await here.outcome(shell(line, { env: { MINE: 'm' } }))).output).toBe('--plain-m');
    expect((await here.outcome(shell(line, { secrets: ['TOKEN'] }))).output).toBe('token--plain-');
    expect((await here.outcome(shell('echo $PLAIN', { env: { PLAIN: '$HOME' } }))).output).toBe('$HOME');
  });

  it('S3: LS-SECRET-PLAIN, LS-SECRET-BASE64, LS-SECRET-URL: appear nowhere we write', async () => {
    const here = on({ environment, secrets: ['TOKEN', 'OTHER'] });
    const line = `echo "$TOKEN"; printf %s "$TOKEN" | base64; echo "hunter2%2Fhunter2" >&2; echo "t=$TOKEN" >&2; exit 1`;
    const outcome = await here.outcome(shell(line, { secrets: ['TOKEN'] }));
    const everything = JSON.stringify([
      outcome,
      here.log('step.stdout'),
      here.log('step.stderr'),
      here.events,
    ]);
    expect(outcome.output).toBe('***\n***');
    expect(outcome.error?.message).toBe('the command ended with exit code 1: t=***');
    for (const spelling of [SECRET, 'hunter2%2Fhunter2', Buffer.from(SECRET).toString('base64')]) {
      expect(everything).not.toContain(spelling);
    }
  });

  it('LS-SECRET-SPLIT: are found across two writes', async () => {
    const here = on({ environment, secrets: ['TOKEN'] });
    const line = 'printf "a hunter2/hu"; sleep 0.1; printf "nter2 b"';
    expect((await here.outcome(shell(line))).output).toBe('a *** b');
    expect(here.log('step.stdout')).toBe('a *** b');
  });

  it("rule 13: LS-SECRET-SAVE-TO: save_to is the command's own output", async () => {
    const here = on({ environment, secrets: ['TOKEN'] });
    const outcome = await here.outcome(shell('echo $TOKEN', { secrets: ['TOKEN'], saveTo: 'own.txt' }));
    expect(here.read('own.txt')).toBe(`${SECRET}\n`);
    expect(outcome.output).toBe('***');
  });

  it('LS-SECRET-MISSING: that are missing are named all at once, before anything starts', async () => {
    const here = on({ environment, secrets: ['TOKEN', 'A', 'B'] });
    const performing = here.perform(shell('touch started', { secrets: ['A', 'TOKEN', 'B'] }));
    expect(outcomeOf(await finished(performing))).toMatchObject({
      ok: false,
      exit_code: 2,
      error: {
        class: 'missing-secrets',
        message: 'A and B are not set in the environment',
        details: { missing_secrets: ['A', 'B'] },
      },
    });
    expect(here.exists('started')).toBe(false);
  });
});

describe('reads', () => {
  const reads = { inject: 'none', position: 'prepend' } as const;

  it('guard: what is missing is named all at once, before anything starts', async () => {
    const here = on();
    here.write('docs/a.md', '');
    here.write('odd[1].md', '');
    const missing = { ...reads, files: ['docs/*.md', 'no.md', 'x/*.y'], optional: ['never.md'] };
    expect(await here.outcome(shell('touch started', { reads: missing }))).toMatchObject({
      ok: false,
      exit_code: 2,
      error: { class: 'missing-files', details: { missing_files: ['no.md', 'x/*.y'] } },
    });
    expect(here.exists('started')).toBe(false);
    const there = { ...reads, files: ['docs/*.md', 'odd[1].md'], optional: ['never.md'] };
    expect((await here.outcome(shell('echo ran', { reads: there }))).output).toBe('ran');
  });

  it('S4: never look outside the workspace', async () => {
    const outcome = await on().outcome(
      shell('true', { reads: { ...reads, files: ['../../etc/passwd'], optional: [] } }),
    );
    expect(outcome).toMatchObject({ ok: false, error: { class: 'path' } });
  });
});

it('a file that save_to replaces keeps nothing of what it had', async () => {
  const here = on();
  here.write('log.txt', 'x'.repeat(1000));
  await here.outcome(shell('echo new', { saveTo: 'log.txt' }));
  expect(statSync(join(here.root, 'log.txt')).size).toBe(4);
});
