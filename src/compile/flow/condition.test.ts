import { describe, expect, it } from 'vitest';
import { literalLength, readCondition, shorten } from './condition.ts';

describe('what a condition says by its text alone', () => {
  const truths: [string | undefined, string, string][] = [
    // condition, when done, when failed
    [undefined, 'yes', 'yes'],
    ['true', 'yes', 'yes'],
    [' false ', 'no', 'no'],
    ['status == "failed"', 'no', 'yes'],
    ["'done' == status", 'yes', 'no'],
    ['status != "done"', 'no', 'yes'],
    ['status == "failed" && output.x > 1', 'no', 'maybe'],
    ['status == "failed" && true', 'no', 'yes'],
    ['vars.a && false', 'no', 'no'],
    ['status == "failed" || output.x > 1', 'maybe', 'maybe'],
    ['!(status == "failed")', 'maybe', 'maybe'],
    ['vars.status == "failed"', 'maybe', 'maybe'],
    ['steps.status == "failed"', 'maybe', 'maybe'],
    [`vars.x != 'a && status == "failed" && b'`, 'maybe', 'maybe'],
    ['status == "failed" ? false : true', 'maybe', 'maybe'],
  ];
  it.each(truths)('%s', (cel, done, failed) => {
    const condition = readCondition(cel);
    expect([condition.truth('done'), condition.truth('failed')]).toEqual([done, failed]);
  });

  it('knows nothing of a status where there is none', () => {
    expect(readCondition('status == "done"').truth()).toBe('maybe');
  });

  const known: [string, string[], string[]][] = [
    // condition, done where it holds, done where it does not
    ['steps.a.status == "done"', ['a'], []],
    [`"done" == steps['a-b'].status`, ['a-b'], []],
    ['steps.a.status != "done"', [], ['a']],
    ['steps.a.status == "done" && steps.b.status == "done" && vars.c', ['a', 'b'], []],
    ['steps.a.status != "done" && vars.c', [], []],
    ['steps.a.status == "failed"', [], []],
    ['steps.a.status == "done" || vars.c', [], []],
    ['!(steps.a.status == "done")', [], []],
  ];
  it.each(known)('rule 15: %s tells which steps have ended done', (cel, whenTrue, whenFalse) => {
    expect(readCondition(cel)).toMatchObject({ whenTrue, whenFalse });
  });
});

describe('how long a list is by its text alone', () => {
  it.each([
    ['[]', 'none'],
    [' [ ] ', 'none'],
    ['[1]', 'some'],
    ['["]", \'[\', "\\"]"]', 'some'],
    ['[[]][0]', 'unknown'],
    ['[1] + []', 'unknown'],
    ['[1', 'unknown'],
    ['inputs.list', 'unknown'],
  ])('%s: %s', (cel, length) => {
    expect(literalLength(cel)).toBe(length);
  });
});

it('a long condition is shortened where it is part of a sentence', () => {
  expect(shorten(' a\n  &&  b ')).toBe('a && b');
  expect(shorten('x'.repeat(100))).toHaveLength(58);
});
