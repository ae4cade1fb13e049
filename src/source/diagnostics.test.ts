import { describe, expect, it } from 'vitest';
import { report } from './diagnostics.ts';
import { sourceText } from './read/source.ts';

const source = sourceText('f', 'abc\n'.repeat(600));
const line = (number: number) => source.span((number - 1) * 4, (number - 1) * 4 + 1);

describe('report', () => {
  it('LS-ERROR-ALL: keeps a problem once, and two at one place apart', () => {
    const problems = report();
    problems.error('a', line(1), 'one');
    problems.error('a', line(1), 'one');
    problems.error('a', line(1), 'two');
    problems.add([
      { code: 'cel', severity: 'error', message: 'of type int', span: line(2) },
      { code: 'cel', severity: 'error', message: 'of type string', span: line(2) },
    ]);
    expect(problems.diagnostics().map(({ message }) => message)).toEqual(['one', 'two', 'of type int']);
  });

  it('keeps what a problem is as data', () => {
    const problems = report();
    problems.error('a', line(1), 'one', 'do this', { found: ['x'] });
    expect(problems.diagnostics()).toEqual([
      {
        code: 'a',
        severity: 'error',
        message: 'one',
        span: line(1),
        hint: 'do this',
        context: { found: ['x'] },
      },
    ]);
  });

  it('says of a problem in a translated file that it is in the translation, unless it holds in any text', () => {
    const problems = report();
    problems.error('a', line(1), 'of the translator');
    problems.translated('f');
    problems.error('a', line(2), 'of the checker', 'Do this.');
    problems.error('path-outside', line(3), 'leads out');
    problems.warn('unreachable-step', line(4), 'never reached', 'See `next`.');
    problems.error('a', sourceText('g', 'x').span(0, 1), 'elsewhere');
    expect(problems.diagnostics().map(({ message, hint }) => [message, hint])).toEqual([
      ['of the translator', undefined],
      ['in the translated text: of the checker', 'Do this. `lockstep convert` prints the translated text.'],
      ['leads out', undefined],
      ['never reached', 'What comes before it always goes elsewhere.'],
      ['elsewhere', undefined],
    ]);
  });

  it('orders by file as first met, then by line and column', () => {
    const problems = report();
    const other = sourceText('g', 'x\ny\n');
    problems.error('a', line(3), 'third');
    problems.error('a', other.span(0, 1), 'other');
    problems.error('a', line(1), 'first');
    problems.warn('b', source.span(1, 2), 'second');
    expect(problems.diagnostics().map(({ message }) => message)).toEqual([
      'first',
      'second',
      'third',
      'other',
    ]);
  });

  it('shows 200 and says how many are left, errors before warnings', () => {
    const problems = report();
    for (let number = 1; number <= 300; number++) problems.warn('w', line(number), 'warning');
    for (let number = 301; number <= 550; number++) problems.error('e', line(number), 'error');
    const shown = problems.diagnostics();
    expect(shown).toHaveLength(201);
    expect(new Set(shown.slice(0, 200).map(({ severity }) => severity))).toEqual(new Set(['error']));
    expect(shown.at(-1)).toMatchObject({
      code: 'too-many-problems',
      message: 'there are 350 more problems than are shown here',
    });
  });

  it('prints no control character', () => {
    const problems = report();
    problems.error('a', line(1), 'a\u001b[2Jb', 'c\u0007\u202Ed');
    expect(problems.diagnostics()).toMatchObject([{ message: 'a\uFFFD[2Jb', hint: 'c\uFFFD\uFFFDd' }]);
  });
});
