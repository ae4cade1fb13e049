// The same two workflows, walked to their ends on every way by an MCP client that is handed one step at a time: it knows the
// tools, does what it was scripted to do for a step, and follows what the answers say.

import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { connect, type Session } from '../mcp/client.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { claim, decides } from './walk.ts';
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

interface Led {
  /** Paths of the steps that were handed out, in order. */
  handed: string[];
  /** What each of them said. */
  prompts: Map<string, string>;
  /** Questions that the person was asked, by the step that had been handed in. */
  confirmed: string[];
  // biome-ignore lint/suspicious/noExplicitAny: the last answer, of whatever shape.
  last: any;
  session: Session;
}

const open: { project: Scratch; session: Session }[] = [];
afterEach(async () => {
  for (const { project, session } of open.splice(0)) {
    await session.close();
    project.remove();
  }
});

/** `answers`: by step, one or one after another; what is not there is a claim with notes. `inputs` need the person's word. */
async function led(
  workflowId: string,
  { answers, inputs = {} }: { answers: Record<string, Json>; inputs?: JsonObject },
): Promise<Led> {
  const project = scratch({ git: true });
  const one: Omit<Led, 'session' | 'last'> = { handed: [], prompts: new Map(), confirmed: [] };
  const session = await connect(project, {
    revision: '2026-07-28',
    person(message): ElicitResult {
      if (message.includes('wants to start')) return { action: 'accept', content: { agree: true } };
      one.confirmed.push(one.handed.at(-1) ?? '');
      return { action: 'accept', content: { answer: 'approve' } };
    },
  });
  open.push({ project, session });
  const counts = new Map<string, number>();
  const workFor = (stepId: string): JsonObject => {
    const given = answers[stepId] ?? claim();
    const nth = counts.get(stepId) ?? 0;
    counts.set(stepId, nth + 1);
    const { output } = (Array.isArray(given) ? (given[nth] ?? given.at(-1)) : given) as {
      output: JsonObject;
    };
    return output;
  };
  let { value } = await session.call('start_workflow', { workflowId, goal: 'Add a discount code', inputs });
  while (value.pending) {
    const { pending, stepContext, continueToken, nextIntent } = value;
    expect(nextIntent).toBe('perform_pending_then_continue');
    one.handed.push(stepContext.path);
    one.prompts.set(stepContext.path, pending.prompt);
    const { context, ...output } = workFor(pending.stepId);
    ({ value } = await session.call('continue_workflow', { continueToken, output, context }));
    expect(value.kind, JSON.stringify(value.blockers)).toBe('ok');
  }
  return { ...one, last: value, session };
}

const FULL = { autonomy: 'full_auto_never_stop' };

function task(
  classified: JsonObject,
  more: Record<string, Json> = {},
  inputs: JsonObject = FULL,
): Promise<Led> {
  return led('coding-task-workflow-agentic', {
    answers: {
      'phase-0-understand-and-classify': claim(classified),
      'phase-3-plan-and-test-design': claim({ slices: SLICES }),
      'phase-6a-implement-slice': claim({ verifyNeeded: true }),
      ...STOPS,
      ...more,
    },
    inputs,
  });
}

describe('RAIL-LED-TASK: a client is led through the coding task', () => {
  it('Small', async () => {
    const one = await task({ taskComplexity: 'Small', rigorMode: 'QUICK' });
    expect(one.last).toMatchObject({ isComplete: true, nextIntent: 'complete', nextCall: null });
    expect(one.handed).toEqual(['phase-0-understand-and-classify', 'phase-5-small-task-fast-path']);
    expect(one.confirmed).toEqual([]);
  });

  it('QUICK', async () => {
    const one = await task({ taskComplexity: 'Medium', rigorMode: 'QUICK', riskLevel: 'Low' });
    expect(one.last.isComplete).toBe(true);
    expect(one.handed).toEqual([
      'phase-0-understand-and-classify',
      'phase-1b-design-quick',
      'phase-1c-challenge-and-select',
      'phase-3-plan-and-test-design',
      ...BUILT,
      ...final(1),
    ]);
    expect(one.prompts.get('phase-6-implement-slices[1]/phase-6a-implement-slice')).toContain('`Apply them`');
    expect(one.prompts.get('phase-1c-challenge-and-select')).not.toContain('routine-');
  });

  it('STANDARD', async () => {
    const one = await task(
      { taskComplexity: 'Medium', rigorMode: 'standard ', riskLevel: 'Medium' },
      { 'phase-6a-implement-slice': [claim({ verifyNeeded: false }), claim({ verifyNeeded: 'yes' })] },
    );
    expect(one.last.isComplete).toBe(true);
    expect(one.handed).toEqual([
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
    expect(one.prompts.get('phase-1c-challenge-and-select')).toContain('Run `routine-hypothesis-challenge`');
  });

  it('THOROUGH and Large, with as many passes as the decisions say', async () => {
    const one = await task(
      { taskComplexity: 'Large', rigorMode: 'THOROUGH', riskLevel: 'High' },
      {
        'phase-2d-loop-decision': [decides('continue'), decides('continue')],
        'phase-4b-loop-decision': [decides('continue'), decides('stop')],
        'phase-7c-loop-decision': [decides('continue'), decides('stop')],
      },
    );
    expect(one.last.isComplete).toBe(true);
    expect(one.handed).toEqual([
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
    expect(one.prompts.get('phase-1c-challenge-and-select')).toContain('routine-execution-simulation');
  });

  it('Large, guided: the person confirms where the workflow says so, and nowhere else', async () => {
    const one = await task(
      { taskComplexity: 'Large', rigorMode: 'STANDARD', riskLevel: 'Low', automationLevel: 'High' },
      {},
      {},
    );
    expect(one.last.isComplete).toBe(true);
    expect(one.confirmed).toEqual([
      'phase-0-understand-and-classify',
      'phase-1c-challenge-and-select',
      'phase-4-plan-audit#1/phase-4b-loop-decision',
      'phase-7-final-verification#1/phase-7c-loop-decision',
    ]);
  });

  it('MultiPR, guided: every slice is confirmed before the next is handed out', async () => {
    const one = await task(
      { taskComplexity: 'Medium', rigorMode: 'QUICK', riskLevel: 'Low', prStrategy: 'MultiPR' },
      {},
      {},
    );
    expect(one.last.isComplete).toBe(true);
    expect(one.confirmed).toEqual([
      'phase-6-implement-slices[0]/phase-6b-verify-slice',
      'phase-6-implement-slices[1]/phase-6b-verify-slice',
      'phase-7-final-verification#1/phase-7c-loop-decision',
    ]);
    expect(one.prompts.get('phase-6-implement-slices[0]/phase-6b-verify-slice')).toContain(
      'pack it for review',
    );
  });
});

describe('RAIL-LED-AUTHORING: a client is led through the writing of a workflow', () => {
  const authoring = (found: JsonObject, inputs: JsonObject): Promise<Led> =>
    led('workflow-for-workflows', {
      answers: {
        'phase-0a-discover': claim({ workflowPurpose: 'To release', ...found }),
        'phase-0b-discovery-decision': decides('stop'),
        'phase-1-design': claim({ workflowFile: 'release.yaml' }),
        'phase-3b-validation-decision': decides('stop'),
      },
      inputs,
    });

  it.each(AUTHORING_WAYS)('%s', async (_, found, left) => {
    const one = await authoring(found, FULL);
    expect(one.last.isComplete).toBe(true);
    expect(one.handed).toEqual(authoringPath(...left));
    expect(one.prompts.get('phase-2-draft')).toContain('write the workflow to `release.yaml`');
    expect(one.confirmed).toEqual([]);
  });

  it('stops for what a person must decide, where that is the preference', async () => {
    const one = await authoring(
      { rigorMode: 'QUICK', openQuestions: ['For whom?'] },
      { autonomy: 'full_auto_stop_on_user_deps' },
    );
    expect(one.last.isComplete).toBe(true);
    expect(one.confirmed).toEqual(['phase-7-handoff']);
  });
});
