import { describe, expect, it } from 'vitest';
import { type RehearsalOptions, rehearse } from '../../test/support/rehearsal.ts';
import {
  call,
  each,
  loop,
  noop,
  parallel,
  run,
  sequence,
  set,
  workflow,
} from '../../test/support/workflow.ts';
import type { Cut, Entry, Truncated } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { Step, Workflow } from '../model/workflow.ts';

const LINES = ['a', 'b'];
const cutTo = (output: Json, more: Partial<Truncated> = {}) => ({
  outcome: { output, truncated: { bytes: 900, kept: 4, ...more } },
});
const whole = { outcome: { output: LINES } };
const play = (flow: Workflow, replies: RehearsalOptions['replies']) => rehearse(flow, { replies });
const cutsIn = (entries: Entry[]): string[] =>
  entries.flatMap((entry) =>
    (entry.cut ?? []).map(
      (cut: Cut) =>
        `${entry.kind} ${'path' in entry ? entry.path : ''}${cut.of ? ` ${cut.of}` : ''} < ${cut.path}`,
    ),
  );
const over = (list: string): Step => each('all', list, [run('do')]);

describe('SEC-CUT-EACH: an `each` over a list that was made from a part of an output', () => {
  const table: [string, Step[], Partial<Workflow>?][] = [
    ['the output itself', [run('list'), over('steps.list.output')]],
    ['what a filter leaves of it', [run('list'), over('steps.list.output.filter(l, l != "")')]],
    ['an index in quotes', [run('list'), over('steps["list"]["output"]')]],
    ['the name of the output', [run('list', { output: 'files' }), over('files.map(f, f)')]],
    ['the value of a block', [sequence('block', [run('list')]), over('steps.block.output')]],
    ['a loop', [loop('again', { until: 'true' }, 3, [run('list')]), over('steps.again.output')]],
    ['one of several branches', [parallel('p', [run('list'), run('other')]), over('steps.p.output.list')]],
    ['a default', [run('list'), over('default(steps.list.output, [])')]],
    [
      'a var that was set from it',
      [run('list'), run('next', { enter: [set({ files: '{{ steps.list.output }}' })] }), over('vars.files')],
      { vars: { files: [], other: [] } },
    ],
  ];
  it.each(table)('fails: %s', (_, steps, more) => {
    const names = ['list', 'block/list', 'again#1/list', 'p/list'];
    const { state, entries } = play(
      workflow(steps, more),
      Object.fromEntries(names.map((name) => [name, cutTo(LINES)])),
    );
    expect(state.status).toBe('failed');
    expect(state.error?.message).toContain('`each` would go over a part of its list only: of the 900 bytes');
    const failure = entries.find(({ kind }) => kind === 'step-failed') as Entry & { kind: 'step-failed' };
    expect(failure.error).toMatchObject({ class: 'output', details: { truncated: { bytes: 900, kept: 4 } } });
    expect(failure.error.hint).toContain('capture.limit');
  });

  it('fails before anything of it was begun', () => {
    const { performed } = play(workflow([run('list'), over('steps.list.output')]), { list: cutTo(LINES) });
    expect(performed).toEqual(['list']);
  });

  it('goes on with a mark where the author chose the limit', () => {
    const { state, entries, performed } = play(workflow([run('list'), over('steps.list.output')]), {
      list: cutTo(LINES, { chosen: true }),
    });
    expect(state.status).toBe('completed');
    expect(performed).toEqual(['list', 'all[0]/do', 'all[1]/do']);
    expect(cutsIn(entries)).toEqual(['step-opened all items < list']);
  });

  const honest: [string, Step[], Record<string, unknown>, Partial<Workflow>?][] = [
    ['a whole list', [run('list'), over('steps.list.output')], { list: whole }],
    [
      'another list, where only the exit code of the cut one is looked at',
      [run('list'), run('whole'), over('steps.list.exit_code == 0 ? steps.whole.output : []')],
      { list: cutTo(LINES), whole },
    ],
    [
      'the other branch of a parallel',
      [parallel('p', [run('list'), run('whole')]), over('steps.p.output.whole')],
      { 'p/list': cutTo(LINES), 'p/whole': whole },
    ],
    [
      'the passes of an `each` whose texts were cut',
      [each('first', '["q"]', [run('list')]), over('steps.first.output')],
      { 'first[0]/list': cutTo('long …') },
    ],
    [
      'a list from a later visit that was whole',
      [run('list', { output: 'files' }), run('again', { output: 'files' }), over('files')],
      { list: cutTo(LINES), again: whole },
    ],
  ];
  it.each(honest)('is not refused: %s', (_, steps, replies, more) => {
    expect(play(workflow(steps, more), replies as RehearsalOptions['replies']).state.status).toBe(
      'completed',
    );
  });

  it('fails over lists inside the passes of another `each`', () => {
    const steps = [each('first', '["q"]', [run('list')]), over('steps.first.output.map(o, o.output)')];
    const { state } = play(workflow(steps), { 'first[0]/list': cutTo(LINES) });
    expect(state.error?.message).toContain('first[0]/list');
  });

  it('follows the inputs and outputs of a called workflow, each by its own name', () => {
    const inner = workflow([run('inside'), over('inputs.files')], {
      name: 'inner',
      inputs: { files: { type: 'list' }, whole: { type: 'list' } } as never,
      outputs: { lines: '{{ steps.inside.output }}', ok: '{{ inputs.whole }}' },
    });
    const step = (list: string) => call('call', 'inner', { files: `{{ ${list} }}`, whole: '{{ ["w"] }}' });
    const flow = (steps: Step[]) => workflow(steps, { workflows: { inner } });
    const given = play(flow([run('list'), step('steps.list.output')]), { list: cutTo(LINES) });
    expect(given.state.status).toBe('failed');
    expect(cutsIn(given.entries)[0]).toBe('workflow-called call files < list');

    const replies = { list: whole, 'call/inside': cutTo(LINES) };
    const back = (list: string) => play(flow([run('list'), step('steps.list.output'), over(list)]), replies);
    expect(back('steps.call.output.lines').state.status).toBe('failed');
    expect(back('steps.call.output.ok').state.status).toBe('completed');
  });
});

describe('SEC-CUT-DECIDED: what is decided on a part of an output is marked', () => {
  it.each<[string, Step[], string]>([
    [
      '`if` that holds',
      [run('x'), run('y', { if: 'steps.x.output.contains("a")' })],
      'attempt-started y < x',
    ],
    ['`if` that does not', [run('x'), run('y', { if: 'steps.x.output == ""' })], 'step-skipped y < x'],
    [
      '`done.that`',
      [run('x', { done: { checks: [{ kind: 'that', is: 'size(output) > 1' }], tries: 1 } as never })],
      'work-accepted x < x',
    ],
    [
      '`while`',
      [run('x'), loop('l', { while: 'steps.x.output == "q"' }, 3, [noop('n')])],
      'loop-tested l < x',
    ],
    [
      'a command line',
      [run('x'), { ...run('y'), work: runOf('echo {{ steps.x.output }}') }],
      'attempt-started y < x',
    ],
  ])('%s', (_, steps, mark) => {
    const { entries } = play(workflow(steps), { x: cutTo('abc') });
    expect(cutsIn(entries)).toContain(mark);
  });

  it('the outputs of the run', () => {
    const { entries } = play(workflow([run('x')], { outputs: { all: '{{ steps.x.output }}' } }), {
      x: cutTo('abc'),
    });
    expect(cutsIn(entries)).toEqual(['run-completed  < x']);
  });

  it('nothing is marked where nothing was cut, or only the status is read', () => {
    const steps = [run('x'), run('y', { if: 'steps.x.exit_code == 0 && steps.x.status == "done"' })];
    expect(cutsIn(play(workflow(steps), { x: cutTo('abc') }).entries)).toEqual([]);
    const plain = [run('x'), run('y', { if: 'steps.x.output == "abc"' })];
    expect(cutsIn(play(workflow(plain), { x: 'abc' }).entries)).toEqual([]);
  });
});

function runOf(line: string): Step['work'] {
  return { ...run('z').work, command: { kind: 'shell', line } } as Step['work'];
}
