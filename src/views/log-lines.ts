// log-lines: what logs/orchestrator.log says about an entry: a line for what people look for when they ask what
// happened, and why. Made from what the entry changed, so that a log and every other view tell the same.

import type { Entry } from '../model/entry.ts';
import { cutTexts } from './cut-text.ts';
import { doingText } from './definition/doing.ts';
import { type LineLevel, RANKS } from './log/level.ts';
import { tellRun } from './log/run.ts';
import type { Change, Outline } from './outline/shape.ts';
import { isBlock, type StepRecord } from './step-record.ts';
import { channelText } from './text/channel-text.ts';
import { plain } from './text/plain.ts';
import { referenceTexts, settingTexts } from './text/repository-text.ts';
import { count, duration, list } from './text/words.ts';

export type { LineLevel } from './log/level.ts';

export interface LogLine {
  level: LineLevel;
  /** Empty: the run itself. */
  path: string;
  part?: string;
  message: string;
}

const LONGEST_COMMAND = 200;

/** Lines below `least` are not made. */
export function logLines(outline: Outline, change: Change, least: LineLevel): LogLine[] {
  const lines: LogLine[] = [];
  const wants = (level: LineLevel): boolean => RANKS[level] >= RANKS[least];
  const say = (level: LineLevel, path: string, message: string, part?: string): void => {
    if (wants(level))
      lines.push({ level, path, message: plain(message), ...(part !== undefined && { part }) });
  };
  const isDetailed = wants('debug');
  const { entry } = change;
  const about = change.record ? undefined : tellRun(outline, entry);
  if (about) say(about.level, '', about.message);
  if ('warnings' in entry) {
    const path = 'path' in entry ? entry.path : '';
    for (const warning of entry.warnings ?? []) say('warn', path, warning);
  }
  for (const text of cutTexts(entry)) {
    say('warn', 'path' in entry ? (entry.path ?? '') : '', text, 'part' in entry ? entry.part : undefined);
  }
  for (const opened of change.opened) {
    if (opened.kind === 'pass') {
      if (isDetailed) say('debug', opened.path, `begins: ${opened.title}`);
    } else if (opened.step && isBlock(opened.step.work))
      say('info', opened.path, `started${namedText(opened)}`);
  }
  if ('path' in entry && entry.path !== undefined) tellStep(change, entry, say, wants);
  for (const settled of change.settled) {
    if (settled.kind === 'pass') {
      if (isDetailed) say('debug', settled.path, `ends: ${settled.settled}`);
    } else say(LEVELS[settled.settled ?? 'done'], settled.path, endText(settled));
  }
  return lines;
}

const LEVELS = { done: 'info', skipped: 'info', cancelled: 'warn', failed: 'error' } as const;

type Say = (level: LineLevel, path: string, message: string, part?: string) => void;

function tellStep(change: Change, entry: Entry, say: Say, wants: (level: LineLevel) => boolean): void {
  const { record, attempt } = change;
  switch (entry.kind) {
    case 'attempt-started': {
      // A handler is over at once: one line, for its end, says it all.
      const level = entry.part === undefined && entry.verb !== 'call' ? 'info' : 'debug';
      if (!wants(level)) return;
      const what = shortened(doingText(record?.step, entry.part, attempt));
      const again = entry.part === undefined && entry.try > 1 ? ` (try ${entry.try})` : '';
      say(level, entry.path, `started${again}${record ? namedText(record) : ''}: ${what}`, entry.part);
      return;
    }
    case 'attempt-finished': {
      const { outcome, part } = entry;
      for (const warning of [...(outcome.warnings ?? []), ...settingTexts(outcome)])
        say('warn', entry.path, warning, part);
      for (const reference of referenceTexts(outcome)) say('info', entry.path, reference, part);
      if (outcome.ok && !wants('debug')) return;
      const code = outcome.exit_code === undefined ? '' : ` with exit code ${outcome.exit_code}`;
      const took = duration(outcome.duration_ms);
      if (outcome.ok) say('debug', entry.path, `ended${code} (${took})`, part);
      else
        say(
          part === undefined ? 'debug' : 'warn',
          entry.path,
          `ended${code} (${took}): ${outcome.error?.message ?? 'it failed'}`,
          part,
        );
      return;
    }
    case 'worktree-opened':
      if (entry.worktree)
        say('info', entry.path, `works in ${entry.worktree.path}, on branch ${entry.worktree.branch}`);
      return;
    case 'retry-scheduled':
      return say('warn', entry.path, `retry ${entry.retry} in ${duration(entry.delay_ms)}: ${entry.why}`);
    case 'attempt-in-doubt':
      return say('warn', entry.path, `was under way when the process ended: ${entry.remedy}`, entry.part);
    case 'attempt-cancelled':
      return say('warn', entry.path, `told to end: ${entry.why}`, entry.part);
    case 'step-closed':
      if (entry.goes === 'continue') say('warn', entry.path, 'failed, and the run goes on past it');
      return;
    case 'time-out-reached':
      return say('warn', entry.path, 'its time is up');
    case 'work-rejected':
      return say(
        'warn',
        entry.path,
        `not accepted${entry.again ? ', sent back' : ''}: ${entry.reasons.join('; ')}`,
      );
    case 'work-accepted':
      return say('debug', entry.path, entry.by === undefined ? 'accepted' : `accepted by ${entry.by}`);
    case 'fan-stopped':
      return say(
        'warn',
        entry.path,
        `nothing new starts (${list(entry.left_out, 3)} left out): ${entry.why}`,
      );
    case 'loop-tested':
      return say('debug', entry.path, `pass ${entry.pass}: ${entry.again ? 'once more' : 'that is all'}`);
    case 'next-chosen':
      return say('debug', entry.path, `rule ${entry.rule} of next holds`);
    case 'jumped':
      return say('info', entry.path, `goto ${entry.to}`);
    case 'action-passed':
      return say('debug', entry.path, `left out: ${entry.why}`, entry.part);
    case 'vars-set':
      return say('debug', entry.path, `set ${list(Object.keys(entry.values))}`, entry.part);
    case 'observed':
      for (const { kind, pattern, value } of entry.facts)
        say('debug', entry.path, `${kind}(${JSON.stringify(pattern)}) found ${count(value.length, 'file')}`);
      return;
    case 'question-asked':
      return say('warn', entry.path, `asks a person${entry.shown?.again ? ' again' : ''}: ${entry.text}`);
    case 'question-answered':
      return say('info', entry.path, `${entry.by} answered${throughText(entry)}`);
    case 'question-expired':
      return say('warn', entry.path, 'nobody answered in time');
    default:
  }
}

function throughText({ channel }: Entry & { kind: 'question-answered' }): string {
  return channel ? `, ${channelText(channel)}` : '';
}

function shortened(text: string): string {
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}

/** A name that the id does not show. */
function namedText({ step, id }: StepRecord): string {
  const name = step?.labels.name;
  return typeof name === 'string' && name !== id ? ` (${name})` : '';
}

function endText(record: StepRecord): string {
  const took = record.startedAt === undefined ? '' : ` (${duration(record.durationMs)})`;
  const code = record.exitCode === undefined ? '' : ` with exit code ${record.exitCode}`;
  switch (record.settled) {
    case 'skipped':
      return `skipped: ${record.skip?.why ?? ''}`;
    case 'failed':
      return `failed${code}${took}: ${record.error?.message ?? record.outcome?.error?.message ?? 'no reason given'}`;
    case 'cancelled':
      return `ended early${took}: ${record.error?.message ?? record.outcome?.error?.message ?? record.skip?.why ?? 'cancelled'}`;
    default:
      return `completed${code}${took}`;
  }
}
