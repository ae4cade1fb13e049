// client-rows: how what passes between the run and a client that is led through it is told.

import { duration } from '../text/words.ts';
import type { Rows } from './row.ts';

export const clientRows: Rows<'step-handed' | 'claim-received' | 'claim-refused'> = {
  'step-handed': {
    words: ({ try: tried }) => `handed out${tried > 1 ? ` again, try ${tried}` : ''}: a client works on it`,
    log: () => 'info',
    screen: () => ({ mark: 'running', style: 'live', level: 'normal' }),
    story: ({ path, try: tried, warnings = [] }) => ({
      text: `${path} was handed to the client${tried > 1 ? `, try ${tried}` : ''}.`,
      details: warnings,
    }),
  },
  'claim-received': {
    words: ({ by }, { change }) =>
      `${by} handed in its work${workedFor(change.entry.at, change.record?.startedAt)}`,
    log: () => 'info',
    screen: () => ({ mark: 'notice', style: 'live', level: 'normal' }),
    story: ({ path, by, try: tried, session }, { change }) => ({
      text: `${by} handed in its work on ${path}${tried > 1 ? `, try ${tried}` : ''}${workedFor(change.entry.at, change.record?.startedAt)}.`,
      ...(session !== undefined && { details: [`session ${session}`] }),
    }),
  },
  'claim-refused': {
    words: ({ by, why }) => `work of ${by} was refused: ${why}`,
    log: () => 'warn',
    screen: () => ({ mark: 'notice', style: 'ask', level: 'normal' }),
    story: ({ path, by, why, try: tried }) => ({
      text: `Work of ${by} on ${path} (try ${tried}) was refused: ${why}.`,
      tone: 'ask',
    }),
  },
};

function workedFor(at: number, since: number | undefined): string {
  return since === undefined ? '' : `, after ${duration(Math.max(0, at - since))}`;
}
