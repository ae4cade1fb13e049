// Injection: what an agent is told about the files of a step, compared byte by byte.

import { beforeAll, describe, expect, it } from 'vitest';
import { ran, type Scene, scene } from './support.ts';

const LIST = 'The following files are required inputs for this task:';
const CONTENT = 'The following file contents are provided for context:';
const KIB = 1024;
const CAP = 256 * KIB;

describe('what is injected', () => {
  let all: Scene;
  const injections: [string, object, unknown][] = [
    ['Shorthand', { required: ['doc/*.md'] }, true],
    ['Long', { required: ['doc/*.md'] }, { mode: 'list', position: 'prepend' }],
    ['List', { required: ['doc/*.md'], optional: ['notes.txt', 'gone.txt'] }, { mode: 'list' }],
    ['Instruction', { required: ['doc/b.md'] }, { mode: 'list', instruction: 'Read this, ${context.x}:' }],
    ['Append', { required: ['doc/b.md'] }, { mode: 'list', position: 'append' }],
    ['Only-optional', { optional: ['notes.txt', 'gone/*'] }, { mode: 'list' }],
    ['Nothing-there', { optional: ['gone.txt'] }, true],
    ['Twice', { required: ['z.txt', 'doc/b.md', 'doc/*.md', 'a.txt'], optional: ['a.txt'] }, true],
    ['Content', { required: ['doc/b.md', 'a.txt'] }, { mode: 'content' }],
    [
      'Content-all',
      { required: ['a.txt'], optional: ['notes.txt', 'gone.txt'] },
      { mode: 'content', instruction: 'Look:', position: 'append' },
    ],
    ['False', { required: ['doc/*.md'] }, false],
    ['None', { required: ['doc/*.md'] }, { mode: 'none' }],
    ['Mode-left-out', { required: ['doc/*.md'] }, { instruction: 'Not said:' }],
    ['Left-out', { required: ['doc/*.md'] }, undefined],
    ['Folder', { required: ['doc'] }, true],
  ];
  beforeAll(() => {
    all = scene({
      files: {
        'p.md': 'The task.',
        // Byte order: capitals first, then small letters, then what is beyond ASCII.
        'doc/b.md': 'B',
        'doc/a.md': 'A',
        'doc/Z.md': 'Z',
        'doc/é.md': 'E',
        'doc/a-1.md': '1',
        'doc/.hidden.md': 'H',
        'a.txt': 'first ${context.x}\n\n  last',
        'z.txt': 'z',
        'notes.txt': 'notes é',
      },
      workflow: {
        version: '1.1.1',
        name: 'inject',
        context: { x: 'filled in' },
        steps: injections.map(([name, files, inject], index) => ({
          name,
          provider: index % 2 ? 'codex' : 'gemini',
          input_file: 'p.md',
          depends_on: { ...files, ...(inject === undefined ? {} : { inject }) },
        })),
      },
    });
    ran(all.run());
  });
  const prompt = (name: string): string | undefined => {
    const index = injections.findIndex(([other]) => other === name);
    const call = Math.floor(index / 2);
    return index % 2 ? all.agentCalls('codex')[call]?.stdin : all.agentCalls('gemini')[call]?.argv[1];
  };
  const DOCS = '- doc/Z.md\n- doc/a-1.md\n- doc/a.md\n- doc/b.md\n- doc/é.md';

  it('ORC-28: inject: true puts the default instruction and the list of files before the prompt', () => {
    expect(prompt('Shorthand')).toBe(`${LIST}\n${DOCS}\n\nThe task.`);
  });

  it('ORC-53: inject: true is list and prepend with the default instruction', () => {
    expect(prompt('Long')).toBe(prompt('Shorthand'));
  });

  it('ORC-29: list names every file found, the optional ones apart', () => {
    expect(prompt('List')).toBe(
      `${LIST}\nRequired:\n${DOCS}\nOptional (if available):\n- notes.txt\n\nThe task.`,
    );
  });

  it('ORC-30: content shows each file under a header with its size', () => {
    expect(prompt('Content')).toBe(
      `${CONTENT}\n\n=== File: a.txt (26 bytes) ===\nfirst \${context.x}\n\n  last\n\n=== File: doc/b.md (1 byte) ===\nB\n\nThe task.`.replace(
        '26 bytes',
        `${Buffer.byteLength('first ${context.x}\n\n  last')} bytes`,
      ),
    );
  });

  it('ORC-31: an instruction takes the place of the default one, literally', () => {
    expect(prompt('Instruction')).toBe('Read this, ${context.x}:\n- doc/b.md\n\nThe task.');
  });

  it('ORC-32: append puts it after the prompt', () => {
    expect(prompt('Append')).toBe(`The task.\n\n${LIST}\n- doc/b.md`);
    const notes = 'notes é';
    expect(prompt('Content-all')).toBe(
      `The task.\n\nLook:\n\n=== File: a.txt (${Buffer.byteLength('first ${context.x}\n\n  last')} bytes) ===\nfirst \${context.x}\n\n  last\n\n=== File: notes.txt (${Buffer.byteLength(notes)} bytes) ===\n${notes}\n`,
    );
  });

  it('ORC-33: patterns become the files they match, each once, in byte order over all patterns', () => {
    expect(prompt('Twice')).toBe(`${LIST}\n- a.txt\n${DOCS}\n- z.txt\n\nThe task.`);
    expect(prompt('Folder')).toBe(`${LIST}\n- doc\n\nThe task.`);
  });

  it('ORC-34, ORC-26: optional files that are not there are left out', () => {
    expect(prompt('Only-optional')).toBe(`${LIST}\nOptional (if available):\n- notes.txt\n\nThe task.`);
    expect(prompt('Nothing-there')).toBe('The task.');
  });

  it('ORC-35: without inject, with false and with none the prompt is as it was', () => {
    for (const name of ['Left-out', 'False', 'None', 'Mode-left-out'])
      expect(prompt(name), name).toBe('The task.');
  });

  it('the file of the prompt is not changed, and nothing is recorded where nothing was cut', () => {
    expect(all.read('p.md')).toBe('The task.');
    for (const [name] of injections) expect(all.step(name).debug ?? {}).not.toHaveProperty('injection');
  });
});

describe('the prompt around it', () => {
  it('keeps its own blank lines and its last newline', () => {
    const made = scene({
      files: { 'p.md': '\n\n  The task.\n', 'a.txt': 'A\n' },
      workflow: `version: "1.1.1"
name: edges
steps:
  - { name: Before, provider: codex, input_file: p.md, depends_on: { required: [a.txt], inject: true } }
  - { name: After, provider: codex, input_file: p.md, depends_on: { required: [a.txt], inject: { mode: list, position: append } } }
  - { name: Plain, provider: codex, input_file: p.md }
`,
    });
    ran(made.run());
    expect(made.agentCalls('codex').map(({ stdin }) => stdin)).toEqual([
      `${LIST}\n- a.txt\n\n\n\n  The task.\n`,
      `\n\n  The task.\n\n${LIST}\n- a.txt`,
      '\n\n  The task.\n',
    ]);
  });

  it('ORC-25: is made anew in every pass', () => {
    const made = scene({
      files: { 'p.md': 'Go.', 'one.txt': '1', 'two.txt': '2' },
      workflow: `version: "1.1.1"
name: passes
steps:
  - name: Loop
    for_each:
      items: [one, two]
      steps:
        - { name: Ask, provider: codex, input_file: p.md, depends_on: { required: ["\${item}.txt"], inject: true } }
`,
    });
    ran(made.run());
    expect(made.agentCalls('codex').map(({ stdin }) => stdin)).toEqual([
      `${LIST}\n- one.txt\n\nGo.`,
      `${LIST}\n- two.txt\n\nGo.`,
    ]);
  });
});

describe('ORC-30: no more than 256 KiB are injected', () => {
  it('a list is cut at a whole line, says how many are missing, and the state has the numbers', () => {
    const names = Array.from(
      { length: 1600 },
      (_, index) => `many/${String(index).padStart(5, '0')}${'n'.repeat(190)}`,
    );
    const made = scene({
      files: { 'p.md': 'Go.', ...Object.fromEntries(names.map((name) => [name, ''])) },
      workflow: `version: "1.1.1"
name: long-list
steps:
  - { name: Ask, provider: codex, input_file: p.md, depends_on: { required: ["many/*"], inject: true } }
`,
    });
    ran(made.run());
    const [{ stdin } = { stdin: '' }] = made.agentCalls('codex');
    const injected = stdin.slice(0, -'\n\nGo.'.length);
    const lines = injected.split('\n');
    const [, missing, total] =
      /^\[\.\.\. (\d+) more files truncated \((\d+) KiB total\)\]$/.exec(lines.at(-1) ?? '') ?? [];
    const shown = lines.slice(1, -1);
    expect(lines[0]).toBe(LIST);
    expect(shown).toEqual(names.slice(0, shown.length).map((name) => `- ${name}`));
    expect(shown.length + Number(missing)).toBe(names.length);
    expect(Buffer.byteLength(injected)).toBeLessThanOrEqual(CAP + 200);
    expect(Buffer.byteLength(injected)).toBeGreaterThan(CAP - 1000);
    expect(Math.abs(Number(total) - (names.length * 203) / KIB)).toBeLessThan(2);
    expect(made.step('Ask').debug.injection).toEqual({
      injection_truncated: true,
      truncation_details: {
        total_size: expect.any(Number),
        shown_size: expect.any(Number),
        files_shown: shown.length,
        files_truncated: 0,
        files_omitted: Number(missing),
      },
    });
    const { total_size, shown_size } = made.step('Ask').debug.injection.truncation_details;
    expect(Math.round(total_size / KIB) - Number(total)).toBeLessThanOrEqual(1);
    expect(shown_size).toBeLessThanOrEqual(CAP);
  });

  it('contents are cut within a file, files that no longer fit are named, and the state has the numbers', () => {
    const small = Array.from({ length: 25 }, (_, index) => `data/c${String(index).padStart(2, '0')}.txt`);
    const files = {
      'data/a.txt': `${'a'.repeat(100 * KIB - 1)}.`,
      'data/b.txt': 'é'.repeat(100 * KIB),
      ...Object.fromEntries(small.map((name) => [name, 'c'.repeat(10 * KIB)])),
    };
    const made = scene({
      files: { 'p.md': 'Go.', ...files },
      workflow: `version: "1.1.1"
name: long-contents
steps:
  - { name: Ask, provider: codex, input_file: p.md, depends_on: { required: ["data/*"], inject: { mode: content } } }
`,
    });
    ran(made.run());
    const [{ stdin } = { stdin: '' }] = made.agentCalls('codex');
    expect(stdin.startsWith(`${CONTENT}\n\n=== File: data/a.txt (`)).toBe(true);
    expect(stdin).toContain(`===\n${files['data/a.txt']}\n\n=== File: data/b.txt (`);
    const partial =
      /=== File: data\/b\.txt \((\d+)\/(\d+)\) ===\n(é*)\n\[\.\.\. truncated: (\d+) KiB of (\d+) KiB shown\]\n\n/.exec(
        stdin,
      );
    const [, bytes, whole, text = '', shownKib, wholeKib] = partial ?? [];
    expect(Number(bytes)).toBe(Buffer.byteLength(text));
    expect(Number(whole)).toBe(200 * KIB);
    expect(Number(shownKib)).toBe(Math.round(Number(bytes) / KIB));
    expect(Number(wholeKib)).toBe(200);
    expect(stdin.slice((partial?.index ?? 0) + (partial?.[0].length ?? 0))).toBe(
      `=== Files not shown (25 files, 250 KiB) ===\n${small
        .slice(0, 20)
        .map((name) => `- ${name} (10 KiB)\n`)
        .join('')}[... 5 more files]\n\nGo.`,
    );
    const injected = Buffer.byteLength(stdin.slice(0, -'\n\nGo.'.length));
    expect(injected).toBeLessThanOrEqual(CAP + 2 * KIB);
    expect(made.step('Ask').debug.injection).toEqual({
      injection_truncated: true,
      truncation_details: {
        total_size: expect.any(Number),
        shown_size: expect.any(Number),
        files_shown: expect.any(Number),
        files_truncated: 1,
        files_omitted: 25,
      },
    });
    const details = made.step('Ask').debug.injection.truncation_details;
    expect(details.total_size).toBeGreaterThanOrEqual(550 * KIB);
    expect(details.total_size).toBeLessThan(560 * KIB);
    expect(details.shown_size).toBeLessThanOrEqual(CAP);
    expect(details.shown_size).toBeGreaterThan(CAP - 2 * KIB);
  });

  it('256 KiB of contents are not cut, one byte more is', () => {
    const ask = (name: string, file: string) => ({
      name,
      provider: 'codex',
      input_file: 'p.md',
      depends_on: { required: [file], inject: { mode: 'content' } },
    });
    const made = scene({
      files: { 'p.md': 'Go.', 'fits.txt': 'x'.repeat(CAP), 'over.txt': 'y'.repeat(CAP + 1) },
      workflow: { version: '1.1.1', name: 'edge', steps: [ask('Fits', 'fits.txt'), ask('Over', 'over.txt')] },
    });
    ran(made.run());
    const [fits, over] = made.agentCalls('codex').map(({ stdin }) => stdin);
    expect(fits === `${CONTENT}\n\n=== File: fits.txt (256 KiB) ===\n${made.read('fits.txt')}\n\nGo.`).toBe(
      true,
    );
    expect(made.step('Fits').debug ?? {}).not.toHaveProperty('injection');
    expect(
      over ===
        `${CONTENT}\n\n=== File: over.txt (${CAP}/${CAP + 1}) ===\n${'y'.repeat(CAP)}\n[... truncated: 256 KiB of 256 KiB shown]\n\nGo.`,
    ).toBe(true);
    expect(made.step('Over').debug.injection.truncation_details).toEqual({
      total_size: CAP + 1,
      shown_size: CAP,
      files_shown: 1,
      files_truncated: 1,
      files_omitted: 0,
    });
  });
});
