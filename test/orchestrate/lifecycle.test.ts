// What becomes of an item of for_each when its steps have ended: on_item_complete, version 1.2.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../cli/started.ts';
import { type AnyJson, ran, type Scene, scene } from './support.ts';

interface Queue {
  steps: object[];
  lifecycle?: object;
  after?: object[];
  more?: object;
}

const MOVES = {
  success: { move_to: 'processed/${run.timestamp_utc}' },
  failure: { move_to: 'failed/${run.timestamp_utc}' },
};

/** Every task of inbox/ goes through the steps. */
function queue({ steps, lifecycle = MOVES, after = [], more = {} }: Queue): object {
  return {
    version: '1.2',
    name: 'queue',
    ...more,
    steps: [
      { name: 'List', command: ['sh', '-c', 'ls inbox/*.task'], output_capture: 'lines' },
      {
        name: 'Tasks',
        for_each: { items_from: 'steps.List.lines', as: 'task', on_item_complete: lifecycle, steps },
      },
      ...after,
    ],
  };
}

const tasks = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`inbox/${name}.task`, `${name}\n`]));
const startedOf = ({ state }: Scene): string => state().run_id.split('-')[0];
const lifecycles = ({ step }: Scene): AnyJson[] => step('Tasks').map(({ lifecycle }: AnyJson) => lifecycle);
const results = (s: Scene) => lifecycles(s).map(({ result }) => result);

describe('an item that went well', () => {
  it('ORC12-1, ORC12-9: is moved to the folder of `success`, and state.json says so item by item', () => {
    const s = scene({
      files: tasks('a', 'b'),
      workflow: queue({
        steps: [
          { name: 'Read', command: ['cat', '${task}'] },
          { name: 'Never', when: { equals: { left: 'a', right: 'b' } }, command: ['false'] },
        ],
      }),
    });
    ran(s.run());
    const to = `processed/${startedOf(s)}`;
    expect(lifecycles(s)).toEqual(
      ['a', 'b'].map((name) => ({
        result: 'success',
        action: 'move',
        from: `inbox/${name}.task`,
        to: `${to}/${name}.task`,
        action_applied: true,
        error: null,
      })),
    );
    expect([s.read(`${to}/a.task`), s.exists('inbox/a.task'), s.exists('failed')]).toEqual([
      'a\n',
      false,
      false,
    ]);
    expect(s.step('Tasks')[1]).toMatchObject({
      Read: { status: 'completed', output: 'b\n' },
      Never: { status: 'skipped', exit_code: 0 },
    });
  });

  it('ORC12-3: a failure that on.failure or a retry made good does not count', () => {
    const s = scene({
      files: tasks('a'),
      workflow: queue({
        steps: [
          { name: 'Flaky', command: ['sh', '-c', 'mkdir once && exit 1 || true'], retries: { max: 1 } },
          { name: 'Broken', command: ['false'], on: { failure: { goto: 'Mend' } } },
          { name: 'LeftOut', command: ['touch', 'left-out'] },
          { name: 'Mend', command: ['touch', 'mended'] },
        ],
      }),
    });
    ran(s.run());
    expect([s.exists('mended'), s.exists('left-out')]).toEqual([true, false]);
    expect(s.step('Tasks')[0]).toMatchObject({
      Broken: { status: 'failed', exit_code: 1 },
      Mend: { status: 'completed' },
      lifecycle: { result: 'success', action_applied: true },
    });
    expect(s.exists(`processed/${startedOf(s)}/a.task`)).toBe(true);
  });

  it('ORC12-6: run, loop, context and steps are known in `move_to`', () => {
    const s = scene({
      files: tasks('a', 'b'),
      workflow: queue({
        more: { context: { where: 'archive' } },
        lifecycle: {
          success: {
            move_to:
              '${context.where}/${run.timestamp_utc}/${loop.index}of${loop.total}-${steps.Kind.json.kind}-$${x}',
          },
        },
        steps: [{ name: 'Kind', command: ['echo', '{"kind":"k${loop.index}"}'], output_capture: 'json' }],
      }),
    });
    ran(s.run());
    const at = (index: number) => `archive/${startedOf(s)}/${index}of2-k${index}-\${x}`;
    expect(lifecycles(s).map(({ to }) => to)).toEqual([`${at(0)}/a.task`, `${at(1)}/b.task`]);
    expect([s.exists(`${at(0)}/a.task`), s.exists(`${at(1)}/b.task`)]).toEqual([true, true]);
  });
});

describe('an item that failed', () => {
  it('ORC12-2: goes to the folder of `failure`, after retries, after a time-out; the others go on', () => {
    const s = scene({
      files: tasks('a', 'b', 'c'),
      workflow: queue({
        more: { strict_flow: false },
        steps: [
          {
            name: 'Work',
            command: ['sh', '-c', 'echo x >> tries.$0; test $0 != 0', '${loop.index}'],
            retries: { max: 1 },
          },
          {
            name: 'Slow',
            when: { equals: { left: '${loop.index}', right: '1' } },
            command: ['sleep', '30'],
            timeout_sec: 0.3,
          },
        ],
      }),
    });
    ran(s.run());
    expect(results(s)).toEqual(['failure', 'failure', 'success']);
    expect(s.step('Tasks')[1].Slow).toMatchObject({ status: 'failed', exit_code: 124 });
    expect(s.read('tries.0')).toBe('x\nx\n');
    const at = startedOf(s);
    expect(
      s
        .sh('ls failed/* processed/*')
        .stdout.split('\n')
        .filter((line) => line.endsWith('.task')),
    ).toEqual(['a.task', 'b.task', 'c.task']);
    expect([s.exists(`failed/${at}/b.task`), s.exists(`processed/${at}/c.task`)]).toEqual([true, true]);
  });

  it('a failure in a loop inside the item, gone past, is that of the inner item', () => {
    const inner = { items: [1, 2], as: 'n', steps: [{ name: 'Try', command: ['test', '${n}', '=', '2'] }] };
    const s = scene({
      files: tasks('a'),
      workflow: queue({ more: { strict_flow: false }, steps: [{ name: 'Inner', for_each: inner }] }),
    });
    ran(s.run());
    expect(results(s)).toEqual(['success']);
    expect(s.step('Tasks')[0].Inner).toMatchObject([
      { Try: { status: 'failed' } },
      { Try: { exit_code: 0 } },
    ]);
  });

  it('ORC12-2: with strict_flow the item is moved, then the run stops; later items stay where they are', () => {
    const s = scene({
      files: tasks('a', 'b'),
      workflow: queue({ steps: [{ name: 'Work', command: ['sh', '-c', 'exit 3'] }] }),
    });
    ran(s.run(), 1);
    expect(s.state().status).toBe('failed');
    expect(lifecycles(s)).toMatchObject([{ result: 'failure', action_applied: true }]);
    expect([s.exists(`failed/${startedOf(s)}/a.task`), s.exists('inbox/b.task')]).toEqual([true, true]);
  });

  it.each([
    ['_end', false],
    ['Outside', true],
  ])('ORC12-4: a goto to %s leaves the loop: the item has failed, the run has not', (target, goesOn) => {
    const s = scene({
      files: tasks('a', 'b'),
      workflow: queue({
        steps: [
          { name: 'Leave', command: ['true'], on: { success: { goto: target } } },
          { name: 'Later', command: ['touch', 'later'] },
        ],
        after: [
          { name: 'Following', command: ['touch', 'following'] },
          { name: 'Outside', command: ['touch', 'outside'] },
        ],
      }),
    });
    ran(s.run());
    expect(results(s)).toEqual(['failure']);
    expect(s.state()).toMatchObject({ status: 'completed' });
    expect(['later', 'following', 'outside'].map(s.exists)).toEqual([false, false, goesOn]);
    expect([s.exists(`failed/${startedOf(s)}/a.task`), s.exists('inbox/b.task')]).toEqual([true, true]);
  });
});

describe('where it may go', () => {
  it.each([
    ['an absolute path', '/tmp/processed'],
    ['a path with ..', 'processed/../../out'],
    ['a symlink that leaves the workspace', 'out/processed'],
  ])('ORC12-5: %s is refused when the workflow is loaded', (_, move_to) => {
    const s = scene({
      files: tasks('a'),
      workflow: queue({ steps: [{ name: 'Work', command: ['true'] }], lifecycle: { success: { move_to } } }),
    });
    s.link('out', '/tmp');
    const problems = s.refused();
    expect(problems.map(({ code }) => code)).toEqual(['path-outside']);
    expect(problems[0]?.message).toContain(move_to.startsWith('out') ? 'out' : move_to);
    expect(s.exists('inbox/a.task')).toBe(true);
  });

  it('ORC12-5: a path that leaves it only once it is filled in is caught before anything moves', () => {
    const s = scene({
      files: tasks('a'),
      workflow: queue({
        more: { context: { where: '..' } },
        steps: [{ name: 'Work', command: ['true'] }],
        lifecycle: { success: { move_to: '${context.where}/out' } },
      }),
    });
    ran(s.run());
    expect(lifecycles(s)).toMatchObject([{ result: 'success', action_applied: false }]);
    expect(lifecycles(s)[0].error).toMatch(/outside|leaves|workspace/);
    expect([s.exists('inbox/a.task'), existsSync(join(s.root, '../out'))]).toEqual([true, false]);
  });

  it('below version 1.2 it is an error that names the version needed', () => {
    const s = scene({
      files: tasks('a'),
      workflow: { ...queue({ steps: [{ name: 'Work', command: ['true'] }] }), version: '1.1.1' },
    });
    expect(
      s
        .refused()
        .map(({ message, hint }) => `${message} ${hint}`)
        .join('\n'),
    ).toMatch(/on_item_complete.*1\.2/s);
  });
});

describe('what may come between', () => {
  it('ORC12-7: a run that was killed and resumed moves nothing twice', async () => {
    const s = scene({
      files: tasks('a', 'b'),
      workflow: queue({
        steps: [
          { name: 'Log', command: ['sh', '-c', 'echo $0 >> log', '${task}'] },
          {
            name: 'Hold',
            when: { equals: { left: '${loop.index}', right: '1' } },
            command: ['sh', '-c', 'test -e go || { touch waiting; exec sleep 60; }'],
          },
        ],
      }),
    });
    const started = s.start();
    await until(() => s.exists('waiting'));
    started.send('SIGKILL');
    await started.ended;
    expect(lifecycles(s)[0]).toMatchObject({ result: 'success', action_applied: true });
    s.write('inbox/a.task', 'another one of this name\n');
    s.write('go', '');
    ran(s.lockstep(['resume']));
    expect(lifecycles(s)).toMatchObject([
      { result: 'success', action_applied: true, error: null },
      { result: 'success', action_applied: true, error: null },
    ]);
    expect([s.read('inbox/a.task'), s.read('log')]).toEqual([
      'another one of this name\n',
      'inbox/a.task\ninbox/b.task\n',
    ]);
    expect(s.read(`processed/${startedOf(s)}/a.task`)).toBe('a\n');
  });

  it('ORC12-8: an item whose file is gone keeps its result; the error is on record', () => {
    const s = scene({
      files: tasks('a', 'b'),
      workflow: queue({ steps: [{ name: 'Take', command: ['rm', '${task}'] }] }),
    });
    ran(s.run());
    expect(s.state().status).toBe('completed');
    expect(lifecycles(s)).toMatchObject(
      ['a', 'b'].map((name) => ({
        result: 'success',
        action: 'move',
        from: `inbox/${name}.task`,
        action_applied: false,
        error: expect.stringContaining(`inbox/${name}.task`),
      })),
    );
  });

  it('a file that is in the way is not overwritten: the error is on record, and both files are where they were', () => {
    const s = scene({
      files: { ...tasks('a', 'b'), 'done/a.task': 'an earlier one\n' },
      workflow: queue({
        steps: [{ name: 'Never', when: { exists: 'nothing' }, command: ['false'] }],
        lifecycle: { success: { move_to: 'done' } },
      }),
    });
    ran(s.run());
    expect(results(s)).toEqual(['success', 'success']);
    expect(lifecycles(s).map(({ action_applied }) => action_applied)).toEqual([false, true]);
    expect(lifecycles(s)[0].error).toContain('done/a.task');
    expect(['inbox/a.task', 'done/a.task', 'done/b.task'].map(s.read)).toEqual([
      'a\n',
      'an earlier one\n',
      'b\n',
    ]);
  });

  it('an item that failed and was moved away is put back by whoever resumes; then it counts as it ends', () => {
    const s = scene({
      files: tasks('a'),
      workflow: queue({ steps: [{ name: 'Work', command: ['test', '-e', 'mended'] }] }),
    });
    ran(s.run(), 1);
    const at = startedOf(s);
    s.write('mended', '');
    ran(s.sh(`mv failed/${at}/a.task inbox/`));
    ran(s.lockstep(['resume']));
    expect(lifecycles(s)).toMatchObject([{ result: 'success', action_applied: true, error: null }]);
    expect(s.read(`processed/${at}/a.task`)).toBe('a\n');
  });
});
