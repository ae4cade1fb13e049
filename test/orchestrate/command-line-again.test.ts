// Commands that run a part of a workflow, or the whole of it again and again: run-step and watch.

import { describe, expect, it } from 'vitest';
import { until } from '../cli/started.ts';
import { ran, scene } from './support.ts';

const workflow = (steps: object[], more: object = {}) => ({ version: '1.1', name: 'demo', ...more, steps });
const step = (name: string, line: string, more: object = {}) => ({
  name,
  command: ['sh', '-c', line],
  ...more,
});

describe('run-step', () => {
  const steps = () =>
    scene({
      workflow: workflow(
        [
          step('Before', 'touch before; exit 1'),
          step('The One', 'echo ${context.who}', {
            output_file: 'said.txt',
            on: { success: { goto: 'Before' } },
          }),
          step('After', 'touch after; exit 7'),
          { name: 'Loop', for_each: { items: ['a', 'b'], steps: [step('Inner', 'echo ${item} >> inner')] } },
        ],
        { context: { who: 'nobody' } },
      ),
    });

  it('ORC-CLI-RUN-STEP: one step by its name, with the context given; nothing before, nothing after', () => {
    const s = steps();
    ran(s.lockstep(['run-step', 'The One', '--workflow', 'workflow.yaml', '--context', 'who=Ada']));
    expect([s.read('said.txt'), s.exists('before'), s.exists('after')]).toEqual(['Ada\n', false, false]);
    expect(s.state().steps['The One']).toMatchObject({ status: 'completed', output: 'Ada\n' });
    ran(s.lockstep(['run-step', 'Loop', '--workflow', 'workflow.yaml']));
    expect(s.read('inner')).toBe('a\nb\n');
    ran(s.lockstep(['run-step', 'Inner', '--workflow', 'workflow.yaml', '--item', 'c']));
    expect(s.read('inner')).toBe('a\nb\nc\n');
  });

  it('ORC-CLI-RUN-STEP: a step that fails is exit code 1; one that is not there exit code 2, with the nearest name', () => {
    const s = steps();
    ran(s.lockstep(['run-step', 'After', '--workflow', 'workflow.yaml']), 1);
    expect(s.state().steps.After).toMatchObject({ status: 'failed', exit_code: 7 });
    const { stderr } = ran(s.lockstep(['run-step', 'Aftre', '--workflow', 'workflow.yaml']), 2);
    expect(stderr).toContain('After');
    ran(s.lockstep(['run-step', 'After']), 2);
    expect(s.runs()).toHaveLength(1);
  });

  it('ORC-CLI-RUN-STEP: a path is made of the names as they are written, and goes before a name further down', () => {
    const twins = (name: string, items: string[]) => ({
      name,
      for_each: { items, steps: [step('X', `echo ${name} >> said`), step('Y Y', `echo y ${name} >> said`)] },
    });
    const s = scene({
      workflow: workflow([step('X', 'echo top >> said'), twins('L', ['1']), twins('M M', ['1'])]),
    });
    const runStep = (name: string, ...more: string[]) =>
      s.lockstep(['run-step', name, '--workflow', 'workflow.yaml', ...more]);
    ran(runStep('X'));
    ran(runStep('L/X', '--item', 'i'));
    ran(runStep('M M/Y Y', '--item', 'i'));
    expect(s.read('said')).toBe('top\nL\ny M M\n');
    const { stderr } = ran(runStep('Y Y', '--item', 'i'), 2);
    expect(stderr).toContain('by its path: L/Y Y, M M/Y Y\n');
    const unknown = ran(runStep('nothing like it'), 2);
    expect(unknown.stderr).toContain('Its steps are: X, L, Y Y, M M.\n');
  });

  it('ORC-CLI-RUN-STEP: a name that looks like the path of another step: both can be said', () => {
    const loop = { name: 'L', for_each: { items: ['1'], steps: [step('X', 'echo inner >> said')] } };
    const s = scene({ workflow: workflow([step('L/X', 'echo outer >> said'), loop]) });
    const runStep = (name: string, ...more: string[]) =>
      s.lockstep(['run-step', name, '--workflow', 'workflow.yaml', ...more]);
    ran(runStep('L/X', '--item', 'i'));
    ran(runStep('L_X'));
    expect(s.read('said')).toBe('inner\nouter\n');
  });
});

describe('watch', () => {
  it('ORC-CLI-WATCH: runs, runs again once after several changes in a row, tells what is broken, and ends with SIGINT', async () => {
    const counting = (more = '') => workflow([step('Count', `echo x >> count${more}`)]);
    const s = scene({ workflow: counting() });
    const count = () => (s.exists('count') ? s.read('count').length / 2 : 0);
    const completed = (text: string) => (text.match(/✓ demo completed/g) ?? []).length;
    const watch = s.start(['watch', 'workflow.yaml']);
    await watch.shows(/✓ demo completed/);
    expect(count()).toBe(1);

    for (let change = 1; change <= 5; change += 1) s.workflow(counting(`; : ${change}`));
    await until(() => completed(watch.output()) >= 2);
    expect(count()).toBe(2);

    s.workflow({ ...counting(), unheard_of: 1 });
    await watch.shows(/unheard_of/);
    // As many editors save: another file takes the place of the old one.
    s.write('new.yaml', JSON.stringify(counting('; : last')));
    ran(s.sh('mv new.yaml workflow.yaml'));
    await until(() => completed(watch.output()) >= 3);
    expect(count()).toBe(3);
    expect(s.runs()).toHaveLength(3);

    watch.send('SIGINT');
    const { exitCode, signal } = await watch.ended;
    expect([exitCode, signal]).toEqual([0, null]);
  });

  it('ORC-CLI-WATCH: SIGINT while a step runs ends the step, then the watch', async () => {
    const s = scene({ workflow: workflow([step('Long', 'touch waiting; exec sleep 60')]) });
    const watch = s.start(['watch', 'workflow.yaml']);
    await watch.shows(/Long/);
    await until(() => s.exists('waiting'));
    watch.send('SIGINT');
    const { exitCode } = await watch.ended;
    expect([0, 130]).toContain(exitCode);
    expect(s.state().steps.Long.status).not.toBe('running');
  });
});
