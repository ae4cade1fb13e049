// run-log: logs/orchestrator.log: one line for what matters, in the order it became durable:
//   2026-11-15T10:15:02.130Z INFO Build: completed with exit code 0 (2.0 s)
// A record for people, not the truth (J1): a run whose log cannot be written goes on without it. Lines are gathered
// for a moment, so that a run of many short steps does not write once for each.

import type { Place } from '../../model/command.ts';
import { placeName } from '../../model/place-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LogSink, OpenRun } from '../../ports/store.ts';
import { RANKS } from '../../views/teller/level.ts';
import type { LogLevel } from './options.ts';
import type { Trace } from './trace.ts';

const NAME = 'orchestrator.log';
/** Milliseconds a line may wait for others. */
const GATHERED = 200;
const MOST_GATHERED = 64 * 1024;

export interface RunLog {
  readonly level: LogLevel;
  /** `place` absent: the run itself. One line, whatever is in the message. */
  line(at: number, level: LogLevel, place: Place | undefined, message: string): void;
  /** What was gathered is written. */
  flush(): void;
  /** As `flush`, and the file is let go until the next line. */
  close(): void;
}

export function createRunLog(
  run: Pick<OpenRun, 'openLog'>,
  clock: Clock,
  level: LogLevel,
  trace: Trace | undefined,
): RunLog {
  let sink: LogSink | undefined;
  let gathered = '';
  let disarm: (() => void) | undefined;
  let isBroken = false;

  const attempt = (write: () => void): void => {
    if (isBroken) return;
    try {
      write();
    } catch {
      isBroken = true;
    }
  };
  const flush = (): void => {
    disarm?.();
    disarm = undefined;
    if (gathered === '') return;
    const text = gathered;
    gathered = '';
    attempt(() => {
      sink ??= run.openLog(NAME);
      sink.write(Buffer.from(text));
    });
  };

  return {
    level,
    line(at, own, place, message) {
      if (RANKS[own] < RANKS[level] || isBroken) return;
      const ids = trace
        ? ` trace=${trace.id} span=${place === undefined ? trace.span : trace.spanAt(place)}`
        : '';
      gathered += `${timeText(at)} ${own.toUpperCase()}${ids} ${placeText(place)}${message}\n`;
      if (gathered.length >= MOST_GATHERED) flush();
      else disarm ??= clock.after(GATHERED, flush);
    },
    flush,
    close() {
      flush();
      attempt(() => sink?.end());
      sink = undefined;
    },
  };
}

function placeText(place: Place | undefined): string {
  return place === undefined ? '' : `${placeName(place.path, place.part)}: `;
}

/** Many lines share a second: only what differs is written anew. */
export function timeText(at: number): string {
  const second = Math.floor(at / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toISOString().slice(0, 19);
  }
  return `${lastText}.${String(Math.floor(at) - second * 1000).padStart(3, '0')}Z`;
}
let lastSecond = 0;
let lastText = '1970-01-01T00:00:00';
