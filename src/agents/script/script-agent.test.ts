import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lives } from '../../../test/support/stage.ts';
import { judge } from '../../engine/engine.ts';
import type { ScriptedAnswer } from '../../model/script.ts';
import { agentContract, type ClientBehaviour, contractVariables } from '../../ports/agent.contract.ts';
import type { AgentEvent, AgentRequest, ToolAct, ToolGuard } from '../../ports/agent.ts';
import { systemClock } from '../../system/clock.ts';
import { childProcesses } from '../../system/processes.ts';
import { workspaces } from '../../workspaces/workspaces.ts';
import { findAnswer } from './find-answer.ts';
import { scriptAgent } from './script-agent.ts';

const processes = childProcesses({ graceMs: 100 });
afterAll(() => processes.killAll());

const agent = (answers: Record<string, ScriptedAnswer[]>) =>
  scriptAgent({ script: { answers }, processes, workspaces: workspaces(), clock: systemClock() });
const always = (answer: ScriptedAnswer) => agent({ '*': [answer] });

function behaving(behaviour: ClientBehaviour) {
  switch (behaviour.does) {
    case 'report':
      return always({ run: `pwd > seen.cwd; env > seen.env` });
    case 'say':
      return always({ text: behaviour.text });
    case 'structure':
      return always({ output: behaviour.value });
    case 'write':
      return always({ write: { [behaviour.path]: behaviour.content } });
    case 'hang':
      return always({
        run: `sh -c 'trap "" TERM; echo $$ > ${behaviour.pidFile}; while :; do sleep 1; done' & wait`,
      });
    case 'crash':
      return always({ run: 'kill -SEGV $$' });
    case 'exit':
      return always({ exit: behaviour.code, stderr: behaviour.stderr });
    case 'break-off':
      return always({ garbage: true });
    case 'flood':
      return always({ text: 'x'.repeat(behaviour.bytes) });
  }
}

const written = 'what it answers is written down and does not depend on it';
agentContract('script', {
  make: behaving,
  seen(_, cwd) {
    const env = Object.fromEntries(
      readFileSync(join(cwd, 'seen.env'), 'utf8')
        .split('\n')
        .map((line) => line.split(/=(.*)/s) as [string, string])
        .filter(([name]) => contractVariables.includes(name)),
    );
    return { cwd: readFileSync(join(cwd, 'seen.cwd'), 'utf8').trim(), env };
  },
  blind: {
    prompt: written,
    system: written,
    model: written,
    params: written,
    session: written,
    maxTurns: 'it is what it is said to have used that counts; tested below',
    permissionMode: written,
    settingSources: written,
    mcpServers: written,
    allow: 'it has no client to pass it on to; what it does under them is tested below',
    deny: 'it has no client to pass it on to; what it does under them is tested below',
  },
  params: {},
});

let cwd: string;
let events: AgentEvent[];
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'script-agent-')));
  events = [];
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function request(more: Partial<AgentRequest> = {}): AgentRequest {
  return {
    path: 'execute[1]/implement',
    step: 'implement',
    system: '',
    prompt: '',
    tools: { deny: [] },
    params: {},
    mcpServers: {},
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' },
    secrets: [],
    dispatch: { path: 0, id: 0 },
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    keep() {
      let all = '';
      return {
        write: (chunk) => {
          all += chunk;
        },
        text: () => all,
      };
    },
    ...more,
  };
}
/** The engine's, of the lists alone. */
function guardFor(tools: AgentRequest['tools']): ToolGuard {
  const names = { lookup: () => undefined, fact: () => undefined };
  const session = { files_read: [], files_modified: [], tool_calls: 0, errors: 0, elapsed: 0 };
  return {
    async decide([act]) {
      const said = judge({ tools, rules: [], names, around: { root: cwd } }, act as ToolAct, {
        session,
        facts: new Map(),
      });
      return said.kind === 'deny' ? said : { kind: 'allow' };
    },
    ended() {},
  };
}
const git = (...argv: string[]) => execFileSync('git', argv, { cwd, encoding: 'utf8' }).trim();

describe('which answer', () => {
  const answers = {
    'execute[1]/implement': [{ text: 'path 0' }, { text: 'path 1' }],
    implement: [{ text: 'id 0' }, { text: 'id 1' }, { text: 'id 2' }],
    'implement.enter[0]': [{ text: 'an action' }],
    '*': [{ text: 'any 0' }, { text: 'any 1' }],
  };
  const table: [string, string, string, { path: number; id: number }, string][] = [
    ['a path beats an id', 'execute[1]/implement', 'implement', { path: 0, id: 1 }, 'path 0'],
    [
      'successive dispatches take successive ones',
      'execute[1]/implement',
      'implement',
      { path: 1, id: 2 },
      'path 1',
    ],
    ['the last repeats', 'execute[1]/implement', 'implement', { path: 9, id: 9 }, 'path 1'],
    ['a second visit goes on', 'execute[1]/implement~2', 'implement', { path: 1, id: 1 }, 'path 1'],
    ['an id counts over all its paths', 'execute[0]/implement', 'implement', { path: 0, id: 2 }, 'id 2'],
    ['at the top a path is an id', 'implement', 'implement', { path: 0, id: 1 }, 'id 1'],
    [
      'an action has a name of its own',
      'implement.enter[0]',
      'implement.enter[0]',
      { path: 0, id: 5 },
      'an action',
    ],
    ['an id beats the star', 'other/implement', 'implement', { path: 0, id: 0 }, 'id 0'],
    ['the star is for the rest', 'review', 'review', { path: 1, id: 1 }, 'any 1'],
    [
      'no step is called like a part of every object',
      'constructor',
      'constructor',
      { path: 0, id: 0 },
      'any 0',
    ],
  ];
  it.each(table)('LS-SCRIPT-ANSWERS, LS-SCRIPT-SUCCESSIVE: %s', (_, path, step, dispatch, expected) => {
    expect(findAnswer({ answers }, { path, step, dispatch })?.text).toBe(expected);
  });

  it('E4: is the same again for the same request', async () => {
    const scripted = agent(answers);
    const asked = request({ dispatch: { path: 1, id: 1 } });
    expect((await scripted.perform(asked)).text).toBe('path 1');
    expect((await scripted.perform(asked)).text).toBe('path 1');
  });

  it('that is not there is an error that says what to add', async () => {
    const { error } = await agent({ review: [{}] }).perform(request());
    expect(error).toMatchObject({ class: 'error', message: expect.stringContaining('execute[1]/implement') });
    expect(error?.hint).toContain('`implement:`');
  });
});

describe('what it does', () => {
  it('LS-SCRIPT-WORK: writes, runs and commits, in that order, before it answers', async () => {
    git('init', '-q', '-b', 'main');
    const answer = await always({
      write: { 'src/a.txt': 'written' },
      run: ['sh', '-c', 'cat src/a.txt > copy.txt; echo said'],
      commit: 'implement: a',
      text: 'done',
    }).perform(request());
    expect(answer).toMatchObject({ text: 'done', exitCode: 0 });
    expect(git('log', '--format=%an: %s')).toBe('Scripted agent: implement: a');
    expect(git('show', '--stat', '--format=', 'HEAD')).toContain('copy.txt');
    expect(events.filter((event) => event.kind === 'tool').map((event) => event.tool)).toEqual([
      'Write',
      'Bash',
      'Bash',
    ]);
  });

  it('commits as whoever is configured, and does not mind that there is nothing to commit', async () => {
    git('init', '-q');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    const scripted = always({ write: { a: 'a' }, commit: 'once' });
    expect((await scripted.perform(request())).error).toBeUndefined();
    expect((await scripted.perform(request())).error).toBeUndefined();
    expect(git('log', '--format=%an')).toBe('Ada');
  });

  it('keeps what it runs out of its answer', async () => {
    const answer = await always({ run: 'echo noise', text: 'answer' }).perform(request());
    expect(answer.text).toBe('answer');
    const streams = events.flatMap((event) =>
      event.kind === 'output' ? [`${event.stream}: ${event.chunk}`] : [],
    );
    expect(streams).toEqual(['stderr: noise\n', 'stdout: answer\n']);
  });

  it('fails with what it ran', async () => {
    expect(await always({ run: 'exit 4', text: 'never' }).perform(request())).toMatchObject({
      text: '',
      exitCode: 4,
      error: { class: 'error', message: 'the scripted command `exit 4` ended with exit code 4' },
    });
    expect(await always({ commit: 'nowhere' }).perform(request())).toMatchObject({
      error: { class: 'error' },
    });
    expect(await always({ run: ['no-such-command'] }).perform(request())).toMatchObject({ exitCode: 127 });
  });

  it('S4: writes nothing outside the workspace', async () => {
    const { error } = await always({ write: { '../out.txt': 'x' } }).perform(request());
    expect(error?.class).toBe('error');
    expect(existsSync(join(cwd, '../out.txt'))).toBe(false);
  });
});

describe("rule 8: the step's tools", () => {
  const table: [string, ScriptedAnswer, AgentRequest['tools'], string | undefined][] = [
    ['allow all when absent', { write: { a: '' }, run: 'true' }, { deny: [] }, undefined],
    ['allow none when empty', { write: { a: '' } }, { allow: [], deny: [] }, 'not allowed to Write a'],
    [
      'deny before they allow',
      { run: 'rm a' },
      { allow: ['Bash'], deny: ['Bash(rm *)'] },
      'not allowed to Bash rm a',
    ],
    ['allow what a pattern fits', { run: 'true a b' }, { allow: ['Bash(true *)'], deny: [] }, undefined],
    [
      'and nothing else',
      { run: 'false' },
      { allow: ['Bash(true *)'], deny: [] },
      'not allowed to Bash false',
    ],
    [
      'look at every command of a line',
      { run: 'true a && false' },
      { allow: ['Bash(true *)'], deny: [] },
      'not allowed to Bash true a && false',
    ],
    [
      'take a word for a word where no shell is met',
      { run: ['true', 'a && rm b'] },
      { deny: ['Bash(rm *)'] },
      undefined,
    ],
    ['know the colon form', { run: 'true x' }, { allow: ['Bash(true:*)'], deny: [] }, undefined],
    [
      'look at paths',
      { write: { 'docs/a.plan.md': '' } },
      { allow: ['Write(**/*.plan.md)'], deny: [] },
      undefined,
    ],
    [
      'name every path that is not allowed',
      { write: { 'a.plan.md': '', 'b.md': '', 'c.md': '' } },
      { allow: ['Write(**/*.plan.md)'], deny: [] },
      'not allowed to Write b.md, c.md',
    ],
    ['hold for commits', { commit: 'x' }, { deny: ['Bash'] }, 'not allowed to Bash git commit'],
    ['may name all tools', { write: { a: '' } }, { deny: ['*'] }, 'not allowed to Write a'],
  ];
  it.each(table)('%s', async (_, answer, tools, refusal) => {
    const { error } = await always(answer).perform(request({ tools, guard: guardFor(tools) }));
    expect(error?.message.replace(/: .*$/, '')).toBe(refusal);
    if (refusal?.includes('Write')) expect(existsSync(join(cwd, 'a.plan.md'))).toBe(false);
  });
});

describe('what it is told', () => {
  it('reads, writes and runs as it was rewritten, and tells how that ended', async () => {
    writeFileSync(join(cwd, 'other.txt'), '');
    const ended: string[] = [];
    const guard: ToolGuard = {
      async decide([act]) {
        const { tool, input } = act as ToolAct;
        const input2 = {
          Read: { file_path: 'other.txt' },
          Write: { ...input, content: 'new' },
          Bash: { command: 'exit 3' },
        };
        return { kind: 'rewrite', input: input2[tool as 'Read'] };
      },
      ended: ({ tool }, error) => ended.push(`${tool}: ${error}`),
    };
    const answer = { read: ['gone.txt'], write: { 'a.txt': 'old' }, run: ['true'] };
    const { exitCode } = await always(answer).perform(request({ guard }));
    expect(exitCode).toBe(3);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('new');
    expect(ended).toEqual([
      'Read: undefined',
      'Write: undefined',
      'Bash: the scripted command `exit 3` ended with exit code 3',
    ]);
  });
});

describe('what it says', () => {
  it('gives an output as structure and as text, and a text of its own where there is one', async () => {
    expect(await always({ output: { a: [1] } }).perform(request())).toMatchObject({
      structured: { a: [1] },
      text: '{\n  "a": [\n    1\n  ]\n}',
    });
    expect(await always({ output: null, text: 'see' }).perform(request())).toMatchObject({
      structured: null,
      text: 'see',
    });
  });

  it('LS-SCRIPT-USAGE: reports what it is said to have used', async () => {
    const { usage } = await always({ usage: { input: 1200, output: 300, cost: 0.02 } }).perform(request());
    expect(usage).toEqual({ input_tokens: 1200, output_tokens: 300, cost: 0.02, turns: 1 });
    expect(events).toContainEqual({ kind: 'usage', usage });
  });

  it('more turns than it may take are a limit that was reached, and no answer', async () => {
    const four = always({ text: 'done', usage: { turns: 4 } });
    expect(await four.perform(request({ maxTurns: 3 }))).toMatchObject({
      text: '',
      usage: { turns: 3 },
      error: { class: 'limit', message: 'it used up its 3 turns' },
    });
    expect(await four.perform(request({ maxTurns: 4 }))).toMatchObject({ text: 'done', exitCode: 0 });
  });

  it('goes on in the session it is given; else in its own, which differs by dispatch', async () => {
    const scripted = agent({ '*': [{ session: 'mine' }, {}] });
    expect((await scripted.perform(request({ session: 'given' }))).session).toBe('given');
    expect((await scripted.perform(request())).session).toBe('mine');
    const third = await scripted.perform(request({ dispatch: { path: 2, id: 2 } }));
    const fourth = await scripted.perform(request({ dispatch: { path: 3, id: 3 } }));
    expect(third.session).not.toBe(fourth.session);
  });

  const faults: [string, ScriptedAnswer, object][] = [
    [
      'an exit code',
      { exit: 1, stderr: 'rate limited' },
      { exitCode: 1, stderr: 'rate limited', error: { class: 'exit', message: 'rate limited' } },
    ],
    ['a class of failure', { error: 'rate-limit' }, { exitCode: 1, error: { class: 'rate-limit' } }],
    ['a broken stream', { garbage: true }, { exitCode: 1, error: { class: 'error' } }],
  ];
  it.each(faults)('LS-SCRIPT-FAULTS: can end in %s', async (_, answer, expected) => {
    expect(await always(answer).perform(request())).toMatchObject(expected);
  });

  it('LS-SCRIPT-FAULTS: can wait, and be told to end while it does', async () => {
    const started = performance.now();
    expect((await always({ delay: 40, text: 'late' }).perform(request())).text).toBe('late');
    expect(performance.now() - started).toBeGreaterThan(35);
    for (const answer of [{ hang: true }, { delay: 1_000_000 }]) {
      const controller = new AbortController();
      const answering = always(answer).perform(request({ signal: controller.signal }));
      controller.abort();
      expect((await answering).error?.class).toBe('cancelled');
    }
  });

  it('ends what it runs when it is told to', async () => {
    const controller = new AbortController();
    const answering = always({ run: 'echo $$ > pid; sleep 100' }).perform(
      request({ signal: controller.signal }),
    );
    while (!existsSync(join(cwd, 'pid')) || readFileSync(join(cwd, 'pid'), 'utf8') === '') {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    controller.abort();
    expect((await answering).error?.class).toBe('cancelled');
    expect(lives(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
  });
});
