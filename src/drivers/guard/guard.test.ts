// The guard drive through the real runtime: a session tells what happens, and is held to the step that its run is at.

import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { prompt, workflow } from '../../../test/support/workflow.ts';
import { actsUnder } from '../../clients/hook-clients.ts';
import type { Entry } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { HookEvent, HookHappening, HookReply } from '../../model/live-session.ts';
import type { Check, Step, Workflow } from '../../model/workflow.ts';
import type { GuardChoice } from './choice.ts';
import { createGuard, type Guard, type GuardParts } from './guard.ts';
import { endRun, noteSwitch } from './override.ts';

let stage: Drive;
let guard: Guard;
let flows: Record<string, Workflow>;
let choice: GuardChoice;
let deliveries = 0;
let patience = 30_000;
let ownTools: string[] = [];
let inputs: JsonObject = {};
type Kept = NonNullable<ReturnType<GuardParts['sessions']['find']>>;
let book: Map<string, Kept>;

function newGuard(): Guard {
  return createGuard({
    projectAt: async () => ({
      root: stage.root,
      choice,
      hosting: stage.hosting,
      load: async (name) => ({ workflow: flows[name] as Workflow, file: `${name}.yaml`, inputs }),
    }),
    sessions: {
      find: ({ id }) => book.get(id),
      record: () => ({}),
      keep: ({ id }, project, runs) => void book.set(id, { project, runs }),
      drop: ({ id }, run) =>
        void book.set(id, {
          project: stage.root,
          runs: (book.get(id)?.runs ?? []).filter((one) => one.run !== run),
        }),
    },
    hash: (text) => text,
    carries: ({ kind }) => kind !== 'stop',
    patienceMs: () => patience,
    ownTools: () => ownTools,
    canRewrite: () => true,
    actsUnder: (asked, tools) => actsUnder(asked, tools),
  });
}

beforeEach(() => {
  stage = drive();
  execFileSync('git', ['init', '-q'], { cwd: stage.root });
  stage.hosting.holder = { user: 'tester', host: hostname(), pid: process.pid, version: '0' };
  book = new Map();
  flows = {};
  patience = 30_000;
  ownTools = [];
  inputs = {};
  choice = { workflow: 'flow', lifecycles: [], vars: {}, inputs: {} };
  guard = newGuard();
});
afterEach(async () => {
  await guard.close();
  stage.remove();
});

const event = (happening: HookHappening, id = 's', more: Partial<HookEvent> = {}): HookEvent =>
  ({
    session: { client: 'claude', id },
    cwd: stage.root,
    delivery: `d${++deliveries}`,
    ...happening,
    ...more,
  }) as HookEvent;
const tell = (happening: HookHappening, id?: string): Promise<HookReply> => guard.event(event(happening, id));
const begin = (source: 'startup' | 'resume' | 'compact' = 'startup', id?: string) =>
  tell({ kind: 'session_start', source }, id);
const say = (text: string) => tell({ kind: 'user_prompt', prompt: text, byPerson: true });
const stop = (text = '') => tell({ kind: 'stop', again: false, text });
const acts = (tool: string, input: JsonObject) => [
  {
    tool,
    input,
    ...(typeof input.file_path === 'string' && { file: input.file_path, field: 'file_path' }),
    ...(typeof input.command === 'string' && { command: input.command }),
  },
];
const call = (tool: string, input: JsonObject, name = `c${deliveries}`) =>
  tell({ kind: 'tool_call', call: name, tool, input, acts: acts(tool, input) });
const result = (tool: string, input: JsonObject, name = `c${deliveries}`, error?: string) =>
  tell({
    ...{ kind: 'tool_result', call: name, tool, input, acts: acts(tool, input), text: 'ok' },
    ...(error !== undefined && { error }),
  });
const entries = (): Entry[] => stage.entries(book.get('s')?.runs[0]?.run ?? '');
const kinds = () => entries().map(({ kind }) => kind);
const that = (is: string, text?: string): Check => ({
  kind: 'that',
  is,
  ...(text !== undefined && { else: text }),
});
const check = (line: string): Check => ({ kind: 'run', command: { kind: 'shell', line } });
const approve = (ask: string): Check => ({ kind: 'approve', ask, accept: ['yes'], reject: ['no'] });
const bound = (step: Step, allow: string[]): Step =>
  step.work.kind === 'prompt'
    ? { ...step, work: { ...step.work, performer: { ...step.work.performer, tools: { allow, deny: [] } } } }
    : step;

const planned = bound(
  prompt(
    'plan',
    {
      done: {
        checks: [that('size(files("*.plan.md")) > 0', 'There is no plan yet.'), approve('Go on?')],
        tries: 3,
      },
    },
    'Plan it.',
  ),
  ['Read', 'Write(**/*.plan.md)'],
);
const built = prompt('build', { done: { checks: [check('test -e built')], tries: 3 } }, 'Build it.');

describe('guard', () => {
  it('says the step when the session begins, once', async () => {
    flows.flow = workflow([planned, built]);
    expect((await begin()).say).toEqual(['Plan it.']);
    expect((await say('hello')).say).toBeUndefined();
    expect(kinds()).toContain('session-bound');
    expect(kinds().filter((kind) => kind === 'said')).toHaveLength(1);
  });

  it('denies what the step does not allow, with a reason, and lets the rest happen', async () => {
    flows.flow = workflow([planned, built]);
    await begin();
    expect((await call('Write', { file_path: 'src/a.ts' })).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('not among what is allowed'),
    });
    expect((await call('Write', { file_path: 'x.plan.md' })).verdict).toMatchObject({ kind: 'allow' });
    await guard.close();
    expect(entries().filter(({ kind }) => kind === 'call-judged')).toHaveLength(2);
  });

  it('holds a stop while a machine can tell that something is unmet, lets it go when only a person is awaited', async () => {
    flows.flow = workflow([planned, built]);
    await begin();
    await say('go');
    const held = await stop();
    expect(held.hold).toContain('There is no plan yet.');
    await call('Write', { file_path: 'x.plan.md' }, 'w');
    writeFileSync(join(stage.root, 'x.plan.md'), 'plan');
    await result('Write', { file_path: 'x.plan.md' }, 'w');
    expect((await stop('planned')).hold).toBeUndefined();
    expect(kinds()).toContain('question-asked');
    expect((await call('Write', { file_path: 'y.plan.md' })).verdict).toMatchObject({ kind: 'deny' });
    const approved = await say('yes, do it');
    expect(approved.say?.join()).toContain('Build it.');
    expect((await call('Write', { file_path: 'src/a.ts' })).verdict).toMatchObject({ kind: 'allow' });
  });

  it('takes what people say for yes and no where the workflow has no words of its own', async () => {
    const asked = prompt(
      'plan',
      { done: { checks: [{ kind: 'approve', ask: 'Go on?', accept: [], reject: [] }], tries: 3 } },
      'Plan it.',
    );
    flows.flow = workflow([asked, built]);
    await begin();
    await stop('planned');
    await say('What would it change?');
    expect(kinds()).not.toContain('question-answered');
    await say('No, paint it blue.');
    expect(entries().findLast(({ kind }) => kind === 'question-answered')).toMatchObject({
      answer: 'reject',
      note: 'No, paint it blue.',
    });
    await stop('planned again');
    expect((await say('yes')).say?.join()).toContain('Build it.');
  });

  it('reads what a command of Codex does under the lists of the step', async () => {
    flows.flow = workflow([planned, built]);
    const codex = { session: { client: 'codex' as const, id: 's' } };
    const asks = (command: string) => {
      const input = { command };
      const asked: HookHappening = {
        ...{ kind: 'tool_call', call: command, tool: 'Bash', input, acts: acts('Bash', input) },
      };
      return guard.event(event(asked, 's', codex));
    };
    await guard.event(event({ kind: 'session_start', source: 'startup' }, 's', codex));
    expect((await asks('cat a.txt')).verdict).toMatchObject({ kind: 'allow' });
    expect((await asks('touch a.txt')).verdict).toMatchObject({ kind: 'deny' });
  });

  it('GOB-APPROVAL: where the author names no words, yes and no will do, and the question says so', async () => {
    const asked: Check = { kind: 'approve', ask: 'Is this the plan?', accept: [], reject: [] };
    flows.flow = workflow([
      prompt('plan', { done: { checks: [asked], tries: 20 } as never }, 'Plan it.'),
      built,
    ]);
    await begin();
    expect((await stop('planned')).note).toContain('Answer yes, or no and why.');
    expect((await say('what does it cost?')).note).toContain('Lockstep asks: Is this the plan?');
    expect((await call('Write', { file_path: 'a' })).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.not.stringMatching(/\.\.|\?\./),
    });
    expect((await say('no, smaller')).say?.join()).toContain('smaller');
    await stop('planned');
    expect((await say('Yes, do it')).say?.join()).toContain('Build it.');
  });

  it('runs the checks of a step at its stop, sends it back with why, and ends when they hold', async () => {
    flows.flow = workflow([built]);
    await begin();
    expect((await stop('built, I promise')).hold).toContain('test -e built');
    await call('Bash', { command: 'touch built' }, 'b');
    writeFileSync(join(stage.root, 'built'), '');
    await result('Bash', { command: 'touch built' }, 'b');
    expect((await stop('built')).hold).toBeUndefined();
    expect(kinds().at(-2)).toBe('run-completed');
    expect((await call('Bash', { command: 'ls' })).verdict).toEqual({ kind: 'allow' });
  });

  it('lets go after two stops without a tool call between them', async () => {
    flows.flow = workflow([built]);
    await begin();
    expect((await stop()).hold).toBeDefined();
    const second = await stop();
    expect(second.hold).toBeUndefined();
    expect(second.note).toContain('build');
  });

  it('leaves a step by its rule, one for each event', async () => {
    const act = prompt(
      'act',
      { next: [{ when: 'session.step.actions >= 2', goto: 'reflect', do: [] }] },
      'Act.',
    );
    const reflect = prompt(
      'reflect',
      { next: [{ when: 'user_says("continue")', goto: 'act', do: [] }] },
      'Reflect.',
    );
    flows.flow = workflow([act, reflect]);
    await begin();
    await say('continue');
    await result('Read', { file_path: 'a' });
    const second = await result('Read', { file_path: 'b' });
    expect(second.say).toEqual(['Reflect.']);
    expect((await say('please continue')).say).toEqual(['Act.']);
    expect((await result('Read', { file_path: 'a' })).say).toBeUndefined();
  });

  it('an event that is delivered twice counts once and gets the same answer', async () => {
    flows.flow = workflow([planned]);
    const first = event({ kind: 'session_start', source: 'startup' });
    const answers = [await guard.event(first), await guard.event(first)];
    expect(answers[0]).toEqual(answers[1]);
    const one = event({
      kind: 'tool_result',
      call: 'x',
      tool: 'Read',
      input: {},
      acts: acts('Read', {}),
      text: '',
    });
    await Promise.all([guard.event(one), guard.event(one)]);
    await guard.close();
    guard = newGuard();
    await guard.event(one);
    expect(
      entries().filter((entry) => entry.kind === 'session-event' && entry.event.name === 'tool_result'),
    ).toHaveLength(1);
  });

  it('after a crash of the daemon goes on where it was, and says the step again on compaction', async () => {
    flows.flow = workflow([planned, built]);
    await begin();
    await guard.close();
    guard = newGuard();
    expect((await call('Write', { file_path: 'src/a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    expect((await begin('compact')).say).toEqual(['Plan it.']);
    expect(book.size).toBe(1);
  });

  it('asks a person where a rule says so: the very call is let through once', async () => {
    const asks: Step = {
      ...prompt('work', {}, 'Work.'),
      rules: [{ when: 'event.tool == "Bash"', ask: 'Run {{ event.command }}?' }],
    };
    flows.flow = workflow([asks]);
    await begin();
    const line = { command: 'rm -rf build' };
    expect((await call('Bash', line)).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('Run rm -rf build?'),
    });
    await say('yes');
    expect((await call('Bash', { command: 'rm -rf src' })).verdict).toMatchObject({ kind: 'deny' });
    await say('yes');
    expect((await call('Bash', { command: 'rm -rf src' })).verdict).toMatchObject({ kind: 'allow' });
    expect((await call('Bash', { command: 'rm -rf src' })).verdict).toMatchObject({ kind: 'deny' });
  });

  it('a prompt that no person sent counts for nothing', async () => {
    const step = prompt('work', { next: [{ when: 'user_says("done")', goto: 'end', do: [] }] }, 'Work.');
    flows.flow = workflow([step]);
    await begin();
    await tell({ kind: 'user_prompt', prompt: '<task-notification> done', byPerson: false });
    expect(kinds()).not.toContain('event-weighed');
    await say('done');
    expect(kinds()).toContain('run-completed');
  });

  it('finds what a shell call changed in a step that may not write, and holds the step until it is undone', async () => {
    const read = bound(prompt('look', { done: { checks: [that('user_says("done")')], tries: 3 } }, 'Look.'), [
      'Read',
      'Bash',
    ]);
    flows.flow = workflow([read]);
    await begin();
    await call('Bash', { command: 'make' }, 'm');
    writeFileSync(join(stage.root, 'sneaked.txt'), 'x');
    const told = await result('Bash', { command: 'make' }, 'm');
    expect(told.say?.join()).toContain('sneaked.txt');
    await say('done');
    expect(kinds()).not.toContain('run-completed');
    // A person's own file never holds it.
    writeFileSync(join(stage.root, 'mine.txt'), 'x');
    await call('Bash', { command: 'rm sneaked.txt' }, 'n');
    rmSync(join(stage.root, 'sneaked.txt'));
    await result('Bash', { command: 'rm sneaked.txt' }, 'n');
    await say('done');
    expect(kinds()).toContain('run-completed');
  });

  it('finds what a shell call changed beside the files that the step may write, and lets it be put back', async () => {
    const notes = bound(
      prompt('notes', { done: { checks: [that('user_says("done")')], tries: 3 } }, 'Take notes.'),
      ['Read', 'Bash', 'Write(**/*.md)'],
    );
    flows.flow = workflow([notes]);
    await begin();
    const tree = (name: string) => join(stage.root, name);
    await call('Bash', { command: 'make' }, 'm');
    writeFileSync(tree('notes.md'), 'x');
    writeFileSync(tree('code.ts'), 'x');
    const told = (await result('Bash', { command: 'make' }, 'm')).say?.join() ?? '';
    expect(told).toContain('code.ts');
    expect(told).not.toContain('notes.md');
    expect((await call('Bash', { command: 'rm other.ts' })).verdict).toMatchObject({ kind: 'deny' });
    expect((await call('Bash', { command: 'rm code.ts' }, 'n')).verdict).toMatchObject({ kind: 'allow' });
    rmSync(tree('code.ts'));
    await result('Bash', { command: 'rm code.ts' }, 'n');
    await say('done');
    expect(kinds()).toContain('run-completed');
  });

  it('finds what a shell call changed of what the step denies, where it may write all else', async () => {
    const step = prompt('code', { done: { checks: [that('user_says("done")')], tries: 3 } }, 'Code.');
    const tools = { deny: ['Write(**/*.test.ts)'] };
    flows.flow = workflow([
      step.work.kind === 'prompt'
        ? { ...step, work: { ...step.work, performer: { ...step.work.performer, tools } } }
        : step,
    ]);
    await begin();
    await call('Bash', { command: 'make' }, 'm');
    writeFileSync(join(stage.root, 'a.ts'), 'x');
    writeFileSync(join(stage.root, 'a.test.ts'), 'x');
    const told = (await result('Bash', { command: 'make' }, 'm')).say?.join() ?? '';
    expect(told).toContain('changed a.test.ts, which');
    await say('done');
    expect(kinds()).not.toContain('run-completed');
    await call('Bash', { command: 'rm a.test.ts' }, 'n');
    rmSync(join(stage.root, 'a.test.ts'));
    await result('Bash', { command: 'rm a.test.ts' }, 'n');
    await say('done');
    expect(kinds()).toContain('run-completed');
  });

  /** A step that may look and not write, and what its commands do to the tree. */
  async function looking() {
    const look = prompt(
      'look',
      { done: { checks: [that('user_says("done")', 'Not yet.')], tries: 3 } },
      'Look.',
    );
    flows.flow = workflow([bound(look, ['Read', 'Bash'])]);
    await begin();
    const write = (name: string, text = 'x') => writeFileSync(join(stage.root, name), text);
    const found = () =>
      entries().flatMap((entry) =>
        entry.kind === 'change-found' ? [entry.undone ? `undone ${entry.files}` : String(entry.files)] : [],
      );
    return { write, found };
  }

  it('a command that ends the daemon before it writes is found, and may be undone', async () => {
    const { write, found } = await looking();
    await call('Bash', { command: 'kill' }, 'k');
    await guard.close();
    guard = newGuard();
    write('sneaked.txt');
    expect((await result('Bash', { command: 'kill' }, 'k')).note).toContain('sneaked.txt');
    await guard.close();
    guard = newGuard();
    rmSync(join(stage.root, 'sneaked.txt'));
    await call('Bash', { command: 'rm sneaked.txt' }, 'r');
    await result('Bash', { command: 'rm sneaked.txt' }, 'r');
    await say('done');
    expect(found()).toEqual(['sneaked.txt', 'undone sneaked.txt']);
    expect(kinds()).toContain('run-completed');
  });

  it('a command whose end nobody tells is compared when the turn ends', async () => {
    const { write, found } = await looking();
    await call('Bash', { command: 'make' }, 'm');
    write('sneaked.txt');
    const held = await stop();
    expect(held.hold).toContain('a command changed sneaked.txt');
    expect(held.note).toContain('sneaked.txt');
    expect(found()).toEqual(['sneaked.txt']);
  });

  it('what changes between commands is told to agent and person, and holds nothing', async () => {
    const { write } = await looking();
    const beside = () => entries().flatMap((entry) => (entry.kind === 'change-found' ? [entry.beside] : []));
    await call('Bash', { command: '(sleep 9; make) &' }, 'm');
    await result('Bash', { command: '(sleep 9; make) &' }, 'm');
    write('late.txt');
    const told = await call('Bash', { command: 'ls' }, 'l');
    expect(told.say?.join()).toContain('late.txt changed between commands');
    expect(told.note).toContain('late.txt');
    await result('Bash', { command: 'ls' }, 'l');
    write('later.txt');
    expect((await stop()).hold).toContain('later.txt changed between commands');
    write('latest.txt');
    expect((await say('and now?')).say?.join()).toContain('latest.txt');
    expect(beside()).toEqual([['late.txt'], ['later.txt'], ['latest.txt']]);
    await say('done');
    expect(kinds()).toContain('run-completed');
  });

  it('what was under way when the person ended the turn is told and holds nothing', async () => {
    const { write, found } = await looking();
    await call('Bash', { command: 'make' }, 'm');
    write('mine.txt');
    expect((await say('stop that')).say?.join()).toContain('mine.txt changed between commands');
    expect(found()).toEqual(['']);
    await say('done');
    expect(kinds()).toContain('run-completed');
  });

  it('any tool that may change files is looked at, whatever its name', async () => {
    const look = prompt('look', { done: { checks: [that('false', 'Never.')], tries: 3 } }, 'Look.');
    flows.flow = workflow([bound(look, ['Read', 'Workbench'])]);
    await begin();
    await call('Workbench', { run: 'make' }, 'm');
    writeFileSync(join(stage.root, 'sneaked.txt'), 'x');
    expect((await result('Workbench', { run: 'make' }, 'm')).say?.join()).toContain('sneaked.txt');
  });

  it('a large tree is looked at once a turn, which is said, and what a command changed is found at its end', async () => {
    const open = stage.hosting.workspaces.open;
    stage.hosting.workspaces.open = (...args) => {
      const opened = open(...args);
      const fingerprint = async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_050));
        return await opened.fingerprint();
      };
      return { ...opened, fingerprint };
    };
    const { write, found } = await looking();
    expect((await call('Bash', { command: 'make' }, 'm')).note).toContain('at the end of a turn');
    write('sneaked.txt');
    await result('Bash', { command: 'make' }, 'm');
    expect(found()).toEqual([]);
    expect((await stop()).hold).toContain('a command changed sneaked.txt');
    expect((await call('Bash', { command: 'ls' }, 'n')).note).toBeUndefined();
  });

  it('3.23: a call that ended and that no hook was asked about is on record, and the person is told', async () => {
    flows.flow = workflow([prompt('work', {}, 'Work.')]);
    await begin();
    await result('Read', { file_path: 'a' }, 'from before');
    await call('Read', { file_path: 'a' }, 'seen');
    expect((await result('Read', { file_path: 'a' }, 'seen')).note).toBeUndefined();
    const unseen = await result('Write', { file_path: 'b' }, 'unseen');
    expect(unseen.note).toContain('no hook was asked before it');
    expect(
      entries().filter((entry) => entry.kind === 'call-judged' && entry.verdict === 'unasked'),
    ).toMatchObject([
      { path: 'work', call: { tool: 'Write' }, reason: 'its client asked no hook before it' },
    ]);
  });

  it('outside git the person is told that nobody can tell', async () => {
    rmSync(join(stage.root, '.git'), { recursive: true });
    await looking();
    expect((await call('Bash', { command: 'make' })).note).toContain('in no git repository');
    expect((await call('Bash', { command: 'make' })).note).toBeUndefined();
  });

  it('a prompt that does not answer what is asked is told so, and nothing is taken for a yes', async () => {
    const asks = prompt(
      'plan',
      { done: { checks: [{ ...approve('Go on?'), accept: [], reject: [] } as Check], tries: 3 } },
      'Plan.',
    );
    flows.flow = workflow([asks, built]);
    await begin();
    expect((await stop('planned')).note).toBe('Lockstep asks: Go on? Answer yes, or no and why.');
    const unclear = await say('Yes, but do not touch the parser.');
    expect(unclear.note).toContain('Lockstep asks: Go on? Answer yes, or no and why.');
    expect(unclear.say?.join()).toContain('Lockstep asks the person: Go on?');
    expect((await say('yes')).say?.join()).toContain('Build it.');
  });

  it('a command that the workflow runs as the tests of the project is one, whatever it is', async () => {
    const step = prompt(
      'red',
      { next: [{ when: 'session.step.tests == "failed"', goto: 'end', do: [] }] },
      'Red.',
    );
    const flow = workflow([step]);
    flow.inputs = {
      test: { type: 'string', required: false, find: 'test-command' } as Workflow['inputs'][string],
    };
    flows.flow = flow;
    inputs = { test: './check all' };
    await begin();
    await result('Bash', { command: './check some' }, 'a', 'Exit code 1');
    expect(kinds()).not.toContain('run-completed');
    await result('Bash', { command: './check all' }, 'b', 'Exit code 1');
    expect(kinds()).toContain('run-completed');
  });

  it('runs the actions of events in a lifecycle workflow until the session ends', async () => {
    flows.watch = workflow([], {
      vars: { seen: 0 },
      events: {
        user_prompt: [
          { work: { kind: 'set', values: { seen: '{{ vars.seen + 1 }}' } } },
          { work: { kind: 'say', text: 'Prompt {{ vars.seen }}' } },
        ],
        session_end: [
          { work: { kind: 'run', command: { kind: 'shell', line: 'echo {{ vars.seen }} > seen' } } },
        ],
      },
    });
    choice = { lifecycles: ['watch'], vars: {}, inputs: {} };
    await begin();
    expect((await say('one')).say).toEqual(['Prompt 1']);
    expect((await say('two')).say).toEqual(['Prompt 2']);
    await tell({ kind: 'session_end', reason: 'exit' });
    await guard.close();
    expect(entries().at(-1)?.kind).toBe('run-completed');
  });

  it('live 3.17: what a lifecycle workflow takes long for keeps no prompt waiting', async () => {
    const slow = `until test -e ${join(stage.root, 'go')}; do sleep 0.02; done; touch went`;
    flows.watch = workflow([], {
      events: { user_prompt: [{ work: { kind: 'run', command: { kind: 'shell', line: slow } } }] },
    });
    choice = { lifecycles: ['watch'], vars: {}, inputs: {} };
    await begin();
    const started = performance.now();
    await say('one');
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(existsSync(join(stage.root, 'went'))).toBe(false);
    writeFileSync(join(stage.root, 'go'), '');
  });

  it('two sessions are two runs', async () => {
    flows.flow = workflow([planned]);
    await begin('startup', 's');
    await begin('startup', 't');
    expect(book.get('s')?.runs[0]?.run).not.toBe(book.get('t')?.runs[0]?.run);
  });
});

describe('guard, as live.md section 3 decides', () => {
  it('3.1: while a session is busy another process does not get its run; a moment later it does', async () => {
    flows.flow = workflow([planned]);
    await begin();
    const { run = '' } = book.get('s')?.runs[0] ?? {};
    const other = { ...stage.hosting.holder, pid: process.pid };
    expect(() => stage.hosting.store.open(run, other)).toThrow(
      expect.objectContaining({ code: 'run-locked' }),
    );
    await vi.waitFor(() => stage.hosting.store.open(run, other).close(), { timeout: 5_000 });
  });

  it('3.2: one prompt causes one transition, whatever else it says', async () => {
    const design = prompt(
      'design',
      { next: [{ when: 'user_says("design")', goto: 'implement', do: [] }] },
      'Design.',
    );
    const implement = prompt(
      'implement',
      { next: [{ when: 'user_says("implement")', goto: 'end', do: [] }] },
      'Implement.',
    );
    flows.flow = workflow([design, implement]);
    await begin();
    expect((await say('design and implement it')).say).toEqual(['Implement.']);
    await result('Read', { file_path: 'a' });
    expect(kinds()).not.toContain('run-completed');
    await say('implement it');
    expect(kinds()).toContain('run-completed');
  });

  it('3.3: looking at `that` uses up no try, and `run` waits for a stop', async () => {
    const step = prompt(
      'work',
      { done: { checks: [that('session.step.actions > 2'), check('test -e built')], tries: 2 } },
      'Work.',
    );
    flows.flow = workflow([step]);
    await begin();
    for (let n = 0; n < 5; n += 1) await result('Read', { file_path: `f${n}` });
    await guard.close();
    expect(kinds()).not.toContain('attempt-finished');
    expect(kinds()).not.toContain('work-rejected');
    await stop();
    expect(entries().filter(({ kind }) => kind === 'work-rejected')).toHaveLength(1);
  });

  it('3.4: a long check is waited for as long as the client lets us; then one block that does not count, and the next stop joins it', async () => {
    patience = 0;
    const slow = prompt(
      'slow',
      { done: { checks: [check('until test -e go; do sleep 0.05; done')], tries: 2 } },
      'Work.',
    );
    flows.flow = workflow([slow]);
    await begin();
    const first = await stop('done');
    expect(first.hold).toContain('still run');
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    expect((await call('Read', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'allow' });
    writeFileSync(join(stage.root, 'go'), '');
    patience = 60_000;
    expect((await stop('done')).hold).toBeUndefined();
    await guard.close();
    expect(
      entries().filter((entry) => entry.kind === 'attempt-started' && entry.part === 'done[0]'),
    ).toHaveLength(1);
    expect(entries().filter((entry) => entry.kind === 'stop-answered' && entry.counts)).toHaveLength(0);
  });

  it('3.5: a step without checks, and the stop of a subagent, are let go', async () => {
    flows.flow = workflow([prompt('talk', {}, 'Talk.')]);
    await begin();
    expect(await stop()).toEqual({});
    flows.flow = workflow([built]);
    expect(await tell({ kind: 'subagent_stop', text: '' })).toEqual({});
  });

  it('3.5: limits.stop_blocks lets a session go that works and does not get there, and tells the person', async () => {
    flows.flow = workflow([{ ...built, done: { checks: [that('false', 'Never.')], tries: 3 } }], {
      limits: { visits: 50, stopBlocks: 2 },
    });
    await begin();
    for (let n = 0; n < 2; n += 1) {
      expect((await stop()).hold).toContain('Never.');
      await result('Read', { file_path: `f${n}` });
    }
    const last = await stop();
    expect(last.hold).toBeUndefined();
    expect(last.note).toContain('yours to say');
  });

  it('3.6: a session is bound at the first event that is seen, whichever it is', async () => {
    flows.flow = workflow([planned]);
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    expect(kinds()).toContain('session-bound');
  });

  it('3.7: a session that is resumed goes on with its run; another id is another run', async () => {
    flows.flow = workflow([built]);
    await begin();
    await guard.close();
    guard = newGuard();
    expect((await begin('resume')).say).toEqual(['Build it.']);
    expect(entries().filter(({ kind }) => kind === 'run-started')).toHaveLength(1);
    await tell({ kind: 'session_start', source: 'fork' }, 'forked');
    expect(book.get('forked')?.runs[0]?.run).not.toBe(book.get('s')?.runs[0]?.run);
  });

  it('3.7: a session that is cleared is over, on record; where it is gone on with all the same it begins anew', async () => {
    flows.flow = workflow([built]);
    await begin('startup', 't');
    const { run = '' } = book.get('t')?.runs[0] ?? {};
    await tell({ kind: 'session_end', reason: 'clear' }, 't');
    expect(stage.entries(run).at(-1)).toMatchObject({
      kind: 'run-cancelled',
      why: 'the session was cleared',
    });
    expect((await begin('resume', 't')).say).toEqual(['Build it.']);
    expect(book.get('t')?.runs[0]?.run).not.toBe(run);
  });

  it('3.6: what is chosen later holds a session that was only watched, which keeps its lifecycle; so does what a person reset', async () => {
    flows.flow = workflow([planned]);
    flows.watch = workflow([], { events: { user_prompt: [{ work: { kind: 'say', text: 'Seen.' } }] } });
    choice = { lifecycles: ['watch'], vars: {}, inputs: {} };
    await begin();
    const [watch] = book.get('s')?.runs ?? [];
    choice = { ...choice, workflow: 'flow' };
    // The step is there for the very first call.
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('not among what is allowed'),
    });
    const held = book.get('s')?.runs ?? [];
    expect(held).toMatchObject([{ workflow: 'flow' }, { run: watch?.run, workflow: 'watch' }]);
    await endRun(stage.hosting, held[0]?.run ?? '', { by: 'ada' });
    book.set('s', { project: stage.root, runs: held.slice(1) });
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    expect(book.get('s')?.runs).toMatchObject([{ workflow: 'flow' }, { run: watch?.run }]);
    expect(book.get('s')?.runs[0]?.run).not.toBe(held[0]?.run);
  });

  it('3.15: a phase is durable before the answer goes out', async () => {
    flows.flow = workflow([
      { ...prompt('a', {}, 'A.'), next: [{ when: 'user_says("go")', goto: 'b', do: [] }] },
      prompt('b', {}, 'B.'),
    ]);
    await begin();
    await say('go');
    // Read from the disk while the daemon still has it in hand.
    expect(entries().some((entry) => entry.kind === 'step-handed' && entry.path === 'b')).toBe(true);
    expect(entries().at(-1)?.kind).toBe('said');
  });

  it('3.17: a slow action holds up nothing: the new step binds at once, and its text comes once, with a later event', async () => {
    const slow: Step = {
      ...bound(prompt('slow', {}, 'Slow.'), ['Read']),
      enter: [
        { work: { kind: 'run', command: { kind: 'shell', line: 'until test -e go; do sleep 0.05; done' } } },
      ],
    };
    flows.flow = workflow([
      { ...prompt('a', {}, 'A.'), next: [{ when: 'user_says("go")', goto: 'slow', do: [] }] },
      slow,
    ]);
    await begin();
    patience = 0;
    expect((await say('go')).say).toBeUndefined();
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    writeFileSync(join(stage.root, 'go'), '');
    patience = 60_000;
    const texts: string[] = [];
    await vi.waitFor(
      async () => {
        texts.push(...((await result('Read', { file_path: 'x' })).say ?? []));
        expect(texts).toEqual(['Slow.']);
      },
      { timeout: 10_000 },
    );
    expect((await result('Read', { file_path: 'y' })).say).toBeUndefined();
  });

  it('3.18: an open-ended last step completes when the session ends', async () => {
    flows.flow = workflow([prompt('last', {}, 'Last.')]);
    await begin();
    await tell({ kind: 'session_end', reason: 'exit' });
    await guard.close();
    expect(entries().at(-1)?.kind).toBe('run-completed');
  });

  it('3.20: a step that goes to itself on events does not count towards limits.visits', async () => {
    const loop = prompt(
      'loop',
      { next: [{ when: 'event.name == "tool_result"', goto: 'loop', do: [] }] },
      'Again.',
    );
    flows.flow = workflow([loop], { limits: { visits: 3, stopBlocks: 5 } });
    await begin();
    for (let n = 0; n < 8; n += 1)
      expect((await result('Read', { file_path: `f${n}` })).say).toEqual(['Again.']);
  });

  it('3.21: our own tools are never filtered, and only by their exact names', async () => {
    ownTools = ['mcp__lockstep__get_workflow_status'];
    flows.flow = workflow([bound(prompt('none', {}, 'None.'), [])]);
    await begin();
    expect((await call('mcp__lockstep__get_workflow_status', {})).verdict).toMatchObject({ kind: 'allow' });
    expect((await call('mcp__evil__get_workflow_status', {})).verdict).toMatchObject({ kind: 'deny' });
  });

  it('3.23: settings that may switch hooks off are held, for bound sessions only', async () => {
    flows.flow = workflow([planned]);
    expect((await tell({ kind: 'settings_change', source: 'project_settings' })).hold).toContain(
      'lockstep workflow disable',
    );
    choice = { ...choice, disabled: { by: 'ada', at: '' } };
    await noteSwitch(stage.hosting, book.get('s')?.runs[0]?.run ?? '', false, { by: 'ada' });
    expect(await tell({ kind: 'settings_change', source: 'project_settings' })).toEqual({});
  });

  it('a person who switches it off is out with the next event', async () => {
    flows.flow = workflow([planned]);
    await begin();
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    choice = { ...choice, disabled: { by: 'ada', at: '' } };
    // The file alone is anybody's word.
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({ kind: 'deny' });
    await noteSwitch(stage.hosting, book.get('s')?.runs[0]?.run ?? '', false, { by: 'ada' });
    expect(await call('Write', { file_path: 'a.ts' })).toEqual({});
    expect(await stop()).toEqual({});
  });

  it('what goes wrong here denies calls, says the way out, and never lets one through', async () => {
    flows = {};
    expect((await call('Write', { file_path: 'a.ts' })).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('lockstep workflow disable'),
    });
    expect((await stop()).note).toContain('could not answer');
  });

  it('a request of a person, /lockstep:next, has the checks run at once; /lockstep:status shows where it is', async () => {
    flows.flow = workflow([built]);
    await begin();
    expect((await say('/lockstep:status')).hold).toContain('at build');
    const next = await say('/lockstep:next');
    expect(next.say?.join()).toContain('test -e built');
    writeFileSync(join(stage.root, 'built'), '');
    await say('/lockstep:next');
    expect(kinds()).toContain('run-completed');
  });
});
