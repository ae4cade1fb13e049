import { afterEach, describe, expect, it } from 'vitest';
import { call, type Stage, type StageOptions, stage } from '../../../test/support/stage.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Tracker } from '../../ports/tracker.ts';

let open: Stage | undefined;
function on(options?: StageOptions): Stage {
  open = stage(options);
  return open;
}
afterEach(() => open?.remove());

const tasks: JsonObject[] = [
  { id: 'T2', title: 'Printer', dependencies: ['T1'], description: 'Prints.', labels: ['ui'] },
  {
    ...{ id: 'T1', title: 'Parser', description: 'Reads dates.', requirements: ['ISO 8601', 'no time zone'] },
    ...{ filePaths: ['src/parse.js'], estimatedComplexity: 'low', priority: 'high' },
  },
];

async function outputOf(here: Stage, handler: string, given: JsonObject): Promise<unknown> {
  const outcome = await here.outcome(call(handler, given));
  expect(outcome.error).toBeUndefined();
  return outcome.output;
}
const trackerOf = (here: Stage): Promise<Tracker> => here.context.tracker();

describe('create-issues', () => {
  it('makes an issue of every task, those that are needed first, and gives the tasks with their numbers', async () => {
    const here = on();
    const output = await outputOf(here, 'create-issues', { issues: tasks, labels: ['spec'] });
    expect(output).toEqual([
      { ...tasks[1], dependencies: [], issue: 1, path: '.lockstep/issues/0001-parser.md' },
      { ...tasks[0], issue: 2, path: '.lockstep/issues/0002-printer.md' },
    ]);
    const { issues } = (await trackerOf(here)).list();
    expect(issues).toMatchObject([
      { id: 1, title: 'Parser', run: 'run-1', task: 'T1', priority: 'high', labels: ['spec'] },
      { id: 2, title: 'Printer', task: 'T2', labels: ['ui', 'spec'], dependencies: [1] },
    ]);
    expect(issues[0]?.body).toBe(
      'Reads dates.\n\n## Requirements\n\n- ISO 8601\n- no time zone\n\n## Files\n\n- src/parse.js',
    );
  });

  it('takes the tasks of an analysis, and plain texts', async () => {
    const here = on();
    const made = await outputOf(here, 'create-issues', { analysis: { tasks, constraints: [] } });
    expect(made).toMatchObject([
      { id: 'T1', issue: 1 },
      { id: 'T2', issue: 2 },
    ]);
    expect(await outputOf(here, 'create-issues', { issues: ['Say so', 'Do so'] })).toMatchObject([
      { id: 'step#1', title: 'Say so', issue: 3 },
      { id: 'step#2', title: 'Do so', issue: 4 },
    ]);
    expect(await outputOf(here, 'create-issues', { issues: [] })).toEqual([]);
  });

  it('E4: done again after a crash it makes what is missing and nothing twice', async () => {
    const here = on();
    const [, first] = tasks;
    await outputOf(here, 'create-issues', { issues: [first as JsonObject] }); // as far as it had come
    (await trackerOf(here)).update(1, { title: 'Parser, as a person calls it', status: 'in-progress' });
    const again = await outputOf(here, 'create-issues', { issues: tasks });
    expect(again).toMatchObject([
      { id: 'T1', issue: 1 },
      { id: 'T2', issue: 2 },
    ]);
    expect((await trackerOf(here)).list().issues).toMatchObject([
      { id: 1, title: 'Parser, as a person calls it', status: 'in-progress' },
      { id: 2, dependencies: [1] },
    ]);
  });

  it('a dry run makes no issue and completes none, and gives the tasks all the same, in order', async () => {
    const here = on();
    await outputOf(here, 'create-issues', { issues: ['Before'] });
    here.context.isDryRun = true;
    const planned = [{ ...tasks[1], dependencies: [] }, tasks[0]];
    expect(await outputOf(here, 'create-issues', { issues: tasks })).toEqual(planned);
    expect(await outputOf(here, 'persist-tasks', { tasks })).toEqual(planned);
    await outputOf(here, 'save-checkpoint', { task: 'step#1' });
    expect((await trackerOf(here)).list().issues).toMatchObject([{ title: 'Before', status: 'open' }]);
  });

  it('S3: a secret that a task holds is not written', async () => {
    const here = on({ environment: { TOKEN: 'hunter2' }, secrets: ['TOKEN'] });
    await outputOf(here, 'create-issues', { issues: [{ title: 'Use hunter2', description: 'hunter2' }] });
    expect(JSON.stringify((await trackerOf(here)).list())).not.toContain('hunter2');
  });

  const wrong: [string, JsonObject, RegExp][] = [
    ['nothing', {}, /`with.issues` must be a list; it is missing/],
    ['no list', { issues: 'x' }, /`with.issues` must be a list/],
    ['an analysis without tasks', { analysis: {} }, /`with.analysis.tasks` must be a list/],
    ['no title', { issues: [{ title: 'a' }, { id: 1 }] }, /`with.issues\[1\].title` must be a text/],
    ['a number', { issues: [7] }, /`with.issues\[0\]` must be a text or a map/],
    ['a circle', { issues: circle() }, /circle: a → b → a/],
    ['an unknown one', { issues: [{ title: 'a', dependencies: ['z'] }] }, /depends on "z", which is no task/],
    ['the same id twice', { issues: [tasks[0], tasks[0]] as JsonObject[] }, /two items have the id "T2"/],
  ];
  it.each(wrong)('of %s makes no issue at all, and says what is wrong', async (_, given, message) => {
    const here = on();
    const outcome = await here.outcome(call('create-issues', given));
    expect(outcome).toMatchObject({ ok: false, exit_code: 2 });
    expect(outcome.error?.message).toMatch(message);
    expect((await trackerOf(here)).list().issues).toEqual([]);
  });
});

describe('persist-tasks', () => {
  it('makes issues, and brings those that are there up to date', async () => {
    const here = on();
    await outputOf(here, 'persist-tasks', { tasks });
    const later: JsonObject[] = [
      { id: 'T1', title: 'Parser and lexer', status: 'in_progress' },
      { id: 'T3', title: 'Docs', dependencies: ['T2'] },
    ];
    expect(await outputOf(here, 'persist-tasks', { tasks: later, labels: ['x'] })).toMatchObject([
      { id: 'T1', issue: 1 },
      { id: 'T3', issue: 3 },
    ]);
    expect((await trackerOf(here)).list().issues).toMatchObject([
      {
        title: 'Parser and lexer',
        status: 'in-progress',
        labels: ['x'],
        body: expect.stringMatching(/^Reads dates/),
      },
      { title: 'Printer' },
      { title: 'Docs', dependencies: [2] },
    ]);
  });
});

describe('save-checkpoint', () => {
  it('WR47-FR-2b.2: moves the current task from pending to completed, as often as it is done', async () => {
    const here = on();
    const made = (await outputOf(here, 'create-issues', { issues: tasks })) as JsonObject[];
    for (const _ of ['once', 'and again after a crash']) {
      expect(await outputOf(here, 'save-checkpoint', { task: made[0] as JsonObject })).toEqual({
        ...{ task: 'T1', issue: 1, completed: ['T1'], pending: ['T2'] },
      });
    }
    expect((await trackerOf(here)).get(1).status).toBe('done');
    expect(await outputOf(here, 'save-checkpoint', { task: 'T2', name: 'end', data: { n: 1 } })).toEqual({
      ...{ name: 'end', data: { n: 1 }, task: 'T2', issue: 2, completed: ['T1', 'T2'], pending: [] },
    });
  });

  it('works without a task, and with one that has no issue', async () => {
    const here = on();
    expect(await outputOf(here, 'save-checkpoint', {})).toEqual({ completed: [], pending: [] });
    expect(await outputOf(here, 'save-checkpoint', { task: { id: 7 } })).toEqual({
      ...{ task: '7', completed: ['7'], pending: [] },
    });
    expect((await here.outcome(call('save-checkpoint', { task: [] }))).error?.message).toContain(
      '`with.task`',
    );
  });
});

function circle(): JsonObject[] {
  return [
    { id: 'a', title: 'a', dependencies: ['b'] },
    { id: 'b', title: 'b', dependencies: ['a'] },
  ];
}

describe('persist-tasks of a plan', () => {
  const plan: JsonObject[] = [
    { id: 1, description: 'Write the parser\nwith care', verification: 'npm test' },
    { id: 2, description: 'Print', dependencies: [1] },
    { id: 3, title: 'Ship' },
  ];

  it('GOB-ACTION-TASKS: sequential: each task needs the one before; described tasks have a title; issues name the session', async () => {
    const here = on();
    here.context.session = { key: { client: 'claude', id: 's1' } } as never;
    await outputOf(here, 'persist-tasks', { tasks: plan, dependencies: 'sequential', link_session: true });
    const { issues } = (await trackerOf(here)).list();
    expect(issues).toMatchObject([
      { title: 'Write the parser', dependencies: [], labels: ['session:claude:s1'] },
      { title: 'Print', dependencies: [1] },
      { title: 'Ship', dependencies: [2] },
    ]);
    expect(issues[0]?.body).toContain('## Verification\n\nnpm test');
  });

  it('GOB-ACTION-TASKS: nothing is chained or linked unless it is asked for, and no session is no error', async () => {
    const here = on();
    await outputOf(here, 'persist-tasks', { tasks: plan, dependencies: 'none', link_session: true });
    const { issues } = (await trackerOf(here)).list();
    expect(issues.map(({ dependencies }) => dependencies)).toEqual([[], [1], []]);
    expect(issues[0]?.labels).toEqual([]);
    expect((await here.outcome(call('persist-tasks', { tasks: plan, dependencies: 'all' }))).ok).toBe(false);
  });
});
