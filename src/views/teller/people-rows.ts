// people-rows: how questions and answers are told.

import type { Shown } from '../../model/entry.ts';
import { channelText, isUnattended } from '../text/channel-text.ts';
import { plainLines } from '../text/plain.ts';
import { count, list, valueText } from '../text/words.ts';
import type { EntryOf, Rows } from './row.ts';
import type { Sentence } from './sentence.ts';

export const peopleRows: Rows<'question-asked' | 'question-answered' | 'question-expired'> = {
  'question-asked': {
    words: ({ text, shown }) => `asks a person${shown?.again ? ' again' : ''}: ${text}`,
    log: () => 'warn',
    screen: ({ text }) => ({
      ...{ mark: 'asking', style: 'ask', level: 'quiet', logOnly: true },
      words: plainLines(text)[0] ?? '',
    }),
    story(entry) {
      const choices = (entry.choices ?? []).map((choice) => valueText(choice, 60));
      const offered = choices.length === 0 ? '' : ` (${list(choices)})`;
      const [first = '', ...rest] = plainLines(entry.text);
      return {
        text: `${entry.path} asks a person${entry.shown?.again ? ' again' : ''}: ${first}${offered}`,
        tone: 'ask',
        details: [
          ...rest,
          ...(entry.reasons ?? []).flatMap((reason) => reason.split('\n')),
          ...shownDetails(entry.shown),
        ],
      };
    },
  },
  'question-answered': {
    words: ({ by, answer, note }) => `${by}: ${valueText(answer)}${note === undefined ? '' : ` (${note})`}`,
    log: () => 'info',
    // What was said may be long; how it came is what a log is searched for.
    logWords: ({ by, channel }) => `${by} answered${channel ? `, ${channelText(channel)}` : ''}`,
    screen: () => ({ mark: 'asking', style: 'ask', level: 'normal', isAnswer: true }),
    story: answered,
  },
  'question-expired': {
    words: () => 'nobody answered in time',
    log: () => 'warn',
    screen: () => ({ mark: 'asking', style: 'ask', level: 'normal' }),
    story: ({ path }) => ({ text: `${path}: nobody answered in time.`, tone: 'ask' }),
  },
};

function shownDetails(shown: Shown | undefined): string[] {
  const { digest, changes, again } = shown ?? {};
  const changed = changes ? `, with ${count(changes.count, 'changed file')}` : '';
  const since = again?.changed.length ? `: ${again.changed.join(', ')}` : '';
  return [
    ...(again ? [`what ${again.by} approved had changed before the approval counted${since}`] : []),
    ...(digest ? [`it is about ${digest}${changed}`] : []),
  ];
}

function answered(entry: EntryOf<'question-answered'>): Sentence {
  const note = entry.note === undefined ? '' : `, saying: ${entry.note}`;
  const said: Record<string, string> = {
    approve: 'approved it',
    reject: 'rejected it',
    again: 'had it run again',
    accept: 'accepted it, over what the engine had found',
    fail: 'let it fail',
  };
  const words =
    typeof entry.answer === 'string' && Object.hasOwn(said, entry.answer) ? said[entry.answer] : undefined;
  return {
    text: `${entry.path}: ${entry.by} ${words ?? `answered "${valueText(entry.answer)}"`}${note}.`,
    tone: entry.answer === 'accept' || isUnattended(entry.channel) ? 'ask' : 'none',
    ...(entry.channel && { details: [channelText(entry.channel)] }),
  };
}
