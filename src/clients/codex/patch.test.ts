import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { readPatch } from './patch.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const paths = (text: string) => {
  const reading = readPatch(text);
  return 'files' in reading ? reading.files.map(({ path }) => path) : 'unreadable';
};

describe('SEC-CALLS-PATCH: headers as codex reads them', () => {
  // Blanks that codex trims, or that JavaScript's `.` and `trim` stumble over.
  const blanks = ['', ' ', '\t', '\r', '\v', '\f', '\u0085', '\u00a0', '\u2028', '\u2029', '\u3000', ' \r'];
  it.each(blanks.map((blank) => [blank]))('P1: one with %j around it', (blank) => {
    for (const header of ['Add File', 'Update File', 'Delete File'])
      expect(paths(patch(`${blank}*** ${header}: src/a.ts${blank}`))).toContain('src/a.ts');
    expect(paths(patch('*** Update File: a', `*** Move to: src/a.ts${blank}`, '@@', '+x'))).toContain(
      'src/a.ts',
    );
  });

  it('P1: line ends of Windows are no part of a name', () => {
    expect(paths(patch('*** Add File: a', '+x').replaceAll('\n', '\r\n'))).toEqual(['a']);
  });

  it('P2: a header to whoever ends lines elsewhere is asked about too', () => {
    for (const end of ['\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])
      expect(paths(patch('*** Add File: a', `+x${end}*** Delete File: b`))).toEqual(['a', 'b']);
  });

  it.each([
    '*** add file: a',
    '*** Add  File: a',
    '***Add File: a',
    '*** Add File:a',
    '*** Add File:',
    '*** Add File: ',
    '*** Add File: \u200b',
    '*** Update\u00a0File: a',
    '**** Update File: a',
    ' *** delete File: a',
    '\u200b***Delete File: a',
    '*** Rename File: a',
    '*** Environment ID: other',
    ' *** Environment ID: other',
    '*** Whatever',
    '***',
    '*** Add File: a\u0000b',
  ])('P3: %j makes the patch unreadable', (line) => {
    expect(paths(patch('*** Add File: fine', '+x', line))).toBe('unreadable');
  });

  it.each([
    ['+*** Add File: b'],
    ['-*** Update File: b'],
    [' ***bold and italic***'],
    [' ***'],
    [' * *** three stars'],
    ['+***'],
    ['*** End of File'],
  ])('a line of the text that is changed is none: %j', (line) => {
    expect(paths(patch('*** Update File: a', '@@', line))).toEqual(['a']);
  });

  it('P3: a patch without any is unreadable', () => {
    expect(paths('')).toBe('unreadable');
    expect(paths(patch('+x'))).toBe('unreadable');
  });

  /** As a parser that is as lenient as can be takes lines and headers. */
  function lenient(text: string): string[] {
    return text.split(/[\n\v\f\r\u0085\u2028\u2029]/).flatMap((line) => {
      const [, path = ''] =
        /^[\s\u0085\u200b\ufeff]*\*{3}[\s\u0085]*(?:add|update|delete|move)[\s\u0085]*(?:file|to)[\s\u0085]*:([\s\S]*)$/iu.exec(
          line,
        ) ?? [];
      return path.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, '') === ''
        ? []
        : [path.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, '')];
    });
  }

  it('whatever a lenient parser takes for a header gives its path, or the patch is unreadable', () => {
    const piece = fc.constantFrom(
      ...[
        '*** ',
        '***',
        'Add',
        ' ',
        'File',
        ': ',
        ':',
        'Update File',
        'Delete File: ',
        'Move to: ',
        'add file: ',
      ],
      ...[
        'a',
        'b/c',
        '../d',
        '\n',
        '\r',
        '\r\n',
        '\u0085',
        '\u2028',
        '\u2029',
        '\v',
        '\f',
        '\t',
        '\u00a0',
        '\u200b',
      ],
      ...['+', '-', '@@', '*** Begin Patch\n', '\n*** End Patch', '\n*** Add File: ', '\n*** Update File: '],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = `*** Begin Patch\n*** Add File: known\n${pieces.join('')}`;
        const found = paths(text);
        if (found === 'unreadable') return;
        for (const path of lenient(text)) expect(found.map((one) => one.trim())).toContain(path.trim());
      }),
      { numRuns: tries(20_000, 4_000) },
    );
  });
});
