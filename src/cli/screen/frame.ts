// frame: the live tree of a run, short. In every list that is open: what has ended on one line, what runs, fails or
// asks on lines of its own, what is to come on one line. Where the terminal has too few rows, what matters least
// goes first; what asks, fails or runs stays.

import { attemptAt } from '../../views/attempts.ts';
import { doingText } from '../../views/definition/doing.ts';
import { failureText } from '../../views/failure-text.ts';
import type { Outline } from '../../views/outline/shape.ts';
import { durationAt, runTimeAt } from '../../views/outline.ts';
import { statusMark } from '../../views/status-mark.ts';
import { below, type StepRecord } from '../../views/step-record.ts';
import { fitLine, type Line, type Piece, paintLine, piece, type Style } from '../../views/text/line.ts';
import type { Symbols } from '../../views/text/symbols.ts';
import { cost, count, crowded, elapsed, thousands } from '../../views/text/words.ts';
import { fitRows, type Row, type Worth } from './fit-rows.ts';
import type { Size } from './terminal.ts';

export interface FrameContext {
  now: number;
  size: Size;
  color: boolean;
  marks: Symbols;
  /** Counts frames; moves the spinner. */
  tick: number;
  /** By path: what an agent was last seen doing. */
  activity: ReadonlyMap<string, string>;
}

const ROOMY = 8;
const NAMES_SHOWN = 8;

/** Half the terminal, within reason: the story above should stay in sight. */
function tallest(rows: number): number {
  return Math.min(20, Math.max(ROOMY, Math.floor(rows / 2)));
}

export function frame(outline: Outline, context: FrameContext): string[] {
  const rows: Row[] = [];
  listRows(outline, context, outline.root, 1, rows);
  const head: Row = { line: headLine(outline, context), worth: 'head' };
  const room = Math.max(1, Math.min(context.size.rows - 1, tallest(context.size.rows)));
  // A blank line sets it off from what scrolls away above, where there is room for one.
  const isRoomy = room >= ROOMY;
  const fitted = fitRows([head, ...rows], isRoomy ? room - 1 : room, context.marks);
  if (isRoomy) fitted.unshift({ line: [], worth: 'head' });
  // One column is left free: a line that fills the last one would wait to wrap.
  const columns = Math.max(1, context.size.columns - 1);
  return fitted.map(({ line }) => paintLine(fitLine(line, columns, context.marks.ellipsis), context.color));
}

function spinner({ marks, tick }: FrameContext): string {
  return marks.spinner[tick % marks.spinner.length] as string;
}

function joined(words: (string | undefined)[], { marks }: FrameContext): string {
  return words.filter((word) => word !== undefined && word !== '').join(` ${marks.dot} `);
}

function headLine(outline: Outline, context: FrameContext): Line {
  const { root } = outline;
  const at = root.current ? root.children.indexOf(root.current) + 1 : 0;
  const words = joined(
    [
      at > 0 ? `step ${at} of ${root.children.length}` : count(root.children.length, 'step'),
      elapsed(runTimeAt(outline, context.now)),
      cost(outline.totals.spending),
      outline.totals.failed > 0 ? `${thousands(outline.totals.failed)} failed` : undefined,
      outline.questions.size > 0 ? count(outline.questions.size, 'question') : undefined,
      outline.endedBy && outline.status === 'running' ? 'stopping' : undefined,
    ],
    context,
  );
  return [
    piece(`${spinner(context)} `, 'live'),
    piece(outline.workflow.name, 'strong'),
    piece(`  ${words}`, 'dim'),
  ];
}

// ── Rows ────────────────────────────────────────────────────────────────────────────────────────

function isOpen(record: StepRecord): boolean {
  return record.status === 'running' || record.status === 'waiting' || record.status === 'asking';
}

function listRows(
  outline: Outline,
  context: FrameContext,
  holder: StepRecord,
  depth: number,
  rows: Row[],
): void {
  const ended: string[] = [];
  const pending: string[] = [];
  const inner: Row[] = [];
  for (const child of holder.children) {
    if (isOpen(child)) stepRows(outline, context, child, depth, inner);
    else if (child.status === 'failed') inner.push(failedRow(context, child, depth));
    else if (child.status === 'pending') pending.push(child.id);
    else ended.push(child.id);
  }
  const { marks } = context;
  if (ended.length > 0) rows.push(namesRow(marks.done, 'good', ended, depth, 'ended', true));
  rows.push(...inner);
  if (pending.length > 0) rows.push(namesRow(marks.pending, 'dim', pending, depth, 'pending', false));
}

function indented(depth: number): Piece {
  return piece('  '.repeat(depth));
}

/** Of what has ended the latest are named, of what is to come the next. */
function namesRow(
  mark: string,
  style: Style,
  ids: string[],
  depth: number,
  worth: Worth,
  fromEnd: boolean,
): Row {
  const shown = fromEnd ? ids.slice(-NAMES_SHOWN) : ids.slice(0, NAMES_SHOWN);
  const more = ids.length - shown.length;
  const names = shown.join(', ');
  const words =
    more === 0
      ? names
      : fromEnd
        ? `${thousands(more)} more, ${names}`
        : `${names} and ${thousands(more)} more`;
  return { line: [indented(depth), piece(`${mark} `, style), piece(words, 'dim')], worth };
}

function failedRow(context: FrameContext, record: StepRecord, depth: number): Row {
  const { mark, style } = statusMark('failed', context.marks);
  const why = record.error ? failureText(record.error, record) : 'failed';
  return {
    line: [indented(depth), piece(`${mark} `, style), piece(record.id), piece(`  ${why}`, 'dim')],
    worth: 'failed',
  };
}

function stepRows(
  outline: Outline,
  context: FrameContext,
  record: StepRecord,
  depth: number,
  rows: Row[],
): void {
  rows.push(stepRow(outline, context, record, depth));
  if (record.status === 'asking') return;
  if (record.passes) passRows(outline, context, record, depth + 1, rows);
  else if (record.children.length > 0) listRows(outline, context, record, depth + 1, rows);
  const doing = doingNow(context, record);
  if (doing !== undefined) {
    rows.push({ line: [indented(depth + 1), piece(doing, 'dim')], worth: 'activity' });
  }
}

function stepRow(outline: Outline, context: FrameContext, record: StepRecord, depth: number): Row {
  const { mark, style } = statusMark(record.status, context.marks);
  const symbol = record.status === 'running' ? spinner(context) : mark;
  // A single pass is named in the row of its block: not twice.
  const isNamed = record.title === record.id || record.title === record.parent?.title;
  const label = isNamed ? '' : `  ${record.title}`;
  const words = joined(
    [...waitingFor(context, record), ...progress(record), spent(outline, context, record)],
    context,
  );
  return {
    line: [
      indented(depth),
      piece(`${symbol} `, style),
      piece(record.id),
      piece(label),
      piece(`  ${words}`, 'dim'),
    ],
    worth: record.status === 'asking' ? 'asking' : 'running',
  };
}

function spent(outline: Outline, context: FrameContext, record: StepRecord): string {
  return joined([elapsed(durationAt(outline, record, context.now)), cost(record.spending)], context);
}

function progress(record: StepRecord): (string | undefined)[] {
  const { passes } = record;
  if (record.question) return [];
  const words: (string | undefined)[] = [
    record.try > 1 ? `try ${record.try} of ${record.tries}` : undefined,
    record.earlier.length > 0 ? `visit ${record.earlier.length + 1}` : undefined,
  ];
  if (passes && record.verb === 'each') {
    const only = passes.open.size === 1 ? [...passes.open.values()][0] : undefined;
    words.push(
      only?.number !== undefined && record.step?.work.kind === 'each' && record.step.work.concurrency === 1
        ? `item ${thousands(only.number + 1)} of ${thousands(passes.total)}: ${only.title}`
        : `${thousands(passes.done)} of ${thousands(passes.total)} items done${passes.open.size > 0 ? `, ${thousands(passes.open.size)} running` : ''}`,
    );
    if (passes.failed > 0) words.push(`${thousands(passes.failed)} failed`);
  }
  if (passes && record.verb === 'loop') {
    const number = Math.max(0, ...passes.open.keys());
    if (number > 0) words.push(`pass ${number} of ${passes.total}`);
  }
  return words;
}

function waitingFor(context: FrameContext, record: StepRecord): (string | undefined)[] {
  if (record.question) return [record.question.text];
  if (record.retryAt !== undefined) {
    const most = record.step?.retry.max ?? record.retries;
    const retry = `retry ${record.retries} of ${most}`;
    const left = elapsed(Math.max(0, record.retryAt - context.now) + 999);
    const why = crowded(record.retryClass);
    return [why === undefined ? `${retry} in ${left}` : `${why}, again in ${left} (${retry})`];
  }
  if (record.status === 'waiting' && record.step) return [doingText(record.step, undefined, undefined)];
  return [record.retries > 0 ? count(record.retries, 'retry', 'retries') : undefined];
}

/** A check or action under way; else what the agent was last seen doing. */
function doingNow(context: FrameContext, record: StepRecord): string | undefined {
  for (const attempt of record.attempts) {
    const { part } = attempt;
    if (part === undefined) continue;
    const what = doingText(record.step, part, attempt);
    return part.startsWith('done') ? `checking: ${what}` : what;
  }
  const work = attemptAt(record, undefined);
  if (work === undefined) return undefined;
  const starting = work.verb === 'prompt' ? `starting ${record.provider ?? 'the agent'}` : undefined;
  return context.activity.get(record.path) ?? starting;
}

/** A single pass needs no row of its own: its block names it. Several get one each, with what runs in them. */
function passRows(
  outline: Outline,
  context: FrameContext,
  owner: StepRecord,
  depth: number,
  rows: Row[],
): void {
  const open = below(owner).filter((pass) => isOpen(pass));
  const [only] = open;
  if (open.length === 1 && only) {
    listRows(outline, context, only, depth, rows);
    return;
  }
  for (const pass of open) passRow(outline, context, pass, depth, rows);
}

function passRow(
  outline: Outline,
  context: FrameContext,
  pass: StepRecord,
  depth: number,
  rows: Row[],
): void {
  const running = pass.children.filter(isOpen);
  const [leaf] = running;
  const name: Line = [indented(depth), piece(`${spinner(context)} `, 'live'), piece(pass.title)];
  if (running.length === 1 && leaf && leaf.children.length === 0 && !leaf.passes) {
    const asks = leaf.status === 'asking';
    const words = joined(
      [...progress(leaf), ...waitingFor(context, leaf), spent(outline, context, leaf)],
      context,
    );
    rows.push({
      line: [...name, piece(` ${context.marks.arrow} ${leaf.id}`), piece(`  ${words}`, 'dim')],
      worth: asks ? 'asking' : 'running',
    });
    const doing = asks ? undefined : doingNow(context, leaf);
    if (doing !== undefined)
      rows.push({ line: [indented(depth + 1), piece(doing, 'dim')], worth: 'activity' });
    return;
  }
  rows.push({ line: name, worth: 'running' });
  listRows(outline, context, pass, depth + 1, rows);
}
