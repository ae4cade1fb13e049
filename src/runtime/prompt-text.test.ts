import { describe, expect, it } from 'vitest';
import { promptText } from './prompt-text.ts';

const plain = { feedback: [], continuing: false };

describe('promptText', () => {
  it('hands a lone task over as it is', () => {
    expect(promptText({ ...plain, task: '\n  do it \n\n' })).toBe('\n  do it \n\n');
  });

  it('LS-GATE-NOTE: what a person said of it stands after the task; a session that goes on has read it', () => {
    const parts = { ...plain, task: 'Task.', notes: ['Use a.js.', 'Slowly.'] };
    expect(promptText(parts)).toMatch(
      /^Task\.[\s\S]*A person looked at it and says:\n\n- Use a\.js\.\n- Slowly\.\n/,
    );
    expect(promptText({ ...parts, feedback: ['No.'], continuing: true })).not.toContain('Slowly');
  });

  it('LS-BLOCK-ANSWER: a fresh session gets the task and all it was told, one that goes on the last answer alone', () => {
    const told = [
      { question: 'Which?', answer: 'SQLite' },
      { question: 'Where?', answer: 'Here,\nof course.' },
    ];
    const text = promptText({ ...plain, task: 'Task.', told, answered: true });
    expect(text).toBe(`Task.

You could not go on without a person, and asked. A person has answered:

- You asked: Which?
  The answer: SQLite
- You asked: Where?
  The answer: Here,
   of course.

Go on with the task with that, then give your complete answer, without a blocker.`);
    const goesOn = promptText({ ...plain, task: 'Task.', told, answered: true, continuing: true });
    expect(goesOn).toContain('Where?');
    expect(goesOn).not.toMatch(/Task|Which/);
    // Rejected after that: the session knows what it was told.
    const rejected = promptText({ task: 'Task.', told, feedback: ['No.'], continuing: true });
    expect(rejected).not.toMatch(/Task|Where/);
  });

  it('puts the parts in order, one blank line between them', () => {
    expect(
      promptText({
        task: 'Task.\n',
        system: 'You are terse.',
        injected: { text: 'Files.', position: 'prepend' },
        feedback: ['It\nfails.', 'No tests.'],
        continuing: false,
        schema: { type: 'object' },
      }),
    ).toBe(`You are terse.

Files.

Task.

Answer with one JSON value and nothing around it, no explanation before or after. It must fit this JSON Schema:

{
  "type": "object"
}

Your work on this task was checked and is not accepted yet:

1. It
   fails.
2. No tests.

Put this right, then give your complete answer again.`);
  });

  it('keeps a task to its last byte, whatever stands before or after it', () => {
    const injected = (position: 'prepend' | 'append') => ({ text: 'Files:\n- a', position });
    expect(promptText({ ...plain, task: '\n  do it \n\n', injected: injected('prepend') })).toBe(
      'Files:\n- a\n\n\n  do it \n\n',
    );
    expect(promptText({ ...plain, task: ' do it', injected: injected('append') })).toBe(
      ' do it\n\nFiles:\n- a',
    );
    expect(promptText({ ...plain, task: 'do it\n', injected: injected('append') })).toBe(
      'do it\n\nFiles:\n- a',
    );
    expect(promptText({ ...plain, task: ' \n' })).toBe(' \n');
  });

  it('an empty task is only what is put around it', () => {
    expect(promptText({ ...plain, task: '' })).toBe('');
    expect(promptText({ ...plain, task: '', injected: { text: 'Files.', position: 'prepend' } })).toBe(
      'Files.',
    );
    expect(promptText({ ...plain, task: '', injected: { text: 'Files.', position: 'append' } })).toBe(
      'Files.',
    );
  });

  it('appends files where they are to come last', () => {
    expect(promptText({ ...plain, task: 'Task.', injected: { text: 'Files.', position: 'append' } })).toBe(
      'Task.\n\nFiles.',
    );
  });

  it('tells a session that goes on only what was wrong, and once more what shape is wanted', () => {
    const text = promptText({
      task: 'Task.',
      injected: { text: 'Files.', position: 'prepend' },
      feedback: ['Too long.'],
      continuing: true,
      schema: { type: 'string' },
    });
    expect(text).toContain('1. Too long.');
    expect(text).toContain('"type": "string"');
    expect(text).not.toContain('Task.');
    expect(text).not.toContain('Files.');
  });

  it('gives a session that goes on without a rejected try the whole task', () => {
    expect(promptText({ ...plain, task: 'Task.', continuing: true })).toBe('Task.');
  });
});
