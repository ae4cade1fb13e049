import { expect, it } from 'vitest';
import type { EntryBody } from '../model/entry.ts';
import { withMarks } from '../model/mask-mark.ts';
import { createMask } from './mask.ts';
import { maskEntry } from './mask-entry.ts';

// Secrets that are called like parts of the journal.
const mask = createMask(
  ['kind', 'step-failed', 'build', 'exit', 'error', 'approve', 'hunter2', '1234'].map((value) => ({
    name: value,
    value,
  })),
);

it('S3: masks what came from outside, and nothing the journal is made of', () => {
  const table: [EntryBody, EntryBody][] = [
    [
      {
        kind: 'step-failed',
        path: 'build',
        error: { class: 'exit', message: 'hunter2!', hint: 'hunter2', details: { said: ['hunter2'] } },
        exit_code: 1234,
      },
      {
        kind: 'step-failed',
        path: 'build',
        error: { class: 'exit', message: '***!', hint: '***', details: { said: ['***'] } },
        exit_code: 1234,
      },
    ],
    [
      { kind: 'vars-set', path: 'build', part: 'enter[0]', values: { hunter2: 1234, a: 'x hunter2' } },
      { kind: 'vars-set', path: 'build', part: 'enter[0]', values: { '***': '***', a: 'x ***' } },
    ],
    [
      { kind: 'question-answered', path: 'build', answer: 'approve', by: 'ada', note: 'hunter2' },
      { kind: 'question-answered', path: 'build', answer: 'approve', by: 'ada', note: '***' },
    ],
    [
      { kind: 'question-answered', path: 'build', answer: 'hunter2', by: 'ada' },
      { kind: 'question-answered', path: 'build', answer: '***', by: 'ada' },
    ],
    [
      { kind: 'signal-received', name: 'build', data: { token: 'hunter2' }, by: 'ada' },
      { kind: 'signal-received', name: 'build', data: { token: '***' }, by: 'ada' },
    ],
    [
      {
        ...{ kind: 'message-refused', asked: 'answer', by: 'hunter2', question: 'q-hunter2' },
        ...{ file: '1-hunter2.json', why: 'no hunter2', message: 'hunter2' },
      },
      {
        ...{ kind: 'message-refused', asked: 'answer', by: '***', question: 'q-***' },
        ...{ file: '1-***.json', why: 'no ***', message: '***' },
      },
    ],
    [
      { kind: 'step-opened', path: 'build', title: 'Use hunter2', items: ['hunter2'] },
      { kind: 'step-opened', path: 'build', title: 'Use ***', items: ['***'] },
    ],
  ];
  for (const [given, expected] of table)
    expect(maskEntry(mask, given)).toEqual({ ...expected, masked: true });
});

it('SEC-MASK-MARK: a mark is taken off and said, and an entry without secrets is the very same', () => {
  const marked = withMarks({ name: 'dir-***' });
  const body: EntryBody = { kind: 'vars-set', path: 'a', part: 'enter[0]', values: marked };
  expect(maskEntry(mask, body, true)).toEqual({ ...body, values: { name: 'dir-***' }, masked: true });
  const outcome = { ok: true, output: marked, duration_ms: 1 };
  expect(maskEntry(mask, { kind: 'attempt-finished', path: 'a', outcome }, true)).toEqual({
    kind: 'attempt-finished',
    path: 'a',
    outcome: { ...outcome, output: { name: 'dir-***' }, masked: true },
  });
  const plain: EntryBody = { kind: 'vars-set', path: 'a', part: 'enter[0]', values: { name: '***' } };
  expect(maskEntry(mask, plain, true)).toBe(plain);
});
