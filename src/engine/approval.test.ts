import { describe, expect, it } from 'vitest';
import { rehearse, story } from '../../test/support/rehearsal.ts';
import { prompt, run, sequence, workflow } from '../../test/support/workflow.ts';
import type { Entry } from '../model/entry.ts';
import { fold, initialState } from './engine.ts';

const approve = { kind: 'approve' as const, ask: 'ok?', accept: [], reject: [] };
const test = { kind: 'run' as const, command: { kind: 'argv' as const, argv: ['npm', 'test'] } };
const flow = (checks: object[] = [approve]) =>
  workflow([prompt('p', { done: { checks: checks as never, tries: 2 } }), run('after')]);
const asked = (entries: Entry[]) =>
  entries.filter((entry): entry is Entry & { kind: 'question-asked' } => entry.kind === 'question-asked');

describe('an approval', () => {
  it('SEC-APPROVE-BOUND: counts where a look after the answer sees what was shown', () => {
    const played = rehearse(flow(), {
      replies: { p: ['the plan'] },
      answers: { p: ['approve'] },
      trees: ['a', 'b'],
    });
    expect(played.state.status).toBe('completed');
    expect(played.performed).toEqual(['p', 'after']);
    expect(asked(played.entries)).toHaveLength(1);
    expect(story(played).filter((line) => line.startsWith('observ'))).toEqual(
      Array(3).fill(['observing p', 'observed p']).flat(),
    );
  });

  it('SEC-APPROVE-BOUND: is asked for again where the workspace has changed, and says who approved and what changed', () => {
    const played = rehearse(flow(), {
      replies: { p: ['the plan'] },
      answers: { p: ['approve'] },
      trees: ['a', 'b', 'c'],
    });
    expect(played.state.status).toBe('paused');
    expect(played.performed).toEqual(['p']);
    const [first, second] = asked(played.entries);
    expect(first?.shown?.again).toBeUndefined();
    expect(second?.shown?.again).toEqual({ by: 'tester', changed: ['a.txt'] });
    expect(second?.shown?.digest).not.toBe(first?.shown?.digest);
    // What is there by then can be approved.
    const further = rehearse(flow(), { answers: { p: ['approve'] }, trees: ['c'] }, played.entries);
    expect(further.state.status).toBe('completed');
  });

  it('a rejection counts at once, and the next try is asked about without what was outdated before', () => {
    const played = rehearse(flow(), {
      replies: { p: ['one', 'two'] },
      answers: { p: ['approve', 'reject'] },
      trees: ['a', 'b', 'c'],
    });
    const questions = asked(played.entries);
    expect(questions.map(({ shown }) => shown?.output?.text)).toEqual(['one', 'one', 'two']);
    expect(questions.map(({ shown }) => shown?.again !== undefined)).toEqual([false, true, false]);
  });

  it('SEC-APPROVE-SHOWN: shows the beginning of the output, and the last lines of the checks', () => {
    const long = Array.from({ length: 500 }, (_, number) => `line ${number}`).join('\n');
    const printed = Array.from({ length: 30 }, (_, number) => `test ${number}`).join('\n');
    const played = rehearse(flow([test, approve]), {
      replies: {
        p: [{ outcome: { output: long } }],
        'p.done[0]': [{ outcome: { output: printed, stderr: 'warned\n' } }],
      },
    });
    const [question] = asked(played.entries);
    expect(question?.shown?.output).toMatchObject({ characters: long.length, lines: 500, cut: true });
    expect(question?.shown?.output?.text.split('\n')).toHaveLength(200);
    expect(question?.shown?.checks).toEqual([
      { part: 'done[0]', command: 'npm test', lines: [...printed.split('\n').slice(-7), 'warned'] },
    ]);
  });

  it('SEC-APPROVE-FREE: a step without one is never looked at', () => {
    const played = rehearse(workflow([prompt('p', { done: { checks: [test], tries: 2 } }), run('after')]));
    expect(played.state.status).toBe('completed');
    expect(story(played).some((line) => line.startsWith('observ'))).toBe(false);
  });

  it('a block is looked at before anything in it begins', () => {
    const played = rehearse(
      workflow([sequence('l', [run('a')], { done: { checks: [approve], tries: 1 } })]),
      { answers: { l: ['approve'] } },
    );
    expect(played.state.status).toBe('completed');
    expect(story(played).slice(0, 3)).toEqual(['run-started', 'observing l', 'observed l']);
  });

  it('SEC-APPROVE-CRASH: a journal cut after any entry goes on to the same question and the same end', () => {
    const options = () => ({
      replies: { p: ['the plan'] },
      answers: { p: ['approve', 'approve'] },
      trees: ['a'],
    });
    const whole = rehearse(flow([test, approve]), options());
    for (let cut = 1; cut < whole.entries.length; cut += 1) {
      const before = whole.entries.slice(0, cut);
      if (before.at(-1)?.kind === 'run-completed') continue;
      const played = rehearse(flow([test, approve]), options(), before);
      expect(played.state.status, `cut after ${cut}`).toBe('completed');
      expect(asked(played.entries).length, `cut after ${cut}`).toBe(1);
    }
  });

  it('SEC-APPROVE-CRASH: a crash between the answer and the look never lets the answer count unseen', () => {
    const asking = rehearse(flow(), {
      replies: { p: ['x'] },
      answers: { p: ['approve'] },
      trees: ['a', 'b', 'b'],
    });
    const answered = asking.entries.findIndex(({ kind }) => kind === 'question-answered');
    for (const cut of [answered + 1, answered + 2, answered + 3]) {
      const played = rehearse(flow(), { trees: ['changed'] }, asking.entries.slice(0, cut));
      expect(played.performed, `cut after ${cut}`).toEqual([]);
      expect(played.state.status).toBe('paused');
      expect(asked(played.entries)).toHaveLength(2);
    }
  });

  it('SEC-APPROVE-OLD: a question of an older journal has no digest, and its answer counts as it did then', () => {
    const { entries } = rehearse(flow(), { replies: { p: ['x'] } });
    const old = entries
      .filter((entry) => entry.kind !== 'observing' && entry.kind !== 'observed')
      .map((entry, index) => {
        const { shown: _, ...rest } = entry as Entry & { shown?: unknown };
        return { ...rest, n: index + 1 } as Entry;
      });
    const state = initialState(flow());
    for (const entry of old) fold(flow(), state, entry);
    expect(state.questions.get('p')).toMatchObject({
      asked: old.findIndex(({ kind }) => kind === 'question-asked') + 1,
    });
    const played = rehearse(flow(), { answers: { p: ['approve'] } }, old);
    expect(played.state.status).toBe('completed');
    expect(asked(played.entries)).toHaveLength(1);
  });

  it('a workspace that is gone is said, and nobody looks in circles', () => {
    const { entries } = rehearse(flow(), { replies: { p: ['x'] } });
    const looking = entries.findIndex((entry) => entry.kind === 'observing' && entry.approval === 'question');
    const gone = { class: 'error' as const, message: 'the folder is gone' };
    const cut = [
      ...entries.slice(0, looking + 1),
      {
        n: looking + 2,
        at: 1000 * (looking + 2),
        kind: 'observed',
        path: 'p',
        facts: [],
        error: gone,
      } as Entry,
    ];
    const played = rehearse(flow(), {}, cut);
    expect(asked(played.entries)[0]?.shown).toMatchObject({ problem: 'the folder is gone' });
  });
});
