// change-line: what a change of the run is worth on one line: `✓ implement  done in 3.2 s, try 2 of 3`. The same
// words go to a log, one per change, and into the scrollback of a terminal.

import { failureText } from '../../views/failure-text.ts';
import type { Change, Outline } from '../../views/outline/shape.ts';
import { issueText, NOBODY_LOOKED, type Review, readGate, readReview } from '../../views/review.ts';
import { statusMark } from '../../views/status-mark.ts';
import { placeName } from '../../views/step-path.ts';
import { isBlock, type StepRecord } from '../../views/step-record.ts';
import { type Line, piece, type Style } from '../../views/text/line.ts';
import { plain, plainLines } from '../../views/text/plain.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import { cost, count, duration } from '../../views/text/words.ts';
import { eventLine } from './event-line.ts';

const MOST_ISSUES = 5;

export interface ChangeLine {
  line: Line;
  /** quiet: shown always. normal: unless --quiet. verbose: only with --verbose. */
  level: 'quiet' | 'normal' | 'verbose';
  /** The live tree shows it anyway: only for logs. */
  logOnly?: boolean;
  /** What a person said: not shown where they typed it. */
  isAnswer?: boolean;
  /** The path of a step that is simply done: one of many alike, to be folded when there are too many at once. */
  done?: string;
}

export function changeLines(outline: Outline, change: Change, marks: Symbols): ChangeLine[] {
  const lines: ChangeLine[] = [];
  const event = eventLine(outline, change, marks);
  const isEnd = change.entry.kind.startsWith('run-');
  if (event && !isEnd) lines.push(event, ...questionRest(change, marks));
  const prompt = promptLine(change, marks);
  if (prompt) lines.push(prompt);
  for (const record of change.settled) {
    const line = settledLine(record, marks);
    if (line) lines.push(line, ...issueLines(record));
  }
  if (event && isEnd) lines.push(event);
  return lines;
}

/** The further lines of a question, and that it is asked again; the rest of what it shows is in the summary. */
function questionRest({ entry }: Change, marks: Symbols): ChangeLine[] {
  if (entry.kind !== 'question-asked') return [];
  const bar = `    ${marks.trunk.trimEnd()} `;
  const rest = plainLines(entry.text).slice(1);
  const again = entry.shown?.again
    ? [[piece('    asked again: what was approved had changed before the approval counted', 'ask')]]
    : [];
  return [...rest.map((text) => [piece(bar, 'dim'), piece(text)]), ...again].map((line) => ({
    line,
    level: 'quiet',
    logOnly: true,
  }));
}

/** Where what the agent was given can be read. */
function promptLine({ entry }: Change, marks: Symbols): ChangeLine | undefined {
  if (entry.kind !== 'attempt-started' || entry.verb !== 'prompt') return undefined;
  const place = placeName(entry.path, entry.part);
  const file = `logs/${place}${entry.try > 1 ? `.try${entry.try}` : ''}.prompt.txt`;
  return {
    line: [piece(`${marks.dot} `, 'dim'), piece(place), piece(`  prompt in ${file}`, 'dim')],
    level: 'verbose',
  };
}

/** `execute[1]/implement  logout`: the path, and what people call it where that says more. */
function nameOf(record: StepRecord): Line {
  const label = record.title !== record.id ? record.title : itemLabel(record);
  return [piece(record.path), piece(label === '' ? '' : `  ${label}`, 'dim')];
}

function itemLabel(record: StepRecord): string {
  for (let at = record.parent; at; at = at.parent) {
    if (at.kind === 'pass' && at.parent?.verb === 'each') return at.title;
    if (at.kind === 'step' && at.verb === 'workflow') return '';
  }
  return '';
}

function settledLine(record: StepRecord, marks: Symbols): ChangeLine | undefined {
  if (record.kind !== 'step' || record.settled === undefined) return undefined;
  const review = reviewOf(record);
  const { mark, style } =
    review?.approved === false
      ? { mark: marks.notice, style: 'ask' as const }
      : statusMark(record.settled, marks);
  const line = (words: string, tone: Style = 'none'): Line => [
    piece(`${mark} `, style),
    ...nameOf(record),
    piece(`  ${words}`, tone),
  ];
  const isOuter = record.step !== undefined && isBlock(record.step.work);
  switch (record.settled) {
    case 'done':
      return {
        line: line(
          review?.nobodyLooked
            ? NOBODY_LOOKED
            : `${verdict(review)} in ${duration(record.durationMs)}${figures(record)}`,
          'dim',
        ),
        level: 'normal',
        ...(!isOuter && { done: record.path }),
      };
    case 'skipped':
      return { line: line(`skipped: ${record.skip?.why ?? ''}`, 'dim'), level: 'normal' };
    case 'cancelled':
      return { line: line(cancelledWords(record), 'dim'), level: 'normal' };
    case 'failed': {
      // What a block says is that something in it failed, which has been said.
      const isEcho = record.error?.class === 'child' || record.error?.class === 'left';
      return { line: line(failedWords(record)), level: isEcho ? 'normal' : 'quiet' };
    }
  }
}

/** Of a gate, or of all gates of a step. */
function reviewOf({ step, settled, outcome }: StepRecord): Review | undefined {
  const isReview =
    step?.gate !== undefined || (step?.work.kind === 'parallel' && step.work.gates !== undefined);
  const output = outcome?.output;
  if (
    !isReview ||
    settled !== 'done' ||
    typeof output !== 'object' ||
    output === null ||
    Array.isArray(output)
  )
    return undefined;
  return step?.gate === undefined ? readReview(output) : readGate(output);
}

function verdict(review: Review | undefined): string {
  if (review === undefined) return 'done';
  return review.approved ? 'approved' : `needs revision, ${count(review.issues.length, 'issue')},`;
}

/** What all gates together want to be changed. What is minor is in the report. */
function issueLines(record: StepRecord): ChangeLine[] {
  const review = record.step?.gate === undefined ? reviewOf(record) : undefined;
  if (review === undefined || review.approved) return [];
  const lines = review.issues.filter(({ severity }) => severity !== 'minor').map(issueText);
  const shown =
    lines.length > MOST_ISSUES
      ? [...lines.slice(0, MOST_ISSUES), `and ${lines.length - MOST_ISSUES} more`]
      : lines;
  return shown.map((text) => ({ line: [piece(`    ${text}`)], level: 'normal' }));
}

function figures(record: StepRecord): string {
  const words: string[] = [];
  if (record.override) words.push(`accepted by ${record.override.by}`);
  if (record.try > 1)
    words.push(record.tries > 1 ? `try ${record.try} of ${record.tries}` : `try ${record.try}`);
  if (record.retries > 0) words.push(count(record.retries, 'retry', 'retries'));
  if (record.earlier.length > 0) words.push(`visit ${record.earlier.length + 1}`);
  const { passes } = record;
  if (passes && record.verb === 'each') words.push(count(passes.total, 'item'));
  if (passes && record.verb === 'loop') words.push(count(passes.done + passes.failed, 'pass', 'passes'));
  const spent = cost(record.spending);
  if (spent !== undefined) words.push(spent);
  return words.map((word) => `, ${plain(word)}`).join('');
}

function cancelledWords(record: StepRecord): string {
  if (record.skip) return `not started: ${record.skip.why}`;
  if (record.outcome?.error?.class === 'interrupted')
    return `interrupted after ${duration(record.durationMs)}`;
  const why = record.error?.message;
  return why === undefined ? `cancelled after ${duration(record.durationMs)}` : `cancelled: ${why}`;
}

function failedWords(record: StepRecord): string {
  const { error } = record;
  const after = `failed after ${duration(record.durationMs)}`;
  const tries = record.try > 1 ? `, ${record.try} tries` : '';
  return `${after}${tries}: ${failureText(error, record)}`;
}
