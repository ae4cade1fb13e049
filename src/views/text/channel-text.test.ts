import { expect, it } from 'vitest';
import type { Channel } from '../../model/entry.ts';
import { channelText, isUnattended } from './channel-text.ts';

it.each<[Partial<Channel>, string]>([
  [{ kind: 'terminal', terminal: 'pts/3' }, 'typed where the run was driven (pts/3)'],
  [{ kind: 'form' }, 'put into a form of an MCP client, which says that a person did; server process 7'],
  [{ kind: 'session', above: ['claude'] }, 'typed as a prompt in the session of claude, as its client says'],
  [{ kind: 'command', terminal: 'pts/3', above: ['sh'] }, 'with a command, in pts/3; process 7 < sh'],
  [
    { kind: 'command' },
    'with a command, without a terminal: it may not have been typed by a person; process 7',
  ],
])('says how a word came: %o', (given, text) => {
  expect(channelText({ pid: 7, above: [], ...given } as Channel)).toBe(text);
});

it('only a command without a terminal may have come without a person', () => {
  const channel = { kind: 'session', pid: 7, above: [] } as Channel;
  expect(isUnattended(channel)).toBe(false);
  expect(isUnattended({ ...channel, kind: 'command' })).toBe(true);
});
