// What happens around the dispatches of a run, with stand-ins for the client: limits, sessions, isolation, schemas.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { agentOf, eventually } from '../../../test/support/stage.ts';
import { prompt, step, workflow } from '../../../test/support/workflow.ts';
import type { Usage } from '../../model/entry.ts';
import type { Check, Limits, Step } from '../../model/workflow.ts';
import type { Agent, AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { LiveEvent } from '../../runtime/perform/perform.ts';

let d: Drive;
beforeEach(() => {
  d = drive({ git: true });
});
afterEach(() => d.remove());

function answeredBy(agent: Agent): void {
  d.hosting.agentsFor = () => ({ find: () => agent });
}
const goesOn = (id: string, session: string, fields = {}): Step => ({
  ...prompt(id, fields),
  work: { ...(prompt(id).work as Extract<Step['work'], { kind: 'prompt' }>), session },
});
const limited = (limits: Partial<Limits>): { limits: Limits } => ({
  limits: { visits: 50, stopBlocks: 5, ...limits },
});
const stateOf = (id: string) =>
  JSON.parse(d.store.read(id).document('state.json') ?? '') as {
    steps: Record<string, { lockstep?: Record<string, unknown> }>;
    lockstep: { totals: Record<string, unknown> };
  };
const outcomes = (id: string) =>
  d.entries(id).flatMap((entry) => (entry.kind === 'attempt-finished' ? [entry.outcome] : []));

describe('limits', () => {
  const used: Usage = { input_tokens: 900, output_tokens: 200, cost: 1.5, turns: 4 };

  it.each([
    ['cost', { cost: 1 }, '$1.50 spent, and limits.cost is $1'],
    ['tokens', { tokens: 1000 }, '1100 tokens used, and limits.tokens is 1000'],
    ['turns', { turns: 3 }, '4 turns taken, and limits.turns is 3'],
  ])(
    'AG-LIMITS: %s aborts the dispatch that is running, by what it says while it runs',
    async (limit, limits, message) => {
      let aborted = false;
      answeredBy(
        agentOf(
          (request) =>
            new Promise<AgentAnswer>((resolve) => {
              request.signal.addEventListener('abort', () => {
                aborted = true;
                resolve({ text: '', usage: used, error: { class: 'cancelled', message: 'told to end' } });
              });
              request.onEvent({ kind: 'usage', usage: { ...used, cost: 0.1, input_tokens: 1, turns: 1 } });
              request.onEvent({ kind: 'usage', usage: used });
            }),
        ),
      );
      const end = await d.start(workflow([prompt('long'), prompt('next')], limited(limits)));
      expect(aborted).toBe(true);
      expect(end).toMatchObject({ exitCode: 1, state: { error: { class: 'limit', message } } });
      expect(d.entries(end.id)).toContainEqual(
        expect.objectContaining({ kind: 'limit-reached', limit, message }),
      );
      expect(d.entries(end.id)).not.toContainEqual(expect.objectContaining({ path: 'next' }));
      // What it had used until then is on record, once.
      expect(stateOf(end.id).lockstep.totals).toMatchObject({
        input_tokens: 900,
        output_tokens: 200,
        cost: 1.5,
      });
    },
  );

  it('AG-LIMITS: what was used up before stops the next dispatch; a raised limit lets it go on', async () => {
    answeredBy(agentOf(() => ({ text: 'ok', usage: { ...used, cost: 1 } })));
    const end = await d.start(workflow([prompt('a'), prompt('b'), prompt('c')], limited({ cost: 2 })));
    expect(end.state.error).toMatchObject({ class: 'limit' });
    expect(outcomes(end.id)).toHaveLength(2);
    const again = await d.resume(end.id, { limits: { cost: 5 } });
    expect(again.exitCode).toBe(0);
    expect(outcomes(end.id)).toHaveLength(3);
  });

  it('AG-LIMITS: a limit that cannot count says so, once; an unknown price is not zero', async () => {
    const events: LiveEvent[] = [];
    const observer = { live: (event: LiveEvent) => void events.push(event) };
    answeredBy(agentOf(() => ({ text: 'ok', usage: { ...used, cost: null } })));
    const priceless = await d.start(workflow([prompt('a'), prompt('b')], limited({ cost: 1 })), { observer });
    const words =
      '`test` does not know the price of its answers: limits.cost counts only those that have one';
    expect(outcomes(priceless.id).map(({ warnings }) => warnings)).toEqual([[words], undefined]);
    expect(events).toEqual([{ kind: 'warning', path: 'a', message: words }]);
    expect(stateOf(priceless.id).lockstep.totals).toMatchObject({ cost: null, unpriced: 2 });

    answeredBy(agentOf(() => ({ text: 'ok' })));
    const silent = await d.start(workflow([prompt('a')], limited({ tokens: 1, turns: 1 })));
    expect(outcomes(silent.id)[0]?.warnings).toEqual([
      '`test` does not tell what it uses: limits.tokens, limits.turns cannot hold it',
    ]);
  });
});

describe('sessions', () => {
  /** As codex does: its counters belong to the session, and go on. What one dispatch used is the difference. */
  function counting(sayAt: (dispatch: number) => Partial<AgentAnswer> & { tokens: number }) {
    const sessions = new Map<string, number>();
    const requests: AgentRequest[] = [];
    const agent = agentOf(
      async (request) => {
        const { tokens, ...said } = sayAt(requests.push(request) - 1);
        const session = request.session ?? `s${requests.length}`;
        const total = (sessions.get(session) ?? 0) + tokens;
        sessions.set(session, total);
        const usage = (input_tokens: number): Usage => ({
          input_tokens,
          output_tokens: 0,
          cost: null,
          turns: 1,
        });
        const before = request.sessionTotals?.input_tokens ?? 0;
        const answer = { text: 'ok', session, usage: usage(total - before), sessionTotals: usage(total) };
        if (said.error?.class === 'interrupted') await new Promise(() => {});
        return { ...answer, ...said };
      },
      { can: new Set(['session']) },
    );
    const used = () => [...sessions.values()].reduce((sum, tokens) => sum + tokens, 0);
    return { agent, requests, used };
  }
  const good: Check = { kind: 'that', is: 'output == "good"' };

  it('AG-SESSION-TOTALS: tries, steps that go on and fresh ones: what is counted is what was used', async () => {
    const says = ['bad', 'good', 'ok', 'ok', 'ok'];
    const { agent, used } = counting((n) => ({ tokens: 100 + n, text: says[n] as string }));
    answeredBy(agent);
    const end = await d.start(
      workflow([
        prompt('a', { done: { checks: [good], tries: 2 } }),
        goesOn('b', 'a'),
        prompt('c'),
        goesOn('d', 'a'),
      ]),
    );
    expect(outcomes(end.id).map(({ usage }) => usage?.input_tokens)).toEqual([100, 101, 102, 103, 104]);
    expect(used()).toBe(510);
    expect(stateOf(end.id).lockstep.totals).toMatchObject({ input_tokens: 510 });
    expect(stateOf(end.id).steps.a?.lockstep).toMatchObject({ input_tokens: 201 });
  });

  it('AG-SESSION-TOTALS, E4: a dispatch that was cut short and is done again is not counted twice', async () => {
    let cut = true;
    const { agent, requests, used } = counting((n) => {
      const isCut = n === 1 && cut;
      return { tokens: 100, ...(isCut && { error: { class: 'interrupted', message: '' } }) };
    });
    answeredBy({
      ...agent,
      // Cut short, it is gone without a word.
      perform: (request) =>
        Promise.race([
          agent.perform(request),
          new Promise<AgentAnswer>((resolve) =>
            request.signal.addEventListener('abort', () =>
              resolve({ text: '', error: { class: 'cancelled', message: 'told to end' } }),
            ),
          ),
        ]),
    });
    let interrupt = (_: string) => {};
    const started = d.start(workflow([prompt('a'), goesOn('b', 'a')]), {
      onOpen: (run) => {
        interrupt = run.interrupt;
      },
    });
    await eventually(() => requests.length === 2);
    interrupt('SIGINT');
    const { id } = await started;
    cut = false;
    const end = await d.resume(id);
    expect(end.exitCode).toBe(0);
    expect(requests.map(({ sessionTotals }) => sessionTotals?.input_tokens)).toEqual([undefined, 100, 100]);
    // All three dispatches cost 100 tokens each: the third tells of the second too, which nobody had counted.
    expect(stateOf(id).lockstep.totals).toMatchObject({ input_tokens: 300 });
    expect(used()).toBe(300);
  });
});

describe('isolation', () => {
  it('AG-FRESH: each step is a fresh session that sees its own prompt alone, unless it says `session`', async () => {
    const requests: AgentRequest[] = [];
    answeredBy(
      agentOf(
        (request) => {
          requests.push(request);
          return {
            text: `answer to ${request.step}`,
            session: request.session ?? `session of ${request.step}`,
          };
        },
        { can: new Set(['session', 'system-prompt']) },
      ),
    );
    const end = await d.start(workflow([prompt('one'), prompt('two'), goesOn('three', 'one')]));
    expect(requests.map(({ step: id, session }) => [id, session])).toEqual([
      ['one', undefined],
      ['two', undefined],
      ['three', 'session of one'],
    ]);
    for (const { step: id, prompt: text, system, env } of requests) {
      for (const other of ['one', 'two', 'three'].filter((name) => name !== id))
        expect(`${text}${system}`).not.toContain(`do ${other}`);
      expect(env).toMatchObject({ LOCKSTEP_RUN: end.id, LOCKSTEP_STEP: id });
    }
  });

  it('AG-CHILD: the process of an agent carries the run and its step, in blocks too', async () => {
    const providers = {
      mine: {
        command: ['sh', '-c', 'echo "$LOCKSTEP_RUN $LOCKSTEP_STEP"'],
        input: 'stdin' as const,
        defaults: {},
      },
    };
    const each = step('all', {
      kind: 'each',
      name: 'x',
      list: '["a", "b"]',
      order: 'listed',
      concurrency: 1,
      steps: [prompt('say')],
    });
    const end = await d.start(workflow([each], { providers }));
    expect(outcomes(end.id).map(({ output }) => output)).toEqual([
      `${end.id} all[0]/say`,
      `${end.id} all[1]/say`,
    ]);
  });
});

describe('structured output', () => {
  const schema = {
    type: 'object',
    required: ['verdict'],
    properties: { verdict: { enum: ['pass', 'fail'] } },
    additionalProperties: false,
  };
  const reviewed = (tries: number) =>
    workflow([prompt('review', { done: { checks: [{ kind: 'schema', name: 'review', schema }], tries } })]);

  function answering(answers: Partial<AgentAnswer>[], ...can: ('schema' | 'session')[]) {
    const requests: AgentRequest[] = [];
    answeredBy(
      agentOf((request) => ({ text: '', session: 's', ...answers[requests.push(request) - 1] }), {
        can: new Set(can),
      }),
    );
    return requests;
  }

  it('AG-SCHEMA: a miss goes back with the exact errors, in the same session, until it fits', async () => {
    const requests = answering(
      [
        { text: 'All is well.' },
        { text: '', structured: { verdict: 'maybe', why: 'x' } },
        { text: 'Here:\n```json\n{"verdict": "pass"}\n```\n' },
      ],
      ...(['schema', 'session'] as const),
    );
    const end = await d.start(reviewed(3));
    expect(end.exitCode).toBe(0);
    expect(outcomes(end.id).at(-1)?.output).toEqual({ verdict: 'pass' });
    expect(requests.map(({ session }) => session)).toEqual([undefined, 's', 's']);
    expect(requests.every((request) => request.schema !== undefined)).toBe(true);
    const rejected = d
      .entries(end.id)
      .flatMap((entry) => (entry.kind === 'work-rejected' ? [entry.reasons] : []));
    expect(rejected).toEqual([
      ['the answer is not JSON: answer with one JSON value that fits the schema `review`'],
      ['the answer must not have the property "why"', '/verdict must be one of "pass", "fail"'],
    ]);
    for (const [index, reasons] of rejected.entries())
      for (const reason of reasons) expect(requests[index + 1]?.prompt).toContain(reason);
  });

  it.each<[string, Partial<AgentAnswer>]>([
    ['no text and no structured output', { text: '' }],
    ['prose', { text: 'The verdict is pass.' }],
    ['JSON within prose', { text: 'It is {"verdict": "pass"}.' }],
    ['two fenced blocks', { text: '```json\n{"verdict":"pass"}\n```\n```json\n{"verdict":"pass"}\n```' }],
    ['a fence that is never closed', { text: '```json\n{"verdict":"pass"}' }],
    ['structured output of another shape', { text: '{"verdict":"pass"}', structured: { verdict: 'maybe' } }],
  ])('AG-SCHEMA: success without structured output is not done: %s', async (_, answer) => {
    const requests = answering([answer, answer], 'schema', 'session');
    const end = await d.start(reviewed(2));
    expect(end).toMatchObject({ exitCode: 3, state: { status: 'paused' } });
    expect(requests).toHaveLength(2);
    expect(d.entries(end.id)).not.toContainEqual(expect.objectContaining({ kind: 'work-accepted' }));
  });

  it.each<[string, Partial<AgentAnswer>]>([
    ['structured output', { structured: { verdict: 'pass' } }],
    ['JSON alone', { text: ' {"verdict": "pass"}\n' }],
    ['one fenced block with prose around it', { text: 'So:\n~~~\n{"verdict":"pass"}\n~~~\nDone.' }],
  ])('AG-SCHEMA: counts, whether the client takes a schema or not: %s', async (_, answer) => {
    for (const can of [['schema'], []] as 'schema'[][]) {
      const requests = answering([answer], ...can);
      expect((await d.start(reviewed(1))).exitCode).toBe(0);
      expect(requests[0]?.schema !== undefined).toBe(can.length > 0);
      expect(requests[0]?.prompt.includes('"verdict"')).toBe(can.length === 0);
    }
  });
});
