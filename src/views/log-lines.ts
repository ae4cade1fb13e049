// log-lines: what logs/orchestrator.log says about an entry: a line for what people look for when they ask what
// happened, and why. Made from what the entry changed, so that a log and every other view tell the same.

import type { Entry } from '../model/entry.ts';
import { cutTexts } from './cut-text.ts';
import type { Change, Outline } from './outline/shape.ts';
import { isBlock, namedText, type StepRecord } from './step-record.ts';
import { type LineLevel, RANKS } from './teller/level.ts';
import { isAboutRun, partOf, rowOf } from './teller.ts';
import { gitTexts, meanwhileTexts } from './text/git-text.ts';
import { plain } from './text/plain.ts';
import { referenceTexts, settingTexts } from './text/repository-text.ts';
import { duration } from './text/words.ts';

export type { LineLevel } from './teller/level.ts';

export interface LogLine {
  level: LineLevel;
  /** Empty: the run itself. */
  path: string;
  part: string | undefined;
  message: string;
}

/** Lines below `least` are not made. */
export function logLines(outline: Outline, change: Change, least: LineLevel): LogLine[] {
  const lines: LogLine[] = [];
  const wants = (level: LineLevel): boolean => RANKS[level] >= RANKS[least];
  const say = (level: LineLevel, path: string, message: string, part?: string): void => {
    if (wants(level)) lines.push({ level, path, part, message: plain(message) });
  };
  const isDetailed = wants('debug');
  const { entry } = change;
  if (isAboutRun(entry)) sayEntry(outline, change, say, wants);
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
  if (entry.kind === 'attempt-finished') sayOutcome(entry, say);
  if (!isAboutRun(entry)) sayEntry(outline, change, say, wants);
  for (const settled of change.settled) {
    if (settled.kind === 'pass') {
      if (isDetailed) say('debug', settled.path, `ends: ${settled.settled}`);
    } else say(LEVELS[settled.settled ?? 'done'], settled.path, endText(settled));
  }
  return lines;
}

const LEVELS = { done: 'info', skipped: 'info', cancelled: 'warn', failed: 'error' } as const;

type Say = (level: LineLevel, path: string, message: string, part?: string) => void;

/** What the table says of the entry. */
function sayEntry(outline: Outline, change: Change, say: Say, wants: (level: LineLevel) => boolean): void {
  const { entry } = change;
  const row = rowOf(entry);
  const telling = { outline, change };
  const level = row?.log(entry, telling);
  if (row === undefined || level === undefined || !wants(level)) return;
  const words = row.logWords ? row.logWords(entry, telling) : row.words(entry, telling);
  const path = isAboutRun(entry) || !('path' in entry) ? '' : (entry.path ?? '');
  for (const message of typeof words === 'string' ? [words] : words) say(level, path, message, partOf(entry));
}

/** What an effect has to say besides how it ended. */
function sayOutcome({ path, part, outcome }: Entry & { kind: 'attempt-finished' }, say: Say): void {
  for (const warning of outcome.warnings ?? []) say('warn', path, warning, part);
  for (const setting of settingTexts(outcome)) say('warn', path, setting, part);
  for (const told of gitTexts(outcome)) say('warn', path, told, part);
  for (const reference of [...referenceTexts(outcome), ...meanwhileTexts(outcome)])
    say('info', path, reference, part);
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
