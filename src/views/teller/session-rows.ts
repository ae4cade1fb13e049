// session-rows: how what happens in a live session, and what it is held to, is told.

import type { SessionCall, SessionHappening } from '../../model/entry.ts';
import { channelText } from '../text/channel-text.ts';
import { count, list } from '../text/words.ts';
import type { Rows } from './row.ts';

export const sessionRows: Rows<
  | 'session-bound'
  | 'session-event'
  | 'call-judged'
  | 'event-weighed'
  | 'text-prepared'
  | 'said'
  | 'stop-answered'
  | 'change-found'
  | 'artifact-kept'
  | 'guard-switched'
  | 'moved-by-person'
> = {
  'session-bound': {
    words: ({ session, source }) =>
      `session ${session.id} of ${session.client} is held to this run (${source})`,
    log: () => 'info',
    screen: () => ({ mark: 'notice', style: 'live', level: 'normal' }),
    story: ({ session, source, cwd }) => ({
      text: `The session ${session.id} of ${session.client} was bound to the run (${source}).`,
      details: [`in ${cwd}`],
    }),
  },
  'session-event': {
    words: ({ event }) => eventText(event),
    log: ({ event }) => (event.name === 'tool_result' ? 'debug' : 'info'),
    screen: ({ event }) => ({
      mark: 'notice',
      style: 'dim',
      level: event.name === 'tool_result' ? 'verbose' : 'normal',
    }),
    story: ({ event, grants }) => ({
      text: `${capital(eventText(event))}.`,
      ...(grants !== undefined && { details: ['the person agreed to the call that was asked about'] }),
    }),
  },
  'call-judged': {
    words: ({ call, verdict, reason }) =>
      `${callText(call)}: ${verdict}${reason === undefined ? '' : `, ${reason}`}`,
    log: ({ verdict }) => (verdict === 'denied' ? 'warn' : 'debug'),
    screen: ({ verdict }) =>
      verdict === 'denied'
        ? { mark: 'notice', style: 'ask', level: 'normal' }
        : { mark: 'notice', style: 'dim', level: 'verbose' },
    story: ({ call, verdict, reason, rule }) => ({
      text: `${callText(call)} was ${verdict}${reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`}.`,
      ...(verdict === 'denied' && { tone: 'ask' as const }),
      ...(rule !== undefined && { details: [`rule: ${rule}`] }),
    }),
  },
  'event-weighed': {
    words: ({ bearing }) =>
      bearing.does === 'leave' ? `left by its rule ${bearing.rule + 1}` : 'is it done? it is checked',
    log: () => 'info',
    screen: () => ({ mark: 'running', style: 'live', level: 'normal' }),
    story: ({ path, bearing }, { outline }) => ({
      text:
        bearing.does === 'leave'
          ? `${path} was left: its rule ${bearing.rule + 1} of \`next\` holds.`
          : `What can be seen of ${path} holds: the rest of its \`done\` is checked (${outline.workflow.name}).`,
      ...(bearing.does === 'check' &&
        bearing.why !== undefined && { details: [`the agent asked for it: ${bearing.why}`] }),
    }),
  },
  'text-prepared': {
    words: ({ text }) => `a text of ${count(text.length, 'character')} waits to be said`,
    log: () => 'debug',
    screen: () => undefined,
    story: () => undefined,
  },
  said: {
    words: ({ texts }) => `${count(texts.length, 'text')} put into the session's context`,
    log: () => 'info',
    screen: () => ({ mark: 'notice', style: 'dim', level: 'verbose' }),
    story: ({ texts, with: event }) => ({
      text: `${count(texts.length, 'text')} (${list(texts.map((n) => `entry ${n}`))}) ${texts.length === 1 ? 'was' : 'were'} put into the session's context, with ${event}.`,
    }),
  },
  'stop-answered': {
    words: ({ held, why }) => (held ? `told to go on: ${why.join('; ')}` : `may stop${because(why)}`),
    log: ({ held }) => (held ? 'warn' : 'info'),
    screen: ({ held }) => ({ mark: 'notice', style: held ? 'ask' : 'dim', level: 'normal' }),
    story: ({ held, why, counts }) => ({
      text: held
        ? `The session wanted to stop and was told to go on${counts ? '' : ' (this does not count)'}.`
        : `The session stopped${because(why)}.`,
      ...(held && { details: why, tone: 'ask' as const }),
    }),
  },
  'change-found': {
    words: ({ files, undone, beside = [] }) => {
      if (undone) return `${list(files)} again as before`;
      const [by, changed] = beside.length > 0 ? [' between commands', beside] : ['', files];
      return `changed${by}, though the step may not write: ${list(changed)}`;
    },
    log: () => 'warn',
    screen: () => ({ mark: 'notice', style: 'ask', level: 'quiet' }),
    story: ({ path, files, undone, beside }) => ({
      text: undone
        ? `${list(files)} ${files.length === 1 ? 'is' : 'are'} again as before.`
        : beside
          ? `${list(beside)} changed between commands of ${path}, though the step may not write.`
          : `A command of ${path} changed ${list(files)}, though the step may not write.`,
      tone: 'ask',
    }),
  },
  'artifact-kept': {
    words: ({ name, by }) => `${by} registered "${name}"`,
    log: () => 'info',
    screen: () => ({ mark: 'notice', style: 'dim', level: 'verbose' }),
    story: ({ name, by, content }) => ({
      text: `${by} registered "${name}" (${count(content.length, 'character')}).`,
    }),
  },
  'guard-switched': {
    words: ({ on, by, why }) =>
      `${by} ${on ? 'switched the guard on again' : 'switched the guard off'}${because(why === undefined ? [] : [why])}`,
    log: () => 'warn',
    screen: () => ({ mark: 'notice', style: 'ask', level: 'normal' }),
    story: ({ on, by, why, channel }) => ({
      text: `${by} switched the guard ${on ? 'on again' : 'off: nothing is held from here on'}${because(why === undefined ? [] : [why])}.`,
      tone: 'strong',
      ...(channel && { details: [channelText(channel)] }),
    }),
  },
  'moved-by-person': {
    words: ({ by, to, why }) => `${by} moved the session to ${to}${because(why === undefined ? [] : [why])}`,
    log: () => 'warn',
    screen: () => ({ mark: 'notice', style: 'ask', level: 'normal' }),
    story: ({ by, to, path, why, forced, channel }) => ({
      text: `${by} moved the session${path === undefined ? '' : ` from ${path}`} to ${to}${forced ? ', whatever was not met' : ''}${because(why === undefined ? [] : [why])}.`,
      tone: 'strong',
      ...(channel && { details: [channelText(channel)] }),
    }),
  },
};

function callText({ tool, file, command }: SessionCall): string {
  const about = file ?? command;
  return about === undefined ? tool : `${tool} ${about}`;
}

function because(why: readonly string[]): string {
  return why.length === 0 ? '' : `: ${why.join('; ')}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function eventText(event: SessionHappening): string {
  const { tool = '', file, command, error, source, reason, unsaid } = event;
  const about = file ?? command;
  switch (event.name) {
    case 'session_start':
      return `the session began (${source ?? 'startup'})`;
    case 'user_prompt':
      return unsaid ? 'the client sent a prompt of its own' : 'the person said something';
    case 'tool_call':
      return `${tool} is about to be used`;
    case 'tool_result':
      return `${tool}${about === undefined ? '' : ` ${about}`} ${error === undefined ? 'ended' : 'failed'}`;
    case 'stop':
      return 'the agent wants to stop';
    case 'compact':
      return 'the context is compacted';
    case 'session_end':
      return `the session ended${reason === undefined ? '' : ` (${reason})`}`;
  }
}
