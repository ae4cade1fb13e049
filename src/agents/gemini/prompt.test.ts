import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { instructionsFor, promptFor } from './prompt.ts';

const cwd = mkdtempSync(join(tmpdir(), 'gemini-prompt-'));
mkdirSync(join(cwd, 'src'));
for (const file of ['known.txt', 'a b.txt', 'src/x.ts', '.env']) writeFileSync(join(cwd, file), '');
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('AG-GEMINI-MENTIONS: the prompt arrives as it was written', () => {
  it.each([
    ['of nothing', 'mail a@b.com about @param and @Override; a @ b'],
    ['that is told to be none', 'see \\@known.txt'],
  ])('leaves a mention %s alone', (_, text) => {
    expect(promptFor(text, cwd)).toBe(text);
  });

  it.each([
    ['see @known.txt.', 'see \\@known.txt.'],
    ['(@src/x.ts)', '(\\@src/x.ts)'],
    ['@.env', '\\@.env'],
    ['@src and @known.txt', '\\@src and \\@known.txt'],
    ['@"a b.txt"', '\\@"a b.txt"'],
    ['@a\\ b.txt', '\\@a\\ b.txt'],
    ['@src/x.ts:3', '\\@src/x.ts:3'],
    ['@server://resource', '\\@server://resource'],
  ])('marks a mention of what is there: %s', (text, expected) => {
    expect(promptFor(text, cwd)).toBe(expected);
  });

  it('marks an absolute path too', () => {
    expect(promptFor(`see @${cwd}/known.txt now`, cwd)).toBe(`see \\@${cwd}/known.txt now`);
  });

  it.each(['/help me', '  /quit', '? what', '<session_context> x'])('lets %s be no command', (text) => {
    expect(promptFor(text, cwd)).toBe(`Task:\n${text}`);
  });

  it('adds nothing but what is needed, whatever the text', () => {
    const text = fc.string({
      unit: fc.constantFrom('@', '\\', '"', ' ', '.', '/', 'known.txt', 'src', '\n', 'x', '`', ':'),
    });
    fc.assert(
      fc.property(text, (prompt) => {
        const given = promptFor(prompt, cwd);
        expect(given.replace(/^Task:\n/, '').replaceAll('\\@', '@')).toBe(prompt.replaceAll('\\@', '@'));
        expect(promptFor(given, cwd)).toBe(given);
      }),
    );
  });
});

describe('the system prompt arrives as it was written', () => {
  it('marks what would be taken for a file to put in, but not in code', () => {
    expect(instructionsFor('@Override and `@code`\n\n```\n@decorator\n```\n see @./x.md, a@b')).toBe(
      '\\@Override and `@code`\n\n```\n@decorator\n```\n see \\@./x.md, a@b',
    );
  });
});
