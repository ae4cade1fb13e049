// What a run leaves on disk and how it is taken up again: state.json and its integrity, logs, debug records, old runs.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type AnyJson, ran, type Scene, scene } from './support.ts';

const elsewhere = mkdtempSync(join(tmpdir(), 'lockstep-elsewhere-'));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

const workflow = (steps: object[], more: object = {}) => ({ version: '1.1.1', name: 'demo', ...more, steps });
const step = (name: string, line: string, more: object = {}) => ({
  name,
  command: ['sh', '-c', line],
  ...more,
});
const inRun = ({ runRoot }: Scene, pattern: RegExp) =>
  readdirSync(runRoot()).filter((name) => pattern.test(name));
const checksum = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('state.json', () => {
  it('ORC-CLI-STATE-SCHEMA: has the fields of schema 1.1.1, and is current when a step reads it', () => {
    const s = scene({
      workflow: workflow(
        [
          step('First', 'echo hello'),
          step('Second', 'cat ${run.root}/state.json', { output_capture: 'json' }),
          { name: 'Skipped', when: { equals: { left: 'a', right: 'b' } }, command: ['false'] },
        ],
        { context: { key: 'value' } },
      ),
    });
    ran(s.run());
    const state = s.state();
    expect(state).toMatchObject({
      schema_version: '1.1.1',
      run_id: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-z]{6}$/),
      workflow_file: 'workflow.yaml',
      workflow_checksum: checksum(s.read('workflow.yaml')),
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: expect.stringMatching(/Z$/),
      status: 'completed',
      context: { key: 'value' },
      for_each: {},
    });
    expect(state.steps.First).toMatchObject({
      status: 'completed',
      exit_code: 0,
      started_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      output: 'hello\n',
      truncated: false,
      debug: { command: ['sh', '-c', 'echo hello'], cwd: s.root, env_count: expect.any(Number) },
    });
    expect(state.steps.Skipped).toMatchObject({ status: 'skipped', exit_code: 0 });
    expect(state.steps.Second.json).toMatchObject({
      status: 'running',
      steps: {
        First: { status: 'completed' },
        Second: { status: 'running' },
        Skipped: { status: 'pending' },
      },
    });
  });

  it('ORC-CLI-STATE-ATOMIC: a reader sees a whole one at any time, and nothing is left over', async () => {
    const items = Array.from({ length: 40 }, (_, index) => `item${index}`);
    const s = scene({
      workflow: workflow([
        { name: 'All', for_each: { items, steps: [{ name: 'Say', command: ['echo', '${item}'] }] } },
      ]),
    });
    const started = s.start();
    let over = false;
    void started.ended.then(() => {
      over = true;
    });
    const path = join(s.root, '.lockstep/runs/latest/state.json');
    const inodes = new Set<number>();
    while (!over) {
      if (existsSync(path)) {
        inodes.add(lstatSync(path).ino);
        expect(JSON.parse(readFileSync(path, 'utf8')).schema_version).toBe('1.1.1');
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await started.ended).exitCode).toBe(0);
    expect(inodes.size).toBeGreaterThan(1);
    expect(inRun(s, /tmp/)).toEqual([]);
    expect(s.state().for_each.All).toMatchObject({ completed_indices: items.map((_, index) => index) });
  });

  it('ORC-CLI-METRICS: how long a step, its queue, its provider and its files took', () => {
    const s = scene({
      files: { 'prompt.md': 'Go.\n', 'a.txt': 'a' },
      agents: { claude: { sleep: 0.2 } },
      workflow: workflow([
        {
          name: 'Ask',
          provider: 'claude',
          input_file: 'prompt.md',
          output_file: 'answer.md',
          depends_on: { required: ['a.txt'], inject: { mode: 'content' } },
        },
        { name: 'Wait', wait_for: { glob: 'answer.md', poll_ms: 10 } },
      ]),
    });
    ran(s.run());
    const { Ask, Wait } = s.state().steps;
    expect(Ask.metrics).toMatchObject({
      duration_ms: Ask.duration_ms,
      provider_ms: expect.any(Number),
      file_io_ms: expect.any(Number),
      file_operations: expect.any(Number),
    });
    expect(Ask.metrics.provider_ms).toBeGreaterThanOrEqual(200);
    expect(Ask.metrics.provider_ms).toBeLessThanOrEqual(Ask.duration_ms);
    expect(Ask.metrics.file_operations).toBeGreaterThanOrEqual(3);
    expect(Wait.metrics.queue_wait_ms).toBe(Wait.wait_duration_ms);
  });

  it('ORC-CLI-LATEST: runs/latest is the newest', () => {
    const s = scene({ workflow: workflow([step('A', 'true')]) });
    ran(s.run());
    const first = s.state().run_id;
    ran(s.run());
    expect(s.state().run_id).not.toBe(first);
    expect(readlinkSync(join(s.root, '.lockstep/runs/latest'))).toBe(s.state().run_id);
  });
});

describe('taken up again', () => {
  const mendable = () =>
    scene({
      workflow: workflow(
        [
          step('Once', 'echo x >> once'),
          step('Check', 'test -e mended'),
          step('Last', 'echo ${context.who}'),
        ],
        { context: { who: 'nobody' } },
      ),
    });

  it('ORC-CLI-RESUME: the failed step runs again and the run goes on; what was done is not done again', () => {
    const s = mendable();
    ran(s.run(['--context', 'who=Ada']), 1);
    const { run_id } = s.state();
    s.write('mended', '');
    ran(s.lockstep(['resume', run_id]));
    expect(s.state()).toMatchObject({
      run_id,
      status: 'completed',
      steps: { Once: { status: 'completed' }, Check: { exit_code: 0 }, Last: { output: 'Ada\n' } },
    });
    expect(s.read('once')).toBe('x\n');
    ran(s.lockstep(['resume', 'no-such-run']), 2);
  });

  it('ORC-CLI-RESUME: a loop goes on at the item where it stopped', () => {
    const s = scene({
      workflow: workflow([
        {
          name: 'All',
          for_each: {
            items: ['a', 'b', 'c'],
            steps: [step('Do', 'echo $0 >> log; test $0 != b || test -e mended', {})].map((inner) => ({
              ...inner,
              command: [...inner.command, '${item}'],
            })),
          },
        },
      ]),
    });
    ran(s.run(), 1);
    expect(s.state().for_each.All).toMatchObject({ items: ['a', 'b', 'c'], completed_indices: [0] });
    s.write('mended', '');
    ran(s.lockstep(['resume']));
    expect(s.read('log')).toBe('a\nb\nb\nc\n');
    expect(s.state().for_each.All.completed_indices).toEqual([0, 1, 2]);
  });

  it('ORC-CLI-STATE-CHECKSUM, ORC-CLI-RESUME-FORCE-RESTART: a changed workflow is not resumed; both checksums are told, and how to begin anew', () => {
    const s = mendable();
    ran(s.run(['--context', 'who=Ada']), 1);
    const { run_id, workflow_checksum } = s.state();
    s.write('mended', '');
    s.write('workflow.yaml', `${s.read('workflow.yaml')}\n`);
    const now = checksum(s.read('workflow.yaml'));
    const { stderr } = ran(s.lockstep(['resume', run_id]), 2);
    expect(stderr).toContain(workflow_checksum);
    expect(stderr).toContain(now);
    expect(stderr).toContain('--force-restart');
    expect(s.state(run_id).status).toBe('failed');

    ran(s.lockstep(['resume', run_id, '--force-restart']));
    expect(s.runs()).toHaveLength(2);
    expect(s.state()).toMatchObject({
      status: 'completed',
      workflow_checksum: now,
      context: { who: 'Ada' },
      steps: { Last: { output: 'Ada\n' } },
    });
    expect(s.state().run_id).not.toBe(run_id);
    expect(s.state(run_id).status).toBe('failed');
    expect(s.read('once')).toBe('x\nx\n');
  });

  it('ORC-CLI-RESUME-REPAIR: a state.json that is broken, or gone, is made again from the journal', () => {
    const s = mendable();
    ran(s.run(), 1);
    const before = s.state();
    for (const damage of ['printf \'{"status": "comp\' >', 'rm']) {
      ran(s.sh(`${damage} .lockstep/runs/latest/state.json`));
      ran(s.lockstep(['resume', before.run_id, '--repair']), 1);
      expect(s.state()).toMatchObject({
        run_id: before.run_id,
        status: 'failed',
        steps: { Once: before.steps.Once, Check: { status: 'failed', exit_code: 1 } },
      });
    }
    ran(s.sh('echo nonsense > .lockstep/runs/latest/state.json'));
    s.write('mended', '');
    ran(s.lockstep(['resume', before.run_id]));
    expect(s.state().status).toBe('completed');
    expect(s.read('once')).toBe('x\n');
  });

  it('ORC-CLI-RESUME-REPAIR, ORC-CLI-RESUME-FORCE-RESTART: a journal that is damaged is said to be; repaired, what was lost runs again; or a new run begins', () => {
    const s = mendable();
    ran(s.run(['--context', 'who=Ada']), 1);
    const { run_id } = s.state();
    const journal = join('.lockstep/runs', run_id, 'journal.jsonl');
    const whole = s.read(journal);
    const lines = whole.split('\n');
    const at = lines.findIndex((line) => line.includes('attempt-finished') && line.includes('Check'));
    s.write(journal, lines.with(at, (lines[at] ?? '').replace('Check', 'Chekc')).join('\n'));
    s.write('mended', '');
    expect(ran(s.lockstep(['resume', run_id]), 1).stderr).toContain('--repair');

    ran(s.lockstep(['resume', run_id, '--force-restart']));
    expect([s.runs().length, s.state().context.who, s.read('once')]).toEqual([2, 'Ada', 'x\nx\n']);
    ran(s.lockstep(['resume', run_id, '--repair']));
    expect(s.state(run_id)).toMatchObject({ status: 'completed', steps: { Check: { exit_code: 0 } } });
    expect(s.read('once')).toBe('x\nx\n');
  });

  it('ORC-CLI-RESUME: flags of run count for what is still to do', () => {
    const s = mendable();
    ran(s.run(), 1);
    ran(s.lockstep(['resume', '--debug', '--on-error', 'continue', '--trace']));
    expect(s.state()).toMatchObject({
      status: 'completed',
      steps: { Check: { status: 'failed' }, Last: { output: 'nobody\n' } },
    });
    expect(s.logNames()).toContain('Last.debug');
    expect(s.logs('orchestrator.log')?.trim().split('\n').at(-1)).toMatch(/[0-9a-f]{32}/);
  });

  it('ORC-CLI-BACKUP-STATE: before each step, the newest three, each as it was then; none without the flag', () => {
    const s = scene({
      workflow: workflow(['One', 'Two', 'Three', 'Four', 'Five'].map((name) => step(name, 'true'))),
    });
    ran(s.run());
    expect(inRun(s, /\.bak$/)).toEqual([]);
    for (const flag of ['--backup-state', '--debug']) {
      ran(s.run([flag]));
      const backups = inRun(s, /\.bak$/);
      expect(backups.sort()).toEqual(['Five', 'Four', 'Three'].map((name) => `state.json.step_${name}.bak`));
      const four: AnyJson = JSON.parse(readFileSync(join(s.runRoot(), 'state.json.step_Four.bak'), 'utf8'));
      expect(four).toMatchObject({ steps: { Three: { status: 'completed' }, Five: { status: 'pending' } } });
      expect(four.steps.Four.status).not.toBe('completed');
    }
  });
});

describe('records', () => {
  const SECRET = 'kingfisher-4711';
  const secretive = () =>
    scene({
      env: { TOKEN: SECRET },
      files: { 'prompt.md': `Use ${SECRET} wisely.\n`, 'a.txt': SECRET },
      agents: { claude: { sh: 'echo "got $TOKEN"; echo "err $TOKEN" >&2' } },
      workflow: workflow(
        [
          {
            name: 'Show',
            command: ['sh', '-c', 'echo "$TOKEN"; echo "$TOKEN" >&2', '${context.note}'],
            secrets: ['TOKEN'],
            env: { PLAIN: 'seen' },
          },
          {
            name: 'Ask',
            provider: 'claude',
            provider_params: { temperature: 'low' },
            input_file: 'prompt.md',
            secrets: ['TOKEN'],
            depends_on: { required: ['a.*'], inject: { mode: 'content' } },
          },
          step('Fail', 'echo "$TOKEN"; exit 1', { secrets: ['TOKEN'] }),
        ],
        { context: { note: 'kingfisher is a bird' } },
      ),
    });

  it('ORC-CLI-DEBUG, ORC-CLI-PROMPT-AUDIT, ORC-CLI-MASKED: what was substituted, found, built and passed, and every prompt; secrets nowhere', () => {
    const s = secretive();
    const { stdout, stderr } = ran(s.run(['--debug', '--verbose']), 1);
    expect(s.agentCalls('claude')[0]?.env.TOKEN).toBe(SECRET);
    expect(s.logs('Ask.prompt.txt')).toMatch(/a\.txt.*\*\*\*.*Use \*\*\* wisely\.\n$/s);
    const debug = s.logs('Ask.debug') ?? '';
    expect(debug).toMatch(/\[dependencies\] required "a\.\*": a\.txt/);
    expect(debug).toMatch(/\[files\] .*prompt\.md/);
    expect(debug).toMatch(/\[command\] .*"claude"/);
    expect(debug).toMatch(/\[environment\][^[]*PATH=/);
    expect(s.logs('Show.debug')).toMatch(/\[substitution\] .*"kingfisher is a bird"/);
    expect(s.logs('Show.debug')).toMatch(/PLAIN=seen/);
    expect(`${s.logs('orchestrator.log')}${debug}`).toMatch(/temperature/);
    expect(s.logs('Show.stderr')).toBe('***\n');
    expect(s.state().steps).toMatchObject({
      Show: { output: '***\n' },
      Fail: { error: { stdout_tail: ['***'] } },
    });
    expect(stdout + stderr).not.toContain(SECRET);
    expect(s.sh(`grep -rl ${SECRET} .lockstep`).stdout).toBe('');
  });

  it('ORC-CLI-LOGS: without --debug there is the main log, what agents were asked, stderr where there was any, and nothing else', () => {
    const s = secretive();
    ran(s.run(), 1);
    expect(s.logNames()).toEqual(['Ask.prompt.txt', 'Ask.stderr', 'Show.stderr', 'orchestrator.log']);
    const log = s.logs('orchestrator.log') ?? '';
    for (const line of log.trim().split('\n'))
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\S+Z \s*(?:INFO|WARN|ERROR)\b/i);
    expect(log).toMatch(/Show/);
    expect(log).toMatch(/ERROR.*Fail/i);
    expect(log).not.toContain(SECRET);
  });

  it('ORC-CLI-LOG-LEVEL: the main log has that level and what is more severe', () => {
    const s = secretive();
    const levels = (...args: string[]) => {
      ran(s.run(args), 1);
      const found = (s.logs('orchestrator.log') ?? '').matchAll(/^\S+ \s*(DEBUG|INFO|WARN|ERROR)\b/gim);
      return new Set([...found].map(([, level]) => level?.toUpperCase()));
    };
    expect(levels('--log-level', 'error')).toEqual(new Set(['ERROR']));
    expect(levels('--log-level', 'info')).toEqual(new Set(['INFO', 'ERROR']));
    expect(levels('--log-level', 'debug')).toContain('DEBUG');
    expect(ran(s.run(['--log-level', 'loud']), 2).stderr).toMatch(/debug.*info.*warn.*error/s);
  });

  it('ORC-CLI-TRACE: one trace id in every line of the log, and TRACEPARENT for every child', () => {
    const s = scene({
      workflow: workflow([
        step('Show', 'echo "$TRACEPARENT"'),
        { name: 'Ask', provider: 'claude' },
        step('Again', 'echo "$TRACEPARENT"'),
      ]),
    });
    ran(s.run(['--trace']));
    const parent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
    const [, trace = '-', span] = parent.exec(s.step('Show').output.trim()) ?? [];
    const others = [s.step('Again').output.trim(), s.agentCalls('claude')[0]?.env.TRACEPARENT ?? ''];
    for (const other of others) {
      expect(other).toMatch(parent);
      expect(other).toContain(`00-${trace}-`);
      expect(other).not.toContain(span);
    }
    const lines = (s.logs('orchestrator.log') ?? '').trim().split('\n');
    expect(lines.filter((line) => !line.includes(trace))).toEqual([]);
    expect(lines.some((line) => line.includes(span ?? '-'))).toBe(true);

    const given = '4bf92f3577b34da6a3ce929d0e0e4736';
    ran(s.run(['--trace'], { TRACEPARENT: `00-${given}-00f067aa0ba902b7-01` }));
    expect(s.step('Show').output).toContain(`00-${given}-`);
    expect(s.step('Show').output).not.toContain('00f067aa0ba902b7');
    ran(s.run());
    expect(s.step('Show').output).toBe('\n');
  });
});

describe('where runs are, and for how long', () => {
  it('ORC-CLI-STATE-DIR, ORC-CLI-ENV-STATE-DIR: the flag, then LOCKSTEP_, then ORCHESTRATE_; run.root says where', () => {
    const s = scene({ workflow: workflow([{ name: 'Where', command: ['echo', '${run.root}'] }]) });
    const ORCHESTRATE_STATE_DIR = join(elsewhere, 'theirs');
    const LOCKSTEP_STATE_DIR = join(elsewhere, 'ours');
    const runsIn = (name: string) =>
      existsSync(join(elsewhere, name))
        ? readdirSync(join(elsewhere, name)).filter((entry) => /^\d{8}T/.test(entry)).length
        : 0;
    ran(s.run([], { ORCHESTRATE_STATE_DIR }));
    expect([runsIn('theirs'), runsIn('ours'), s.runs()]).toEqual([1, 0, []]);
    ran(s.run([], { ORCHESTRATE_STATE_DIR, LOCKSTEP_STATE_DIR }));
    expect([runsIn('theirs'), runsIn('ours')]).toEqual([1, 1]);
    ran(s.run(['--state-dir', 'my/runs'], { ORCHESTRATE_STATE_DIR, LOCKSTEP_STATE_DIR }));
    expect([runsIn('theirs'), runsIn('ours')]).toEqual([1, 1]);
    const state = JSON.parse(s.read('my/runs/latest/state.json'));
    expect(state.steps.Where.output).toBe(`my/runs/${state.run_id}\n`);
    ran(s.run());
    expect(s.step('Where').output).toBe(`.lockstep/runs/${s.state().run_id}\n`);
  });

  it('ORC-CLI-ENV-DEBUG: ORCHESTRATE_DEBUG=1 is --debug; LOCKSTEP_DEBUG=0 goes before it', () => {
    const s = scene({ workflow: workflow([step('A', 'true')]) });
    ran(s.run([], { ORCHESTRATE_DEBUG: '1' }));
    expect(s.logNames()).toContain('A.debug');
    ran(s.run([], { LOCKSTEP_DEBUG: '1' }));
    expect(s.logNames()).toContain('A.debug');
    ran(s.run([], { LOCKSTEP_DEBUG: '0', ORCHESTRATE_DEBUG: '1' }));
    expect(s.logNames()).not.toContain('A.debug');
  });

  it('ORC-CLI-ENV-LOG-LEVEL: the level where no flag says one', () => {
    const s = scene({ workflow: workflow([step('A', 'true')]) });
    const log = () => s.logs('orchestrator.log') ?? '';
    ran(s.run([], { ORCHESTRATE_LOG_LEVEL: 'error' }));
    expect(log()).toBe('');
    ran(s.run([], { ORCHESTRATE_LOG_LEVEL: 'error', LOCKSTEP_LOG_LEVEL: 'info' }));
    expect(log()).toMatch(/INFO/i);
    ran(s.run(['--log-level', 'error'], { LOCKSTEP_LOG_LEVEL: 'info' }));
    expect(log()).toBe('');
    ran(s.run([], { ORCHESTRATE_LOG_LEVEL: 'loud' }), 2);
  });

  it('ORC-CLI-CLEAN, ORC-CLI-ENV-KEEP-RUNS: runs older than said are removed, no others', () => {
    const s = scene({ workflow: workflow([step('A', 'true')]) });
    ran(s.run());
    const [young = ''] = s.runs();
    // As if it had been made long ago: a run's age is in its name and its first entry, so an old one is made with an old clock.
    const old = oldRun(s, 40);
    const older = oldRun(s, 100);
    ran(s.lockstep(['clean', '--older-than', '90d']));
    expect(s.runs().sort()).toEqual([old, young].sort());
    ran(s.lockstep(['clean'], { ORCHESTRATE_KEEP_RUNS: '60' }));
    expect(s.runs()).toContain(old);
    ran(s.lockstep(['clean'], { ORCHESTRATE_KEEP_RUNS: '60', LOCKSTEP_KEEP_RUNS: '30' }));
    expect(s.runs()).toEqual([young]);
    expect(older).not.toBe(old);
    oldRun(s, 40);
    ran(s.run([], { ORCHESTRATE_KEEP_RUNS: '30' }));
    expect(s.runs()).toHaveLength(2);
    ran(s.lockstep(['clean'], { ORCHESTRATE_KEEP_RUNS: 'some' }), 2);
  });
});

/** A run that was started so many days ago. */
function oldRun(s: Scene, days: number): string {
  const before = new Set(s.runs());
  const clock = `const { now } = Date; Date.now = () => now() - ${days * 86_400_000};`;
  s.write('clock.cjs', clock);
  const { env } = s.project;
  env.NODE_OPTIONS = `--require ${join(s.root, 'clock.cjs')}`;
  ran(s.project.spawned('run', 'workflow.yaml'));
  delete env.NODE_OPTIONS;
  return s.runs().find((id) => !before.has(id)) ?? '';
}
