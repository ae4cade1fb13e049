// screen: what a person sees while a run goes on. On a terminal a live tree, with what has ended scrolling away
// above it; elsewhere one plain line per change; with --json one object per entry.
// Owns: the terminal, from the first line to the last. Never: decides, journals, reads a file.
// C1. Nothing is shown that was not journaled: it is fed changes, after they are durable (J2).
// C2. No text from outside reaches the terminal with a control character in it.
// C3. However the process ends, the cursor is visible and the last line ends.
// C4. At most ten frames a second, each a single write.

import type { Readable, Writable } from 'node:stream';
import type { Entry } from '../../model/entry.ts';
import type { Change, Outline } from '../../views/outline/shape.ts';
import { progressLines } from '../../views/progress-lines.ts';
import { renderSummary } from '../../views/render-summary.ts';
import type { Question } from '../../views/step-record.ts';
import type { Summary } from '../../views/summary.ts';
import {
  fitLine,
  type Line,
  type Look,
  paintLine,
  piece,
  type Style,
  wrapLine,
} from '../../views/text/line.ts';
import { symbols } from '../../views/text/symbols.ts';
import { count } from '../../views/text/words.ts';
import type { Reply } from './answers.ts';
import { askPerson } from './ask.ts';
import { type ChangeLine, changeLines } from './change-line.ts';
import { foldLines } from './fold-lines.ts';
import { frame } from './frame.ts';
import { guardTerminal, type SignalHost } from './guard-terminal.ts';
import { createPainter } from './painter.ts';
import { progressPrinter } from './progress-printer.ts';
import { type Output, type Size, sizeOf } from './terminal.ts';

export interface ScreenOptions {
  outline: Outline;
  stream: Output;
  /** A live tree, and questions in place. */
  interactive: boolean;
  color: boolean;
  unicode: boolean;
  level: 'quiet' | 'normal' | 'verbose';
  /** `--progress`: what is under way in a few lines instead of the tree; beside the plain lines elsewhere. */
  progress?: boolean;
  format: 'text' | 'json';
  now(): number;
  /** Fixed, for tests; else the stream is asked. */
  columns?: number;
  rows?: number;
  /** Where answers are typed. Absent: nothing can be asked. */
  input?: Readable;
  /** What Ctrl-C during a question does; by default the process gets SIGINT. */
  interrupt?(): void;
  /** Calls back every so often until cancelled; by default a timer that keeps no process alive. */
  every?(milliseconds: number, callback: () => void): () => void;
  /** Whose exit and signals restore the terminal; by default this process. */
  host?: SignalHost;
}

export interface Screen {
  show(change: Change): void;
  /** What an agent is doing at a path, in a few words. `printed`: it is told by `output`, too, and need not be twice. */
  activity(path: string, text: string, printed?: boolean): void;
  /** A line that a command or agent printed; shown with --verbose. */
  output(path: string, text: string): void;
  /** A line that stays. */
  say(text: string, tone?: Style): void;
  /** Puts the question in place. undefined: no answer; the run stays paused. */
  ask(question: Question, signal?: AbortSignal): Promise<Reply | undefined>;
  /** The live area goes, the summary stays. Nothing is shown after it. */
  close(summary?: Summary): void;
}

const FRAME = 100;
const PROGRESS = 1000;
const PERMANENT_ROWS = 4;
const MOST_QUEUED = 500;

export function createScreen(options: ScreenOptions): Screen {
  if (options.format === 'json') return jsonScreen(options);
  return options.interactive && options.level !== 'quiet' ? liveScreen(options) : plainScreen(options);
}

const LEVELS = { quiet: 0, normal: 1, verbose: 2 };

function wanted(options: ScreenOptions, line: ChangeLine): boolean {
  return LEVELS[line.level] <= LEVELS[options.level];
}

function lookOf(options: ScreenOptions, size: Size): Look {
  return { width: Math.max(20, size.columns), color: options.color, unicode: options.unicode };
}

function currentSize(options: ScreenOptions): Size {
  const { columns, rows } = sizeOf(options.stream);
  return { columns: options.columns ?? columns, rows: options.rows ?? rows };
}

interface Around {
  before(question: Question): void;
  after(question: Question, isAnswered: boolean): void;
}

/** One question at a time, whoever asks. */
function asker(options: ScreenOptions, around: Around): Screen['ask'] {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const { input } = options;
    if (!input) return Promise.resolve(undefined);
    const asked = last.then(async () => {
      around.before(question);
      let reply: Reply | undefined;
      try {
        reply = await askPerson(question, {
          input,
          output: options.stream as unknown as Writable,
          look: lookOf(options, currentSize(options)),
          ...(options.outline.run && { run: options.outline.run.id }),
          interrupt: options.interrupt ?? (() => process.kill(process.pid, 'SIGINT')),
          ...(signal && { signal }),
        });
        return reply;
      } finally {
        around.after(question, reply !== undefined);
      }
    });
    last = asked.catch(() => undefined);
    return asked;
  };
}

// ── One object per entry ────────────────────────────────────────────────────────────────────────

function jsonScreen(options: ScreenOptions): Screen {
  const print = (entry: Entry): void => void options.stream.write(`${JSON.stringify(entry)}\n`);
  return {
    show: ({ entry }) => print(entry),
    activity() {},
    output() {},
    say() {},
    ask: () => Promise.resolve(undefined),
    close() {},
  };
}

// ── One line per change ─────────────────────────────────────────────────────────────────────────

function clock(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function plainScreen(options: ScreenOptions): Screen {
  const { stream, color } = options;
  const marks = symbols(options.unicode);
  const print = (line: Line, at = options.now()): void =>
    void stream.write(`${paintLine([piece(`${clock(at)} `, 'dim'), ...line], color)}\n`);
  const progress = options.progress
    ? progressPrinter(options.outline, (text) => void stream.write(text))
    : undefined;
  const look = (): void => progress?.look(options.now());
  const stop = progress ? (options.every ?? timer)(PROGRESS, look) : () => {};
  let isClosed = false;
  return {
    show(change) {
      if (isClosed) return;
      for (const line of changeLines(options.outline, change, marks)) {
        if (wanted(options, line)) print(line.line, change.entry.at);
      }
      look();
    },
    activity(path, text, printed = false) {
      if (options.level === 'verbose' && !printed)
        print([piece(`${marks.dot} `, 'dim'), piece(path), piece(`  ${text}`, 'dim')]);
    },
    output(path, text) {
      if (options.level === 'verbose') print([piece(`${path} | `, 'dim'), piece(text)]);
    },
    say: (text, tone = 'none') => print([piece(text, tone)]),
    ask: asker(options, { before() {}, after() {} }),
    close(summary) {
      if (isClosed) return;
      isClosed = true;
      stop();
      if (!summary || options.level === 'quiet') return;
      const look = lookOf(options, currentSize(options));
      stream.write(
        `\n${renderSummary(summary, { ...look, width: options.interactive ? look.width : 100 })}\n`,
      );
    },
  };
}

// ── A live tree ─────────────────────────────────────────────────────────────────────────────────

function timer(milliseconds: number, callback: () => void): () => void {
  const handle = setInterval(callback, milliseconds);
  handle.unref();
  return () => clearInterval(handle);
}

function liveScreen(options: ScreenOptions): Screen {
  const { stream, color, outline } = options;
  const marks = symbols(options.unicode);
  const painter = createPainter(stream);
  const activity = new Map<string, string>();
  const asked = new Set<string>();
  let queue: ChangeLine[] = [];
  let unseen = 0;
  let tick = 0;
  let isPaused = false;
  let isClosed = false;

  const permanent = (size: Size): string[] => {
    const lines = foldLines(queue, size.rows, marks);
    if (unseen > 0)
      lines.push([piece(`${marks.ellipsis} ${count(unseen, 'more line')}; the logs have all`, 'dim')]);
    queue = [];
    unseen = 0;
    // Wrapped rather than cut, so that a reason can be read; but not a page of it.
    const columns = Math.max(20, size.columns - 1);
    return lines
      .flatMap((line) => wrapLine(fitLine(line, columns * PERMANENT_ROWS, marks.ellipsis), columns, '    '))
      .map((line) => paintLine(line, color));
  };
  const paint = (): void => {
    if (isPaused || isClosed || stream.writableNeedDrain === true) return;
    const size = currentSize(options);
    const live = outline.status === 'running';
    if (!live && queue.length === 0 && tick > 0) return;
    tick += 1;
    const now = options.now();
    const tree = () =>
      options.progress
        ? progressLines(outline, now)
            .slice(0, Math.max(1, size.rows - 2))
            .map((text) =>
              paintLine(fitLine([piece(text)], Math.max(20, size.columns - 1), marks.ellipsis), color),
            )
        : frame(outline, { now, size, color, marks, tick, activity });
    painter.paint(permanent(size), live ? tree() : [], size);
  };
  const stop = (options.every ?? timer)(FRAME, paint);
  const release = guardTerminal(options.host ?? process, painter.restore, paint);
  stream.on?.('resize', paint);

  const add = (line: Line): void => void queue.push({ line, level: 'normal' });
  return {
    show(change) {
      if (isClosed) return;
      const { entry } = change;
      const wasTyped = entry.kind === 'question-answered' && asked.delete(entry.path);
      for (const line of changeLines(outline, change, marks)) {
        if (!wanted(options, line) || (line.isAnswer === true && wasTyped)) continue;
        // With --verbose what has started stays in the scrollback too, commands and all.
        if (line.logOnly !== true || (options.level === 'verbose' && line.level === 'normal'))
          queue.push(line);
      }
      // What was seen belongs to the attempt that is over.
      if (entry.kind === 'attempt-started' || entry.kind === 'attempt-finished') activity.delete(entry.path);
      if (tick === 0) paint();
    },
    activity(path, text) {
      activity.set(path, text);
    },
    output(path, text) {
      if (options.level !== 'verbose') return;
      // More than anybody reads between two frames; the log has all of it.
      if (queue.length >= MOST_QUEUED) unseen += 1;
      else add([piece(`${path} | `, 'dim'), piece(text)]);
    },
    say: (text, tone = 'none') => add([piece(text, tone)]),
    ask: asker(options, {
      before(question) {
        asked.add(question.path);
        const size = currentSize(options);
        painter.paint(permanent(size), [], size);
        isPaused = true;
      },
      after(question, isAnswered) {
        if (!isAnswered) asked.delete(question.path);
        isPaused = false;
        paint();
      },
    }),
    close(summary) {
      if (isClosed) return;
      isClosed = true;
      stop();
      stream.off?.('resize', paint);
      const size = currentSize(options);
      painter.paint(permanent(size), [], size);
      release();
      if (summary) stream.write(`\n${renderSummary(summary, lookOf(options, size))}\n`);
    },
  };
}
