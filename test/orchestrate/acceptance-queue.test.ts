// Task queues: folders and files that belong to the workflow's author, and two helpers of the command line.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../cli/started.ts';
import { ran, scene } from './support.ts';

const STATUS = {
  schema: 'status/v1',
  correlation_id: 'c-1',
  agent: 'engineer',
  run_id: '${run.id}',
  step: 'Implement',
  timestamp: '2025-01-15T10:30:00Z',
  success: false,
  exit_code: 1,
  outputs: ['artifacts/engineer/implementation.py'],
  metrics: { files_modified: 3, lines_added: 150 },
  next_actions: [{ agent: 'qa', file: 'inbox/qa/review_implementation.task' }],
  message: 'Tests fail',
};

describe('status files', () => {
  it('ORC-4: a status/v1 file is written and read back, and what it says steers nothing', () => {
    const made = scene({
      workflow: {
        version: '1.1',
        name: 'status',
        steps: [
          {
            name: 'Write',
            command: ['printf', '%s', JSON.stringify(STATUS)],
            output_capture: 'json',
            output_file: 'artifacts/engineer/status_Implement.json',
          },
          {
            name: 'Read',
            command: ['cat', 'artifacts/engineer/status_Implement.json'],
            output_capture: 'json',
          },
          { name: 'Use', command: ['echo', '${steps.Read.json.success} ${steps.Read.json.next_actions}'] },
        ],
      },
    });
    ran(made.run());
    const written = { ...STATUS, run_id: made.state().run_id };
    expect(made.step('Write').json).toEqual(written);
    expect(made.step('Read').json).toEqual(written);
    expect(JSON.parse(made.read('artifacts/engineer/status_Implement.json'))).toEqual(written);
    expect(made.step('Use').output).toBe(
      'false [{"agent":"qa","file":"inbox/qa/review_implementation.task"}]\n',
    );
    expect(made.state().status).toBe('completed');
  });
});

describe('tasks', () => {
  it('ORC-5: a task is not seen as *.tmp, and whole once it is renamed to *.task', async () => {
    const made = scene({
      files: { 'inbox/one.tmp': 'half ' },
      workflow: `version: "1.1"
name: atomic
steps:
  - { name: Early, wait_for: { glob: "inbox/*.task", timeout_sec: 0.2, poll_ms: 20 }, on: { failure: { goto: Wait } } }
  - { name: Wait, wait_for: { glob: "inbox/*.task", timeout_sec: 30, poll_ms: 20 } }
  - { name: Read, command: [cat, inbox/one.task] }
`,
    });
    const running = made.start();
    await until(() => made.runs().length > 0 && made.exists('.lockstep/runs/latest/state.json'));
    await until(() => made.step('Wait').status === 'running');
    expect(made.step('Early')).toMatchObject({ exit_code: 124, files: [] });
    made.write('inbox/one.tmp', 'half and half');
    made.sh('mv inbox/one.tmp inbox/one.task');
    expect((await running.ended).exitCode).toBe(0);
    expect(made.step('Wait').files).toEqual(['inbox/one.task']);
    expect(made.step('Read').output).toBe('half and half');
  });

  it('ORC-6: no task is moved but by a step that moves it', () => {
    const made = scene({
      files: { 'inbox/a.task': 'a', 'inbox/b.task': 'b', 'processed/': '', 'failed/': '' },
      workflow: `version: "1.1"
name: queue
strict_flow: false
steps:
  - { name: List, command: [find, inbox, -name, "*.task"], output_capture: lines }
  - name: Untouched
    for_each:
      items_from: steps.List.lines
      as: task
      steps:
        - { name: Work, command: [grep, a, "\${task}"] }
  - { name: Look, command: [sh, -c, "ls inbox processed failed"] }
  - name: Moved
    for_each:
      items_from: steps.List.lines
      as: task
      steps:
        - { name: Work, command: [grep, a, "\${task}"], on: { failure: { goto: Fail } } }
        - name: Done
          command: [sh, -c, "mkdir -p processed/\${run.timestamp_utc} && mv \${task} processed/\${run.timestamp_utc}/"]
        - name: Fail
          when: { equals: { left: "\${steps.Work.exit_code}", right: "1" } }
          command: [sh, -c, "mkdir -p failed/\${run.timestamp_utc} && mv \${task} failed/\${run.timestamp_utc}/"]
`,
    });
    ran(made.run());
    expect(made.step('Look').output).toBe('failed:\n\ninbox:\na.task\nb.task\n\nprocessed:\n');
    const [time] = made.state().run_id.split('-');
    expect(made.sh('ls inbox').stdout).toBe('');
    expect(made.exists(`processed/${time}/a.task`)).toBe(true);
    expect(made.exists(`failed/${time}/b.task`)).toBe(true);
  });
});

const PLAIN = (more = '') => `version: "1.1"
name: plain
${more}steps:
  - { name: Look, command: [sh, -c, "ls -A processed 2>/dev/null | wc -l; mkdir -p processed/new; echo new > processed/new/x.txt"] }
`;

describe('--clean-processed', () => {
  it('ORC-11: empties the folder before the run, dotfiles and subfolders with it, and follows no link', () => {
    const made = scene({
      workflow: PLAIN(),
      files: { 'processed/old/a.task': 'a', 'processed/.hidden': 'b', 'other/kept.txt': 'kept' },
    });
    made.link('processed/link', '../other');
    ran(made.run(['--clean-processed']));
    expect(made.step('Look').output.trim()).toBe('0');
    expect(made.sh('find processed -type f').stdout).toBe('processed/new/x.txt\n');
    expect(made.read('other/kept.txt')).toBe('kept');
  });

  it('ORC-11: the folder is the one that processed_dir names, and need not be there', () => {
    const made = scene({
      workflow: PLAIN('processed_dir: work/done\n'),
      files: { 'processed/kept.txt': '', 'work/done/x': '' },
    });
    ran(made.run(['--clean-processed']));
    expect(made.exists('processed/kept.txt')).toBe(true);
    expect(made.exists('work/done/x')).toBe(false);
    ran(scene({ workflow: PLAIN() }).run(['--clean-processed']));
  });

  it.each([
    ['absolute', (root: string) => join(root, '../outside')],
    ['a parent', () => '../outside'],
    ['a symlink', () => 'link'],
    ['the workspace itself', () => '.'],
  ])('ORC-16: is refused where the folder is outside: %s', (_, folder) => {
    const made = scene();
    made.write('kept.txt', 'kept');
    mkdirSync(join(made.root, '../outside'));
    writeFileSync(join(made.root, '../outside/kept.txt'), 'kept');
    made.link('link', '../outside');
    made.workflow(PLAIN(`processed_dir: "${folder(made.root)}"\n`));
    const { exitCode, stderr } = made.run(['--clean-processed']);
    expect(stderr).toMatch(/processed/);
    expect(exitCode).toBe(2);
    expect(made.runs()).toEqual([]);
    expect(made.sh('cat ../outside/kept.txt kept.txt').stdout).toBe('keptkept');
  });
});

describe('--archive-processed', () => {
  it('ORC-12: makes a zip of the folder on success, where it is told to or beside the run', () => {
    const made = scene({
      workflow: PLAIN(),
      files: { 'processed/ä b/a.task': 'content\n', 'processed/empty/': '' },
    });
    ran(made.run(['--archive-processed', 'out/all.zip']));
    expect(made.sh('unzip -tq out/all.zip').exitCode).toBe(0);
    made.sh('mkdir unpacked && cd unpacked && unzip -q ../out/all.zip');
    expect(made.sh('find unpacked -name "a.task" -exec cat {} +').stdout).toBe('content\n');
    expect(made.sh('find unpacked -name "x.txt" -exec cat {} +').stdout).toBe('new\n');
    ran(made.run(['--archive-processed']));
    expect(made.sh('unzip -tq .lockstep/runs/latest/processed.zip').exitCode).toBe(0);
  });

  it('ORC-12: makes none when the run fails', () => {
    const made = scene({
      files: { 'processed/a.task': 'a' },
      workflow: 'version: "1.1"\nname: fails\nsteps: [ { name: A, command: [sh, -c, "exit 4"] } ]\n',
    });
    ran(made.run(['--archive-processed', 'all.zip']), 1);
    expect(made.exists('all.zip')).toBe(false);
    expect(made.exists('.lockstep/runs/latest/processed.zip')).toBe(false);
  });

  it.each([['processed/all.zip'], ['processed/deep/../all.zip'], ['link/all.zip']])(
    'ORC-12: a destination inside the folder is refused: %s',
    (destination) => {
      const made = scene({ workflow: PLAIN(), files: { 'processed/a.task': 'a' } });
      made.link('link', 'processed');
      const { exitCode, stderr } = made.run(['--archive-processed', destination]);
      expect(stderr).toMatch(/processed/);
      expect(exitCode).toBe(2);
      expect(made.runs()).toEqual([]);
      expect(made.sh('ls processed').stdout).toBe('a.task\n');
    },
  );
});
