import { describe, expect, it } from 'vitest';
import { failed, rehearse, story } from '../../test/support/rehearsal.ts';
import { each, gate, gates, loop, prompt, run, workflow } from '../../test/support/workflow.ts';
import type { JsonObject } from '../model/json.ts';
import type { Gate } from '../model/workflow.ts';

const GOOD: JsonObject = { assessment: 'approved', issues: [], strengths: [], hasActionableIssues: false };
const BAD: JsonObject = {
  ...GOOD,
  issues: [{ severity: 'critical', description: 'eval', file: 'a.js', line: 1, fixInstructions: 'Drop it.' }],
};
const answers = (output: JsonObject, mark?: string) => ({ outcome: { output, ...(mark && { mark }) } });

const skipsOf = (played: ReturnType<typeof rehearse>) =>
  played.entries.flatMap((entry) =>
    entry.kind === 'step-skipped' ? [`${entry.path} ${entry.reason}: ${entry.why}`] : [],
  );

function once(fields: Partial<Gate>, options: Parameters<typeof rehearse>[1] = {}) {
  const flow = workflow([gates('reviews', [gate('deep', fields), gate('style')])], {
    outputs: { review: '{{ steps.reviews.output }}' },
  });
  return rehearse(flow, {
    ...options,
    replies: { 'reviews/deep': answers(GOOD), 'reviews/style': answers(GOOD) },
  });
}

describe('LS-GATE-LEFT-OUT: a gate is left out, on record (S1)', () => {
  it('switched off: and its file is named', () => {
    expect(skipsOf(once({ enabled: false }))).toEqual(['reviews/deep disabled: enabled: false in test.yaml']);
  });

  it('manual: unless --gate names it', () => {
    const left = once({ run: 'manual' });
    expect(skipsOf(left)).toEqual(['reviews/deep manual-gate: manual gate: run with --gate deep']);
    expect(left.state.outputs.review).toMatchObject({
      gates: [
        { gate: 'deep', status: 'skipped', issues: 0, why: 'manual gate: run with --gate deep' },
        { gate: 'style', status: 'done', assessment: 'approved' },
      ],
    });
    expect(skipsOf(once({ run: 'manual' }, { skips: { gates: ['deep'] } }))).toEqual([]);
  });

  it('none of its files changed; --gate goes before that too', () => {
    const fields: Partial<Gate> = { run: 'changed-files', files: ['**/*.sql', 'db/**'] };
    expect(skipsOf(once(fields))).toEqual([
      'reviews/deep no-changed-files: no file changed that it is for: **/*.sql, db/**',
    ]);
    expect(skipsOf(once(fields, { files: { 'db/**': ['db/a'] } }))).toEqual([]);
    expect(skipsOf(once(fields, { skips: { gates: ['deep'] } }))).toEqual([]);
  });

  it('a pattern with a `!` takes files away', () => {
    const fields: Partial<Gate> = { run: 'changed-files', files: ['!**/*.md', '!test/**'] };
    const changed = { '**': ['a.md', 'test/b.js'], '**/*.md': ['a.md'], 'test/**': ['test/b.js'] };
    expect(skipsOf(once(fields, { files: changed }))).toEqual([
      'reviews/deep no-changed-files: no file changed that it is for: !**/*.md, !test/**',
    ]);
    expect(skipsOf(once(fields, { files: { ...changed, '**': ['a.md', 'src/c.js'] } }))).toEqual([]);
    expect(skipsOf(once({ ...fields, files: ['test/**', '!test/**'] }, { files: changed }))).toHaveLength(1);
  });

  it('--skip-step and --skip-checks do with gates what they do with steps', () => {
    expect(skipsOf(once({}, { skips: { steps: ['deep'] } }))).toEqual([
      'reviews/deep skip-step: --skip-step deep',
    ]);
  });
});

describe('LS-GATE-AGAIN: again: changed', () => {
  const round = (id: string) =>
    gates(id, [gate('a', { again: 'changed' }), gate('b', { again: 'changed' })], { output: 'review' });
  const flow = workflow(
    [round('reviews'), loop('fix', { while: 'review.hasActionableIssues' }, 3, [run('mend'), round('re')])],
    { outputs: { review: '{{ review }}' } },
  );
  const replies = {
    'reviews/a': answers({ ...GOOD, strengths: ['Short.'] }, 'mark-1'),
    'reviews/b': answers(BAD, 'mark-1'),
    'fix#1/re/b': answers(GOOD, 'mark-2'),
  };

  it('who approved is not asked again while nothing it looks at changed, and stands by what it said', () => {
    const played = rehearse(flow, { replies });
    expect(played.performed).toEqual(['reviews/a', 'reviews/b', 'fix#1/mend', 'fix#1/re/b']);
    expect(skipsOf(played)).toEqual([
      'fix#1/re/a unchanged: it approved, and nothing in ** has changed since',
    ]);
    expect(played.state.outputs.review).toMatchObject({
      assessment: 'approved',
      strengths: ['Short.'],
      gates: [
        { gate: 'a', status: 'skipped', assessment: 'approved', carried: true },
        { gate: 'b', status: 'done', assessment: 'approved' },
      ],
    });
  });

  it('what changed since its mark is looked at, and sends it to work again', () => {
    const played = rehearse(flow, {
      replies: { ...replies, 'fix#1/re/a': answers(GOOD) },
      files: { 'changed-since:**': ['a.js'] },
    });
    expect(played.performed).toContain('fix#1/re/a');
    expect(played.commands.filter(({ kind }) => kind === 'observe')).toMatchObject([
      { path: 'fix#1/re/a', needs: [{ kind: 'changed-since', pattern: '**', since: 'mark-1' }] },
    ]);
  });

  it('a round later it goes by its own last mark', () => {
    const more = {
      ...replies,
      'fix#1/re/a': answers(GOOD, 'mark-3'),
      'fix#1/re/b': answers(BAD, 'm'),
      'fix#2/re/b': answers(GOOD),
    };
    const played = rehearse(flow, { replies: more, files: { 'changed-since:**': [['a.js'], []] } });
    expect(played.performed).not.toContain('fix#2/re/a');
    const since = played.commands.flatMap((command) =>
      command.kind === 'observe' ? [command.needs[0]?.since] : [],
    );
    expect(since).toEqual(['mark-1', 'mark-3']);
  });

  it('without a mark (no git) it is asked again', () => {
    const played = rehearse(flow, {
      replies: { ...replies, 'reviews/a': answers(GOOD), 'fix#1/re/a': answers(GOOD) },
    });
    expect(skipsOf(played)).toEqual([]);
  });

  it('another pass of an each is another scope: what was approved there counts for nothing here', () => {
    const passes = workflow([each('e', '[1, 2]', [round('reviews')])]);
    const played = rehearse(passes, {
      replies: Object.fromEntries(
        ['e[0]', 'e[1]'].flatMap((at) => ['a', 'b'].map((id) => [`${at}/reviews/${id}`, answers(GOOD, 'm')])),
      ),
    });
    expect(played.performed).toHaveLength(4);
  });

  it('a round that is given something else asks again', () => {
    const given = (base: string) => {
      const made = gate('a', { again: 'changed' });
      if (made.work.kind === 'prompt') made.work.with = { base };
      return made;
    };
    const rounds = (first: string, second: string) =>
      rehearse(workflow([gates('one', [given(first)]), gates('two', [given(second)])]), {
        replies: { 'one/a': answers(GOOD, 'm'), 'two/a': answers(GOOD, 'm') },
      }).performed;
    expect(rounds('main', 'main')).toEqual(['one/a']);
    expect(rounds('main', 'next')).toEqual(['one/a', 'two/a']);
  });

  it('only a gate that may be left out asks for a mark', () => {
    const played = rehearse(workflow([gates('reviews', [gate('a', { again: 'changed' }), gate('b')])]));
    expect(played.commands.map((command) => 'mark' in command && command.mark)).toEqual([true, false]);
  });

  it('E4: cut after any entry, the run ends the same way', () => {
    const whole = rehearse(flow, { replies });
    for (let length = 1; length < whole.entries.length; length += 1) {
      const again = rehearse(flow, { replies }, whole.entries.slice(0, length));
      expect(again.state.status).toBe('completed');
      expect(again.state.outputs).toEqual(whole.state.outputs);
    }
  });
});

it('a gate is held to reading, also where it is alone', () => {
  const played = rehearse(workflow([gates('reviews', [gate('only')])]));
  expect(played.commands).toMatchObject([{ path: 'reviews/only', concurrent: true }]);
});

it('LS-GATE-EXHAUSTED: a fix loop that is used up asks a person, with the issues that are open', () => {
  const flow = workflow([
    gates('reviews', [gate('a')], { output: 'review' }),
    loop(
      'fix',
      { while: 'review.hasActionableIssues || truthy(steps["reviews"].output.hasActionableIssues)' },
      2,
      [gates('re', [gate('a')], { output: 'review' })],
    ),
    run('after'),
  ]);
  const bad = answers(BAD);
  const played = rehearse(flow, { replies: { 'reviews/a': bad, 'fix#1/re/a': bad, 'fix#2/re/a': bad } });
  expect(played.state.status).toBe('paused');
  expect(played.performed).not.toContain('after');
  const [question] = played.state.questions.values();
  expect(question?.reasons).toEqual(['critical a.js:1: eval (a)']);
  expect(question?.text).toBe(
    '2 passes were not enough: 1 critical issue is still open. The work is in /work: look at it there, and mend it by hand if you like. What now?',
  );
  expect(played.entries.find(({ kind }) => kind === 'question-asked')).toMatchObject({
    takes_note: true,
    means: {
      again: 'up to 2 passes more, with the files as they are then; the note goes to the agents',
      accept: 'go on to what follows with 1 critical issue open; recorded as your decision',
      fail: 'the run fails here; lockstep resume starts again from this step',
    },
  });
  expect(story(played)).toContain('question-asked fix');
});

describe('LS-GATE-NOTE: a note with `again`', () => {
  const round = (id: string) => gates(id, [gate('a')], { output: 'review' });
  const body = [prompt('mend'), round('re')];
  const task = each('tasks', '[{"title": "Subtract"}]', [
    round('reviews'),
    loop('fix', { while: 'review.hasActionableIssues' }, 1, body),
    prompt('after'),
  ]);
  const bad = answers(BAD);
  const at = 'tasks[0]/fix';
  const options = () => ({
    replies: {
      'tasks[0]/reviews/a': bad,
      [`${at}#1/re/a`]: [bad, answers(GOOD)],
    },
    answers: { [at]: ['again'] },
    notes: { [at]: ['use a.js differently'] },
  });
  const notesOf = (played: ReturnType<typeof rehearse>) =>
    played.commands.flatMap((command) =>
      command.kind === 'run-agent' ? [[command.path, command.notes?.join() ?? '']] : [],
    );

  it('on a block reaches every prompt in its new visit, and none before or after it', () => {
    const played = rehearse(workflow([task]), options());
    expect(played.state.status).toBe('completed');
    expect(notesOf(played)).toEqual([
      ['tasks[0]/reviews/a', ''],
      [`${at}#1/mend`, ''],
      [`${at}#1/re/a`, ''],
      [`${at}#1/mend`, 'use a.js differently'],
      [`${at}#1/re/a`, 'use a.js differently'],
      ['tasks[0]/after', ''],
    ]);
    expect(played.entries.find(({ kind }) => kind === 'question-asked')).toMatchObject({
      text: expect.stringContaining('1 pass was not enough for "Subtract": 1 critical issue is still open.'),
    });
  });

  it('on a prompt reaches that prompt', () => {
    const played = rehearse(
      workflow([prompt('p', { onFail: 'pause', retry: { max: 0, delay: 0, on: [] } })]),
      {
        replies: { p: [failed(1, 'it broke'), { outcome: { output: 'x' } }] },
        answers: { p: ['again'] },
        notes: { p: ['slowly'] },
      },
    );
    expect(notesOf(played)).toEqual([
      ['p', ''],
      ['p', 'slowly'],
    ]);
  });

  it('E4: cut after any entry, it is still known', () => {
    const whole = rehearse(workflow([task]), options());
    const answered = whole.entries.findIndex(({ kind }) => kind === 'question-answered') + 1;
    const again = rehearse(workflow([task]), options(), whole.entries.slice(0, answered));
    expect(notesOf(again)[0]).toEqual([`${at}#1/mend`, 'use a.js differently']);
  });
});
