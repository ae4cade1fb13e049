// file-meter: what the files of one step cost us: how many operations, how much time. Its process's own are its own.

import type { Outcome } from '../../model/entry.ts';
import type { Clock } from '../../ports/clock.ts';

export interface FileMeter {
  /** One operation. */
  count<T>(work: () => T): T;
  /** Part of one that was counted: a further chunk of a stream, say. */
  time<T>(work: () => T): T;
  /** Nothing where there was no operation. */
  metrics(): NonNullable<Outcome['metrics']>;
}

export function startFileMeter(clock: Clock): FileMeter {
  let operations = 0;
  let milliseconds = 0;
  const time = <T>(work: () => T): T => {
    const from = clock.monotonic();
    try {
      return work();
    } finally {
      milliseconds += clock.monotonic() - from;
    }
  };
  return {
    time,
    count(work) {
      operations += 1;
      return time(work);
    },
    metrics: () =>
      operations === 0
        ? {}
        : { file_io_ms: Math.round(milliseconds * 100) / 100, file_operations: operations },
  };
}
