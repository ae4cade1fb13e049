// Conditions and control flow: when, on, goto, _end, strict_flow and --on-error.

import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyJson, ran, type Scene, scene } from './support.ts';

describe('when', () => {
  let all: Scene;
  beforeAll(() => {
    const test = (name: string, when: object) => ({
      name,
      when,
      command: ['sh', '-c', `echo ${name} >> ran.txt`],
    });
    const equals = (name: string, left: unknown, right: unknown) => test(name, { equals: { left, right } });
    all = scene({
      files: { 'path/a.txt': '', 'path/.b.log': '', 'folder/': '' },
      workflow: {
        version: '1.1',
        name: 'conditions',
        context: { flag: true, count: 1, text: 'true' },
        steps: [
          {
            name: 'Json',
            command: ['printf', '{"n": 1, "yes": true, "none": null, "list": [1, "a"]}'],
            output_capture: 'json',
          },
          { name: 'Text', command: ['echo', 'yes'] },
          equals('same', 'a', 'a'),
          equals('different', 'a', 'b'),
          equals('number', '${steps.Json.json.n}', '1'),
          equals('boolean', '${steps.Json.json.yes}', 'true'),
          equals('yaml-boolean', '${steps.Json.json.yes}', true),
          equals('yaml-number', '${context.count}', 1),
          equals('case', 'TRUE', '${context.text}'),
          equals('null', '${steps.Json.json.none}', 'null'),
          equals('list', '${steps.Json.json.list}', '[1,"a"]'),
          equals('newline', '${steps.Text.output}', 'yes'),
          equals('mixed', 'a-${context.count}-b', 'a-1-b'),
          test('exists', { exists: 'path/*.txt' }),
          test('exists-file', { exists: 'path/a.txt' }),
          test('exists-folder', { exists: 'folder' }),
          test('exists-none', { exists: 'path/*.bin' }),
          test('exists-hidden', { exists: 'path/*.log' }),
          test('exists-hidden-named', { exists: 'path/.*.log' }),
          test('not-exists', { not_exists: 'missing/*.bin' }),
          test('not-exists-there', { not_exists: 'path/*.txt' }),
          test('both', { exists: 'path/a.txt', not_exists: 'gone', equals: { left: '1', right: '1' } }),
          test('one-fails', { exists: 'path/a.txt', not_exists: 'path/a.txt' }),
          {
            ...equals('skipped-with-on', 'a', 'b'),
            on: { success: { goto: '_end' }, failure: { goto: '_end' }, always: { goto: '_end' } },
          },
          { name: 'After', command: ['echo', '${steps.different.exit_code}'] },
        ],
      },
    });
    ran(all.run());
  });
  const ranSteps = () => all.read('ran.txt').trim().split('\n');

  it('ORC-37: a step whose equals does not hold is skipped with exit code 0 and starts nothing', () => {
    expect(all.step('different')).toMatchObject({ status: 'skipped', exit_code: 0 });
    expect(all.step('different')).not.toHaveProperty('output');
    expect(ranSteps()).not.toContain('different');
    expect(all.step('After').output).toBe('0\n');
  });

  it('ORC-37: values are compared as texts, numbers and booleans too, to the letter', () => {
    const statuses = Object.entries<AnyJson>(all.state().steps).map(([name, { status }]) => [name, status]);
    expect(Object.fromEntries(statuses)).toMatchObject({
      same: 'completed',
      number: 'completed',
      boolean: 'completed',
      'yaml-boolean': 'completed',
      'yaml-number': 'completed',
      case: 'skipped',
      null: 'completed',
      list: 'completed',
      newline: 'skipped',
      mixed: 'completed',
    });
  });

  it('ORC-46: exists holds when something matches', () => {
    expect(ranSteps()).toEqual(
      expect.arrayContaining(['exists', 'exists-file', 'exists-folder', 'exists-hidden-named']),
    );
    for (const name of ['exists-none', 'exists-hidden'])
      expect(all.step(name)).toMatchObject({ status: 'skipped', exit_code: 0 });
  });

  it('ORC-47: not_exists holds when nothing matches', () => {
    expect(ranSteps()).toContain('not-exists');
    expect(all.step('not-exists-there')).toMatchObject({ status: 'skipped', exit_code: 0 });
  });

  it('of several conditions all must hold', () => {
    expect(all.step('both').status).toBe('completed');
    expect(all.step('one-fails').status).toBe('skipped');
  });

  it("a skipped step's on does not fire", () => {
    expect(all.step('skipped-with-on').status).toBe('skipped');
    expect(all.step('After').status).toBe('completed');
  });
});

const ok = (name: string, on?: object) => ({ name, command: ['true'], ...(on && { on }) });
const bad = (name: string, on?: object) => ({ name, command: ['sh', '-c', 'exit 3'], ...(on && { on }) });
const goto = (target: string) => ({ goto: target });

/** The names of the steps that ran, in the order of the file. */
function completed(made: Scene): string[] {
  return Object.entries<AnyJson>(made.state().steps)
    .filter(([, { status }]) => status !== 'pending')
    .map(([name]) => name);
}

describe('where a step goes', () => {
  it.each<[string, object[], string[], number]>([
    ['on.success after success', [ok('A', { success: goto('C') }), ok('B'), ok('C')], ['A', 'C'], 0],
    ['on.failure after failure', [bad('A', { failure: goto('C') }), ok('B'), ok('C')], ['A', 'C'], 0],
    ['no on.success after failure', [bad('A', { success: goto('C') }), ok('B'), ok('C')], ['A'], 1],
    ['no on.failure after success', [ok('A', { failure: goto('C') }), ok('B'), ok('C')], ['A', 'B', 'C'], 0],
    ['on.always after success', [ok('A', { always: goto('C') }), ok('B'), ok('C')], ['A', 'C'], 0],
    ['on.always after failure', [bad('A', { always: goto('C') }), ok('B'), ok('C')], ['A', 'C'], 0],
    [
      'on.always after on.success: it decides, whatever comes first in the file',
      [ok('A', { always: goto('C'), success: goto('B') }), ok('B'), ok('C')],
      ['A', 'C'],
      0,
    ],
    [
      'on.always after on.failure: it decides',
      [bad('A', { always: goto('C'), success: goto('B'), failure: goto('B') }), ok('B'), ok('C')],
      ['A', 'C'],
      0,
    ],
    ['_end ends the run as completed', [ok('A', { success: goto('_end') }), ok('B')], ['A'], 0],
    ['_end after a failure too', [bad('A', { failure: goto('_end') }), ok('B')], ['A'], 0],
    ['strict_flow stops at a failure', [ok('A'), bad('B'), ok('C')], ['A', 'B'], 1],
  ])('%s', (_, steps, expected, exitCode) => {
    const made = scene({ workflow: { version: '1.1', name: 'flow', steps } });
    ran(made.run(), exitCode);
    expect(completed(made)).toEqual(expected);
    expect(made.state().status).toBe(exitCode === 0 ? 'completed' : 'failed');
  });

  it('a goto may go back; state has the last visit', () => {
    const made = scene({
      workflow: {
        version: '1.1',
        name: 'again',
        steps: [
          { name: 'Count', command: ['sh', '-c', 'echo x >> n; wc -l < n'] },
          {
            name: 'Enough',
            command: ['sh', '-c', 'test $(wc -l < n) -ge 3'],
            on: { failure: goto('Count') },
          },
          { name: 'Show', command: ['printf', '%s', '${steps.Count.output}'] },
        ],
      },
    });
    ran(made.run());
    expect(made.step('Show').output.trim()).toBe('3');
    expect(made.step('Count').output.trim()).toBe('3');
  });

  it('strict_flow: false goes on after a failure, and the run completes', () => {
    const made = scene({
      workflow: { version: '1.1', name: 'lax', strict_flow: false, steps: [bad('A'), ok('B')] },
    });
    ran(made.run());
    expect(made.state()).toMatchObject({
      status: 'completed',
      steps: { A: { status: 'failed', exit_code: 3 }, B: { status: 'completed' } },
    });
  });

  it('--on-error goes before strict_flow, and on before both', () => {
    const steps = [bad('A'), ok('B')];
    const strict = scene({ workflow: { version: '1.1', name: 'strict', steps } });
    ran(strict.run(['--on-error', 'continue']));
    expect(completed(strict)).toEqual(['A', 'B']);
    ran(strict.run(['--on-error', 'stop']), 1);
    const lax = scene({ workflow: { version: '1.1', name: 'lax', strict_flow: false, steps } });
    ran(lax.run(['--on-error', 'stop']), 1);
    expect(completed(lax)).toEqual(['A']);
    const handled = scene({
      workflow: {
        version: '1.1',
        name: 'handled',
        steps: [bad('A', { failure: goto('C') }), ok('B'), ok('C')],
      },
    });
    ran(handled.run(['--on-error', 'stop']));
    expect(completed(handled)).toEqual(['A', 'C']);
    expect(strict.lockstep(['run', 'workflow.yaml', '--on-error', 'maybe']).exitCode).toBe(2);
  });
});
