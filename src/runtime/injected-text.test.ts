import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { type InjectedFile, injectedContents, injectedList } from './injected-text.ts';

const must = (path: string) => ({ path, optional: false });
const may = (path: string) => ({ path, optional: true });

describe('a list', () => {
  it('has no titles where there is nothing to tell apart', () => {
    expect(injectedList([must('a.md'), must('b.md')], undefined).text).toBe(
      'The following files are required inputs for this task:\n- a.md\n- b.md',
    );
    expect(injectedList([must('a.md')], 'Read these:\n').text).toBe('Read these:\n- a.md');
    expect(injectedList([must('a.md')], '').text).toBe('- a.md');
  });

  it('tells those that may be absent apart', () => {
    expect(injectedList([must('a.md'), may('b.md')], 'Read these:').text).toBe(
      'Read these:\nRequired:\n- a.md\nOptional (if available):\n- b.md',
    );
    expect(injectedList([may('b.md')], 'Read these:').text).toBe(
      'Read these:\nOptional (if available):\n- b.md',
    );
  });

  it('I2: ends at the cap, and says how many are left out and how much it would have been', () => {
    const names = Array.from({ length: 4000 }, (_, n) => `${'d'.repeat(90)}/${String(n).padStart(6, '0')}`);
    const { text, truncation } = injectedList(names.map(must), 'Read:');
    const rows = text.split('\n');
    const shown = rows.length - 2;
    const left = 4000 - shown;
    expect(rows.at(-1)).toBe(`[... ${left} more files truncated (391 KiB total)]`);
    expect(rows.at(-2)).toBe(`- ${names[shown - 1]}`);
    expect(truncation).toEqual({
      truncated: true,
      total_size: 5 + 4000 * 100,
      shown_size: 5 + shown * 100,
      files_shown: shown,
      files_truncated: 0,
      files_omitted: left,
    });
    expect(truncation?.shown_size).toBeLessThanOrEqual(256 * 1024);
    expect((truncation?.shown_size ?? 0) + 100).toBeGreaterThan(256 * 1024);
  });

  it('has no title above nothing where it is cut', () => {
    const names = Array.from({ length: 2620 }, (_, n) =>
      must(`${'d'.repeat(90)}/${String(n).padStart(6, '0')}`),
    );
    const { text } = injectedList([...names, may(`${'x'.repeat(60_000)}`)], 'Read:');
    expect(text).not.toContain('Optional');
    expect(text).toContain('[... 1 more file truncated (');
  });
});

describe('contents', () => {
  const files: Record<string, string | Buffer | undefined> = {
    'a.md': 'ay\n',
    'b.md': 'bee',
    'blank.md': 'x\n\n',
    empty: '',
    folder: undefined,
    'z.bin': Buffer.from([1, 0, 2]),
  };
  const read =
    (from: typeof files) =>
    (path: string, most: number): InjectedFile => {
      const content = from[path];
      if (content === undefined) return { path, bytes: 0, content: { kind: 'folder' } };
      const bytes = Buffer.from(content as string);
      if (bytes.includes(0)) return { path, bytes: bytes.length, content: { kind: 'binary' } };
      const shown = bytes.subarray(0, most);
      return {
        path,
        bytes: bytes.length,
        content: { kind: 'text', text: shown.toString(), shown: shown.length },
      };
    };

  it('I3: stand each between its header and one blank line', () => {
    const { text, truncation } = injectedContents(
      ['a.md', 'b.md', 'blank.md', 'empty'],
      'Look:',
      read(files),
    );
    expect(text).toBe(`Look:

=== File: a.md (3 bytes) ===
ay

=== File: b.md (3 bytes) ===
bee

=== File: blank.md (3 bytes) ===
x


=== File: empty (0 bytes) ===
`);
    expect(truncation).toBeUndefined();
  });

  it('a folder and what is no text are named', () => {
    const { text } = injectedContents(['folder', 'z.bin'], undefined, read(files));
    expect(text).toBe(`The following file contents are provided for context:

=== File: folder (directory) ===

=== File: z.bin (3 bytes, not text, not shown) ===
`);
  });

  it('I2: end at the cap: the file that is cut says so, those after it are counted and some are named', () => {
    const many: typeof files = { 'config.yaml': 'c'.repeat(45 * 1024), 'data.json': 'd'.repeat(300 * 1024) };
    for (let n = 0; n < 25; n++) many[`old/${n + 10}`] = 'o'.repeat(2048);
    const { text, truncation } = injectedContents(Object.keys(many), undefined, read(many));
    const shown = text.replace(/(c|d)\1{10,}/g, '$1…');
    expect(shown).toContain(
      '=== File: config.yaml (45 KiB) ===\nc…\n\n=== File: data.json (216064/307200) ===\n',
    );
    expect(shown).toContain(
      'd…\n[... truncated: 211 KiB of 300 KiB shown]\n\n=== Files not shown (25 files, 50 KiB) ===\n- old/10 (2 KiB)\n',
    );
    expect(shown.endsWith('- old/29 (2 KiB)\n[... 5 more files]\n')).toBe(true);
    expect(truncation).toEqual({
      truncated: true,
      total_size: 45 * 1024 + 300 * 1024 + 25 * 2048,
      shown_size: 256 * 1024,
      files_shown: 2,
      files_truncated: 1,
      files_omitted: 25,
    });
  });

  it('I2: a file after one that filled the cap exactly is not shown, and nothing is read of it', () => {
    const asked: number[] = [];
    const two: typeof files = { a: 'a'.repeat(256 * 1024), b: 'b' };
    const { truncation } = injectedContents(['a', 'b'], undefined, (path, most) => {
      asked.push(most);
      return read(two)(path, most);
    });
    expect(truncation).toMatchObject({ files_shown: 1, files_truncated: 0, files_omitted: 1 });
    expect(asked).toEqual([256 * 1024, 0]);
  });

  it('I2: headers are bounded too', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${'n'.repeat(100)}${n}`, '']));
    const { text, truncation } = injectedContents(Object.keys(many), undefined, read(many));
    expect(text.length).toBeLessThan(300 * 1024);
    expect(truncation?.files_omitted).toBeGreaterThan(2000);
  });
});
