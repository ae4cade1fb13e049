// records: what a run writes down beside its journal and views, for people who want to know what happened:
// logs/orchestrator.log always, and where asked for backups of state.json, logs/<step>.debug and a trace.
// Owns: none of the truth (J1). Never: ends a run because a record could not be written.

import type { Entry } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mask } from '../runtime/mask.ts';
import type { Performable, PerformContext } from '../runtime/perform/perform.ts';
import { logLines } from '../views/log-lines.ts';
import type { Change, Outline } from '../views/outline/shape.ts';
import type { Desk } from './memory.ts';
import { createBackups } from './records/backups.ts';
import { createDebugNotes, type DebugNotes } from './records/debug-notes.ts';
import { type LogLevel, type RecordOptions, USUAL_RECORDS } from './records/options.ts';
import { createRunLog, type RunLog } from './records/run-log.ts';
import { createTrace, isTraceId, type Trace } from './records/trace.ts';

/** A command may hold a whole prompt; the step's own notes have all of it. */
const LONGEST_LINE = 1000;

export interface Records {
  /** For state.json, under `lockstep`. */
  readonly shown: JsonObject;
  /** For the runtime. Absent where nobody asked, so that nothing is made for it. */
  readonly forEffects: Pick<PerformContext, 'debug' | 'traceparent'>;
  readonly onPerform?: (command: Performable) => void;
  /** What is noted about an effect follows the entry that announces it, so that entry has to be told before it begins. */
  readonly followEntries: boolean;
  /** An entry is durable and about to be told to the view; `state` renders what the view shows now. */
  before(entry: Entry, state: () => string[]): void;
  /** Whether backups of state.json wait to be written. */
  hasBackups(): boolean;
  writeBackups(): void;
  /** The view knows it. */
  after(change: Change, outline: Outline): void;
  warn(message: string): void;
  /** What waits to be written is written. */
  flush(): void;
  close(): void;
}

export interface RecordsOf {
  run: Desk;
  workflow: Workflow;
  clock: Clock;
  mask: Mask;
  environment: Record<string, string>;
  /** What the run did before this drive of it. */
  earlier: Entry[];
  options?: RecordOptions;
}

export function createRecords(given: RecordsOf): Records {
  const { run, workflow, clock, mask, earlier, options = USUAL_RECORDS } = given;
  const level: LogLevel = options.logLevel;
  const trace = options.trace ? createTrace(clock, given.environment, earlierTrace(run)) : undefined;
  const log = createRunLog(run, clock, level, trace);
  const notes = options.debug ? createDebugNotes(run, workflow, clock, mask) : undefined;
  const backups = options.backupState ? createBackups(run, workflow, earlier) : undefined;

  const warn = (message: string): void => log.line(clock.now(), 'warn', undefined, mask.text(message));

  return {
    shown: trace ? { trace: { trace_id: trace.id, span_id: trace.span } } : {},
    forEffects: forEffects(log, notes, trace, clock, mask),
    ...(notes && { onPerform: notes.performing }),
    followEntries: notes !== undefined || backups !== undefined || trace !== undefined || level === 'debug',
    before(entry, state) {
      if (trace && entry.kind === 'attempt-started') trace.begin(entry);
      backups?.before(entry, state);
    },
    hasBackups: () => backups?.areWaiting() ?? false,
    writeBackups() {
      try {
        backups?.write();
      } catch (error) {
        warn(`state.json could not be backed up: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    after(change, outline) {
      const { entry } = change;
      for (const { level: own, path, part, message } of logLines(outline, change, level))
        log.line(entry.at, own, path === '' ? undefined : { path, part }, message);
      if (notes) noteOutcome(notes, entry);
      if (!trace) return;
      if (entry.kind === 'attempt-finished' && entry.part !== undefined) trace.end(entry);
      for (const settled of change.settled) trace.end({ path: settled.path });
    },
    warn,
    flush: log.flush,
    close: log.close,
  };
}

/** Notes go to the step's own file, and those of one line to the log where it is that detailed. */
function forEffects(
  log: RunLog,
  notes: DebugNotes | undefined,
  trace: Trace | undefined,
  clock: Clock,
  mask: Mask,
): Records['forEffects'] {
  const wantsNotes = notes !== undefined || log.level === 'debug';
  return {
    ...(wantsNotes && {
      debug: (place, topic, text) => {
        notes?.note(place, topic, text);
        if (!text.includes('\n'))
          log.line(clock.now(), 'debug', place, `${topic}: ${shortened(mask.text(text))}`);
      },
    }),
    ...(trace && { traceparent: trace.traceparent }),
  };
}

function shortened(text: string): string {
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}

function noteOutcome(notes: DebugNotes, entry: Entry): void {
  if (entry.kind === 'step-skipped') notes.note(entry, 'condition', `skipped: ${entry.why}`);
  else if (entry.kind === 'step-failed') {
    const about = entry.error.details ? ` ${JSON.stringify(entry.error.details)}` : '';
    notes.note(entry, 'outcome', `failed (${entry.error.class}): ${entry.error.message}${about}`);
  }
}

/** A resumed run stays in the trace it began in. */
function earlierTrace(run: Desk): string | undefined {
  try {
    const state = JSON.parse(run.document('state.json') ?? '{}') as {
      lockstep?: { trace?: { trace_id?: unknown } };
    };
    const id = state.lockstep?.trace?.trace_id;
    return isTraceId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
