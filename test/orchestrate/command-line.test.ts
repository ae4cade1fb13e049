// The commands and flags of that specification's "CLI Contract" and "Extended CLI Options" that decide what a run is
// given, what it does about errors and what it prints. What it leaves on disk is in command-line-state.test.ts.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startOnTerminal } from '../cli/started.ts';
import { ran, type Scene, scene } from './support.ts';

const elsewhere = mkdtempSync(join(tmpdir(), 'lockstep-elsewhere-'));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

const workflow = (steps: object[], more: object = {}) => ({ version: '1.1', name: 'demo', ...more, steps });
const step = (name: string, line: string, more: object = {}) => ({
  name,
  command: ['sh', '-c', line],
  ...more,
});
const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('what a run is given', () => {
  it('ORC-CLI-RUN, ORC-CLI-CONTEXT, ORC-CLI-CONTEXT-FILE: the flag goes before the file, the file before the workflow; names nobody declared are kept', () => {
    const s = scene({
      files: {
        'context.json': '{ "b": "file", "c": "file", "n": 3, "deep": { "x": ["y"] } }',
      },
      workflow: workflow(
        [
          {
            name: 'Say',
            command: ['echo', '${context.a} ${context.b} ${context.c} ${context.n} ${context.deep.x}'],
          },
        ],
        { context: { a: 'workflow', b: 'workflow', c: 'workflow', n: 1, deep: {} } },
      ),
    });
    ran(
      s.run([
        '--context',
        'c=flag=with=more',
        '--context-file',
        'context.json',
        '--context',
        'n=5',
        '--context',
        'unheard-of=x',
      ]),
    );
    expect(s.step('Say').output).toBe('workflow file flag=with=more 5 ["y"]\n');
    expect(s.state().context).toEqual({
      a: 'workflow',
      b: 'file',
      c: 'flag=with=more',
      n: '5',
      deep: { x: ['y'] },
      'unheard-of': 'x',
    });
  });

  it('ORC-CLI-CONTEXT: what only the command line gives is known to the steps; without it, undefined', () => {
    const s = scene({ workflow: workflow([{ name: 'Say', command: ['echo', '${context.who}'] }]) });
    ran(s.run(['--context', 'who=Ada']));
    expect(s.step('Say').output).toBe('Ada\n');
    ran(s.run(), 1);
    expect(s.step('Say')).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(s.step('Say').error.context.undefined_vars).toEqual(['${context.who}']);
  });

  it.each([
    ['a pair without =', ['--context', 'who']],
    ['a file that is not there', ['--context-file', 'nowhere.json']],
    ['a file that is no map', ['--context-file', 'list.json']],
  ])('ORC-CLI-CONTEXT: %s is exit code 2, and no run', (_, args) => {
    const s = scene({ files: { 'list.json': '[1]' }, workflow: workflow([step('A', 'true')]) });
    const { stderr } = ran(s.run(args), 2);
    expect(stderr).toMatch(/who|nowhere\.json|list\.json/);
    expect(s.runs()).toEqual([]);
  });

  it('ORC-CLI-DIALECT: --dialect says what a file is where its shape does not', () => {
    const s = scene({ workflow: workflow([step('A', 'echo a')]) });
    ran(s.run(['--dialect', 'orchestrate']));
    expect(s.state().status).toBe('completed');
    ran(s.run(['--dialect', 'lockstep']), 2);
    expect(ran(s.run(['--dialect', 'nonsense']), 2).stderr).toContain('orchestrate');
    expect(s.runs()).toHaveLength(1);
  });

  it('ORC-CLI-DRY-RUN: everything is checked and nothing is run', () => {
    const s = scene({ workflow: workflow([step('First', 'touch ran')]) });
    expect(ran(s.run(['--dry-run'])).stdout).toContain('First');
    s.workflow(workflow([step('First', 'touch ran', { on: { success: { goto: 'Nowhere' } } })]));
    expect(ran(s.run(['--dry-run']), 2).stderr).toContain('Nowhere');
    expect([s.exists('ran'), s.runs()]).toEqual([false, []]);
  });
});

describe('processed/', () => {
  const processed = { 'processed/old/a.task': 'a', 'processed/.hidden': 'h', 'elsewhere/x': 'x' };

  it('ORC-CLI-CLEAN-PROCESSED: it is empty before the first step, and still a folder', () => {
    const s = scene({
      files: { ...processed, 'done/b': 'b' },
      workflow: workflow([step('Look', 'ls -A processed; touch processed/new')]),
    });
    ran(s.run(['--clean-processed']));
    expect(s.step('Look')).toMatchObject({ exit_code: 0, output: '' });
    expect(readdirSync(join(s.root, 'processed'))).toEqual(['new']);
    expect(s.exists('elsewhere/x')).toBe(true);
    s.workflow(workflow([step('Look', 'ls -A done')], { processed_dir: 'done' }));
    ran(s.run(['--clean-processed']));
    expect([s.step('Look').output, s.exists('processed/new')]).toEqual(['', true]);
  });

  it('ORC-CLI-CLEAN-PROCESSED: one that is not in the workspace is never touched', () => {
    const s = scene({ workflow: workflow([step('A', 'true')]) });
    s.link('processed', elsewhere);
    s.sh(`touch ${elsewhere}/precious`);
    ran(s.run(['--clean-processed']), 2);
    s.workflow(workflow([step('A', 'true')], { processed_dir: '../out' }));
    ran(s.run(['--clean-processed']), 2);
    s.workflow(workflow([step('A', 'true')], { processed_dir: '.' }));
    ran(s.run(['--clean-processed']), 2);
    expect([existsSync(join(elsewhere, 'precious')), s.exists('workflow.yaml'), s.runs()]).toEqual([
      true,
      true,
      [],
    ]);
  });

  it('ORC-CLI-ARCHIVE-PROCESSED: a run that went well leaves a zip that unzip accepts; links are not followed', () => {
    const s = scene({
      files: { ...processed, 'processed/ä b.txt': 'grüße' },
      workflow: workflow([
        step(
          'A',
          'mkdir -p processed/new; head -c 300000 /dev/zero > processed/new/zero; : > processed/new/empty',
        ),
      ]),
    });
    s.link('processed/link', '/etc/hostname');
    ran(s.run(['--archive-processed', 'out/archive.zip']));
    ran(s.sh('unzip -t out/archive.zip'));
    ran(s.sh('mkdir un && cd un && unzip -q ../out/archive.zip'));
    const names = s.sh('cd un && find . -type f | sort').stdout.trim().split('\n');
    expect(names.map((name) => name.replace(/^\.\/(processed\/)?/, ''))).toEqual([
      '.hidden',
      'new/empty',
      'new/zero',
      'old/a.task',
      'ä b.txt',
    ]);
    ran(s.sh('f=$(find un -name zero); cmp "$f" processed/new/zero'));
    expect(s.sh('cat un/*b.txt un/processed/*b.txt 2>/dev/null').stdout).toBe('grüße');
  });

  it('ORC-CLI-ARCHIVE-PROCESSED: without a place it lies in the run; after a failure there is none', () => {
    const s = scene({ files: processed, workflow: workflow([step('A', 'test ! -e fail')]) });
    ran(s.run(['--archive-processed']));
    ran(s.sh('unzip -t .lockstep/runs/latest/processed.zip'));
    s.write('fail', '');
    ran(s.run(['--archive-processed', 'failed.zip']), 1);
    expect([s.exists('failed.zip'), existsSync(join(s.runRoot(), 'processed.zip'))]).toEqual([false, false]);
  });

  it('ORC-CLI-ARCHIVE-PROCESSED: not into processed/ itself, not even through a link; told before anything runs', () => {
    const s = scene({ files: processed, workflow: workflow([step('A', 'touch ran')]) });
    s.link('alias', 'processed');
    for (const place of ['processed/archive.zip', 'alias/archive.zip', './processed/old/../x.zip']) {
      expect(ran(s.run(['--archive-processed', place]), 2).stderr).toContain('processed');
    }
    expect([s.exists('ran'), s.runs()]).toEqual([false, []]);
  });
});

describe('what is done about errors', () => {
  const failing = (more: object = {}) =>
    workflow(
      [
        step('Bad', 'exit 3'),
        step('Handled', 'exit 4', { on: { failure: { goto: 'Last' } } }),
        step('LeftOut', 'touch left-out'),
        step('Last', 'touch last'),
      ],
      more,
    );

  it('ORC-CLI-ON-ERROR: stop and continue go before strict_flow, and a handler before both', () => {
    const s = scene({ workflow: failing() });
    ran(s.run(['--on-error', 'continue']));
    expect(s.state()).toMatchObject({
      status: 'completed',
      steps: { Bad: { status: 'failed', exit_code: 3 } },
    });
    expect([s.exists('last'), s.exists('left-out')]).toEqual([true, false]);
    ran(s.sh('rm last'));
    s.workflow(failing({ strict_flow: false }));
    ran(s.run(['--on-error', 'stop']), 1);
    expect([s.state().status, s.exists('last')]).toEqual(['failed', false]);
    expect(ran(s.run(['--on-error', 'shrug']), 2).stderr).toMatch(/stop.*continue.*interactive/s);
  });

  it('ORC-CLI-ON-ERROR: interactive asks: paused where nobody can be asked, in place on a terminal', async () => {
    const s = scene({ workflow: failing() });
    const { stdout } = ran(s.run(['--on-error', 'interactive']), 3);
    expect(stdout).toContain('lockstep answer');
    expect([s.state().status, s.exists('last')]).toEqual(['paused', false]);
    ran(s.lockstep(['answer', 'accept']));
    expect([s.state().status, s.exists('last')]).toEqual(['completed', true]);

    const terminal = startOnTerminal(s.project, 'lockstep run workflow.yaml --on-error interactive');
    await terminal.shows(/again/i);
    terminal.send('SIGINT');
    await terminal.ended;
  });

  const agentTwice = (retries?: object) =>
    workflow([
      { name: 'Agent', provider: 'claude', ...(retries && { retries }) },
      step('Command', 'echo x >> command-tries; exit 1', { on: { failure: { goto: '_end' } } }),
    ]);

  it('ORC-CLI-MAX-RETRIES: providers are tried again after 1 and 124, commands never, `retries` of a step wins', () => {
    const flaky = { claude: [{ exit: 1 }, { exit: 1 }, { stdout: 'ok' }] };
    const s = scene({ agents: flaky, workflow: agentTwice() });
    ran(s.run(['--max-retries', '2']));
    expect([s.agentCalls('claude').length, s.read('command-tries')]).toEqual([3, 'x\n']);
    const own = scene({ agents: flaky, workflow: agentTwice({ max: 0 }) });
    ran(own.run(['--max-retries', '2']), 1);
    expect(own.agentCalls('claude')).toHaveLength(1);
    const none = scene({ agents: flaky, workflow: agentTwice() });
    ran(none.run(), 1);
    expect(none.agentCalls('claude')).toHaveLength(1);
    const invalid = scene({ agents: { claude: { exit: 2 } }, workflow: agentTwice() });
    ran(invalid.run(['--max-retries', '2']), 1);
    expect(invalid.agentCalls('claude')).toHaveLength(1);
    ran(s.run(['--max-retries', 'many']), 2);
  });

  it('ORC-CLI-RETRY-DELAY: so many milliseconds lie between two tries, unless the step has its own', () => {
    const timed = { claude: [{ sh: 'date +%s%N >> times', exit: 1 }, { sh: 'date +%s%N >> times' }] };
    const gap = (s: Scene) => {
      const [first = 0, second = 0] = s.read('times').trim().split('\n').map(Number);
      return (second - first) / 1e6;
    };
    const s = scene({ agents: timed, workflow: agentTwice() });
    ran(s.run(['--max-retries', '1', '--retry-delay', '700']));
    expect(gap(s)).toBeGreaterThanOrEqual(690);
    const own = scene({ agents: timed, workflow: agentTwice({ max: 1, delay_ms: 0 }) });
    ran(own.run(['--max-retries', '5', '--retry-delay', '60000']));
    expect(gap(own)).toBeLessThan(30_000);
  });
});

describe('what is printed', () => {
  const two = workflow([
    step('First', 'echo printed $((20 + 1)) times'),
    step('Second', 'echo oops >&2; exit 5'),
  ]);

  it('ORC-CLI-QUIET, ORC-CLI-VERBOSE: the outcome alone, or all that the steps print', () => {
    const s = scene({ workflow: two });
    const quiet = ran(s.run(['--quiet']), 1);
    const plain = ran(s.run(), 1);
    const verbose = ran(s.run(['--verbose']), 1);
    const lines = ({ stdout, stderr }: typeof quiet) => (stdout + stderr).split('\n').length;
    expect(lines(quiet)).toBeLessThan(lines(plain));
    expect(quiet.stdout + quiet.stderr).toContain('Second');
    expect(quiet.stdout).not.toMatch(/First/);
    expect(plain.stdout).not.toContain('printed 21 times');
    expect(verbose.stdout).toContain('printed 21 times');
  });

  it('ORC-CLI-JSON: nothing but JSON, the summary last; a refused workflow too', () => {
    const s = scene({ workflow: two });
    const events = jsonLines(ran(s.run(['--json']), 1).stdout);
    expect(events[0]).toMatchObject({ kind: 'run-started' });
    expect(events.at(-1)).toMatchObject({ kind: 'summary', exit_code: 1, status: 'failed' });
    s.workflow({ ...two, unheard_of: 1 });
    const refused = jsonLines(ran(s.run(['--json']), 2).stdout);
    expect(refused[0].diagnostics[0]).toMatchObject({ span: { file: 'workflow.yaml' } });
  });

  it('ORC-CLI-PROGRESS: a line says which step of how many runs, and which item of how many', () => {
    const s = scene({
      workflow: workflow([
        step('Prepare', 'true'),
        {
          name: 'Files',
          for_each: {
            items: ['item1.csv', 'item2.csv'],
            steps: [{ name: 'Read', command: ['echo', '${item}'] }],
          },
        },
        step('Report', 'true'),
      ]),
    });
    const { stdout } = ran(s.run(['--progress']));
    expect(stdout).toMatch(/^\[1\/3\] Prepare: Running \(\d+s\)\.\.\.$/m);
    expect(stdout).toMatch(
      /^\[2\/3\] Files: Running \(\d+s\)\.\.\.\n {2}└─ for_each: \[1\/2\] Processing item1\.csv$/m,
    );
    expect(stdout).toMatch(/for_each: \[2\/2\] Processing item2\.csv$/m);
    expect(stdout).toMatch(/^\[3\/3\] Report: Running/m);
  });
});
