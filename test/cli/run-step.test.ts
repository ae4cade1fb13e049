// `run-step`: one step alone, as a run of its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith, runIds } from './started.ts';

const FLOW = `lockstep: 1
name: flow
inputs:
  who: { type: string, default: nobody }
  items: { type: list, default: [a, b] }
on_fail: continue
steps:
  - { id: first, run: 'echo first >> ran' }
  - { id: hello, run: 'echo hello {{ inputs.who }} >> ran', next: [{ when: 'inputs.who == "Ada"', goto: last }] }
  - { id: needs, run: 'echo {{ steps.first.output }} >> ran' }
  - { id: broken, run: [test, -f, nothing] }
  - id: all
    each: x in inputs.items
    enter: [{ run: 'echo entered >> ran' }]
    exit: [{ run: 'echo left >> ran' }]
    steps:
      - { id: before, run: 'echo before >> ran' }
      - { id: say, run: 'echo {{ pass.index }}/{{ pass.total }} {{ x }} >> ran' }
      - id: inner
        each: y in ["c"]
        steps: [{ id: pair, run: 'echo {{ x.name }} {{ y }} >> ran' }]
  - id: again
    loop: { until: 'false', max: 3 }
    steps: [{ id: pass, run: 'echo pass {{ pass.number }} >> ran' }]
  - { id: left, steps: [{ id: twin, run: 'echo left >> ran' }] }
  - { id: right, steps: [{ id: twin, run: 'echo right >> ran' }] }
  - { id: last, run: 'echo last >> ran' }
outputs: { all: '{{ steps.last.status }}' }
`;

let project: Scratch;
afterEach(() => project.remove());

const flow = () => {
  project = projectWith({ 'flow.yaml': FLOW });
};
const step = (...argv: string[]) => project.lockstep('run-step', ...argv, '--workflow', 'flow.yaml');
const ran = () => project.sh('cat ran 2>/dev/null').stdout.split('\n').filter(Boolean);

describe('run-step', () => {
  it('runs the step and nothing before or after it, does not follow next, and leaves records', () => {
    flow();
    expect(step('hello', '--context', 'who=Ada').exitCode).toBe(0);
    expect(ran()).toEqual(['hello Ada']);
    expect(journal(project)[0]).toMatchObject({ kind: 'run-started', only: { step: 'hello' } });
    const state = JSON.parse(
      readFileSync(join(project.root, '.lockstep/runs/latest/state.json'), 'utf8'),
    ) as { status: string; steps: object };
    expect(state.status).toBe('completed');
    expect(Object.keys(state.steps)).toEqual(['hello']);
    expect(project.lockstep('audit').exitCode).toBe(0);
  });

  it('what it needs of others is not there: the step fails and names it', () => {
    flow();
    const { exitCode, stdout } = step('needs');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('steps.first');
    expect(ran()).toEqual([]);
  });

  it('a step that fails fails the run, whatever on_fail says', () => {
    flow();
    expect(step('broken').exitCode).toBe(1);
  });

  it('a step in loops gets its items, and the blocks around it do nothing themselves', () => {
    flow();
    expect(step('say', '--item', 'it\'s "me"').exitCode).toBe(0);
    expect(step('pair', '--item', '{"name": "one"}', '--item', 'z').exitCode).toBe(0);
    expect(step('pass').exitCode).toBe(0);
    expect(ran()).toEqual(['0/1 it\'s "me"', 'one z', 'pass 1']);
  });

  it('a whole loop runs over its own items, or over the one that is given', () => {
    flow();
    expect(step('all/inner', '--item', '{"name": "n"}').exitCode).toBe(0);
    expect(step('all/inner', '--item', '{"name": "n"}', '--item', 'other').exitCode).toBe(0);
    expect(ran()).toEqual(['n c', 'n other']);
  });

  it.each([
    ['item-needed', ['say']],
    ['item-needed', ['pair', '--item', 'a']],
    ['item-needed', ['hello', '--item', 'a']],
    ['item-needed', ['say', '--item', 'a', '--item', 'b']],
    ['step-unknown', ['helo']],
    ['step-ambiguous', ['twin']],
    ['input-unknown', ['hello', '--input', 'nobody=1']],
  ])('%s: %j is wrong input, and no run is made', (code, argv) => {
    flow();
    const { exitCode, stderr } = step(...argv);
    expect(stderr).toContain(`error[${code}]`);
    expect(exitCode).toBe(2);
    expect(runIds(project)).toEqual([]);
  });

  it('takes a path where a name is not enough', () => {
    flow();
    expect(step('right/twin').exitCode).toBe(0);
    expect(ran()).toEqual(['right']);
  });

  it('rule 15: a step that an invariant puts after another does not run alone', () => {
    project = projectWith({
      'flow.yaml': `lockstep: 1
name: guarded
invariants: [{ every: publish, after: verify }]
steps:
  - { id: verify, run: [test, -f, ok] }
  - { id: publish, run: 'echo published >> ran' }
`,
    });
    expect(step('publish')).toMatchObject({ exitCode: 2 });
    expect(ran()).toEqual([]);
    expect(step('verify').exitCode).toBe(1);
  });

  it('can be resumed, and started anew as the same step', () => {
    flow();
    expect(step('broken').exitCode).toBe(1);
    project.write('nothing', '');
    expect(project.lockstep('resume').exitCode).toBe(0);
    expect(project.lockstep('resume', '--force-restart').exitCode).toBe(0);
    expect(ran()).toEqual([]);
    expect(journal(project)[0]).toMatchObject({ only: { step: 'broken' } });
  });
});
