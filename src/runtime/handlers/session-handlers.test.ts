import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, call, type Stage, type StageOptions, stage } from '../../../test/support/stage.ts';
import { HANDLERS } from '../../model/handlers.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { SessionKey } from '../../model/live-session.ts';
import type { SessionRecord } from '../../model/session-record.ts';
import { NO_SESSION, type SessionView } from '../../model/session-view.ts';
import type { Sessions } from '../../ports/sessions.ts';
import { fileSessions } from '../../stores/file/file-sessions.ts';
import { memorySessions } from '../../stores/memory/memory-sessions.ts';
import { maskSecretShapes } from '../../text/secret-shapes.ts';
import type { LiveSession } from '../perform/live-session.ts';

const ME: SessionKey = { client: 'claude', id: 'session-of-today' };
const BEFORE: SessionKey = { client: 'codex', id: 'session-before' };

interface Live extends Stage {
  sessions: Sessions;
  /** In this session, or in another of the same project. */
  act(handler: string, given?: JsonObject, as?: Partial<LiveSession>): ReturnType<Stage['outcome']>;
  record(key?: SessionKey): SessionRecord | undefined;
}

let open: Stage | undefined;
afterEach(() => open?.remove());

function live({ view = {}, ...options }: StageOptions & { view?: Partial<SessionView> } = {}): Live {
  const here = stage(options);
  open = here;
  const kept = new Map<string, string>();
  let now = Date.parse('2026-11-15T10:00:00Z');
  const tick = () => {
    now += 1_000;
    return now;
  };
  const parts = { now: tick, machine: 'm', mask: maskSecretShapes };
  const memory = memorySessions({ ...parts, kept });
  const onDisk = fileSessions({ ...parts, folder: join(here.root, '.home') });
  const sessions = { ...memory, transcript: onDisk.transcript };
  const session: LiveSession = {
    key: ME,
    sessions,
    project: here.root,
    workflow: 'plan-execute',
    transcript: join(here.root, 'talk.jsonl'),
    facts: () => ({ phase: 'plan', view: { ...NO_SESSION, ...view } as SessionView, vars: { tries: 2 } }),
  };
  sessions.seen(ME, { project: here.root });
  return {
    ...here,
    sessions,
    act(handler, given = {}, as = {}) {
      here.context.session = { ...session, ...as };
      return here.outcome(call(handler, given));
    },
    record: (key = ME) => sessions.get(key),
  };
}

const talk = (here: Live, ...said: [by: 'user' | 'assistant', text: string][]) =>
  here.write(
    'talk.jsonl',
    said.map(([type, content]) => `${JSON.stringify({ type, message: { content } })}\n`).join(''),
  );
/** A session that has left something. */
const left = (here: Live, key: SessionKey, more: Partial<SessionRecord> = {}) => {
  here.sessions.seen(key, { project: here.root });
  return here.sessions.update(key, (record) => ({ ...record, summary: `Summary of ${key.id}.`, ...more }));
};

describe('without a live session', () => {
  it.each(Object.keys(HANDLERS).filter((name) => HANDLERS[name]?.needs === 'session'))(
    '`%s` says that it needs one, by name',
    async (name) => {
      open = stage();
      const outcome = await open.outcome(call(name, { todos: [], todo: 'x', status: 'x', mode: 'plan' }));
      expect(outcome).toMatchObject({ ok: false, exit_code: 2 });
      expect(outcome.error?.message).toBe(`\`call: ${name}\` needs a live session, and this run has none`);
    },
  );
});

describe('todos', () => {
  it('GOB-ACTION-TODOS: write-todos keeps the list in the record, tells the model, and shows it in `session.todos`', async () => {
    const here = live();
    const todos: Json[] = [
      'parse',
      { id: 2, description: 'test', status: 'in-progress' },
      { content: 'ship', status: 'done' },
    ];
    const outcome = await here.act('write-todos', { todos });
    const kept = [
      { content: 'parse', status: 'pending' },
      { content: 'test', status: 'in_progress', id: '2' },
      { content: 'ship', status: 'completed' },
    ];
    expect(outcome).toMatchObject({ ok: true, output: kept, session_facts: { todos: kept } });
    expect(here.record()?.todos).toEqual(kept);
    expect(outcome.say).toContain('TodoWrite');
    expect(outcome.say).toContain('- [ ] parse\n- [~] test\n- [x] ship');
    const codex = await here.act('write-todos', { todos: ['x'] }, { key: BEFORE });
    expect(codex.say).toContain('update_plan');
  });

  it('GOB-ACTION-TODOS: mark-todo-complete ticks off by text, id or index, also an index that a template gave', async () => {
    const here = live();
    await here.act('write-todos', { todos: [{ id: 'a', content: 'one' }, 'two', 'two', 'three'] });
    const done = () => here.record()?.todos.map(({ status }) => status === 'completed');
    await here.act('mark-todo-complete', { todo: 'a' });
    await here.act('mark-todo-complete', { todo: 'two' });
    expect(done()).toEqual([true, true, false, false]);
    await here.act('mark-todo-complete', { todo: ' two ' });
    const last = await here.act('mark-todo-complete', { index: '3' });
    expect(done()).toEqual([true, true, true, true]);
    expect(last.say).toContain('"three"');
    expect(last.session_facts).toEqual({ todos: last.output });
    await here.act('mark-todo-complete', { index: 0 });
  });

  it('what is not in the list is named, and nothing is changed', async () => {
    const here = live();
    await here.act('write-todos', { todos: ['one'] });
    const wrong: JsonObject[] = [
      { todo: 'two' },
      { index: 1 },
      { index: -1 },
      { index: 'x' },
      { index: 0.5 },
      {},
    ];
    for (const given of wrong)
      expect(await here.act('mark-todo-complete', given)).toMatchObject({ ok: false, exit_code: 2 });
    expect((await here.act('mark-todo-complete', { index: 7 })).error?.message).toBe(
      'the to-do list of the session has no number 7, counted from 0: it has 1',
    );
    expect((await here.act('write-todos', { todos: [{ status: 'x' }] })).ok).toBe(false);
    expect(here.record()?.todos).toEqual([{ content: 'one', status: 'pending' }]);
  });
});

describe('switch-mode', () => {
  it('GOB-ACTION-MODE: what a hook cannot do is said in words', async () => {
    const here = live();
    const outcome = await here.act('switch-mode', { mode: 'plan' });
    expect(outcome).toMatchObject({ ok: true, output: 'plan' });
    expect(outcome.say).toMatch(/mode "plan".*change no file/);
    expect((await here.act('switch-mode', { mode: 'yolo' })).say).toBe(
      'You work in the mode "yolo" from here on.',
    );
    expect((await here.act('switch-mode', {})).ok).toBe(false);
  });
});

describe('generate-summary', () => {
  const HELLO: Parameters<typeof talk>[1][] = [
    ['user', 'Add a parser for dates.'],
    ['assistant', 'I did.'],
    ['user', 'Use the key sk-ant-abcdefghij0123456789.'],
  ];

  it('GOB-SUMMARY-EXTRACT: without a provider it is put together from transcript, record and tree, and kept', async () => {
    const here = live({ git: true, view: { files_modified: ['src/date.ts'] } });
    talk(here, ...HELLO);
    await here.act('write-todos', { todos: ['write the tests', { content: 'old', status: 'done' }] });
    const outcome = await here.act('generate-summary', { generator: 'llm' });
    expect(outcome.ok).toBe(true);
    expect(outcome.output).toBe(here.record()?.summary);
    for (const part of [
      '## Goal\n\nAdd a parser for dates.',
      '## Asked since\n\n- Use the key ***',
      '## Step\n\nplan',
      '## Files written\n\n- src/date.ts',
      '## Left to do\n\n- [ ] write the tests\n\n',
      'Agent: I did.',
      '## Not committed\n\n- talk.jsonl',
    ])
      expect(outcome.output).toContain(part);
    expect(outcome.output).not.toContain('old');
    expect(JSON.stringify(outcome)).not.toContain('abcdefghij');
  });

  it('GOB-SUMMARY-EXTRACT: nothing is known, and it says so', async () => {
    const here = live({ view: {} });
    const outcome = await here.act(
      'generate-summary',
      {},
      { facts: () => ({ phase: '', view: NO_SESSION, vars: {} }) },
    );
    expect(outcome.output).toBe('Nothing is known of what happened in this session.');
  });

  it('GOB-SUMMARY-MODEL: a model writes it through a provider, with no tools, its cost counted, while others change files', async () => {
    const asked: { prompt: string; tools: unknown; passing: unknown }[] = [];
    const agent = agentOf(({ prompt, tools, passing }) => {
      asked.push({ prompt, tools, passing });
      here.write('by-the-person.txt', 'x');
      return {
        text: ' A parser, done. \n',
        usage: { input_tokens: 5, output_tokens: 2, cost: 0.1, turns: 1 },
      };
    });
    const here = live({ git: true, agents: [agent], environment: { TOKEN: 'hunter2' }, secrets: ['TOKEN'] });
    talk(here, ['user', 'Add a parser, hunter2.']);
    const outcome = await here.act('generate-summary', { instruction: 'Look at dates.' });
    expect(outcome).toMatchObject({
      ok: true,
      output: 'A parser, done.',
      usage: { cost: 0.1 },
      provider: 'test',
    });
    expect(here.record()?.summary).toBe('A parser, done.');
    expect(asked[0]?.prompt).toMatch(/Sum up this session[\s\S]*Look at dates\.[\s\S]*Add a parser, \*\*\*/);
    expect(asked[0]?.tools).toEqual({ allow: [], deny: [] });
    // A person who goes on in their latest session does not find this one.
    expect(asked[0]?.passing).toBe(true);
    await here.act('generate-summary', { generator: 'extract' });
    expect(asked).toHaveLength(1);
  });

  it('GOB-SUMMARY-MODEL: a template asks in the words of its author', async () => {
    let asked = '';
    const here = live({
      git: true,
      agents: [
        agentOf(({ prompt }) => {
          asked = prompt;
          return { text: 'x' };
        }),
      ],
      view: { files_modified: ['a.ts'] },
    });
    talk(here, ['user', 'Do it.'], ['assistant', 'Done.']);
    const template = 'T {transcript_summary}|L {last_messages}|G {git_status}|F {file_changes}|{nothing}';
    await here.act('generate-summary', { template });
    expect(asked).toMatch(
      /^T ## Goal\n\nDo it\.[\s\S]*\|L Person: Do it\.\n\nAgent: Done\.\|G - talk\.jsonl\|F - a\.ts\|\{nothing\}$/,
    );
    await here.act('generate-summary', { template: 'default' });
    expect(asked).toContain('Sum up this session');
  });

  it('GOB-SUMMARY-MODEL: a model that fails holds nobody up: the text is put together, and that is said', async () => {
    const here = live({
      agents: [agentOf(() => ({ text: '', error: { class: 'rate-limit', message: 'come back later' } }))],
    });
    talk(here, ['user', 'Do it.']);
    const outcome = await here.act('generate-summary');
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.output).toContain('Do it.');
    expect(outcome.warnings?.[0]).toContain('come back later');
    expect((await here.act('generate-summary', { generator: 'magic' })).ok).toBe(false);
  });

  it('a time-out ends the model, and the outcome says so', async () => {
    const here = live({
      agents: [
        agentOf(
          ({ signal }) =>
            new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: '' }))),
        ),
      ],
    });
    await here.act('switch-mode', { mode: 'x' });
    const outcome = await here.outcome(call('generate-summary', {}, { timeout: 20 }));
    expect(outcome).toMatchObject({ ok: false, exit_code: 124, error: { class: 'timeout' } });
  });
});

describe('synthesize-title', () => {
  it.each([
    ['Add a parser for dates. It must read ISO 8601.', 'Add a parser for dates'],
    ['/model opus', 'model opus'],
    [`Please ${'very '.repeat(40)}long`, `Please ${'very '.repeat(13)}very…`],
    ['# Fix it\nand more', 'Fix it'],
  ])('GOB-TITLE: without a provider it is the first sentence that was asked: %j', async (prompt, title) => {
    const here = live();
    talk(here, ['user', prompt]);
    const outcome = await here.act('synthesize-title');
    expect(outcome).toMatchObject({
      output: title.replace(/^model/, '/model'),
      session_facts: { title: outcome.output },
    });
    expect(here.record()?.title).toBe(outcome.output);
  });

  it('GOB-TITLE: a model gives it, on one line, without marks', async () => {
    const here = live({ agents: [agentOf(() => ({ text: '**"Parsing dates"**\n\nBecause …' }))] });
    expect((await here.act('synthesize-title')).output).toBe('Parsing dates');
  });

  it('GOB-TITLE: the prompt that the run knows counts where there is no transcript', async () => {
    const here = live({ view: { prompt: 'Rename the module' } });
    expect((await here.act('synthesize-title')).output).toBe('Rename the module');
  });
});

describe('handing over', () => {
  it('GOB-HANDOFF-RECORD: generate-handoff keeps project, workflow, step, artifacts, tasks with the numbers of their issues, and notes', async () => {
    const here = live({ git: true, view: { artifacts: { plan: 'token=abc12345', list: [1] } } });
    await here.act('persist-tasks', { tasks: ['one', 'two'] });
    await here.act('persist-tasks', { tasks: [{ id: 'x', title: 'over', status: 'done' }] });
    await here.act('write-todos', { todos: ['three', 'one'] });
    const outcome = await here.act('generate-handoff', {
      include: ['current_phase', 'artifacts', 'pending_tasks', 'variables'],
      notes: 'Look at the parser.',
    });
    expect(outcome).toMatchObject({
      ok: true,
      output: {
        ...{ project: here.root, workflow: 'plan-execute', from: ME, phase: 'plan' },
        artifacts: { plan: 'token=***', list: '[1]' },
        pending_tasks: ['one', 'two', 'three'],
        pending_task_ids: [1, 2],
        notes: 'Look at the parser.\n\n## Variables\n\n{"tries":2}',
      },
    });
    expect(here.record()?.handoff).toEqual(outcome.output);
  });

  it('GOB-HANDOFF-RECORD: all parts where nothing is said, and the tasks that are given', async () => {
    const here = live({
      git: true,
      view: { observations: [{ tool: 'Bash', about: 'npm test', error: 'exit 1', text: '' }] },
    });
    talk(here, ['user', 'Do it.']);
    const { output } = await here.act('generate-handoff', {
      pending_tasks: ['a', { title: 'b', issue: 9 }, { description: 'c' }],
    });
    expect(output).toMatchObject({ phase: 'plan', pending_tasks: ['a', 'b', 'c'], pending_task_ids: [9] });
    expect((output as { notes: string }).notes).toMatch(
      /^## Goal\n\nDo it\.[\s\S]*## Last tool calls\n\n- Bash · npm test · exit 1/,
    );
    expect((await here.act('generate-handoff', { include: ['everything'] })).ok).toBe(false);
  });

  it('GOB-HANDOFF-PARENT: find-parent-session takes the newest that waits in this project, and only one that no session has got', async () => {
    const here = live();
    expect(await here.act('find-parent-session')).toMatchObject({ ok: true, output: null });
    left(here, BEFORE, { status: 'handoff_ready' });
    left(here, { ...BEFORE, id: 'still-active' });
    const elsewhere = left(
      here,
      { ...BEFORE, id: 'elsewhere' },
      { status: 'handoff_ready', project: '/other' },
    );
    const outcome = await here.act('find-parent-session', {
      filter: { status: 'handoff_ready', same_project: true, same_machine: 'true' },
    });
    expect(outcome).toMatchObject({
      output: BEFORE.id,
      session_facts: { parent: BEFORE.id, previous_summary: 'Summary of session-before.' },
    });
    expect(here.record()?.parent).toEqual(BEFORE);
    expect((await here.act('find-parent-session', { filter: { same_project: false } })).output).toBe(
      elsewhere.id,
    );
    expect((await here.act('find-parent-session', { filter: { status: 'active' } })).output).toBe(
      'still-active',
    );
    expect((await here.act('find-parent-session', { filter: { colour: 'red' } })).ok).toBe(false);
  });

  it('GOB-HANDOFF-RESTORE: restore-context says what the parent left, once; the next session gets nothing', async () => {
    const here = live({ git: true });
    // The session before goes through the motions of the template session-handoff.
    here.sessions.seen(BEFORE, { project: here.root });
    await here.act('generate-summary', {}, { key: BEFORE });
    await here.act('mark-session-status', { status: 'handoff-ready' }, { key: BEFORE });
    expect(here.record(BEFORE)).toMatchObject({
      status: 'handoff_ready',
      handoff: { from: BEFORE, phase: 'plan' },
    });

    await here.act('find-parent-session');
    const other = { client: 'gemini', id: 'at-the-same-time' } as const;
    here.sessions.seen(other, { project: here.root });
    await here.act('find-parent-session', {}, { key: other });
    const outcome = await here.act('restore-context', {
      source: 'parent_session_summary',
      inject_as: 'system_context',
    });
    expect(outcome).toMatchObject({
      ok: true,
      session_facts: {
        parent: BEFORE.id,
        context_restored: true,
        handoff: { from: BEFORE.id, phase: 'plan' },
      },
    });
    expect(outcome.say).toMatch(/^What an earlier session in this project left:\n\n## Step\n\nplan/);
    expect(here.record()).toMatchObject({ context_restored: true, parent: BEFORE });
    expect(here.record(BEFORE)?.handoff).toMatchObject({ consumed_by: ME });

    const late = await here.act('restore-context', {}, { key: other });
    expect(late).toMatchObject({ ok: true, output: null });
    expect(late.say).toBeUndefined();
    expect(late.warnings?.[0]).toContain('another session has got');
    expect(here.record(other)?.context_restored).toBe(false);

    // After a crash the same one may ask again.
    expect((await here.act('restore-context')).say).toBe(outcome.say);
    await here.act('mark-session-status', { status: 'expired', target: 'parent' });
    expect(here.record(BEFORE)?.status).toBe('expired');
    expect((await here.act('find-parent-session')).output).toBeNull();
  });

  it('GOB-HANDOFF-RESTORE: a template puts it into words', async () => {
    const here = live({ git: true, view: { artifacts: { plan: '1. do it' } } });
    left(here, BEFORE);
    await here.act(
      'generate-handoff',
      { include: ['artifacts'], notes: 'Mind the gap.', pending_tasks: [] },
      { key: BEFORE },
    );
    here.sessions.update(BEFORE, (record) => ({
      ...record,
      ...(record.handoff && { handoff: { ...record.handoff, pending_tasks: ['a', 'b'] } }),
    }));
    const template =
      '# Before\n{summary}\n{handoff.notes}\n{handoff.pending_tasks}\n{handoff.artifacts}\n{x}';
    const outcome = await here.act('restore-context', { source: 'handoff', template, inject_as: 'message' });
    expect(outcome.say).toBe(
      '# Before\nSummary of session-before.\nMind the gap.\n- a\n- b\n### plan\n\n1. do it\n{x}',
    );
  });

  it('what there is not is not restored, and no error; sources of the session itself are said', async () => {
    const here = live({
      view: { artifacts: { plan: 'P' }, observations: [{ tool: 'Bash', about: 'ls', error: '', text: 'a' }] },
    });
    const none: JsonObject[] = [{}, { session: 'nobody' }, { source: 'handoff' }];
    for (const given of none)
      expect(await here.act('restore-context', given)).toMatchObject({ ok: true, output: null });
    expect(here.record()?.context_restored).toBe(false);
    expect((await here.act('restore-context', { source: 'artifacts' })).say).toBe('### plan\n\nP');
    expect((await here.act('restore-context', { source: 'observations' })).say).toContain('"about":"ls"');
    expect((await here.act('restore-context', { source: 'workflow_state' })).say).toMatch(
      /plan-execute[\s\S]*plan[\s\S]*"tries":2/,
    );
    expect((await here.act('restore-context', { source: 'magic' })).ok).toBe(false);
  });

  it('mark-session-status takes a word, and needs a parent to mark one', async () => {
    const here = live();
    expect(
      (await here.act('mark-session-status', { status: 'expired', target: 'parent' })).error?.message,
    ).toBe('the session has no parent to mark');
    expect((await here.act('mark-session-status', { status: 'a b/c' })).ok).toBe(false);
    expect((await here.act('mark-session-status', { status: 'x', target: 'all' })).ok).toBe(false);
    expect((await here.act('mark-session-status', { status: 'ended' })).output).toBe('ended');
    expect(here.record()).toMatchObject({ status: 'ended' });
    expect(here.record()).not.toHaveProperty('handoff');
  });
});

describe('transcripts of the clients', () => {
  it('are read from the file that the event names; one that is not there is no error', async () => {
    const here = live();
    const path = join(here.root, 'chat.json');
    writeFileSync(path, JSON.stringify({ messages: [{ type: 'user', content: 'Make it so.' }] }));
    const asGemini = { key: { client: 'gemini', id: 'gemini-session' }, transcript: path } as const;
    expect((await here.act('generate-summary', {}, asGemini)).output).toContain('Make it so.');
    expect((await here.act('generate-summary', {}, { transcript: '/nowhere.jsonl' })).ok).toBe(true);
  });
});
