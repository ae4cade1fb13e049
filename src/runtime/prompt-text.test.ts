import { describe, expect, it } from 'vitest';
import { fileContents, fileList, promptText } from './prompt-text.ts';

const plain = { feedback: [], continuing: false };

describe('promptText', () => {
  it('hands a lone task over as it is', () => {
    expect(promptText({ ...plain, task: '\n  do it \n\n' })).toBe('\n  do it \n\n');
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

describe('files', () => {
  const file = { optional: false, bytes: 5, content: 'hello', shown: 5 };

  it('are listed, the optional ones apart', () => {
    expect(fileList([{ ...file, path: 'a.md' }], 'Read these:')).toBe('Read these:\n- a.md');
    expect(
      fileList(
        [
          { ...file, path: 'a.md' },
          { ...file, path: 'b.md', optional: true },
        ],
        'Read these:',
      ),
    ).toBe('Read these:\nRequired:\n- a.md\nOptional:\n- b.md');
    expect(fileList([{ ...file, path: 'b.md', optional: true }], 'Read these:')).toBe(
      'Read these:\nOptional:\n- b.md',
    );
  });

  it('are shown under a header that says how much of each there is', () => {
    const text = fileContents(
      [
        { ...file, path: 'a.md' },
        { ...file, path: 'b.md', bytes: 12 },
        { ...file, path: 'c.md', bytes: 9, shown: 0, content: '' },
        { optional: false, path: 'd.png', bytes: 3, shown: 0 },
      ],
      'Look:',
    );
    expect(text).toBe(`Look:

=== File: a.md (5 bytes) ===
hello

=== File: b.md (5/12 bytes) ===
hello
[… 7 bytes left out; read the rest from b.md …]

=== File: c.md (9 bytes, not shown: too much with the files before it) ===

=== File: d.png (3 bytes, not text, not shown) ===`);
  });
});
