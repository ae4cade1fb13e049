import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, type DriveOptions, drive } from '../../test/support/drive.ts';
import { each, noop, prompt, type run, step, workflow } from '../../test/support/workflow.ts';
import { type RunEnd, resumeRun, startRun } from '../drivers/run/run.ts';
import type { Step } from '../model/workflow.ts';
import { fileStore } from '../stores/file/file-store.ts';
import { backupName } from './records/backups.ts';
import { type RecordOptions, USUAL_RECORDS } from './records/options.ts';

const EVERY_STEP = {
  onChanged: 'pinned',
  state: 'every-step',
  keepStdout: 'always',
  pausedExit: 3,
  dirs: {},
} as const;
const sh = (id: string, line: string, fields?: Parameters<typeof run>[1]): Step =>
  step(id, { kind: 'run', command: { kind: 'shell', line } }, fields);
const argv = (id: string, words: string[], fields?: Parameters<typeof run>[1]): Step =>
  step(id, { kind: 'run', command: { kind: 'argv', argv: words } }, fields);

let stage: Drive;
beforeEach(() => {
  stage = drive();
});
afterEach(() => stage.remove());

function start(
  steps: Step[],
  records: Partial<RecordOptions>,
  more: DriveOptions & { policy?: object } = {},
) {
  const flow = workflow(steps, more.policy ? { policy: more.policy as never } : {});
  return startRun(
    stage.hosting,
    {
      workflow: flow,
      workflowFile: 'test.yaml',
      workspace: stage.root,
      inputs: more.inputs ?? {},
      vars: {},
      skips: { steps: [], checks: false, dry_run: false },
      script: more.script,
      records: { ...USUAL_RECORDS, ...records },
    },
    more.observer,
  );
}

const logOf = (end: RunEnd, name = 'orchestrator.log'): string =>
  Buffer.from(stage.store.read(end.id).readLog(name, 0) ?? []).toString();
const linesOf = (end: RunEnd): string[] => logOf(end).trimEnd().split('\n');

describe('orchestrator.log', () => {
  it('tells what happened in lines of time, level, step and message', async () => {
    const end = await start(
      [
        sh('a', 'true'),
        noop('b', { if: 'false' }),
        sh('c', 'exit 3', { onFail: 'continue', next: [{ when: 'status == "failed"', goto: 'e', do: [] }] }),
        noop('d'),
        sh('e', 'true', { labels: { name: 'The end' } }),
        noop('f'),
      ],
      {},
    );
    const lines = linesOf(end);
    for (const line of lines)
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (INFO|WARN|ERROR) \S/);
    const said = lines.map((line) => line.slice(25).replace(/\(\d+(\.\d+)? m?s\)/g, '(time)'));
    expect(said.slice(0, -1)).toEqual([
      `INFO run ${end.id} started: ${end.view.outline.workflow.name} (test.yaml) by tester@here, lockstep 0`,
      'INFO a: started: run true',
      'INFO a: completed with exit code 0 (time)',
      'INFO b: skipped: disabled in workflow definition',
      'INFO c: started: run exit 3',
      'ERROR c: failed with exit code 3 (time): the command ended with exit code 3',
      'INFO c: goes to e',
      'INFO e: started (The end): run true',
      'INFO e: completed with exit code 0 (time)',
      'INFO f: completed with exit code 0 (time)',
    ]);
    expect(said.at(-1)).toMatch(/^INFO run completed after/);
  });

  it('leaves out what is below the level, and goes on in the same file when the run is resumed', async () => {
    const steps = [sh('a', 'true'), sh('b', 'test -f go', { retry: { max: 1, delay: 1, on: [1] } })];
    const end = await start(steps, { logLevel: 'warn' });
    expect(linesOf(end).map((line) => line.split(' ')[1])).toEqual(['WARN', 'ERROR', 'ERROR']);
    expect(logOf(end)).toContain('b: retry 1 of 1 in 1 ms: the command ended with exit code 1');
    writeFileSync(join(stage.root, 'go'), '');
    await resumeRun(stage.hosting, { id: end.id }, {});
    expect(logOf(end)).toContain('INFO run resumed by tester@here');
    expect(logOf(end)).toContain('ERROR run failed');
  });

  it('S3: holds no secret, whoever said it', async () => {
    stage.remove();
    stage = drive({ environment: { TOKEN: 'hunter2-and-more' } });
    const end = await start([sh('a', 'echo hunter2-and-more >&2; exit 1', { secrets: ['TOKEN'] })], {
      logLevel: 'debug',
      debug: true,
    });
    const { logs } = stage.store.read(end.id);
    for (const name of logs()) expect(logOf(end, name)).not.toContain('hunter2');
    expect(logOf(end)).toContain('***');
    expect(logOf(end, 'a.debug')).toContain('***');
  });

  it('is there before a step that reads it, where state.json is', async () => {
    stage.remove();
    stage = drive();
    const store = fileStore({ directory: join(stage.root, '.lockstep/runs') });
    stage.hosting.store = store;
    stage.store = store;
    const end = await start(
      [
        sh('a', 'echo bad >&2; exit 7', { onFail: 'continue' }),
        sh(
          'b',
          'cp "$LOCKSTEP_RUN_ROOT/state.json" seen.json; cp "$LOCKSTEP_RUN_ROOT/logs/orchestrator.log" seen.log',
        ),
      ],
      {},
      { policy: EVERY_STEP },
    );
    expect(end.exitCode).toBe(0);
    const seen = JSON.parse(readFileSync(join(stage.root, 'seen.json'), 'utf8'));
    expect(seen.status).toBe('running');
    expect(seen.steps.a).toMatchObject({ status: 'failed', exit_code: 7, error: { stderr_tail: ['bad'] } });
    expect(seen.steps.b).toMatchObject({ status: 'running' });
    expect(readFileSync(join(stage.root, 'seen.log'), 'utf8')).toContain('INFO b: started');
    expect(existsSync(join(end.location, '.state.json.tmp'))).toBe(false);
  });

  it('a run whose log cannot be written goes on', async () => {
    const { store } = stage.hosting;
    stage.hosting.store = {
      ...store,
      create: (...given) => ({
        ...store.create(...given),
        openLog() {
          throw new Error('no room');
        },
      }),
    };
    expect((await start([noop('a')], {})).exitCode).toBe(0);
  });
});

describe('backups of state.json', () => {
  const backup = (end: RunEnd, name: string) =>
    stage.store.read(end.id).document(`state.json.step_${name}.bak`);

  it('are made before each step, and the newest three are kept', async () => {
    const end = await start(
      ['a', 'b', 'c', 'd', 'e'].map((id) => noop(id)),
      { backupState: true },
    );
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => backup(end, name) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    const before = JSON.parse(backup(end, 'd') ?? '{}');
    expect(before.steps).toMatchObject({ c: { status: 'completed' }, d: { status: 'pending' } });
  });

  it('of passes have the number of their item; those of an earlier drive count when the run is resumed', async () => {
    const steps = [
      each('all', '[1, 2]', [noop('w', { labels: { name: 'Do: it' } })]),
      noop('b'),
      sh('c', 'test -f go'),
      noop('d'),
      noop('e'),
    ];
    const end = await start(steps, { backupState: true });
    expect(backup(end, 'Do__it-')).toBeUndefined();
    const ofPass = (index: number) =>
      backupName(`all[${index}].Do: it`).slice('state.json.step_'.length, -'.bak'.length);
    const passes = ofPass(1);
    expect(JSON.parse(backup(end, passes) ?? '{}').steps.all[0].w).toBeUndefined();
    expect(JSON.parse(backup(end, passes) ?? '{}').steps.all[0]['Do: it'].status).toBe('completed');
    writeFileSync(join(stage.root, 'go'), '');
    await resumeRun(stage.hosting, { id: end.id, records: { ...USUAL_RECORDS, backupState: true } }, {});
    const kept = [passes, 'b', 'c', 'd', 'e'].filter((name) => backup(end, name) !== undefined);
    expect(kept).toEqual(['c', 'd', 'e']);
  });

  it('are not made unless asked for', async () => {
    expect(backup(await start([noop('a')], {}), 'a')).toBeUndefined();
  });

  it.each([
    ['Build', 'state.json.step_Build.bak'],
    ['a.b_c-d', 'state.json.step_a.b_c-d.bak'],
    ['../../etc/passwd', /^state\.json\.step_\.\._\.\._etc_passwd-[0-9a-f]{8}\.bak$/],
    ['Größe & mehr', /^state\.json\.step_Gr__e___mehr-[0-9a-f]{8}\.bak$/],
    ['', /^state\.json\.step_-[0-9a-f]{8}\.bak$/],
  ])('of a step called %j have a name that a file may have', (name, expected) => {
    if (typeof expected === 'string') expect(backupName(name)).toBe(expected);
    else expect(backupName(name)).toMatch(expected);
    expect(backupName('x'.repeat(500)).length).toBeLessThan(100);
    expect(backupName('a b')).not.toBe(backupName('a_b'));
    expect(backupName('a b')).not.toBe(backupName('a:b'));
  });
});

describe('debug notes', () => {
  it('tell what the templates of a step became, and whether its condition held', async () => {
    const end = await start(
      [
        argv('a', ['echo', '{{ inputs.text }}', 'plain'], { if: 'inputs.text != ""' }),
        sh('b', 'echo {{ inputs.text }}'),
        sh('c', 'echo {{ inputs.gone }}', { onFail: 'continue' }),
        noop('d', { if: 'inputs.text == ""' }),
      ],
      { debug: true },
      { inputs: { text: 'it is' } },
    );
    const notes = (name: string): string => logOf(end, `${name}.debug`).replace(/^\S+ /gm, '');
    expect(notes('a')).toContain(
      '[condition] holds: inputs.text != ""\n[substitution] command[1]: "{{ inputs.text }}" → "it is"\n',
    );
    expect(notes('b')).toContain(`[substitution] command: "echo {{ inputs.text }}" → "echo 'it is'"`);
    expect(notes('c')).toContain('[outcome] failed (expression)');
    expect(notes('d')).toContain('[condition] skipped: condition is false: inputs.text == ""');
  });

  it('are not made unless asked for; what one prompt was given is', async () => {
    const end = await start([prompt('p')], {}, { script: { answers: { p: [{ text: 'yes' }] } } });
    expect(stage.store.read(end.id).logs()).toEqual([
      'orchestrator.log',
      'p.prompt.txt',
      'p.stdout',
      'p.transcript',
    ]);
  });
});

describe('a trace', () => {
  it('is in every line of the log and in state.json, and stays the same when the run is resumed', async () => {
    const steps = [sh('a', 'true'), sh('b', 'test -f go')];
    const end = await start(steps, { trace: true });
    const state = () => JSON.parse(stage.store.read(end.id).document('state.json') ?? '{}');
    const { trace_id, span_id } = state().lockstep.trace;
    for (const line of linesOf(end))
      expect(line).toMatch(new RegExp(` trace=${trace_id} span=[0-9a-f]{16} `));
    const spanOf = (text: string) =>
      /span=(\S+)/.exec(linesOf(end).find((line) => line.includes(text)) ?? '')?.[1];
    expect(spanOf('run failed')).toBe(span_id);
    expect(spanOf('a: started')).toBe(spanOf('a: completed'));
    expect(spanOf('a: started')).not.toBe(spanOf('b: started'));
    writeFileSync(join(stage.root, 'go'), '');
    await resumeRun(stage.hosting, { id: end.id, records: { ...USUAL_RECORDS, trace: true } }, {});
    expect(state().lockstep.trace.trace_id).toBe(trace_id);
  });

  it('is not there unless asked for', async () => {
    const end = await start([noop('a')], {});
    expect(logOf(end)).not.toContain('trace=');
    expect(JSON.parse(stage.store.read(end.id).document('state.json') ?? '{}').lockstep).not.toHaveProperty(
      'trace',
    );
  });
});
