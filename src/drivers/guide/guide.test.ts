// The guide drive through the real runtime: a client is handed one step at a time, and only the engine says what counts.

import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { ask, each, gate, gates, parallel, prompt, workflow } from '../../../test/support/workflow.ts';
import { tellRun } from '../../hosting/hosting.ts';
import type { Claim } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Check, Step, Workflow } from '../../model/workflow.ts';
import { createGuide, type Guide, type Turn } from './guide.ts';

let stage: Drive;
let guide: Guide;
beforeEach(() => {
  stage = drive();
  stage.hosting.holder = { user: 'tester', host: hostname(), pid: process.pid, version: '0' };
  guide = createGuide(stage.hosting);
});
afterEach(async () => {
  await guide.close();
  stage.remove();
});

const start = (flow: Workflow): Promise<Turn> =>
  guide.start({
    ...{ workflow: flow, workflowFile: 'test.yaml', workspace: stage.root, inputs: {}, vars: {} },
    skips: { steps: [], checks: false, dry_run: false },
  });

const handIn = (turn: Turn, claim: Claim, by = 'claude-code'): Promise<Turn> => {
  const { path = '', try: tried = 1 } = turn.handed ?? {};
  return guide.claim(turn.run.id, {
    path,
    try: tried,
    claim,
    by,
    message: JSON.stringify([path, tried, claim]),
  });
};

const kinds = (id: string): string[] => stage.entries(id).map(({ kind }) => kind);
const check = (line: string): Check => ({ kind: 'run', command: { kind: 'shell', line } });

const built = prompt(
  'build',
  { done: { checks: [check('test -e built')], tries: 3 } },
  'Build: {{ steps.plan.output }}',
);
const two = workflow([prompt('plan', {}, 'Plan it.'), built], {
  outputs: { said: '{{ steps.build.output }}' },
});

describe('guide', () => {
  it('hands out one step at a time, and the claim of one is the output of that step', async () => {
    const first = await start(two);
    expect(first.handed).toMatchObject({
      path: 'plan',
      try: 1,
      step: 'plan',
      prompt: 'Plan it.',
      reasons: [],
    });
    expect(first.run.status).toBe('paused');
    const second = await handIn(first, { notesMarkdown: 'a plan' });
    expect(second.claim).toEqual({ status: 'taken' });
    expect(second.handed).toMatchObject({ path: 'build', prompt: 'Build: a plan' });
  });

  it('does not go on where a check says no: the same step comes again, with the reason', async () => {
    const second = await handIn(await start(two), { notesMarkdown: 'a plan' });
    const again = await handIn(second, { notesMarkdown: 'all tests pass, I promise' });
    expect(again.handed).toMatchObject({
      ...{ path: 'build', try: 2, triesLeft: 1 },
      reasons: [expect.stringContaining('test -e built')],
    });
  });

  it('ends when the last step counts', async () => {
    const second = await handIn(await start(two), { notesMarkdown: 'a plan' });
    writeFileSync(join(stage.root, 'built'), '');
    const end = await handIn(second, { notesMarkdown: 'built' });
    expect(end.run.status).toBe('completed');
    expect(end.handed).toBeUndefined();
    expect(end.outputs).toEqual({ said: 'built' });
  });

  it('G1: a claim that is handed in again gives the same answer, and is journaled once', async () => {
    const first = await start(two);
    const second = await handIn(first, { notesMarkdown: 'a plan' });
    const third = await handIn(second, { notesMarkdown: 'no' });
    const again = await handIn(first, { notesMarkdown: 'a plan' });
    expect(again).toEqual({ ...second, claim: { status: 'known', by: 'claude-code', same: true } });
    const other = await handIn(first, { notesMarkdown: 'another plan' }, 'codex');
    expect(other).toEqual({ ...second, claim: { status: 'known', by: 'claude-code', same: false } });
    expect(third.handed?.try).toBe(2);
    expect(kinds(first.run.id).filter((kind) => kind === 'claim-received')).toHaveLength(2);
  });

  it('refuses, on record, work on a step that is not handed out, and of a try that was never made', async () => {
    const first = await start(two);
    const { id } = first.run;
    const given = { claim: { notesMarkdown: 'x' }, by: 'codex', message: 'm' };
    const ahead = await guide.claim(id, { ...given, path: 'build', try: 1 });
    expect(ahead.claim).toMatchObject({
      status: 'refused',
      refusal: 'not-handed',
      why: expect.stringContaining('plan'),
    });
    expect(ahead.handed?.path).toBe('plan');
    const later = await guide.claim(id, { ...given, path: 'plan', try: 2, message: 'n' });
    expect(later.claim).toMatchObject({ status: 'refused', refusal: 'other-try' });
    expect(kinds(id).filter((kind) => kind === 'claim-refused')).toHaveLength(2);
  });

  it('G2: answers that it works where a check takes long; the same claim again joins it, and it runs once', async () => {
    guide = createGuide(stage.hosting, { patienceMs: 100 });
    const slow = workflow([
      prompt('build', { done: { checks: [check('echo x >> ran; sleep 0.6; test -e built')], tries: 2 } }),
    ]);
    writeFileSync(join(stage.root, 'built'), '');
    const first = await start(slow);
    const working = await handIn(first, { notesMarkdown: 'done' });
    expect(working.working).toEqual({ what: 'build.done[0]' });
    expect(working.handed).toBeUndefined();
    let turn = working;
    while (turn.working) turn = await handIn(first, { notesMarkdown: 'done' });
    expect(turn.run.status).toBe('completed');
    expect(kinds(first.run.id).filter((kind) => kind === 'claim-received')).toHaveLength(1);
    expect(kinds(first.run.id).filter((kind) => kind === 'attempt-started')).toHaveLength(3);
  });

  it('goes on where a person has answered meanwhile', async () => {
    const first = await start(
      workflow([ask('which', 'Which?'), prompt('do', {}, 'Do {{ steps.which.output }}.')]),
    );
    expect(first.handed).toBeUndefined();
    expect(first.questions).toMatchObject([{ path: 'which', text: 'Which?' }]);
    const turn = await guide.answer(first.run.id, { answer: 'that', by: 'ada' });
    expect(turn.handed?.prompt).toBe('Do that.');
    expect(turn.questions).toEqual([]);
  });

  it('hands out the branches of a parallel one by one, and the items of an each', async () => {
    const both = parallel('both', [prompt('a'), prompt('b')]);
    const items = each('all', '[1, 2]', [prompt('one', {}, 'Item {{ item }}')], { concurrency: 2 });
    let turn = await start(workflow([both, items]));
    const met: string[] = [];
    while (turn.handed) {
      met.push(turn.handed.path);
      expect(stage.store.read(turn.run.id).holder()).toBeUndefined();
      turn = await handIn(turn, { notesMarkdown: 'x' });
    }
    expect(met).toEqual(['both/a', 'both/b', 'all[0]/one', 'all[1]/one']);
    expect(turn.run.status).toBe('completed');
  });

  it('takes the answer of a claim where the step has a schema, and the claim itself where the schema describes one', async () => {
    const schema = (properties: object, required: string[]): Check => ({
      ...{ kind: 'schema', name: 's' },
      schema: { type: 'object', properties, required } as never,
    });
    const picky = (id: string, one: Check): Step => prompt(id, { done: { checks: [one], tries: 2 } });
    const first = await start(
      workflow(
        [
          picky('answers', schema({ files: { type: 'integer' } }, ['files'])),
          picky('claims', schema({ notesMarkdown: { type: 'string', minLength: 1 } }, ['notesMarkdown'])),
        ],
        {
          outputs: {
            answer: '{{ steps.answers.output.files }}',
            context: '{{ steps.claims.output.context }}',
          },
        },
      ),
    );
    expect(first.handed?.schema).toBeDefined();
    const again = await handIn(first, { notesMarkdown: 'three files' });
    expect(again.handed).toMatchObject({
      path: 'answers',
      try: 2,
      reasons: [expect.stringContaining('JSON')],
    });
    const second = await handIn(again, { answer: { files: 3 } });
    expect(second.handed?.path).toBe('claims');
    const empty = await handIn(second, { context: { a: 1 } });
    expect(empty.handed).toMatchObject({ path: 'claims', try: 2 });
    const end = await handIn(empty, { notesMarkdown: 'noted', context: { a: 1 } });
    expect(end.outputs).toEqual({ answer: 3, context: { a: 1 } });
  });

  it('G3: of two clients that hand in the same step at once, one is taken and the other is told who that was', async () => {
    const other = createGuide({ ...stage.hosting });
    const first = await start(two);
    const given = (by: string) => ({ path: 'plan', try: 1, claim: { notesMarkdown: by }, by, message: by });
    const turns = await Promise.all([
      guide.claim(first.run.id, given('claude-code')),
      other.claim(first.run.id, given('codex')),
    ]);
    const fates = turns.map(({ claim }) => claim?.status).sort();
    expect(fates).toEqual(['known', 'taken']);
    const [entry] = stage.entries(first.run.id).filter(({ kind }) => kind === 'claim-received');
    const loser = turns.find(({ claim }) => claim?.status === 'known');
    expect(loser?.claim).toEqual({ status: 'known', by: (entry as { by: string }).by, same: false });
    expect(loser?.handed?.path).toBe('build');
    await other.close();
  });

  it('a review goes to another agent; where there is none the start is refused, unless the workflow lets that be', async () => {
    const reviewed = [prompt('build'), gates('review', [gate('security')])];
    const refused = await start(workflow(reviewed)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Fault);
    expect((refused as Fault).code).toBe('review-needs-provider');
    expect(stage.store.list()).toEqual([]);
    const guard = { ...workflow([]).guard, unenforceable: 'warn' as const };
    const first = await start(workflow(reviewed, { guard }));
    expect(first.warnings).toEqual([expect.stringContaining('reviewed by its author')]);
    const second = await handIn(first, { notesMarkdown: 'built' });
    expect(second.handed?.path).toBe('review/security');
  });

  it('says at the start what it cannot count', async () => {
    const flow = workflow([prompt('build', { timeout: 60_000 })], {
      limits: { ...workflow([]).limits, cost: 5 },
    });
    const { warnings } = await start(flow);
    expect(warnings).toEqual([
      expect.stringContaining('`timeout` of `build`'),
      expect.stringContaining('limits.cost'),
    ]);
  });

  it('G1: a step that a person had run again is another handing: the first claim is not taken for it', async () => {
    const once = workflow([
      prompt('build', { done: { checks: [check('test -e built')], tries: 1 }, onFail: 'pause' }),
    ]);
    const first = await start(once);
    const { id } = first.run;
    const given = {
      path: 'build',
      try: 1,
      handing: first.handed?.n as number,
      claim: { notesMarkdown: 'x' },
    };
    const held = await guide.claim(id, { ...given, by: 'codex', message: 'm' });
    expect(held.questions).toMatchObject([{ path: 'build', question: 'held' }]);
    const again = await guide.answer(id, { answer: 'again', by: 'ada' });
    expect(again.handed).toMatchObject({ path: 'build', try: 1 });
    expect(again.handed?.n).not.toBe(first.handed?.n);
    const repeated = await guide.claim(id, { ...given, by: 'codex', message: 'm' });
    expect(repeated.claim).toEqual({ status: 'known', by: 'codex', same: true });
    expect(kinds(id).filter((kind) => kind === 'claim-received')).toHaveLength(1);
    expect(repeated.handed).toMatchObject({ n: again.handed?.n });
  });

  it('leaves a run alone that was handed over, and refuses a late claim once, on record', async () => {
    const first = await start(two);
    const { id } = first.run;
    await tellRun(stage.hosting, id, { kind: 'handover', to: { drive: 'run' }, by: 'ada' });
    const late = await handIn(first, { notesMarkdown: 'late' });
    expect(late.claim).toMatchObject({ status: 'refused', refusal: 'not-guided' });
    expect(late.run.drive).toBe('run');
    await handIn(first, { notesMarkdown: 'late' });
    await guide.look(id);
    expect(kinds(id).slice(-2)).toEqual(['drive-changed', 'claim-refused']);
  });
});
