// Records of sessions beside the journals: what a session leaves, and what the next one of the project gets of it.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { eventually } from '../../../test/support/stage.ts';
import { prompt, workflow } from '../../../test/support/workflow.ts';
import type { HookEvent, HookHappening, HookReply } from '../../model/live-session.ts';
import type { Action, Workflow } from '../../model/workflow.ts';
import type { Sessions } from '../../ports/sessions.ts';
import { fileSessions } from '../../stores/file/file-sessions.ts';
import { maskSecretShapes } from '../../text/secret-shapes.ts';
import type { GuardChoice } from './choice.ts';
import { createGuard, type Guard } from './guard.ts';
import { sessionBook } from './session-book.ts';

let stage: Drive;
let guard: Guard;
let sessions: Sessions;
let flows: Record<string, Workflow>;
let choice: GuardChoice;
let deliveries = 0;

let keepMs: number | undefined;

const newGuard = (): Guard =>
  createGuard({
    projectAt: async () => ({
      root: stage.root,
      choice,
      hosting: stage.hosting,
      ...(keepMs !== undefined && { keepMs }),
      load: async (name) => ({ workflow: flows[name] as Workflow, file: `${name}.yaml`, inputs: {} }),
    }),
    sessions: sessionBook(sessions, Date.now),
    hash: (text) => text,
    carries: ({ kind }) => kind !== 'stop',
    patienceMs: () => 30_000,
    ownTools: () => [],
    canRewrite: () => true,
  });

const call = (handler: string, given: Record<string, string> = {}, condition?: string): Action => ({
  work: { kind: 'call', handler, with: given },
  ...(condition !== undefined && { when: condition }),
});
/** As the template session-handoff has it. */
const handoff = (): Workflow => ({
  ...workflow([]),
  name: 'session-handoff',
  events: {
    session_start: [
      call('find-parent-session'),
      call('restore-context', { source: 'parent_session_summary' }, 'session.parent != ""'),
      call('mark-session-status', { target: 'parent', status: 'expired' }, 'session.context_restored'),
    ],
    user_prompt: [call('synthesize-title', { generator: 'extract' }, 'session.title == ""')],
    session_end: [
      call('generate-summary', { generator: 'extract' }),
      call('mark-session-status', { status: 'handoff_ready' }),
    ],
  },
});

beforeEach(() => {
  stage = drive();
  execFileSync('git', ['init', '-q'], { cwd: stage.root });
  stage.hosting.holder = { user: 'tester', host: hostname(), pid: process.pid, version: '0' };
  sessions = fileSessions({
    folder: join(stage.root, '.home/sessions'),
    now: Date.now,
    machine: 'm',
    mask: maskSecretShapes,
  });
  stage.hosting.sessions = sessions;
  flows = { 'session-handoff': handoff() };
  choice = { lifecycles: ['session-handoff'], vars: {}, inputs: {} };
  keepMs = undefined;
  guard = newGuard();
});
afterEach(async () => {
  await guard.close();
  stage.remove();
});

const tell = (happening: HookHappening, id: string): Promise<HookReply> => {
  deliveries += 1;
  return guard.event({
    ...{ session: { client: 'claude', id }, cwd: stage.root, delivery: `d${deliveries}` },
    transcript: join(stage.root, `${id}.jsonl`),
    ...happening,
  } as HookEvent);
};
const begin = (id: string) => tell({ kind: 'session_start', source: 'clear' }, id);
const say = (id: string, text: string) => {
  writeFileSync(
    join(stage.root, `${id}.jsonl`),
    `${JSON.stringify({ type: 'user', message: { content: text } })}\n`,
  );
  return tell({ kind: 'user_prompt', prompt: text, byPerson: true }, id);
};
const end = (id: string) => tell({ kind: 'session_end', reason: 'clear' }, id);
const record = (id: string) => sessions.get({ client: 'claude', id });

describe('session-handoff', () => {
  it('GOB-HANDOFF-LIFECYCLE: what a session leaves is said to the next one of the project, once, and on record', async () => {
    await begin('first-session');
    await say('first-session', 'Add a parser for dates. The key is sk-ant-abcdefghij0123456789.');
    await eventually(() => record('first-session')?.title !== '');
    expect(record('first-session')).toMatchObject({
      ...{ title: 'Add a parser for dates', status: 'active', project: stage.root, machine: 'm' },
      runs: [{ workflow: 'session-handoff', lifecycle: true }],
    });
    await end('first-session');
    await eventually(() => record('first-session')?.status === 'handoff_ready');
    const left = record('first-session');
    expect(left?.summary).toContain('Add a parser for dates.');
    expect(JSON.stringify(left)).not.toContain('abcdefghij');

    const [run] = left?.runs ?? [];
    expect(JSON.stringify(stage.entries(run?.run ?? ''))).not.toContain('abcdefghij');

    const replies = [await begin('second-session')];
    await eventually(() => record('first-session')?.status === 'expired');
    replies.push(await say('second-session', 'Go on.'), await say('second-session', 'And on.'));
    const said = replies.flatMap((reply) => reply.say ?? []);
    expect(said.filter((text) => text.includes('Add a parser for dates.'))).toHaveLength(1);
    expect(record('second-session')).toMatchObject({
      context_restored: true,
      parent: { id: 'first-session' },
    });
    expect(record('first-session')?.handoff?.consumed_by).toEqual({ client: 'claude', id: 'second-session' });

    // Nor is what a command holds kept as it is.
    await tell(
      {
        ...{ kind: 'tool_result', call: 'c1', tool: 'Bash', input: {}, text: 'token=abcd1234efgh' },
        acts: [{ tool: 'Bash', input: {}, command: 'curl -H "Authorization: Bearer abcd1234efghabcd1234"' }],
      },
      'second-session',
    );
    await guard.close();
    for (const { run: one } of record('second-session')?.runs ?? [])
      expect(JSON.stringify(stage.entries(one))).not.toContain('abcd1234efgh');
    guard = newGuard();

    expect((await begin('third-session')).say).toBeUndefined();
    expect(record('third-session')).toMatchObject({ context_restored: false });
  });

  it('GOB-SESSION-FIELDS: a workflow sees what the session before left', async () => {
    sessions.seen({ client: 'codex', id: 'the-one-before' }, { project: stage.root });
    sessions.update({ client: 'codex', id: 'the-one-before' }, (before) => ({
      ...before,
      summary: 'It was about dates.',
    }));
    flows.flow = workflow([
      prompt('plan', {}, 'Before: {{ session.previous_summary }} ({{ session.todos }})'),
    ]);
    choice = { workflow: 'flow', lifecycles: [], vars: {}, inputs: {} };
    expect((await begin('second-session')).say?.[0]).toContain('Before: It was about dates.');
  });

  it('GOB-ACTION-CAPTURE: named contents join those that are there', async () => {
    flows['session-handoff'] = {
      ...handoff(),
      events: {
        user_prompt: [
          call('capture-artifact', { content: 'one', as: 'plan' }),
          call('capture-artifact', { content: 'two', as: 'spec' }),
          { work: { kind: 'say', text: '{{ session.artifacts.plan }}, {{ session.artifacts.spec }}' } },
        ],
      },
    };
    await begin('a-session');
    const said = [await say('a-session', 'Go.'), await say('a-session', 'On.')].flatMap(
      (reply) => reply.say ?? [],
    );
    expect(said[0]).toBe('one, two');
  });

  it('GOB-SESSION-RECORD: a session that ends is over, and one that goes on is not', async () => {
    flows.flow = workflow([prompt('plan', {}, 'Plan.')]);
    choice = { workflow: 'flow', lifecycles: [], vars: {}, inputs: {} };
    await begin('a-session');
    expect(record('a-session')).toMatchObject({
      status: 'active',
      transcript: join(stage.root, 'a-session.jsonl'),
    });
    await end('a-session');
    expect(record('a-session')?.status).toBe('ended');
  });

  it('GOB-RUNS-RETENTION: runs of live sessions in which nothing happened for long go, ended or not; those in hand stay', async () => {
    const project = () => sessions.find({}).flatMap(({ runs }) => runs.map(({ run }) => run));
    await begin('old-session');
    await guard.close();
    const [old] = project();
    keepMs = 0;
    guard = newGuard();
    await begin('new-session');
    await eventually(() => !stage.store.list().includes(old ?? ''));
    expect(stage.store.list()).toHaveLength(1);
  });
});
