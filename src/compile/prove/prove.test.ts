import { describe, expect, it } from 'vitest';
import * as make from '../../../test/support/workflow.ts';
import type { Step, Workflow } from '../../model/workflow.ts';

import type { Draft } from '../site.ts';
import { knownSteps, prove, refusesOnError, refusesSkip } from './prove.ts';

const { parallel, run, sequence, workflow } = make;
type Parts = Parameters<typeof make.run>[1];
const loop = (
  id: string,
  kind: 'while' | 'until',
  steps: Step[],
  { cel = 'vars.more', ...parts }: Parts & { cel?: string } = {},
) => make.loop(id, kind === 'while' ? { while: cel } : { until: cel }, 3, steps, parts);
const each = (
  id: string,
  steps: Step[],
  { list = 'inputs.items', ...parts }: Parts & { list?: string } = {},
) => make.each(id, list, steps, parts);

const invariants = [{ every: 'publish', after: 'verify' }];

function messages(steps: Step[], parts: Partial<Workflow> = {}): string[] {
  const whole = workflow(steps, { invariants, ...parts });
  const draft: Draft = {
    workflow: whole,
    sites: [],
    span: () => ({ file: 'sample.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 }),
    fieldName: () => undefined,
    found: () => undefined,
  };
  return prove(whole, draft).map((problem) => problem.message);
}

/** The path a violation prints; undefined where the invariant holds. */
function path(steps: Step[], parts?: Partial<Workflow>): string | undefined {
  return messages(steps, parts)[0]?.split(': start')[1]?.replace(/^/, 'start');
}

const skippable = run('verify', { if: 'inputs.thorough' });

describe('rule 15: an invariant holds', () => {
  const holds: [string, Step[]][] = [
    ['in a plain row', [run('verify'), run('publish')]],
    [
      'when what lies between may be skipped',
      [run('verify'), run('docs', { if: 'inputs.docs' }), run('publish')],
    ],
    [
      'when verify may pause: what a person accepts counts as done',
      [run('verify', { onFail: 'pause' }), run('publish')],
    ],
    ['when a failure stops the run', [run('verify', { onFail: 'stop' }), run('publish')]],
    ['when X never starts', [run('publish', { if: 'false' }), run('verify')]],
    ['when X starts only if Y is done', [skippable, run('publish', { if: 'steps.verify.status == "done"' })]],
    [
      'when the block around X starts only if Y is done',
      [
        skippable,
        sequence('ship', [run('tag'), run('publish')], {
          if: 'vars.go && steps["verify"].status == \'done\'',
        }),
      ],
    ],
    [
      'when a rule leads away unless Y is done',
      [
        skippable,
        run('look', { next: [{ when: 'steps.verify.status != "done"', goto: 'end', do: [] }] }),
        run('publish'),
      ],
    ],
    ['when Y is inside a sequence', [sequence('checks', [run('lint'), run('verify')]), run('publish')]],
    [
      'when a person overrides the block around Y',
      [sequence('checks', [run('verify')], { onFail: 'pause' }), run('publish')],
    ],
    [
      'when Y is in one branch of a parallel and X after it',
      [parallel('checks', [run('lint', { if: 'inputs.lint' }), run('verify')]), run('publish')],
    ],
    [
      'when both are in one branch',
      [parallel('all', [run('docs'), sequence('ship', [run('verify'), run('publish')])])],
    ],
    [
      'when Y ends every until loop',
      [
        loop('fix', 'until', [run('change'), run('verify', { onFail: 'continue' })], {
          cel: 'steps.verify.status == "done"',
        }),
        run('publish'),
      ],
    ],
    ['when Y is the loop', [loop('verify', 'while', [run('change')]), run('publish')]],
    ['within each pass', [each('execute', [run('verify'), run('publish')])]],
    ['when Y comes before an each and X is in it', [run('verify'), each('execute', [run('publish')])]],
    [
      'when a literal list has items',
      [each('execute', [run('verify')], { list: '["a", "b"]' }), run('publish')],
    ],
    [
      'when a failed Y goes elsewhere',
      [run('verify', { next: [{ when: 'status == "failed"', goto: 'end', do: [] }] }), run('publish')],
    ],
    ['when a rule without goto only acts', [run('verify', { next: [{ do: [] }] }), run('publish')]],
    [
      'when a goto goes back before Y',
      [run('verify'), run('publish', { next: [{ when: 'vars.again', goto: 'verify', do: [] }] })],
    ],
  ];
  it.each(holds)('%s', (_, steps) => {
    expect(messages(steps)).toEqual([]);
  });
});

describe('rule 15: a violation prints a path that breaks the invariant', () => {
  const breaks: [string, Step[], string][] = [
    [
      'Y is skipped',
      [run('verify', { if: 'inputs.fast' }), run('publish')],
      'start → verify skipped (if: inputs.fast) → publish',
    ],
    ['Y comes later', [run('publish'), run('verify')], 'start → publish'],
    [
      'Y failed and the run went on',
      [run('verify', { onFail: 'continue' }), run('publish')],
      'start → verify failed, continued → publish',
    ],
    [
      'the block around Y is skipped',
      [sequence('checks', [run('verify')], { if: 'inputs.checks' }), run('publish')],
      'start → checks skipped (if: inputs.checks) → publish',
    ],
    [
      'Y is skipped inside a block',
      [sequence('checks', [run('lint'), skippable]), run('publish')],
      'start → checks/lint → checks/verify skipped (if: inputs.thorough) → publish',
    ],
    [
      'Y stops a block that is continued',
      [sequence('checks', [run('verify')], { onFail: 'continue' }), run('publish')],
      'start → checks/verify failed → checks failed, continued → publish',
    ],
    [
      'a goto leads past Y',
      [
        run('plan', { next: [{ when: 'vars.small', goto: 'publish', do: [] }] }),
        run('verify'),
        run('publish'),
      ],
      'start → plan (goto: publish) → publish',
    ],
    [
      'a goto on failure leads past Y',
      [
        run('plan', { next: [{ when: 'status == "failed"', goto: 'publish', do: [] }] }),
        run('verify'),
        run('publish'),
      ],
      'start → plan failed (goto: publish) → publish',
    ],
    [
      'a goto leaves the block that has Y',
      [
        sequence('checks', [
          run('lint', { next: [{ when: 'vars.small', goto: 'publish', do: [] }] }),
          run('verify'),
        ]),
        run('publish'),
      ],
      'start → checks/lint (goto: publish) → publish',
    ],
    [
      'a while loop has no pass',
      [loop('fix', 'while', [run('verify')], { cel: 'vars.dirty' }), run('publish')],
      'start → fix: no pass (while: vars.dirty) → publish',
    ],
    [
      'a while loop may make no pass, and is left all the same',
      [make.loop('fix', { while: 'true' }, 0, [run('verify')], { onFail: 'continue' }), run('publish')],
      'start → fix: no pass is allowed → fix failed, continued → publish',
    ],
    [
      'an each has no items',
      [each('execute', [run('verify')]), run('publish')],
      'start → execute: no items → publish',
    ],
    [
      'another pass verified, this one did not',
      [
        each('execute', [
          run('pick', { next: [{ when: 'item.small', goto: 'publish', do: [] }] }),
          run('verify'),
          run('publish'),
        ]),
      ],
      'start → execute/pick (goto: publish) → execute/publish',
    ],
    [
      'an each goes on after a failed pass',
      [each('execute', [run('verify')], { onFail: 'continue', list: '[1]' }), run('publish')],
      'start → execute failed, continued → publish',
    ],
    [
      'a rule that may not evaluate fails Y',
      [
        run('verify', { onFail: 'continue', next: [{ when: 'output.n > 1', goto: 'end', do: [] }] }),
        run('publish', { if: 'false' }),
        sequence('s', [run('publish')]),
      ],
      'start → verify failed, continued → publish skipped (if: false) → s/publish',
    ],
    [
      'only a person lets it go on',
      [loop('fix', 'until', [run('change')], { cel: 'false' }), run('publish'), run('verify')],
      'start → fix/change → fix: passes used up → fix accepted by a person → publish',
    ],
    [
      'the way is long',
      [...'abcdefgh'].map((id) => run(id)).concat(skippable, run('publish')),
      'start → a → … 6 more steps … → h → verify skipped (if: inputs.thorough) → publish',
    ],
    [
      'X is in the other branch',
      [parallel('all', [run('verify'), run('publish')])],
      'start → all/publish (in another branch of `all`)',
    ],
    [
      'X restarts after Y has begun again in a loop',
      [loop('again', 'until', [run('publish'), run('verify')])],
      'start → again/publish',
    ],
    [
      'a failing branch leaves Y behind',
      [parallel('all', [run('verify'), run('docs')], { onFail: 'continue' }), run('publish')],
      'start → all/verify failed → all failed, continued → publish',
    ],
    [
      'time runs out',
      [sequence('checks', [run('lint'), run('verify')], { timeout: 5, onFail: 'continue' }), run('publish')],
      'start → checks ran out of time → checks failed, continued → publish',
    ],
    ['X is inside Y', [sequence('verify', [run('publish')])], 'start → verify/publish'],
    ['Y is inside X', [sequence('publish', [run('verify')])], 'start → publish'],
  ];
  it.each(breaks)('%s', (_, steps, expected) => {
    expect(path(steps)).toBe(expected);
  });
});

describe('rule 15: skips that would break an invariant are refused', () => {
  const whole = workflow(
    [sequence('checks', [run('lint'), run('verify', { check: true })]), run('tag'), run('publish')],
    { invariants },
  );
  const refusals = (steps: string[], checks = false) =>
    refusesSkip(whole, { steps, checks }).map(({ code, message, hint }) => [code, message, hint]);

  it('grants what breaks nothing', () => {
    expect(refusals(['lint', 'tag'])).toEqual([]);
    expect(refusals([])).toEqual([]);
  });

  it('refuses the step itself, the block around it, its path, and the checks, and says by which path', () => {
    const path = (events: string) => [
      'skip-refused',
      `this would break an invariant (every publish after verify): start → ${events} → publish`,
      'Leave `verify` in, or leave `publish` out as well.',
    ];
    expect(refusals(['verify'])).toEqual([
      path('checks/lint → checks/verify skipped (--skip-step verify) → tag'),
    ]);
    expect(refusals(['checks'])).toEqual([path('checks skipped (--skip-step checks) → tag')]);
    expect(refusals(['checks/verify'])).toEqual([
      path('checks/lint → checks/verify skipped (--skip-step checks/verify) → tag'),
    ]);
    expect(refusals([], true)).toEqual([path('checks/lint → checks/verify skipped (--skip-checks) → tag')]);
  });

  it('grants leaving out both', () => {
    expect(refusals(['verify', 'publish'])).toEqual([]);
  });

  it('names a step that does not exist, with what was probably meant', () => {
    expect(refusals(['verfy', 'nope'])).toEqual([
      ['unknown-step', '--skip-step verfy: the workflow has no step of that name', 'Did you mean "verify"?'],
      [
        'unknown-step',
        '--skip-step nope: the workflow has no step of that name',
        'Its steps are checks, lint, verify, tag, publish.',
      ],
    ]);
  });

  it('looks into called workflows', () => {
    const calling = workflow([run('call')], { workflows: { inner: whole } });
    expect(knownSteps(calling)).toEqual(['call', 'checks', 'lint', 'verify', 'tag', 'publish']);
    expect(refusesSkip(calling, { steps: ['call/checks/verify'], checks: false })).toHaveLength(1);
    expect(refusesSkip(calling, { steps: ['call'], checks: false })).toEqual([]);
  });
});

describe('--on-error', () => {
  const refusals = (parts: Parts, onError: 'stop' | 'pause' | 'continue') =>
    refusesOnError(
      workflow([sequence('checks', [run('verify', parts)]), run('publish')], { invariants }),
      onError,
    ).map(({ code, message }) => `${code}: ${message}`);

  it('rule 15: continue is refused where it would break an invariant, with the path', () => {
    const inherited: Parts = { onFail: 'stop', onFailInherited: true };
    const said =
      'on-error-refused: --on-error continue would break an invariant (every publish after verify): start → checks/verify failed, continued → publish';
    expect([refusals({}, 'continue'), refusals(inherited, 'continue')]).toEqual([[said], [said]]);
  });

  it('rule 15: nothing else breaks one, and a step’s own on_fail goes before', () => {
    expect([...refusals({}, 'stop'), ...refusals({}, 'pause')]).toEqual([]);
    expect(refusals({ onFail: 'stop' }, 'continue')).toEqual([
      // Its own failure is kept; the block around it then goes on.
      'on-error-refused: --on-error continue would break an invariant (every publish after verify): start → checks/verify failed → checks failed, continued → publish',
    ]);
    const alone = workflow([run('verify', { onFail: 'stop' }), run('publish')], { invariants });
    expect(refusesOnError(alone, 'continue')).toEqual([]);
  });
});
