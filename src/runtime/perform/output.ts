// output: where the two streams of a command or an agent go while it runs.
// stdout: the log (masked), `save_to` (whole, as it is: rule 13), what is captured (masked, bounded).
// stderr: the log (masked), and its last part.
// Nothing is gathered: each chunk goes through and is forgotten (S5).

import { Buffer } from 'node:buffer';
import type { Place } from '../../model/command.ts';
import { placeName } from '../../model/place-name.ts';
import type { Capture } from '../../model/workflow.ts';
import type { LogSink } from '../../ports/store.ts';
import { type Captured, isWhole, startCapture } from '../capture.ts';
import { type Extract, growingBytes, startTail } from '../extract.ts';
import type { PerformContext } from './context.ts';
import type { FileMeter } from './file-meter.ts';

/** What the outcome keeps of stderr. */
export const STDERR_BYTES = 8 * 1024;
/** `keep_stdout: truncated`: how much waits in memory to see whether the log is needed. */
const LOG_HELD_BACK = 10 * 1024 * 1024;
const LINE_SHOWN = 200;
const TAIL_BYTES = 8 * 1024;
const TAIL_LINES = 10;
const NOTHING = new Uint8Array(0);

interface Streaming extends Place {
  try: number;
  capture: Capture;
  saveTo?: string;
}

export interface Finished {
  captured: Captured;
  stderr: string;
  /** The last lines of stdout, where what was captured ends before them. */
  stdoutTail?: string;
}

export interface OutputStreams {
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /**
   * Call once, when both streams have ended. Throws what could not be written. `whole`: whether what is journaled is
   * all there was, where the caller knows better than what was captured here.
   */
  finish(whole?: boolean): Finished;
}

/** `failed` is called, once, when something cannot be written: the disk is full, say. Nothing is thrown into the stream. */
export function openOutput(
  command: Streaming,
  context: PerformContext,
  meter: FileMeter,
  failed: () => void,
): OutputStreams {
  const name = logName(command);
  const capturing = startCapture(command.capture, context.mask, `all of it is in the log ${name}.stdout`);
  const saved = openSaved(command, context, meter);
  const log =
    context.keepStdout === 'truncated' ? heldLog(name, context) : lazyLog(`${name}.stdout`, context);
  const errorLog = lazyLog(`${name}.stderr`, context);
  const errors = startTail(STDERR_BYTES, `all of it is in the log ${name}.stderr`);
  const tail = startTail(TAIL_BYTES, '');
  const masking = { stdout: context.mask.stream(), stderr: context.mask.stream() };
  const counts = { stdout: 0, stderr: 0 };
  let problem: { error: unknown } | undefined;

  const guarded = (work: () => void) => {
    if (problem !== undefined) return;
    try {
      work();
    } catch (error) {
      problem = { error };
      failed();
    }
  };
  const tell = (stream: 'stdout' | 'stderr', chunk: Uint8Array, masked: Uint8Array) => {
    counts[stream] += chunk.length;
    context.report({
      kind: 'output',
      ...placeOf(command),
      stream,
      bytes: counts[stream],
      line: lastLine(masked),
    });
  };
  const stdout = (chunk: Uint8Array, masked: Uint8Array) => {
    saved?.write(chunk);
    log.write(masked);
    tail.write(masked);
    capturing.write(chunk, masked);
  };
  const stderr = (masked: Uint8Array) => {
    errorLog.write(masked);
    errors.write(masked);
  };

  return {
    stdout: (chunk) =>
      guarded(() => {
        const masked = masking.stdout.write(chunk);
        stdout(chunk, masked);
        tell('stdout', chunk, masked);
      }),
    stderr: (chunk) =>
      guarded(() => {
        const masked = masking.stderr.write(chunk);
        stderr(masked);
        tell('stderr', chunk, masked);
      }),
    finish(whole) {
      let captured: Captured = { output: '' };
      guarded(() => {
        stdout(NOTHING, masking.stdout.end());
        stderr(masking.stderr.end());
        captured = capturing.finish();
        const isText = command.capture.as !== 'json' || captured.failure || captured.unparsed;
        if (masking.stderr.masked() || (isText && masking.stdout.masked())) captured.masked = true;
        log.end(!(whole ?? isWhole(captured)));
        errorLog.end(true);
      });
      saved?.end();
      if (problem !== undefined) throw problem.error;
      const isCut = captured.truncated !== undefined;
      return { captured, stderr: errors.text(), ...(isCut && { stdoutTail: lastLines(tail) }) };
    },
  };
}

function openSaved(command: Streaming, context: PerformContext, meter: FileMeter): LogSink | undefined {
  const { saveTo } = command;
  if (saveTo === undefined) return undefined;
  const sink = meter.count(() => context.workspace.sink(saveTo));
  let bytes = 0;
  return {
    write(chunk) {
      bytes += chunk.length;
      meter.time(() => sink.write(chunk));
    },
    end() {
      meter.time(() => sink.end());
      context.debug?.(command, 'files', `saved stdout to ${saveTo} (${bytes} bytes)`);
    },
  };
}

/** One file per try, so that no try hides another; a retry of the same try goes on in the same file. */
export function logName(command: Place & { try: number }): string {
  return command.try > 1
    ? `${placeName(command.path, command.part)}.try${command.try}`
    : placeName(command.path, command.part);
}

export function placeOf(place: Place): Place {
  return place.part === undefined ? { path: place.path } : { path: place.path, part: place.part };
}

interface Log {
  write(chunk: Uint8Array): void;
  end(needed: boolean): void;
}

/** Most commands say nothing on one stream or on both: no file then. */
function lazyLog(name: string, context: PerformContext): Log {
  let sink: LogSink | undefined;
  return {
    write(chunk) {
      if (chunk.length === 0) return;
      sink ??= context.run.openLog(name);
      sink.write(chunk);
    },
    end: () => sink?.end(),
  };
}

/** Only written where the journal holds less than there was. */
function heldLog(name: string, context: PerformContext): Log {
  const log = lazyLog(`${name}.stdout`, context);
  const held = growingBytes(LOG_HELD_BACK);
  let open = false;
  const release = () => {
    open = true;
    log.write(held.bytes());
    held.clear();
  };
  return {
    write(chunk) {
      if (!open && held.length() + chunk.length > LOG_HELD_BACK) release();
      if (open) log.write(chunk);
      else held.write(chunk);
    },
    end(needed) {
      if (needed && !open) release();
      log.end(needed);
    },
  };
}

function lastLines(tail: Extract): string {
  const text = tail.text();
  // The mark of the cut is a line of its own.
  const said = tail.cut() ? text.slice(text.indexOf('\n') + 1) : text;
  return said
    .replace(/\r?\n$/, '')
    .split('\n')
    .slice(-TAIL_LINES)
    .join('\n');
}

function lastLine(chunk: Uint8Array): string {
  const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).subarray(-LINE_SHOWN * 2);
  return end.toString('utf8').trimEnd().split('\n').at(-1)?.trim().slice(-LINE_SHOWN) ?? '';
}
