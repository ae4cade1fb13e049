import { afterEach, describe, expect, it } from 'vitest';
import { prompt, type Stage, stage } from '../../../test/support/stage.ts';
import type { RunAgent } from '../../model/command.ts';
import type { Rule } from '../../model/workflow.ts';
import type { Agent, AgentRequest, ToolAct } from '../../ports/agent.ts';

let here: Stage | undefined;
afterEach(() => here?.remove());

const read = (file: string): ToolAct => ({ tool: 'Read', input: { file_path: file }, file });
const write = (file: string): ToolAct => ({ tool: 'Write', input: { file_path: file }, file });
const bash = (command: string): ToolAct => ({ tool: 'Bash', input: { command }, command });

interface Given {
  tools?: Partial<RunAgent['tools']>;
  rules?: Rule[];
  can?: Agent['can'];
  secret?: string;
}

/** What one dispatch leaves, whose agent does this. */
async function dispatch(work: (request: AgentRequest) => Promise<void>, given: Given = {}) {
  const agent: Agent = {
    name: 'some',
    can: given.can ?? new Set(['tools', 'rules', 'rewrite']),
    async perform(request) {
      await work(request);
      return { text: 'done' };
    },
  };
  const names = { lookup: () => undefined, fact: () => undefined };
  here = stage({
    agents: [agent],
    ...(given.secret !== undefined && { secrets: ['TOKEN'], environment: { TOKEN: given.secret } }),
    context: { rulesAt: () => ({ rules: given.rules ?? [], names }) },
  });
  const outcome = await here.outcome(prompt('Work.', { path: 'a', tools: { deny: [], ...given.tools } }));
  const lines = (here.log('a.calls.jsonl') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { outcome, lines };
}

describe('LS-CALLS-RECORD: every tool call of a dispatch is a line', () => {
  it('what was let happen, with where its paths lead; a call of several paths is one call', async () => {
    const { outcome, lines } = await dispatch(async ({ guard }) => {
      await guard?.decide([read('./a.txt')]);
      await guard?.decide([write('a.txt'), write('sub/../b.txt')]);
    });
    expect(lines).toEqual([
      {
        at: expect.any(Number),
        dispatch: 1,
        tool: 'Read',
        about: './a.txt',
        verdict: 'allowed',
        paths: [{ file: 'a.txt' }],
      },
      {
        ...{ at: expect.any(Number), dispatch: 1, tool: 'Write', about: 'a.txt', verdict: 'allowed' },
        paths: [{ file: 'a.txt' }, { file: 'b.txt' }],
      },
    ]);
    expect(outcome.calls).toEqual({ allowed: 2 });
  });

  it('what was denied, and by whom: the lists, a rule with its condition, or the guard that could not tell', async () => {
    const rules: Rule[] = [
      { when: 'event.command == "a"', block: 'not a' },
      { when: 'event.command == "b"', ask: 'b?' },
    ];
    const { outcome, lines } = await dispatch(
      async ({ guard }) => {
        for (const line of ['a', 'b', 'rm x']) await guard?.decide([bash(line)]);
        await guard?.decide([write('.git/config')]);
        await guard?.decide([bash('echo')], () => undefined);
      },
      {
        tools: { deny: ['Bash(rm *)'] },
        rules: [...rules, { when: 'event.command == "echo"', rewrite: { command: 'x' } }],
      },
    );
    expect(lines.map(({ about, verdict, by, rule, reason }) => [about, verdict, by, rule, reason])).toEqual([
      ['a', 'denied', 'rule', 'event.command == "a"', 'not a'],
      ['b', 'denied', 'rule', 'event.command == "b"', expect.stringContaining('nobody can be asked now: b?')],
      ['rm x', 'denied', 'tools', undefined, expect.stringContaining('`Bash(rm *)`')],
      ['.git/config', 'denied', 'tools', undefined, expect.stringContaining('.git')],
      ['echo', 'denied', 'guard', undefined, expect.stringContaining('cannot be told')],
    ]);
    expect(outcome.calls).toEqual({ denied: 5 });
    expect(outcome.denials?.count).toBe(5);
  });

  it('what a rule rewrote, and what happens instead', async () => {
    const { outcome, lines } = await dispatch(
      async ({ guard }) => void (await guard?.decide([bash('npm test')])),
      {
        rules: [
          { when: 'true', rewrite: { command: 'npm test --silent' } },
          { when: 'true', warn: 'mind' },
        ],
      },
    );
    expect(lines).toMatchObject([
      { about: 'npm test', verdict: 'rewritten', instead: 'npm test --silent', advice: 'mind' },
    ]);
    expect(outcome.calls).toEqual({ rewritten: 1 });
  });

  it('what the client refused by itself, and what nobody was asked about', async () => {
    const { outcome, lines } = await dispatch(async ({ guard, onEvent }) => {
      await guard?.decide([bash('ls')]);
      onEvent({ kind: 'tool', tool: 'Bash', summary: 'ls' });
      onEvent({ kind: 'tool', tool: 'Nope', summary: '{}', denied: 'no such tool' });
      onEvent({ kind: 'tool', tool: 'WebSearch', summary: 'x', unasked: true });
    });
    expect(lines.map(({ tool, verdict, by, reason }) => [tool, verdict, by, reason])).toEqual([
      ['Bash', 'allowed', undefined, undefined],
      ['Nope', 'refused', 'client', 'no such tool'],
      ['WebSearch', 'unasked', undefined, undefined],
    ]);
    expect(outcome.calls).toEqual({ allowed: 1, refused: 1, unasked: 1 });
  });

  it('of an agent that nothing can bind, every call that it tells of', async () => {
    const { outcome, lines } = await dispatch(
      async ({ onEvent }) => onEvent({ kind: 'tool', tool: 'Bash', summary: 'ls' }),
      { can: new Set(['streaming']) },
    );
    expect(lines).toMatchObject([{ tool: 'Bash', about: 'ls', verdict: 'unasked' }]);
    expect(outcome.calls).toEqual({ unasked: 1 });
  });

  it('of a dispatch that broke, and none where there was no call', async () => {
    const broken = await dispatch(async ({ guard }) => {
      await guard?.decide([bash('ls')]);
      throw new Error('gone');
    });
    expect(broken.outcome).toMatchObject({ ok: false, calls: { allowed: 1 } });
    here?.remove();
    const idle = await dispatch(async () => {});
    expect(idle.outcome.calls).toBeUndefined();
    expect(here?.log('a.calls.jsonl')).toBeUndefined();
  });
});

describe('LS-CALLS-BOUNDED: the record is masked and bounded', () => {
  it('S3: a secret is masked before a long line is cut', async () => {
    const secret = 'hunter2hunter2';
    const { lines, outcome } = await dispatch(
      async ({ guard }) => {
        await guard?.decide([bash(`echo ${'x'.repeat(290)} ${secret}`)]);
        await guard?.decide([write(`${secret}.txt`)]);
      },
      { secret, tools: { deny: ['Bash'] } },
    );
    expect(JSON.stringify([lines, outcome.denials, here?.events])).not.toContain('hunter');
    expect(lines[1]).toMatchObject({ about: '***.txt', paths: [{ file: '***.txt' }] });
    expect(String(lines[0]?.about).length).toBeLessThan(310);
  });

  it('S5: after ten thousand lines the rest is counted, and the last line says how many', async () => {
    const { lines, outcome } = await dispatch(async ({ onEvent }) => {
      for (let n = 0; n < 10_007; n += 1)
        onEvent({ kind: 'tool', tool: 'X', summary: `${n}`, unasked: true });
    });
    expect(lines).toHaveLength(10_001);
    expect(lines.at(-1)).toEqual({ at: expect.any(Number), dispatch: 1, left_out: 7 });
    expect(outcome.calls).toEqual({ unasked: 10_007 });
  });

  it('of very many paths the first are kept, and the others counted', async () => {
    const { lines } = await dispatch(async ({ guard }) => {
      await guard?.decide(Array.from({ length: 25 }, (_, index) => write(`f${index}`)));
    });
    expect(lines[0]).toMatchObject({ more_paths: 5 });
    expect(lines[0]?.paths).toHaveLength(20);
  });
});
