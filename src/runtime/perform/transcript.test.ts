import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, prompt, type Stage, type StageOptions, stage } from '../../../test/support/stage.ts';
import { commandAgent } from '../../agents/command/command-agent.ts';
import type { Agent, AgentAnswer, AgentEvent } from '../../ports/agent.ts';
import { childProcesses } from '../../system/processes.ts';

let here: Stage;
afterEach(() => here.remove());

function telling(events: AgentEvent[], answer: Partial<AgentAnswer> = {}, more: Partial<Agent> = {}): Agent {
  return agentOf((request) => {
    for (const event of events) request.onEvent(event);
    return { text: 'Done.', ...answer };
  }, more);
}
const on = (agent: Agent, options: StageOptions = {}) => {
  here = stage({ agents: [agent], ...options });
};
const transcript = (name = 'step') => here.log(`${name}.transcript`) ?? '';

const WORK: AgentEvent[] = [
  { kind: 'text', text: 'I look first.' },
  { kind: 'tool', tool: 'Read', summary: 'src/a.ts' },
  { kind: 'tool-result', tool: 'Read', summary: '12 lines' },
  { kind: 'tool', tool: 'Bash', summary: 'npm test' },
  { kind: 'tool-result', tool: 'Bash', summary: 'exit code 1\nno test', failed: true },
  { kind: 'tool', tool: 'Write', summary: 'b.ts', denied: 'this step only reads' },
  { kind: 'warning', message: 'the client has no way to be terse' },
  { kind: 'output', stream: 'stdout', chunk: Buffer.from('{"type":"protocol"}\n') },
  { kind: 'text', text: 'Done.' },
];

describe('the transcript', () => {
  it('AG-TRANSCRIPT: what was asked, said, done and denied, and what came of it', async () => {
    const usage = { input_tokens: 1200, output_tokens: 30, cost: null, turns: 3 };
    on(telling(WORK, { usage, model: 'large-1' }, { can: new Set(['model']) }));
    await here.outcome(prompt('Look at it.', { model: 'large' }));
    expect(transcript().replace(/\d+\.\d s/, '0.0 s')).toBe(
      [
        '=== test, model large',
        '--- prompt',
        'Look at it.',
        '--- work',
        'I look first.',
        '> Read src/a.ts',
        '  12 lines',
        '> Bash npm test',
        '  failed: exit code 1 no test',
        'x Write b.ts',
        '  denied: this step only reads',
        '! the client has no way to be terse',
        'Done.',
        '--- answer',
        '(the last text above)',
        '=== answered after 0.0 s, 3 turns, 1200 tokens in, 30 out, cost unknown, large-1',
        '',
        '',
      ].join('\n'),
    );
  });

  it('AG-TRANSCRIPT: what the guard denied is in it, and what did not fit or failed', async () => {
    const asking = agentOf(
      async (request) => {
        await request.guard?.decide([{ tool: 'Write', input: {}, file: 'b.ts' }]);
        return { text: 'no json' };
      },
      { can: new Set(['tools']) },
    );
    on(asking);
    const schema = { name: 'r', schema: { type: 'object' } };
    await here.outcome(prompt('x', { tools: { deny: ['Write'] }, schema }));
    expect(transcript()).toMatch(
      /x Write b\.ts\n {2}denied: .+\n--- answer\nno json\n! does not fit: .*not JSON/,
    );

    here.remove();
    on(telling([], { text: '', error: { class: 'rate-limit', message: 'slow down' } }));
    await here.outcome(prompt('x'));
    expect(transcript()).toMatch(/--- answer\n\(none\)\n! rate-limit: slow down\n=== failed after/);
  });

  it('goes on in the same log for a retry, and in one of its own for another try', async () => {
    on(telling([]));
    await here.outcome(prompt('first'));
    await here.outcome(prompt('first'));
    await here.outcome(prompt('second', { try: 2, session: undefined }));
    expect(transcript().match(/^=== test$/gm)).toHaveLength(2);
    expect(transcript('step.try2')).toContain('second');
  });

  it('AG-TRANSCRIPT, S3: masked, prompt and all', async () => {
    const secret = 'sesame-open';
    const events: AgentEvent[] = [
      { kind: 'text', text: `a ${secret}` },
      { kind: 'tool', tool: 'Bash', summary: `echo ${secret}`, denied: `no ${secret}` },
      { kind: 'tool-result', tool: 'Bash', summary: secret },
      { kind: 'warning', message: secret },
    ];
    const options = { environment: { TOKEN: secret }, secrets: ['TOKEN'] };
    on(telling(events, { text: `the answer ${secret}` }), options);
    await here.outcome(prompt(`ask ${secret}`, { secrets: ['TOKEN'] }));
    expect(transcript()).toContain('ask ***');
    expect(transcript()).toContain('the answer ***');
    expect(transcript()).not.toContain(secret);
    expect(JSON.stringify(here.events)).not.toContain(secret);
  });

  it('AG-TRANSCRIPT, S5: bounded, in its parts and as a whole, and the answer is there in any case', async () => {
    const loud = agentOf((request) => {
      for (let n = 0; n < 600; n++) request.onEvent({ kind: 'text', text: `${n} ${'x'.repeat(40_000)}` });
      return { text: 'the answer' };
    });
    on(loud);
    await here.outcome(prompt('p'.repeat(100_000)));
    const [first = '', ...more] = [0, 1, 2, 3, 4, 5].map((part) =>
      Buffer.from(here.run.readLog('step.transcript', part * 1024 * 1024) ?? []).toString('utf8'),
    );
    const whole = first + more.join('');
    expect(whole.length).toBeLessThan(5 * 1024 * 1024);
    expect(whole).toContain('[... 34464 characters more; all of it is in step.prompt.txt]');
    expect(whole).toMatch(/\[\.\.\. \d+ more left out; step\.stdout has what the client printed\]/);
    expect(whole).toContain('--- answer\nthe answer\n');
  });

  it('has no control character that would reach a terminal', async () => {
    on(telling([{ kind: 'text', text: 'red \u001b[31mtext\u0007\r\nnext' }]));
    await here.outcome(prompt('x'));
    expect(transcript()).toContain('red [31mtext\nnext');
  });

  it('a command as an agent has none: what it prints is its answer', async () => {
    const processes = childProcesses({ graceMs: 200 });
    const provider = { command: ['cat'], input: 'stdin' as const, defaults: {} };
    on(commandAgent({ name: 'mine', provider, processes }));
    await here.outcome(prompt('hello'));
    expect(here.log('step.transcript')).toBeUndefined();
    expect(here.log('step.stdout')).toBe('hello');
  });
});

describe('what is seen live', () => {
  it('AG-ACTIVITY: texts, calls with what they are about, results and denials; no protocol', async () => {
    on(telling([...WORK, { kind: 'output', stream: 'stderr', chunk: Buffer.from('npm notice\n') }]));
    await here.outcome(prompt('x'));
    expect(here.events.map(({ path: _path, ...event }) => event)).toEqual([
      { kind: 'text', text: 'I look first.' },
      { kind: 'tool', tool: 'Read', summary: 'src/a.ts' },
      { kind: 'tool-result', tool: 'Read', summary: '12 lines' },
      { kind: 'tool', tool: 'Bash', summary: 'npm test' },
      { kind: 'tool-result', tool: 'Bash', summary: 'exit code 1\nno test', failed: true },
      { kind: 'tool', tool: 'Write', summary: 'b.ts', denied: 'this step only reads' },
      { kind: 'warning', message: 'the client has no way to be terse' },
      { kind: 'text', text: 'Done.' },
      { kind: 'output', stream: 'stderr', bytes: 11, line: 'npm notice', aside: true },
    ]);
    expect(here.log('step.stdout')).toBe('{"type":"protocol"}\n');
  });
});
