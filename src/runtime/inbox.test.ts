import { describe, expect, it } from 'vitest';
import { noop, workflow } from '../../test/support/workflow.ts';
import { initialState } from '../engine/engine.ts';
import type { EntryBody } from '../model/entry.ts';
import type { ReceivedMessage } from '../ports/store.ts';
import { readInbox } from './inbox.ts';

describe('the inbox', () => {
  const signal = (id: string): ReceivedMessage => ({
    id,
    message: { kind: 'signal', name: 'go', data: 1, by: 'ada' },
    done: () => {},
  });

  it('journals a message once, however often it is seen: a crash may come before it is taken away', () => {
    const state = initialState(workflow([noop('a')]));
    const written: EntryBody[] = [];
    state.messages.add('old');
    const taken = readInbox([signal('old'), signal('new')], state, (body) => written.push(body));
    expect(written).toEqual([{ kind: 'signal-received', name: 'go', data: 1, by: 'ada', message: 'new' }]);
    expect(taken).toHaveLength(2);
  });

  it('leaves an answer to nothing out', () => {
    const written: EntryBody[] = [];
    const answer: ReceivedMessage = {
      id: 'x',
      message: { kind: 'answer', path: 'q', answer: 1, by: 'ada' },
      done: () => {},
    };
    readInbox([answer], initialState(workflow([noop('a')])), (body) => written.push(body));
    expect(written).toEqual([]);
  });
});
