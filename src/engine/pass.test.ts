// What a pass of `each` sees when it ends, and how it can be left (rules 3, 6, 7).

import { describe, expect, it } from 'vitest';
import { failed, rehearse } from '../../test/support/rehearsal.ts';
import { doRun, each, run, set, workflow } from '../../test/support/workflow.ts';
import type { Step } from '../model/workflow.ts';

const CLEAN = 'status == "done" && !(default(steps.b.status, "") == "failed")';
const exit = [doRun('keep', { when: CLEAN }), doRun('set aside', { when: `!(${CLEAN})` })];
const KEPT = '.exit[0]';
const SET_ASIDE = '.exit[1]';

/** What became of the pass over item 0, given how `b` ended and what follows it. */
function pass(b: Parameters<typeof run>[1], replies = {}, after: Step[] = [run('after')]) {
  const steps = [each('e', '[0, 1]', [run('a'), run('b', b), run('c')], { exit }), ...after];
  return rehearse(workflow(steps), { replies });
}

describe('the exit of a pass', () => {
  it('rule 3: sees the status of the pass, and what its own steps came to', () => {
    const replies = { 'e[0]/b': failed(1) };
    const { performed } = pass({ onFail: 'continue' }, replies);
    // on_fail: continue goes on with the next step of the pass, which then ends done, with a failed step in it.
    expect(performed).toEqual([
      'e[0]/a',
      'e[0]/b',
      'e[0]/c',
      `e[0]${SET_ASIDE}`,
      'e[1]/a',
      'e[1]/b',
      'e[1]/c',
      `e[1]${KEPT}`,
      'after',
    ]);
  });

  it('rule 3: a step that never ran, or was skipped, did not fail', () => {
    const { performed } = pass({ if: 'item == 1' });
    expect(performed.filter((name) => name.includes('exit'))).toEqual([`e[0]${KEPT}`, `e[1]${KEPT}`]);
  });

  it('rule 3: runs when a step of the pass stopped it', () => {
    const { performed, state } = pass({}, { 'e[0]/b': failed(1) });
    expect(performed).toEqual(['e[0]/a', 'e[0]/b', `e[0]${SET_ASIDE}`]);
    expect(state.status).toBe('failed');
  });

  it('rule 7: a pass left by goto to a step of an enclosing list has failed; the jump is taken after its exit', () => {
    const { performed, state, entries } = pass({ next: [{ goto: 'last' }] }, {}, [run('after'), run('last')]);
    expect(performed).toEqual(['e[0]/a', 'e[0]/b', `e[0]${SET_ASIDE}`, 'last']);
    expect(state).toMatchObject({ status: 'completed', continuedPast: 0 });
    expect(entries.find((entry) => entry.kind === 'step-failed' && entry.path === 'e[0]')).toMatchObject({
      error: { class: 'left' },
    });
  });

  it('rule 7: end inside a pass completes the run, and the pass has failed', () => {
    const { performed, state } = pass({ next: [{ goto: 'end' }] }, { 'e[0]/b': failed(1) });
    expect(performed).toEqual(['e[0]/a', 'e[0]/b', `e[0]${SET_ASIDE}`]);
    expect(state.status).toBe('completed');
  });

  it('rule 7: a jump back over an each enters it again from its first item', () => {
    const back = run('back', {
      next: [{ when: 'vars.n < 1', goto: 'e', do: [set({ n: '{{ vars.n + 1 }}' })] }],
    });
    const steps = [each('e', '["x", "y"]', [run('a')]), back];
    const { performed, state } = rehearse(workflow(steps, { vars: { n: 0 } }));
    expect(performed).toEqual(['e[0]/a', 'e[1]/a', 'back', 'e~2[0]/a', 'e~2[1]/a', 'back~2']);
    expect(state.status).toBe('completed');
  });

  it('rule 7: a goto inside the pass recovers it', () => {
    const steps = [
      each(
        'e',
        '[0]',
        [run('a', { next: [{ when: 'status == "failed"', goto: 'mend' }] }), run('skip'), run('mend')],
        {
          exit: [doRun('keep', { when: 'status == "done"' })],
        },
      ),
    ];
    const { performed, state } = rehearse(workflow(steps), { replies: { 'e[0]/a': failed(1) } });
    expect(performed).toEqual(['e[0]/a', 'e[0]/mend', `e[0]${KEPT}`]);
    expect(state).toMatchObject({ status: 'completed', continuedPast: 0 });
  });
});

describe('a `next` without `when`', () => {
  it('rule 3: is followed after a failure too, which is then handled', () => {
    const steps = [run('a', { next: [{ goto: 'c' }] }), run('b'), run('c')];
    const { performed, state } = rehearse(workflow(steps), { replies: { a: failed(1) } });
    expect(performed).toEqual(['a', 'c']);
    expect(state).toMatchObject({ status: 'completed', continuedPast: 0 });
  });
});
