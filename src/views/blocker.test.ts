import { describe, expect, it } from 'vitest';
import { play, RUN } from './fixtures/play.ts';
import { shipped, waiting } from './fixtures/stories.ts';
import { ask, workflowOf } from './fixtures/workflow.ts';
import { answerCommands, logsCommand, resumeCommand, wordToType } from './next-commands.ts';
import { createRunView } from './run-view.ts';
import type { Question } from './step-record.ts';

describe('blocker.json', () => {
  it('lists what is asked, of whom, and how to go on', () => {
    const { workflow, entries } = waiting();
    const view = createRunView(workflow);
    for (const entry of entries) view.record(entry);
    expect(view.blockers()[1]).toEqual({
      run: RUN,
      path: 'first/draft',
      question: 'held',
      of: 'a person',
      text: '"first/draft" was not accepted. What now?',
      reasons: ['Say good.'],
      asked_at: '2026-11-15T10:15:02Z',
      go_on: [
        { command: `lockstep answer ${RUN} --step first/draft again`, meaning: 'run the step once more' },
        {
          command: `lockstep answer ${RUN} --step first/draft accept`,
          meaning: 'take it as it is; recorded as your decision',
        },
        { command: `lockstep answer ${RUN} --step first/draft fail`, meaning: 'let it fail' },
      ],
      logs: `lockstep logs ${RUN} first/draft`,
    });
  });

  it('has choices and a deadline where the question has', () => {
    const workflow = workflowOf('x', [ask('which', 'Which?', ['a', 'b'], { timeout: 60_000 })]);
    const view = createRunView(workflow);
    for (const entry of play(workflow)) view.record(entry);
    expect(view.blockers()).toMatchObject([{ choices: ['a', 'b'], expires_at: '2026-11-15T10:16:00Z' }]);
  });

  it('is empty when nothing is asked', () => {
    const { workflow, entries } = shipped();
    const view = createRunView(workflow);
    for (const entry of entries) view.record(entry);
    expect(view.blockers()).toEqual([]);
  });
});

describe('command lines', () => {
  it('quote what a shell would take apart', () => {
    expect(wordToType('plan')).toBe('plan');
    expect(wordToType('execute[2]/implement')).toBe("'execute[2]/implement'");
    expect(wordToType("it's")).toBe("'it'\\''s'");
    expect(wordToType('')).toBe("''");
    expect(logsCommand('R', 'fix#1/review')).toBe("lockstep logs R 'fix#1/review'");
    expect(resumeCommand('R')).toBe('lockstep resume R');
  });

  it('offer what each kind of question can be answered with', () => {
    const question = (kind: Question['question'], choices?: Question['choices']): Question => ({
      path: 'x',
      question: kind,
      text: '',
      reasons: [],
      askedAt: 0,
      accept: [],
      reject: [],
      ...(choices && { choices }),
    });
    const words = (one: Question): string[] =>
      answerCommands('R', one, false).map(({ command }) => command.replace('lockstep answer R ', ''));
    expect(words(question('approve'))).toEqual(['approve', 'reject --note "why"']);
    expect(words(question('held'))).toEqual(['again', 'accept', 'fail']);
    expect(words(question('in-doubt'))).toEqual(['again', 'accept', 'fail']);
    expect(words(question('ask'))).toEqual(['"your answer"']);
    expect(words(question('ask', ['a b', { c: 1 }]))).toEqual(["'a b'", `'{"c":1}'`]);
  });
});
