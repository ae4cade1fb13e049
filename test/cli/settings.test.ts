// Flags and variables that say how a run is driven; context; what is removed with time.

import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import {
  endStarted,
  journal,
  projectWith,
  runIds,
  start,
  startOnTerminal,
  TERMINAL_MAKER,
  until,
} from './started.ts';

const ECHO = `lockstep: 1
name: echo
inputs:
  who: { type: string, default: nobody }
  size: { type: number, default: 1 }
  spare: { type: any, required: false }
steps: [{ id: say, run: [echo, '{{ inputs.who }} {{ inputs.size }} {{ default(inputs.spare, "none") }}'] }]
`;
const BROKEN = `lockstep: 1
name: broken
steps:
  - { id: bad, run: [test, -f, mended] }
  - { id: after, run: 'echo after >> after.txt' }
`;

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

const inRun = (name: string, id = runIds(project).at(-1) ?? '') =>
  join(project.root, '.lockstep/runs', id, name);
const state = () => JSON.parse(readFileSync(inRun('state.json'), 'utf8')) as Record<string, unknown>;
const said = () => project.lockstep('logs', 'say').stdout.trimEnd();
const under = (variables: Record<string, string>, ...argv: string[]) => {
  Object.assign(project.env, variables);
  return project.lockstep(...argv);
};

describe('--context', () => {
  it('gives declared inputs their values, typed as declared, and keeps other names on record', () => {
    project = projectWith({ 'e.yaml': ECHO, 'c.json': '{"who": "File", "size": 7, "deep": {"a": [1]}}' });
    const { exitCode } = project.lockstep(
      ...[
        'run',
        'e.yaml',
        '--context-file',
        'c.json',
        '--context',
        'size=3',
        '--context',
        'x=y=z',
        '--context',
        'e=',
      ],
    );
    expect(exitCode).toBe(0);
    expect(said()).toBe('File 3 none');
    expect(journal(project)[0]?.inputs).toEqual({ who: 'File', size: 3, deep: { a: [1] }, x: 'y=z', e: '' });
    expect(state().context).toMatchObject({ x: 'y=z', deep: { a: [1] } });
  });

  it('YAML will do for a file; an input goes before context, and a value that is given before a default', () => {
    project = projectWith({ 'e.yaml': ECHO, 'c.yaml': 'who: Yaml\nspare: [1, 2]\n', 'i.yaml': 'size: 5\n' });
    const argv = [
      'run',
      'e.yaml',
      '--context-file',
      'c.yaml',
      '--input-file',
      'i.yaml',
      '--input',
      'who=Input',
    ];
    expect(project.lockstep(...argv, '--context', 'who=Context').exitCode).toBe(0);
    expect(said()).toBe('Input 5 [1,2]');
  });

  it('names that objects have of themselves are names like any other', () => {
    project = projectWith({ 'e.yaml': ECHO });
    const argv = ['--context', 'constructor=1', '--context', '__proto__=2', '--context', 'toString=3'];
    expect(project.lockstep('run', 'e.yaml', ...argv).exitCode).toBe(0);
    const inputs = journal(project)[0]?.inputs as object;
    expect(Object.keys(inputs).sort()).toEqual(['__proto__', 'constructor', 'size', 'toString', 'who']);
    expect(project.lockstep('run', 'e.yaml', '--input', 'constructor=1').stderr).toContain(
      'error[input-unknown]',
    );
  });

  it.each([
    [['--context', 'who']],
    [['--context', '=x']],
    [['--context', 'size=many']],
    [['--context-file', 'list.json']],
    [['--context-file', 'broken.json']],
    [['--context-file', 'nothing.json']],
  ])('%j is wrong input, and no run is made', (argv) => {
    project = projectWith({ 'e.yaml': ECHO, 'list.json': '[1]', 'broken.json': '{"a": ' });
    expect(project.lockstep('run', 'e.yaml', ...argv).exitCode).toBe(2);
    expect(runIds(project)).toEqual([]);
  });
});

describe('variables', () => {
  it('ORCHESTRATE_STATE_DIR moves the runs, LOCKSTEP_STATE_DIR goes before it, and --state-dir before both', () => {
    project = projectWith({ 'e.yaml': ECHO });
    const count = (folder: string) => project.sh(`ls -d ${folder}/2* 2>/dev/null | wc -l`).stdout.trim();
    expect(under({ ORCHESTRATE_STATE_DIR: 'o' }, 'run', 'e.yaml').exitCode).toBe(0);
    expect(under({ LOCKSTEP_STATE_DIR: 'l' }, 'run', 'e.yaml').exitCode).toBe(0);
    expect(project.lockstep('run', 'e.yaml', '--state-dir', 's').exitCode).toBe(0);
    expect([count('o'), count('l'), count('s'), count('.lockstep/runs')]).toEqual(['1', '1', '1', '0']);
  });

  it.each<Record<string, string>>([
    { LOCKSTEP_DEBUG: 'perhaps' },
    { ORCHESTRATE_LOG_LEVEL: 'loud' },
    { ORCHESTRATE_KEEP_RUNS: 'a while' },
  ])('%j is wrong input for everything that drives a run, and nothing is made', (variables) => {
    project = projectWith({ 'e.yaml': ECHO });
    for (const argv of [
      ['run', 'e.yaml'],
      ['run', 'e.yaml', '--dry-run'],
      ['run-step', 'say', '--workflow', 'e.yaml'],
      ['watch', 'e.yaml'],
    ]) {
      const { exitCode, stderr } = under(variables, ...argv);
      expect(stderr).toContain('error[setting-invalid]');
      expect(exitCode).toBe(2);
    }
    expect(runIds(project)).toEqual([]);
  });

  it('ORCHESTRATE_DEBUG is --debug: notes, prompts and backups', () => {
    project = projectWith({ 'e.yaml': ECHO });
    expect(under({ ORCHESTRATE_DEBUG: '1' }, 'run', 'e.yaml').exitCode).toBe(0);
    expect(existsSync(inRun('logs/say.debug'))).toBe(true);
    expect(readFileSync(inRun('logs/orchestrator.log'), 'utf8')).toContain(' DEBUG ');
  });
});

describe('run.root', () => {
  const ROOT = `lockstep: 1
name: root
steps:
  - { id: say, run: 'echo {{ run.root }}; test -f {{ run.root }}/journal.jsonl && test -f "$LOCKSTEP_RUN_ROOT/journal.jsonl"' }
`;

  it('is relative to the workspace where it lies inside it; LOCKSTEP_RUN_ROOT is absolute', () => {
    project = projectWith({ 'r.yaml': ROOT });
    expect(project.lockstep('run', 'r.yaml').exitCode).toBe(0);
    expect(said()).toBe(`.lockstep/runs/${runIds(project)[0]}`);
    expect(basename(realpathSync(join(project.root, '.lockstep/runs/latest')))).toBe(runIds(project)[0]);
  });

  it('is where it is where it lies elsewhere', () => {
    project = projectWith({ 'r.yaml': ROOT });
    const elsewhere = join(project.root, '../elsewhere');
    expect(project.lockstep('run', 'r.yaml', '--state-dir', elsewhere).exitCode).toBe(0);
    expect(project.lockstep('logs', 'say', '--state-dir', elsewhere).stdout).toMatch(
      /^\/.*\/elsewhere\/2\d+T/,
    );
  });
});

describe('--on-error', () => {
  it('continue goes on past a failure, on record; a resume may say otherwise', () => {
    project = projectWith({ 'b.yaml': BROKEN });
    expect(project.lockstep('run', 'b.yaml', '--on-error', 'continue', '--max-retries', '2').exitCode).toBe(
      0,
    );
    expect(journal(project)[0]?.overrides).toEqual({ on_error: 'continue', max_retries: 2 });
    expect(project.lockstep('run', 'b.yaml').exitCode).toBe(1);
    expect(project.lockstep('resume', '--on-error', 'continue', '--retry-delay', '10').exitCode).toBe(0);
    expect(journal(project).find(({ kind }) => kind === 'run-resumed')?.overrides).toEqual({
      on_error: 'continue',
      retry_delay_ms: 10,
    });
  });

  it('interactive pauses without a terminal, with exit code 3 and the commands that answer', () => {
    project = projectWith({ 'b.yaml': BROKEN });
    const { exitCode, stdout } = project.lockstep('run', 'b.yaml', '--on-error', 'interactive');
    expect(exitCode).toBe(3);
    expect(stdout).toContain(`lockstep answer ${runIds(project)[0]} again`);
    project.write('mended', '');
    expect(project.lockstep('answer', 'again').exitCode).toBe(0);
  });

  it.runIf(existsSync(`/usr/bin/${TERMINAL_MAKER}`))('interactive asks in place on a terminal', async () => {
    project = projectWith({ 'b.yaml': BROKEN });
    const run = startOnTerminal(project, 'lockstep run b.yaml --on-error interactive --progress');
    await run.shows(/What now\?/);
    project.write('mended', '');
    run.type('again\r');
    expect((await run.ended).exitCode).toBe(0);
    expect(journal(project).find(({ kind }) => kind === 'question-answered')?.answer).toBe('again');
  });

  it.each([
    ['--on-error', 'shrug'],
    ['--max-retries', 'x'],
    ['--retry-delay', '1s'],
    ['--log-level', 'all'],
  ])('%s %s is wrong input', (...argv) => {
    project = projectWith({ 'b.yaml': BROKEN });
    expect(project.lockstep('run', 'b.yaml', ...argv).exitCode).toBe(2);
    expect(runIds(project)).toEqual([]);
  });
});

describe('--progress', () => {
  it('prints what is under way whenever that changes, the item too', () => {
    project = projectWith({
      'p.yaml': `lockstep: 1
name: p
steps:
  - { id: one, run: [echo, one] }
  - id: all
    each: x in ["a.csv", "b.csv"]
    steps: [{ id: say, run: [echo, '{{ x }}'] }]
`,
    });
    const { stdout } = project.lockstep('run', 'p.yaml', '--progress', '--quiet');
    const shown = stdout.split('\n').map((line) => line.replace(/\d+s/, '0s'));
    expect(shown).toContain('[1/2] one: Running (0s)...');
    expect(shown).toContain('[2/2] all: Running (0s)...');
    expect(shown).toContain('  └─ for_each: [2/2] Processing b.csv');
  });

  it.runIf(existsSync(`/usr/bin/${TERMINAL_MAKER}`))('is drawn in place on a terminal', async () => {
    project = projectWith({
      's.yaml': "lockstep: 1\nname: s\nsteps: [{ id: slow, run: 'until test -f go; do sleep 0.02; done' }]\n",
    });
    const run = startOnTerminal(project, 'lockstep run s.yaml --progress');
    await run.shows(/\[1\/1\] slow: Running \(1s\)\.\.\./);
    project.write('go', '');
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(0);
    expect(output).toContain('s completed');
  });
});

describe('KEEP_RUNS', () => {
  /** As if it had run long ago. */
  const age = (id: string, suffix: string) => {
    const old = `20200101T000000Z-${suffix}`;
    cpSync(inRun('', id), inRun('', old), { recursive: true });
    return old;
  };
  const SLOW =
    "lockstep: 1\nname: slow\npolicy: { state: every-step }\nsteps: [{ id: slow, run: 'echo > begun; until test -f go; do sleep 0.02; done' }]\n";

  async function manyRuns() {
    project = projectWith({ 'e.yaml': ECHO, 'b.yaml': BROKEN, 's.yaml': SLOW });
    project.lockstep('run', 'e.yaml');
    const completed = age(runIds(project).at(-1) ?? '', 'aaaaaa');
    project.lockstep('run', 'b.yaml');
    const failed = age(runIds(project).at(-1) ?? '', 'bbbbbb');
    project.lockstep('run', 'b.yaml', '--on-error', 'interactive');
    const paused = age(runIds(project).at(-1) ?? '', 'cccccc');
    const slow = start(project, 'run', 's.yaml');
    await until(() => existsSync(join(project.root, 'begun')));
    slow.send('SIGKILL');
    await slow.ended;
    const killed = age(runIds(project).at(-1) ?? '', 'dddddd');
    project.write('go', '');
    return { completed, failed, paused, killed };
  }

  it('removes those that have ended when a run starts, says so, and keeps what can be gone on with', async () => {
    const { completed, failed, paused, killed } = await manyRuns();
    const recent = runIds(project).filter((id) => !id.startsWith('2020'));
    const { stdout, exitCode } = under({ ORCHESTRATE_KEEP_RUNS: '30' }, 'run', 'e.yaml');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'Removed 2 runs that started more than 30 days ago and had ended (ORCHESTRATE_KEEP_RUNS).',
    );
    const left = runIds(project);
    expect(left).toEqual(expect.arrayContaining([paused, killed, ...recent]));
    expect(left).not.toContain(completed);
    expect(left).not.toContain(failed);
  });

  it('removes nothing where no run starts, or where it is not set', async () => {
    await manyRuns();
    const before = runIds(project).length;
    expect(project.lockstep('run', 'e.yaml').exitCode).toBe(0);
    expect(runIds(project)).toHaveLength(before + 1);
    under({ LOCKSTEP_KEEP_RUNS: '30' }, 'run', 'e.yaml', '--input', 'size=x');
    expect(runIds(project)).toHaveLength(before + 1);
  });

  it('is the age of clean without --older-than; neither is wrong input', async () => {
    const { completed, failed, paused, killed } = await manyRuns();
    const nothing = project.lockstep('clean');
    expect(nothing.stderr).toContain('error[duration-invalid]');
    expect(nothing.exitCode).toBe(2);
    const { stdout } = under({ LOCKSTEP_KEEP_RUNS: '7' }, 'clean');
    expect(stdout).toContain('Removed 2 runs');
    expect(stdout).toContain(`${paused}: it is paused`);
    expect(stdout).toContain(`${killed}: it was killed`);
    expect(existsSync(inRun('', completed)) || existsSync(inRun('', failed))).toBe(false);
    expect(project.lockstep('clean', '--older-than', '7d', '--paused').stdout).toContain('Removed 2 runs');
  });

  it('a run whose records are rubbish is kept when a run starts, and removed by clean', async () => {
    const { completed } = await manyRuns();
    writeFileSync(inRun('state.json', completed), 'rubbish');
    writeFileSync(inRun('journal.jsonl', completed), 'rubbish\n');
    under({ LOCKSTEP_KEEP_RUNS: '30' }, 'run', 'e.yaml');
    expect(runIds(project)).toContain(completed);
    project.lockstep('clean', '--older-than', '30d');
    expect(runIds(project)).not.toContain(completed);
  });
});
