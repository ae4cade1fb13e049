import { describe, expect, it } from 'vitest';
import { noop, workflow } from '../../test/support/workflow.ts';
import { initialState } from '../engine/engine.ts';
import type { Channel, EntryBody } from '../model/entry.ts';
import type { CheckedMessage } from '../ports/callers.ts';
import type { InboxMessage, Received, ReceivedMessage } from '../ports/store.ts';
import { readInbox } from './inbox.ts';

const channel: Channel = { kind: 'command', pid: 7, above: ['bash'], terminal: 'pts/1' };

function received(id: string, message: InboxMessage): ReceivedMessage {
  return { id, message, done: () => {}, refuse: () => {} };
}

function read(
  given: Received[],
  options: { known?: string[]; check?: (message: InboxMessage) => CheckedMessage; isFirst?: boolean } = {},
): EntryBody[] {
  const state = initialState(workflow([noop('a')]));
  for (const id of options.known ?? []) state.messages.add(id);
  const written: EntryBody[] = [];
  const { check, isFirst = false } = options;
  const journal = (body: EntryBody) => void written.push(body);
  expect(readInbox(given, { state, isFirst, journal, ...(check && { callers: { check } }) })).toHaveLength(
    given.length,
  );
  return written;
}

describe('the inbox', () => {
  const signal = (id: string) => received(id, { kind: 'signal', name: 'go', data: 1, by: 'ada' });

  it('journals a message once, however often it is seen: a crash may come before it is taken away', () => {
    expect(read([signal('old'), signal('new')], { known: ['old'] })).toEqual([
      { kind: 'signal-received', name: 'go', data: 1, by: 'ada', message: 'new' },
    ]);
  });

  it('SEC-PEOPLE-REFUSED: an answer to nothing is refused on record, never dropped', () => {
    expect(read([received('x', { kind: 'answer', path: 'q', answer: 1, by: 'ada' })])).toEqual([
      {
        ...{ kind: 'message-refused', asked: 'answer', by: 'ada', question: 'q', file: 'x', message: 'x' },
        why: 'nothing is asked at q',
      },
    ]);
  });

  it('SEC-PEOPLE-REFUSED: what is no message, and one whose sender is not believed, is refused on record', () => {
    const none: Received = { id: 'README', problem: 'it is not named as a message is', refuse: () => {} };
    const check = () => ({ id: 'digest', refused: 'nobody sent it' });
    expect(read([none, signal('x')], { check })).toEqual([
      { kind: 'message-refused', file: 'README', why: none.problem, message: 'README' },
      {
        ...{ kind: 'message-refused', asked: 'signal', by: 'ada', file: 'x', message: 'digest' },
        why: 'nobody sent it',
      },
    ]);
  });

  it('SEC-PEOPLE-REPLAY: a copy of a message that was taken is refused, but what a crash left behind is not held against anybody', () => {
    const check = () => ({ id: 'digest', refused: 'its process is gone' });
    const again = read([signal('copy')], { check, known: ['digest'] });
    expect(again).toMatchObject([{ kind: 'message-refused', why: expect.stringContaining('before') }]);
    expect(read([signal('left')], { check, known: ['digest'], isFirst: true })).toEqual([]);
    // The process that sent it still stands by it: it came twice, and counts once.
    expect(read([signal('twice')], { check: () => ({ id: 'digest', channel }), known: ['digest'] })).toEqual(
      [],
    );
  });

  it('SEC-PEOPLE-CHANNEL: what is taken has the channel that was found out, not one that the message claims', () => {
    const claims = { kind: 'signal', name: 'go', data: 1, by: 'ada', channel: { kind: 'terminal' } } as const;
    expect(read([received('x', claims)], { check: () => ({ id: 'digest', channel }) })).toEqual([
      { kind: 'signal-received', name: 'go', data: 1, by: 'ada', channel, message: 'digest' },
    ]);
  });

  it('SEC-PEOPLE-PLANTED: ten thousand planted files are not ten thousand entries', () => {
    const planted = Array.from(
      { length: 10_000 },
      (_, index): Received => ({ id: `${index}`, problem: 'no', refuse: () => {} }),
    );
    const written = read(planted);
    expect(written).toHaveLength(21);
    expect(written.at(-1)).toMatchObject({ why: '9980 more lay there that are no messages' });
  });
});
