import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statSync, symlinkSync } from 'node:fs';
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
import { tries } from '../../../test/support/tries.ts';

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
    await here.outcome(shell('seq 1 300000', { capture, path: 'huge' }));
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

  it('S5: LS-OUTPUT-MEMORY: gigabytes leave memory flat', async () => {
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
    const bytes = tries(2_147_483_648, 300_000_000);
    const outcome = await here.outcome(shell(`yes "some text that is no secret" | head -c ${bytes}`));
    expect(outcome.truncated).toEqual({ bytes, kept: 1024 * 1024 });
    expect(logged).toBe(bytes);
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

describe('a file as standard input', () => {
  it('is read to the end, whatever its size, and by who reads it', async () => {
    const here = on();
    here.write('in.txt', 'line {{ not filled in }}\n'.repeat(200_000));
    expect((await here.outcome(shell('wc -l', { stdin: 'in.txt' }))).output).toMatch(/^\s*200000$/);
    expect((await here.outcome(shell('head -n 1', { stdin: 'in.txt' }))).output).toBe(
      'line {{ not filled in }}',
    );
    expect((await here.outcome(shell('echo fine', { stdin: 'in.txt' }))).ok).toBe(true);
  });

  it('is looked for before anything starts', async () => {
    const here = on();
    here.write('folder/x', '');
    symlinkSync('/etc/passwd', join(here.root, 'link'));
    const table: [string, object][] = [
      ['no.txt', { class: 'missing-files', details: { missing_files: ['no.txt'] } }],
      ['folder', { class: 'error', message: expect.stringContaining('is a folder') }],
      ['../x', { class: 'path' }],
      ['link', { class: 'path' }],
    ];
    for (const [stdin, error] of table) {
      expect(await here.outcome(shell('touch started', { stdin }))).toMatchObject({ exit_code: 2, error });
    }
    expect(here.exists('started')).toBe(false);
  });
});

describe('a schema', () => {
  const capture = { as: 'json', limit: 1000, onParseError: 'fail', exact: true } as const;
  const schema = { name: 'verdict', schema: { type: 'object', required: ['approved'] } };

  it('that the output does not fit: the work is there, and what is wrong with it', async () => {
    const here = on();
    expect(await here.outcome(shell('echo "{}"', { capture, schema }))).toMatchObject({
      ok: true,
      exit_code: 0,
      output: {},
      violations: ['the answer must have the property "approved"'],
    });
    const fits = await here.outcome(shell('echo \'{"approved": true}\'', { capture, schema }));
    expect(fits).toMatchObject({ ok: true, output: { approved: true }, violations: [] });
  });

  it('may be a file of the workspace, read when the output is there', async () => {
    const here = on();
    const line = `echo '{"required": ["a"]}' > schema.json; echo '{}'`;
    expect(await here.outcome(shell(line, { capture, schemaFile: 'schema.json' }))).toMatchObject({
      violations: ['the answer must have the property "a"'],
    });
    expect(
      (await here.outcome(shell('echo 1', { capture, schemaFile: 'schema.json' }))).metrics,
    ).toMatchObject({
      file_operations: 1,
    });
  });

  it('that cannot be used is a failure with exit code 2', async () => {
    const here = on();
    here.write('broken.json', '{');
    here.write('list.json', '[1]');
    here.write('wrong.json', '{"type": "strnig"}');
    symlinkSync('/etc/passwd', join(here.root, 'link.json'));
    const table: [string, object][] = [
      ['no.json', { class: 'missing-files', details: { missing_files: ['no.json'] } }],
      [
        'broken.json',
        { class: 'error', message: expect.stringContaining('"broken.json" cannot be used: it is not JSON') },
      ],
      ['list.json', { class: 'error', message: expect.stringContaining('a JSON Schema is an object') }],
      ['wrong.json', { class: 'error', message: expect.stringContaining('`wrong.json` cannot be used') }],
      ['link.json', { class: 'path' }],
    ];
    for (const [schemaFile, error] of table) {
      const outcome = await here.outcome(shell('echo "{}"', { capture, schemaFile }));
      expect([schemaFile, outcome]).toMatchObject([schemaFile, { ok: false, exit_code: 2, error }]);
    }
  });

  it('is not looked at where the command failed, or printed no JSON', async () => {
    const here = on();
    const failed = await here.outcome(shell('echo "{}"; exit 3', { capture, schemaFile: 'no.json' }));
    expect(failed).toMatchObject({ exit_code: 3, error: { class: 'exit' } });
    expect(await here.outcome(shell('echo no', { capture, schemaFile: 'no.json' }))).toMatchObject({
      exit_code: 2,
      error: { class: 'output', details: { json_parse_error: 'invalid' } },
    });
    expect(failed).not.toHaveProperty('violations');
  });
});

describe('exactly captured', () => {
  const text = { as: 'text', limit: 8192, onParseError: 'fail', exact: true } as const;
  const json = { as: 'json', limit: 1024, textLimit: 8, onParseError: 'keep', exact: true } as const;

  it('is the beginning of what it printed; the log has it all only where it is more', async () => {
    const here = on({ context: { keepStdout: 'truncated' } });
    const whole = await here.outcome(shell('printf "a\\r\\nb\\n"', { capture: text, path: 'whole' }));
    expect(whole).toMatchObject({ output: 'a\r\nb\n' });
    expect(here.log('whole.stdout')).toBeUndefined();

    const line = 'seq 1 3000; exit 4';
    const cut = await here.outcome(shell(line, { capture: text, path: 'cut', saveTo: 'out.txt' }));
    const all = execFileSync('seq', ['1', '3000'], { encoding: 'utf8' });
    expect(cut).toMatchObject({
      exit_code: 4,
      output: all.slice(0, 8192),
      truncated: { bytes: all.length, kept: 8192 },
    });
    expect(cut.stdout_tail).toBe(Array.from({ length: 10 }, (_, n) => 2991 + n).join('\n'));
    expect(here.log('cut.stdout')).toBe(all);
    expect(here.read('out.txt')).toBe(all);
  });

  it('lines that are too many are in the log as they came', async () => {
    const here = on({ context: { keepStdout: 'truncated' } });
    const capture = { ...text, as: 'lines', limit: 2 } as const;
    const outcome = await here.outcome(shell('printf "a\\r\\nb\\r\\nc\\r\\n"', { capture }));
    expect(outcome).toMatchObject({ output: ['a', 'b'], truncated: { bytes: 9, kept: 6 } });
    expect(here.log('step.stdout')).toBe('a\r\nb\r\nc\r\n');
    await here.outcome(shell('printf "a\\r\\nb\\r\\n"', { capture, path: 'fits' }));
    expect(here.log('fits.stdout')).toBeUndefined();
  });

  it('JSON that is none is in the log, kept or not', async () => {
    const here = on({ context: { keepStdout: 'truncated' } });
    expect(await here.outcome(shell('echo oops', { capture: json, path: 'kept' }))).toMatchObject({
      ok: true,
      exit_code: 0,
      output: 'oops\n',
      unparsed: 'invalid',
    });
    expect(await here.outcome(shell('seq 1 1000', { capture: json, path: 'large' }))).toMatchObject({
      ok: true,
      output: '1\n2\n3\n4\n',
      unparsed: 'overflow',
      truncated: { kept: 8 },
    });
    const failing = { ...json, onParseError: 'fail' } as const;
    expect(await here.outcome(shell('echo oops', { capture: failing, path: 'failed' }))).toMatchObject({
      ok: false,
      exit_code: 2,
      error: { class: 'output', details: { json_parse_error: 'invalid' } },
    });
    expect(await here.outcome(shell('echo oops; exit 7', { capture: failing, path: 'ended' }))).toMatchObject(
      {
        exit_code: 7,
        error: { class: 'exit' },
      },
    );
    await here.outcome(shell('echo "{}"', { capture: json, path: 'fine' }));
    expect(
      ['kept', 'large', 'failed', 'ended', 'fine'].map((name) => here.log(`${name}.stdout`)?.length),
    ).toEqual([5, 3893, 5, 5, undefined]);
  });
});

describe('what is known of it afterwards', () => {
  it('how many variables it was given, and what its files cost us', async () => {
    const here = on();
    here.write('a.md', '');
    here.write('in', 'x');
    const reads = { files: ['*.md'], optional: ['no'], inject: 'none', position: 'prepend' } as const;
    const more = { stdin: 'in', saveTo: 'out', reads: { ...reads, files: ['*.md'], optional: ['no'] } };
    const outcome = await here.outcome(shell('env | cut -d= -f1', { ...more, env: { A: '1' } }));
    expect(outcome.invocation).toEqual({ env_count: 5 });
    expect(String(outcome.output).split('\n')).toEqual(
      expect.arrayContaining(['PATH', 'A', 'LOCKSTEP_RUN', 'LOCKSTEP_STEP', 'LOCKSTEP_RUN_ROOT']),
    );
    expect(outcome.metrics).toEqual({ file_operations: 4, file_io_ms: expect.any(Number) });
    expect(await here.outcome(shell('true'))).not.toHaveProperty('metrics');
  });

  it('of a time-out, how long it was', async () => {
    const outcome = await on().outcome(shell('trap "" TERM; while :; do sleep 0.05; done', { timeout: 150 }));
    expect(outcome).toMatchObject({
      exit_code: 124,
      error: { class: 'timeout', details: { timeout_ms: 150 } },
    });
  });

  it('who looks for a mistake is told what was matched, built, given and touched; secrets are hidden by name', async () => {
    const notes: [string, string, string][] = [];
    const here = on({
      environment: { TOKEN: 'abc' },
      secrets: ['TOKEN'],
      context: { debug: ({ path }, topic, text) => void notes.push([path, topic, text]) },
    });
    here.write('a.md', '');
    const reads = { files: ['*.md'], optional: ['no*'], inject: 'none', position: 'prepend' } as const;
    await here.outcome(
      shell('echo "$TOKEN"', {
        secrets: ['TOKEN'],
        saveTo: 'out',
        reads: { ...reads, files: ['*.md'], optional: ['no*'] },
      }),
    );
    expect(notes.filter(([, topic]) => topic !== 'environment')).toEqual([
      ['step', 'dependencies', 'required "*.md": a.md'],
      ['step', 'dependencies', 'optional "no*": nothing matches'],
      ['step', 'command', '["/bin/sh","-c","echo \\"$TOKEN\\""]'],
      ['step', 'files', 'saved stdout to out (4 bytes)'],
    ]);
    const environment = notes.find(([, topic]) => topic === 'environment')?.[2].split('\n');
    expect(environment).toEqual(expect.arrayContaining(['TOKEN=***', 'LOCKSTEP_STEP=step']));
  });

  it('a traced run tells its children where they belong; a step that says so itself is not told', async () => {
    const here = on({
      environment: { TRACEPARENT: 'ours' },
      context: { traceparent: ({ path, part }) => `00-${path}-${part}-01` },
    });
    const line = shell('echo $TRACEPARENT', { part: 'enter[0]' });
    expect((await here.outcome(line)).output).toBe('00-step-enter[0]-01');
    expect((await here.outcome({ ...line, env: { TRACEPARENT: 'own' } })).output).toBe('own');
    expect((await on({ environment: { TRACEPARENT: 'ours' } }).outcome(line)).output).toBe('ours');
  });
});

describe('S4: a path that has become a symlink to the outside', () => {
  it.each(['save_to', 'a folder of save_to', 'stdin', 'reads'])(
    'is caught just before use: %s',
    async (kind) => {
      const here = on();
      const outside = on();
      const inside = here;
      outside.write('secret.md', 'secret');
      const reads = { files: ['docs/*.md'], optional: [], inject: 'none', position: 'prepend' } as const;
      const command = {
        save_to: shell('echo x', { saveTo: 'out.txt' }),
        'a folder of save_to': shell('echo x', { saveTo: 'folder/secret.md' }),
        stdin: shell('cat', { stdin: 'in.txt' }),
        reads: shell('cat docs/*', { reads: { ...reads, files: ['docs/*.md'], optional: [] } }),
      }[kind] as ReturnType<typeof shell>;
      for (const path of ['out.txt', 'folder/secret.md', 'in.txt', 'docs/a.md']) inside.write(path, 'fine');
      expect((await inside.outcome(command)).ok).toBe(true);

      const link = (path: string, target: string) => {
        rmSync(join(inside.root, path), { recursive: true });
        symlinkSync(join(outside.root, target), join(inside.root, path));
      };
      link('out.txt', 'secret.md');
      link('folder', '.');
      link('in.txt', 'secret.md');
      link('docs/a.md', 'secret.md');
      expect(await inside.outcome(command)).toMatchObject({
        ok: false,
        exit_code: 2,
        error: { class: 'path' },
      });
      expect(outside.read('secret.md')).toBe('secret');
      inside.remove();
    },
  );
});

it('a file that save_to replaces keeps nothing of what it had', async () => {
  const here = on();
  here.write('log.txt', 'x'.repeat(1000));
  await here.outcome(shell('echo new', { saveTo: 'log.txt' }));
  expect(statSync(join(here.root, 'log.txt')).size).toBe(4);
});
