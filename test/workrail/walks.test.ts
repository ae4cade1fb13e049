// The two workflows that come with the dialect, walked to their ends on every way that they have.

import { afterEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { claim, decides, type Walk, type WalkOptions, walk } from './walk.ts';
import {
  AUTHORING_WAYS,
  audit,
  authoringPath,
  BUILT,
  DEEP,
  final,
  review,
  SLICES,
  STOPS,
  slice,
} from './ways.ts';

const open: Walk[] = [];
function walked(name: string, options: WalkOptions): Walk {
  const one = walk(name, options);
  open.push(one);
  return one;
}
afterEach(() => {
  for (const { project } of open.splice(0)) project.remove();
});

const FULL = ['--input', 'autonomy=full_auto_never_stop', '--input', 'goal=Add a discount code'];
function task(classified: JsonObject, more: Record<string, Json> = {}, options = FULL): Walk {
  return walked('coding-task-workflow-agentic', {
    answers: {
      'phase-0-understand-and-classify': claim(classified),
      'phase-3-plan-and-test-design': claim({ slices: SLICES }),
      'phase-6a-implement-slice': claim({ verifyNeeded: true }),
      ...STOPS,
      ...more,
    },
    options,
  });
}

describe('RAIL-WALK-TASK: the coding task', () => {
  it('Small: is understood and done, and nothing else', () => {
    const one = task({ taskComplexity: 'Small', rigorMode: 'QUICK' });
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual(['phase-0-understand-and-classify', 'phase-5-small-task-fast-path']);
  });

  it('QUICK: a short design, no reviews of design and plan', () => {
    const one = task({ taskComplexity: 'Medium', rigorMode: 'QUICK', riskLevel: 'Low' });
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual([
      'phase-0-understand-and-classify',
      'phase-1b-design-quick',
      'phase-1c-challenge-and-select',
      'phase-3-plan-and-test-design',
      ...BUILT,
      ...final(1),
    ]);
    expect(one.prompt('phase-1c-challenge-and-select')).not.toContain('routine-');
    expect(one.prompt('phase-6-implement-slices[1]/phase-6a-implement-slice')).toContain(
      'nothing else: `Apply them` (number 1, counted from 0)',
    );
    expect(one.prompt('phase-6-implement-slices[0]/phase-6b-verify-slice')).toContain(
      'Do the verification yourself.',
    );
  });

  it('STANDARD: design from tensions, a review of the design, an audit of the plan; slices that need none are not verified', () => {
    const one = task(
      { taskComplexity: 'Medium', rigorMode: 'standard ', riskLevel: 'Medium' },
      { 'phase-6a-implement-slice': [claim({ verifyNeeded: false }), claim({ verifyNeeded: 'yes' })] },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual([
      'phase-0-understand-and-classify',
      'phase-1a-hypothesis',
      ...DEEP,
      'phase-1c-challenge-and-select',
      ...review(1),
      'phase-3-plan-and-test-design',
      ...audit(1),
      ...slice(0, 'a-implement'),
      ...slice(1, 'a-implement', 'b-verify'),
      ...final(1),
    ]);
    const chosen = one.prompt('phase-1c-challenge-and-select');
    expect(chosen).toContain('Run `routine-hypothesis-challenge`');
    expect(chosen).not.toContain('routine-execution-simulation');
  });

  it('THOROUGH and Large: a specification too, and as many passes as the decisions say, up to the maximum', () => {
    const one = task(
      { taskComplexity: 'Large', rigorMode: 'THOROUGH', riskLevel: 'High' },
      {
        'phase-2d-loop-decision': [decides('continue'), decides('continue')],
        'phase-4b-loop-decision': [decides('continue'), decides('stop')],
        'phase-7c-loop-decision': [decides('continue'), decides('stop')],
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual([
      'phase-0-understand-and-classify',
      'phase-1a-hypothesis',
      ...DEEP,
      'phase-1c-challenge-and-select',
      ...review(1),
      ...review(2),
      'phase-3-plan-and-test-design',
      'phase-3b-spec',
      ...audit(1),
      ...audit(2),
      ...BUILT,
      ...final(1),
      ...final(2),
    ]);
    expect(one.prompt('phase-1c-challenge-and-select')).toContain('routine-execution-simulation');
    expect(one.prompt('phase-1b-design-deep/make-candidates')).toContain(
      'Write them to `design-candidates.md`.',
    );
  });

  it('Large, guided: a person is asked where the workflow says so, and by nobody else', () => {
    const one = task(
      { taskComplexity: 'Large', rigorMode: 'STANDARD', riskLevel: 'Low', automationLevel: 'High' },
      {},
      ['--input', 'goal=Add a discount code'],
    );
    expect(one.ended.exitCode).toBe(3);
    expect(one.prompted()).toEqual(['phase-0-understand-and-classify']);
    one.agree();
    expect(one.asked()).toEqual([
      'phase-0-understand-and-classify',
      'phase-1c-challenge-and-select',
      'phase-4-plan-audit#1/phase-4b-loop-decision',
      'phase-7-final-verification#1/phase-7c-loop-decision',
    ]);
    expect(one.entries('run-completed')).toHaveLength(1);
  });

  it('MultiPR, guided: every slice is confirmed before the next begins', () => {
    const one = task(
      { taskComplexity: 'Medium', rigorMode: 'QUICK', riskLevel: 'Low', prStrategy: 'MultiPR' },
      {},
      [],
    );
    one.agree();
    expect(one.asked()).toEqual([
      'phase-6-implement-slices[0]/phase-6b-verify-slice',
      'phase-6-implement-slices[1]/phase-6b-verify-slice',
      'phase-7-final-verification#1/phase-7c-loop-decision',
    ]);
    expect(one.prompt('phase-6-implement-slices[0]/phase-6b-verify-slice')).toContain('pack it for review');
    expect(one.entries('run-completed')).toHaveLength(1);
  });

  it('what is printed by `lockstep convert` walks the same way', () => {
    const classified = { taskComplexity: 'Large', rigorMode: 'STANDARD' };
    const one = task(classified);
    const text = one.project.lockstep('convert', 'coding-task-workflow-agentic').stdout;
    const other = walked(text, {
      answers: {
        'phase-0-understand-and-classify': claim(classified),
        'phase-3-plan-and-test-design': claim({ slices: SLICES }),
        'phase-6a-implement-slice': claim({ verifyNeeded: true }),
        ...STOPS,
      },
      options: FULL,
    });
    expect(other.ended.exitCode, other.ended.stderr).toBe(0);
    expect(other.prompted()).toEqual(one.prompted());
    expect(other.vars()).toEqual(one.vars());
    for (const path of one.prompted()) expect(other.prompt(path)).toBe(one.prompt(path));
  });
});

describe('RAIL-WALK-AUTHORING: writing a workflow', () => {
  const authoring = (found: JsonObject, options: string[], more: Record<string, Json> = {}): Walk =>
    walked('workflow-for-workflows', {
      answers: {
        'phase-0a-discover': claim({ workflowPurpose: 'To release', ...found }),
        'phase-0b-discovery-decision': decides('stop'),
        'phase-1-design': claim({ workflowFile: 'release.yaml' }),
        'phase-3b-validation-decision': decides('stop'),
        ...more,
      },
      options,
    });
  it.each(AUTHORING_WAYS)('%s', (_, found, left) => {
    const one = authoring(found, FULL);
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual(authoringPath(...left));
    expect(one.prompt('phase-2-draft')).toContain('write the workflow to `release.yaml`');
  });

  it('stops for what a person must decide, and for nothing else, where that is the preference', () => {
    const one = authoring({ rigorMode: 'QUICK', openQuestions: ['For whom?'] }, [
      '--input',
      'autonomy=full_auto_stop_on_user_deps',
    ]);
    one.agree();
    expect(one.asked()).toEqual(['phase-7-handoff']);
  });

  it('the decision of one loop ends no other', () => {
    const one = authoring({ rigorMode: 'QUICK' }, FULL, {
      'phase-0b-discovery-decision': [decides('continue'), decides('stop')],
      'phase-3b-validation-decision': [decides('continue'), decides('continue'), decides('stop')],
    });
    const passes = (loop: string) =>
      one.prompted().filter((step) => step.startsWith(`${loop}#`) && step.endsWith('decision')).length;
    expect([passes('phase-0-discovery-loop'), passes('phase-3-validation-loop')]).toEqual([2, 3]);
  });
});

describe('RAIL-ROUTINES: routines and templates', () => {
  it.each([
    'routine-context-gathering',
    'routine-hypothesis-challenge',
    'routine-execution-simulation',
    'routine-plan-analysis',
    'routine-philosophy-alignment',
    'routine-tension-driven-design',
    'routine-design-review',
    'routine-final-verification',
  ])('%s runs to its end by itself', (name) => {
    const one = walked(name, { options: ['--input', 'goal=Look at the parser'] });
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted().length).toBeGreaterThan(1);
    expect(one.asked()).toEqual([]);
  });
});
