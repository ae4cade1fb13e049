import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

describe('rule 7: goto', () => {
  it('LS-ERROR-GOTO: to nowhere is an error, with what was probably meant', () => {
    expect(
      problemsOf(`
steps:
  - { id: build, run: x, next: [{ when: 'status == "failed"', goto: publsh }, { when: 'output == ""', goto: nowhere }] }
  - { id: publish, run: x }
`),
    ).toEqual([
      '4: unknown-step: step "publsh" is not defined → Did you mean "publish"?',
      '4: unknown-step: step "nowhere" is not defined → It may go to build, publish, end.',
    ]);
  });

  it('to a step of this or an enclosing list, or the end, is not', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x }
  - id: b
    loop: { until: 'true', max: 2 }
    steps:
      - { id: c, run: x, next: [{ when: 'output == "1"', goto: d }, { when: 'output == "2"', goto: a }, { when: 'output == "3"', goto: b }, { when: 'output == "4"', goto: end }] }
      - { id: d, run: x, next: [{ when: 'output == "5"', goto: d }] }
`),
    ).toEqual([]);
  });

  it('into a block, or to a branch of a parallel, is an error that says where one may go', () => {
    expect(
      problemsOf(`
steps:
  - { id: a, run: x, next: [{ when: 'output == "1"', goto: inner }, { when: 'output == "2"', goto: p }] }
  - { id: s, steps: [{ id: inner, run: x }] }
  - { id: both, parallel: true, steps: [{ id: p, run: x, next: [{ when: 'output == ""', goto: q }] }, { id: q, run: x, next: [{ when: 'output == ""', goto: q }] }] }
  - { id: t, steps: [{ id: deep, steps: [{ id: deeper, run: x, next: [{ when: 'output == ""', goto: inner }] }] }] }
`),
    ).toEqual([
      '4: goto-out-of-reach: `goto: inner` leads to a step inside `s`, which is neither the list of `a` nor one around it → From here it may go to a, s, both, t, end.',
      '4: goto-out-of-reach: `goto: p` leads to a branch of `parallel` `both`, and those cannot be jumped to → From here it may go to a, s, both, t, end.',
      '6: goto-out-of-reach: `goto: q` leads to a branch of `parallel` `both`, and those cannot be jumped to → From here it may go to a, s, both, t, end.',
      '6: goto-out-of-reach: `goto: q` leads to a branch of `parallel` `both`, and those cannot be jumped to → From here it may go to a, s, both, t, end.',
      '7: goto-out-of-reach: `goto: inner` leads to a step inside `s`, which is neither the list of `deeper` nor one around it → From here it may go to deeper, deep, a, s, both, t, end.',
    ]);
  });
});

describe('session', () => {
  it('goes on in the session of a prompt that can have run', () => {
    expect(
      problemsOf(`
steps:
  - { id: early, prompt: { text: x }, session: plan }
  - { id: plan, prompt: { text: x } }
  - { id: test, run: x }
  - { id: fine, prompt: { text: x }, session: plan }
  - { id: none, prompt: { text: x }, session: test }
  - { id: typo, prompt: { text: x }, session: paln }
  - { id: own, prompt: { text: x }, session: own }
  - { id: both, parallel: true, steps: [{ id: p, prompt: { text: x }, tools: { allow: [Read] } }, { id: q, prompt: { text: x }, session: p, tools: { allow: [Read] } }] }
  - { id: l, loop: { until: 'run.id == ""', max: 3 }, steps: [{ id: again, prompt: { text: x }, session: again }] }
`),
    ).toEqual([
      '4: bad-session: step `plan` cannot have run yet: it comes after `early`',
      '8: bad-session: step `test` has no agent session: it is not a prompt',
      '9: unknown-step: step "paln" is not defined → Did you mean "plan"?',
      '10: bad-session: step `own` is this very step, and has not ended here',
      '11: bad-session: step `p` is in another branch of `parallel` `both` (it may not have finished)',
    ]);
  });
});

describe('rule 15: invariants', () => {
  it('name steps of this workflow', () => {
    expect(
      problemsOf(`
invariants: [{ every: publsh, after: build }, { every: publish, after: inner }]
steps:
  - { id: build, run: x }
  - { id: s, steps: [{ id: inner, run: x }] }
  - { id: publish, run: x }
`),
    ).toEqual(['3: unknown-step: step "publsh" is not defined in this workflow → Did you mean "publish"?']);
  });

  it('are proved when everything else is right, and a violation points at the invariant', () => {
    expect(
      problemsOf(`
inputs: { fast: { type: boolean, default: false } }
invariants:
  - { every: publish, after: verify }
steps:
  - { id: verify, run: x, if: '!inputs.fast' }
  - { id: publish, run: x }
`),
    ).toEqual([
      '5: invariant-broken: `publish` can start although `verify` has not ended done: start → verify skipped (if: !inputs.fast) → publish → Close that way, or let `publish` start only `if: \'steps.verify.status == "done"\'`.',
    ]);
  });
});
