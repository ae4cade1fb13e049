// What docs/dialects/orchestrate.md decides where the specification is silent, and no other proof shows it: what later steps
// see of a secret, where the workspace is, what logs and backups are called, what outlives a step.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../cli/started.ts';
import { ran, type Scene, scene } from './support.ts';

const workflow = (steps: object[], more: object = {}) => ({ version: '1.1', name: 'demo', ...more, steps });
const step = (name: string, line: string, more: object = {}) => ({
  name,
  command: ['sh', '-c', line],
  ...more,
});

describe('a secret', () => {
  const TOKEN = 'kingfisher-4711';

  it('rule 13: is masked for the steps that come later, and a command that would be given the mask is not run', () => {
    const s = scene({
      env: { TOKEN },
      workflow: workflow(
        [
          step('Make', 'touch "out-$TOKEN.txt"; echo "out-$TOKEN.txt"', {
            secrets: ['TOKEN'],
            output_capture: 'lines',
          }),
          {
            name: 'Each',
            for_each: {
              items_from: 'steps.Make.lines',
              steps: [{ name: 'Use', command: ['ls', '${item}'] }],
            },
          },
          { name: 'Say', command: ['echo', '${steps.Make.lines}'] },
        ],
        { strict_flow: false },
      ),
    });
    ran(s.run());
    expect(s.exists(`out-${TOKEN}.txt`)).toBe(true);
    expect(s.step('Say').error.message).toContain('the command would hold a secret that was masked');
    expect(s.step('Each')[0].Use).toMatchObject({ status: 'failed' });
    expect(s.step('Each')[0].Use.error.message).toContain('out-***.txt');
  });

  it('of fewer than four characters is not masked, and that is said', () => {
    const s = scene({
      env: { PIN: 'abc' },
      workflow: workflow([step('Show', 'echo "$PIN"', { secrets: ['PIN'] })]),
    });
    const { stdout } = ran(s.run());
    expect(stdout).toContain('The secret PIN is shorter than 4 characters');
    expect(s.step('Show').output).toBe('abc\n');
  });
});

describe('the workspace', () => {
  const inside = (s: Scene, line: string) => s.sh(`mkdir -p deep/er && cd deep/er && ${line}`);
  const PLACE = 'lockstep run ../../workflow.yaml --quiet';
  const here = () => scene({ workflow: workflow([step('Where', 'pwd > where.txt')]) });
  const found = (s: Scene) =>
    ['', 'deep', 'deep/er'].filter((folder) => existsSync(join(s.root, folder, 'where.txt')));

  it('is the git repository around, wherever in it one stands, and whatever folders are there', () => {
    const s = here();
    ran(s.sh('git init -q && mkdir -p deep/er/.lockstep'));
    ran(inside(s, PLACE));
    expect(found(s)).toEqual(['']);
    expect(s.runs()).toHaveLength(1);
  });

  it('a folder in a repository is one of its own once it is a repository', () => {
    const s = here();
    ran(s.sh('git init -q && mkdir -p deep/er && git init -q deep/er && cp workflow.yaml deep/er'));
    ran(inside(s, 'lockstep run workflow.yaml --quiet'));
    expect(found(s)).toEqual(['deep/er']);
  });

  it('without a repository it is the nearest folder with `.lockstep/`, else where one stands', () => {
    const s = here();
    mkdirSync(join(s.root, 'deep/er'), { recursive: true });
    mkdirSync(join(s.root, '.lockstep'));
    ran(inside(s, PLACE));
    expect(found(s)).toEqual(['']);
    ran(inside(s, 'mkdir .lockstep && cp ../../workflow.yaml . && lockstep run workflow.yaml --quiet'));
    expect(found(s)).toEqual(['', 'deep/er']);
  });
});

describe('on the disk', () => {
  it('logs are called by the path of ids, later visits by their number, passes by their index; backups by the name', () => {
    const s = scene({
      workflow: workflow([
        step('My Step é', 'echo one >&2'),
        step('Again', 'echo again >&2; test -f second || { touch second; exit 1; }', {
          on: { failure: { goto: 'Again' } },
        }),
        { name: 'The/Loop', for_each: { items: ['a', 'b'], steps: [step('In ner', 'echo in >&2')] } },
        step('Last.One', 'true'),
      ]),
    });
    ran(s.run(['--backup-state']));
    expect(s.logNames().filter((name) => name !== 'orchestrator.log')).toEqual([
      'Again.stderr',
      'Again~2.stderr',
      'My_Step_e.stderr',
      'The_Loop[0]/In_ner.stderr',
      'The_Loop[1]/In_ner.stderr',
    ]);
    const backups = readdirSync(s.runRoot()).filter((name) => name.endsWith('.bak'));
    expect(backups.sort()).toEqual([
      'state.json.step_Last.One.bak',
      expect.stringMatching(/^state\.json\.step_The_Loop\[0\]\.In_ner-[0-9a-f]{8}\.bak$/),
      expect.stringMatching(/^state\.json\.step_The_Loop\[1\]\.In_ner-[0-9a-f]{8}\.bak$/),
    ]);
  });

  it('the status of a run that waits for a person is `paused`', () => {
    const s = scene({ workflow: workflow([step('Fail', 'exit 3')]) });
    ran(s.run(['--on-error', 'interactive']), 3);
    expect(s.state().status).toBe('paused');
  });
});

describe('a process in the background', () => {
  const alive = (pid: string) => {
    try {
      return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };

  it('ends with its step; with setsid it stays', async ({ skip }) => {
    if (process.platform !== 'linux') skip('looks at /proc');
    const s = scene({
      workflow: workflow([
        step(
          'Start',
          "sleep 60 & echo $! > plain; setsid sh -c 'echo $$$$ > apart; exec sleep 60' & while [ ! -s apart ]; do sleep 0.01; done",
        ),
        step('Later', 'true'),
      ]),
    });
    ran(s.run());
    const [plain, apart] = ['plain', 'apart'].map((name) => s.read(name).trim()) as [string, string];
    try {
      await until(() => !alive(plain));
      expect(alive(apart)).toBe(true);
    } finally {
      process.kill(Number(apart));
    }
  });
});

describe('the rest', () => {
  it('a prompt is UTF-8 text: what is not is replaced, what is stays to the byte', () => {
    const s = scene({
      files: { 'p.bin': Uint8Array.from([0x61, 0xff, 0xc3, 0xa9, 0x0d, 0x0a]) },
      workflow: workflow([{ name: 'Ask', provider: 'codex', input_file: 'p.bin' }]),
    });
    ran(s.run());
    expect(s.agentCalls('codex')[0]?.stdin).toBe('a\ufffdé\r\n');
  });

  it('`on.always` deals with a failure: the run goes on, and the item has not failed', () => {
    const s = scene({
      files: { 'inbox/a.task': '' },
      workflow: {
        ...workflow([
          step('List', 'ls inbox/*', { output_capture: 'lines' }),
          {
            name: 'Loop',
            for_each: {
              items_from: 'steps.List.lines',
              on_item_complete: { success: { move_to: 'done' }, failure: { move_to: 'bad' } },
              steps: [step('Try', 'exit 1', { on: { always: { goto: 'Tidy' } } }), step('Tidy', 'true')],
            },
          },
        ]),
        version: '1.2',
      },
    });
    ran(s.run());
    expect([s.exists('done/a.task'), s.exists('bad')]).toEqual([true, false]);
  });

  it.each([
    ['a file', { retries: { max: 101 } }, []],
    ['the command line', {}, ['--max-retries', '1000000000']],
    ['the delay on it', {}, ['--retry-delay', '86400001']],
  ])('retries have a limit: %s', (_, more, flags) => {
    const s = scene({ workflow: workflow([{ name: 'A', command: ['true'], ...more }]) });
    ran(s.run(flags), 2);
    expect(s.runs()).toEqual([]);
  });
});
