import { describe, expect, it } from 'vitest';
import { type Rehearsed, type Reply, rehearse } from '../../test/support/rehearsal.ts';
import { prompt, step, workflow } from '../../test/support/workflow.ts';
import type { RunAgent } from '../model/command.ts';
import type { Entry, Outcome, Usage } from '../model/entry.ts';
import type { Step } from '../model/workflow.ts';

const usage = (tokens: number): Usage => ({ input_tokens: tokens, output_tokens: 0, cost: null, turns: 1 });
/** It used so much, and its session says that much. */
const answer = (used: number, session: string, totals?: number, more: Partial<Outcome> = {}): Reply => ({
  outcome: {
    usage: usage(used),
    session,
    ...(totals !== undefined && { session_totals: usage(totals) }),
    ...more,
  },
});
const goesOn = (id: string, session: string): Step =>
  step(id, {
    kind: 'prompt',
    prompt: { kind: 'template', text: '' },
    performer: { params: {}, tools: { deny: [] } },
    session,
    with: {},
  });
const given = ({ commands }: Rehearsed) =>
  commands
    .filter((command): command is RunAgent => command.kind === 'run-agent')
    .map(({ path, session, sessionTotals }) => [path, session, sessionTotals?.input_tokens]);

describe('sessions that go on', () => {
  it('AG-FRESH: a step begins a session of its own unless it says otherwise', () => {
    const flow = workflow([prompt('a'), prompt('b'), goesOn('c', 'a')]);
    const played = rehearse(flow, { replies: { a: answer(10, 's'), b: answer(10, 't'), c: answer(1, 's') } });
    expect(given(played)).toEqual([
      ['a', undefined, undefined],
      ['b', undefined, undefined],
      ['c', 's', undefined],
    ]);
  });

  it('AG-SESSION-TOTALS: a rejected try hands on what its session had used', () => {
    const done = { checks: [{ kind: 'that' as const, is: 'output == "good"' }], tries: 3 };
    const played = rehearse(workflow([prompt('p', { done })]), {
      replies: {
        p: [
          answer(100, 's', 100, { output: 'bad' }),
          answer(40, 's', 140, { output: 'bad' }),
          answer(5, 's', 145, { output: 'good' }),
        ],
      },
    });
    expect(given(played)).toEqual([
      ['p', undefined, undefined],
      ['p', 's', 100],
      ['p', 's', 140],
    ]);
    expect(played.state.totals.input_tokens).toBe(145);
  });

  it('AG-SESSION-TOTALS: of one session that several steps go on in, the last word counts, whoever had it', () => {
    const flow = workflow([prompt('a'), goesOn('b', 'a'), goesOn('c', 'a')]);
    const played = rehearse(flow, {
      replies: { a: answer(100, 's', 100), b: answer(50, 's', 150), c: answer(1, 's', 151) },
    });
    expect(given(played).slice(1)).toEqual([
      ['b', 's', 100],
      ['c', 's', 150],
    ]);
  });

  it('a session that is forked counts from where it was left', () => {
    const flow = workflow([prompt('a'), goesOn('b', 'a'), goesOn('c', 'a'), goesOn('d', 'b')]);
    const played = rehearse(flow, {
      replies: { a: answer(100, 's', 100), b: answer(50, 't', 150), c: answer(1, 'u', 101) },
    });
    expect(given(played).slice(1)).toEqual([
      ['b', 's', 100],
      ['c', 's', 100],
      ['d', 't', 150],
    ]);
  });

  it('AG-SESSION-TOTALS, E4: after a crash the dispatch that is done again starts from what is on record', () => {
    const flow = workflow([prompt('a'), goesOn('b', 'a')]);
    const whole = rehearse(flow, { replies: { a: answer(100, 's', 100), b: answer(30, 's', 130) } });
    const cut = whole.entries.findIndex((entry) => entry.kind === 'attempt-started' && entry.path === 'b');
    // The client had used 20 tokens that nobody wrote down: the session says 120 before it begins again.
    const again = rehearse(flow, { replies: { b: answer(50, 's', 150) } }, whole.entries.slice(0, cut + 1));
    expect(given(again)).toEqual([['b', 's', 100]]);
    expect(again.state.totals.input_tokens).toBe(150);
    expect(again.state.sessionTotals.get('s')).toEqual(usage(150));
  });

  it('AG-SESSION-TOTALS: what an interrupted or failed dispatch used is counted once', () => {
    const flow = workflow([
      prompt('a'),
      { ...goesOn('b', 'a'), retry: { max: 1, delay: 0, on: ['rate-limit'] } },
    ]);
    const limited = answer(20, 's', 120, {
      ok: false,
      exit_code: 1,
      error: { class: 'rate-limit', message: 'slow' },
    });
    const played = rehearse(flow, {
      replies: { a: answer(100, 's', 100), b: [limited, answer(30, 's', 150)] },
    });
    expect(given(played).slice(1)).toEqual([
      ['b', 's', 100],
      ['b', 's', 120],
    ]);
    expect(played.state.totals.input_tokens).toBe(150);

    const interrupted: Entry = {
      n: 5,
      at: 5000,
      kind: 'attempt-finished',
      path: 'b',
      outcome: {
        ok: false,
        output: null,
        duration_ms: 1,
        error: { class: 'interrupted', message: 'it was interrupted' },
        usage: usage(20),
        session: 's',
        session_totals: usage(120),
      },
    };
    const begun = played.entries.slice(0, 4);
    expect(begun.at(-1)).toMatchObject({ kind: 'attempt-started', path: 'b' });
    const again = rehearse(flow, { replies: { b: answer(30, 's', 150) } }, [...begun, interrupted]);
    expect(given(again)).toEqual([['b', 's', 120]]);
    expect(again.state.totals.input_tokens).toBe(150);
  });
});
