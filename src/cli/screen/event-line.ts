// event-line: entries that are worth a line though no step ended with them. A terminal leaves out what it shows
// otherwise: what has started is in the tree, a question is asked in place, the end is told by the summary.

import type { Entry } from '../../model/entry.ts';
import { doingText } from '../../views/definition/doing.ts';
import type { Change, Outline } from '../../views/outline/shape.ts';
import { placeName } from '../../views/step-path.ts';
import { isBlock, type StepRecord } from '../../views/step-record.ts';
import { type Line, type Piece, piece, type Style } from '../../views/text/line.ts';
import { plainLines } from '../../views/text/plain.ts';
import { refusedText } from '../../views/text/refused-text.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import { cost, count, crowded, duration, list, valueText } from '../../views/text/words.ts';
import type { ChangeLine } from './change-line.ts';

export function eventLine(outline: Outline, change: Change, marks: Symbols): ChangeLine | undefined {
  return runLine(outline, change.entry, marks) ?? stepLine(change, marks);
}

function marked(mark: string, style: Style, name: string, words: string): Line {
  const pieces: Piece[] = [piece(`${mark} `, style), piece(name)];
  return words === '' ? pieces : [...pieces, piece(`  ${words}`, 'dim')];
}

function runLine(outline: Outline, entry: Entry, marks: Symbols): ChangeLine | undefined {
  const { name } = outline.workflow;
  const took = duration(outline.runTime);
  const spent = cost(outline.totals.spending);
  const figures = spent === undefined ? '' : `, ${spent}`;
  switch (entry.kind) {
    case 'run-started':
      return { line: marked(marks.running, 'live', name, `run ${entry.run.id} started`), level: 'normal' };
    case 'worktree-prepared': {
      if (entry.how !== 'put-back') return undefined;
      const words = `the worktree had gone and was put back: ${entry.worktree.path}`;
      return { line: marked(marks.notice, 'ask', entry.step ?? name, words), level: 'normal' };
    }
    case 'run-resumed':
      return {
        line: marked(marks.running, 'live', name, `run ${outline.run?.id ?? ''} goes on`),
        level: 'normal',
        // Whoever answered in place sees that it does.
        logOnly: outline.wentOn,
      };
    case 'end-requested': {
      const words = entry.to === 'cancelled' ? 'is being cancelled' : 'is being interrupted';
      return {
        line: marked(marks.notice, 'ask', name, `${words} by ${entry.by}; what runs is ended first`),
        level: 'normal',
      };
    }
    case 'limit-reached':
      return { line: marked(marks.failed, 'bad', `limit on ${entry.limit}`, entry.message), level: 'quiet' };
    case 'run-completed': {
      const past = entry.continued_past > 0 ? `, past ${count(entry.continued_past, 'failure')}` : '';
      return {
        line: marked(marks.done, 'good', name, `completed in ${took}${figures}${past}`),
        level: 'quiet',
        logOnly: true,
      };
    }
    case 'run-failed':
      return {
        line: marked(marks.failed, 'bad', name, `failed after ${took}${figures}: ${entry.error.message}`),
        level: 'quiet',
        logOnly: true,
      };
    case 'run-paused':
      return {
        line: marked(
          marks.asking,
          'ask',
          name,
          `paused after ${took}${figures}: ${count(entry.questions.length, 'question')} for a person`,
        ),
        level: 'quiet',
        logOnly: true,
      };
    case 'run-interrupted':
      return {
        line: marked(marks.cancelled, 'ask', name, `interrupted after ${took}${figures}`),
        level: 'quiet',
        logOnly: true,
      };
    case 'run-cancelled':
      return {
        line: marked(marks.cancelled, 'ask', name, `cancelled by ${entry.by} after ${took}${figures}`),
        level: 'quiet',
        logOnly: true,
      };
    case 'signal-received':
      return {
        line: marked(marks.notice, 'dim', `signal ${entry.name}`, `received from ${entry.by}`),
        level: 'normal',
      };
    case 'message-refused':
      return { line: marked(marks.failed, 'bad', name, `refused ${refusedText(entry)}`), level: 'quiet' };
    default:
      return undefined;
  }
}

function stepLine(change: Change, marks: Symbols): ChangeLine | undefined {
  const { entry, record } = change;
  switch (entry.kind) {
    case 'attempt-started':
      return startedLine(entry, change, marks);
    case 'attempt-finished':
      return entry.part === undefined ? undefined : partLine(entry, change, marks);
    case 'worktree-opened': {
      if (!entry.worktree) return undefined;
      const words = `in a worktree of its own, on ${entry.worktree.branch}`;
      return { line: marked(marks.running, 'live', entry.path, words), level: 'normal', logOnly: true };
    }
    case 'step-opened':
      return openedLine(entry, record, marks);
    case 'loop-tested': {
      if (!entry.again) return undefined;
      const most = record?.step?.work.kind === 'loop' ? ` of ${record.step.work.max}` : '';
      return {
        line: marked(marks.running, 'live', entry.path, `pass ${entry.pass}${most}`),
        level: 'normal',
        logOnly: true,
      };
    }
    case 'work-rejected': {
      if (!entry.again) return undefined;
      const words = `sent back after try ${entry.try}${record ? ` of ${record.tries}` : ''}: ${firstLine(entry.reasons)}`;
      return { line: marked(marks.again, 'ask', entry.path, words), level: 'normal' };
    }
    case 'retry-scheduled': {
      const most = record?.step ? ` of ${record.step.retry.max}` : '';
      const retry = `retry ${entry.retry}${most}`;
      const delay = duration(entry.delay_ms);
      const why = crowded(entry.class);
      const words =
        why === undefined
          ? `${retry} in ${delay}: ${entry.why}`
          : `${why}, again in ${delay} (${retry}): ${entry.why}`;
      return { line: marked(marks.again, 'ask', entry.path, words), level: 'normal' };
    }
    case 'attempt-in-doubt': {
      const then = {
        rerun: 'it runs again',
        probe: 'a probe is asked',
        ask: 'a person is asked',
        wait: 'the wait goes on',
      };
      const words = `was under way when the process ended: ${then[entry.remedy]}`;
      return { line: marked(marks.notice, 'ask', placeName(entry.path, entry.part), words), level: 'normal' };
    }
    case 'question-asked':
      return {
        line: marked(marks.asking, 'ask', entry.path, plainLines(entry.text)[0] ?? ''),
        level: 'quiet',
        logOnly: true,
      };
    case 'question-answered': {
      const note = entry.note === undefined ? '' : ` (${entry.note})`;
      const words = `${entry.by}: ${valueText(entry.answer)}${note}`;
      return { line: marked(marks.asking, 'ask', entry.path, words), level: 'normal', isAnswer: true };
    }
    case 'question-expired':
      return { line: marked(marks.asking, 'ask', entry.path, 'nobody answered in time'), level: 'normal' };
    case 'jumped':
      return { line: marked(marks.arrow, 'live', entry.path, `goes to ${entry.to}`), level: 'normal' };
    case 'step-closed':
      if (entry.goes !== 'continue') return undefined;
      return {
        line: marked(marks.arrow, 'ask', entry.path, 'failed, and the run goes on past it'),
        level: 'normal',
      };
    case 'fan-stopped':
      return {
        line: marked(marks.cancelled, 'ask', entry.path, `nothing new starts: ${entry.why}`),
        level: 'normal',
      };
    case 'time-out-reached':
      return { line: marked(marks.cancelled, 'ask', entry.path, 'its time was up'), level: 'normal' };
    default:
      return verboseLine(entry, marks);
  }
}

function verboseLine(entry: Entry, marks: Symbols): ChangeLine | undefined {
  switch (entry.kind) {
    case 'work-accepted':
      return { line: marked(marks.dot, 'dim', entry.path, 'accepted'), level: 'verbose' };
    case 'action-passed':
      return {
        line: marked(marks.dot, 'dim', placeName(entry.path, entry.part), `passed over: ${entry.why}`),
        level: 'verbose',
      };
    case 'vars-set':
      return {
        line: marked(
          marks.dot,
          'dim',
          placeName(entry.path, entry.part),
          `set ${list(Object.keys(entry.values))}`,
        ),
        level: 'verbose',
      };
    case 'observed': {
      const seen = entry.facts.map(({ kind, pattern, value }) => `${kind}(${pattern}): ${value.length}`);
      return { line: marked(marks.dot, 'dim', entry.path, `looked at ${seen.join(', ')}`), level: 'verbose' };
    }
    default:
      return undefined;
  }
}

function startedLine(
  entry: Entry & { kind: 'attempt-started' },
  { record, attempt }: Change,
  marks: Symbols,
): ChangeLine {
  const place = placeName(entry.path, entry.part);
  const doing = doingText(record?.step, entry.part, attempt);
  if (entry.part !== undefined) return { line: marked(marks.dot, 'dim', place, doing), level: 'verbose' };
  if (entry.verb !== 'prompt') {
    const words = entry.try > 1 ? `try ${entry.try}: ${doing}` : doing;
    return { line: marked(marks.running, 'live', place, words), level: 'normal', logOnly: true };
  }
  const who = [entry.agent === undefined ? undefined : `agent ${entry.agent}`, entry.provider, entry.model];
  const tries = entry.try > 1 ? `try ${entry.try}${record ? ` of ${record.tries}` : ''}: ` : '';
  const words = who.filter((word) => word !== undefined).join(', ');
  const line = marked(marks.running, 'live', place, tries + (words === '' ? 'prompt' : words));
  return { line, level: 'normal', logOnly: true };
}

/** Checks and actions: told in detail only on request, but an action that failed is told. */
function partLine(
  entry: Entry & { kind: 'attempt-finished' },
  { record, attempt }: Change,
  marks: Symbols,
): ChangeLine {
  const { outcome, path, part = '' } = entry;
  const doing = doingText(record?.step, part, attempt);
  const took = duration(outcome.duration_ms);
  const isCheck = part.startsWith('done');
  if (outcome.ok) {
    return { line: marked(marks.done, 'good', placeName(path, part), `${doing}, ${took}`), level: 'verbose' };
  }
  const why =
    outcome.exit_code === undefined ? (outcome.error?.message ?? 'failed') : `exit code ${outcome.exit_code}`;
  const line = marked(
    marks.failed,
    isCheck ? 'ask' : 'bad',
    placeName(path, part),
    `${doing}: ${why}, ${took}`,
  );
  return { line, level: isCheck || part === 'probe' ? 'verbose' : 'normal' };
}

function openedLine(
  entry: Entry & { kind: 'step-opened' },
  record: StepRecord | undefined,
  marks: Symbols,
): ChangeLine | undefined {
  if (!record?.step || record.kind !== 'step' || !isBlock(record.step.work)) return undefined;
  const words = entry.items ? count(entry.items.length, 'item') : 'started';
  return { line: marked(marks.running, 'live', entry.path, words), level: 'normal', logOnly: true };
}

function firstLine(reasons: string[]): string {
  const lines = reasons.flatMap((reason) => reason.split('\n')).filter((line) => line.trim() !== '');
  return lines.length > 1 ? `${lines[0]} (and ${count(lines.length - 1, 'more line')})` : (lines[0] ?? '');
}
