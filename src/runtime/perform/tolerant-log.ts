// tolerant-log: a log that a step can do without. Made with its first line; where it cannot be written, it ends there.

import type { LogSink } from '../../ports/store.ts';

export function tolerantLog(open: () => LogSink): LogSink {
  let sink: LogSink | undefined;
  let broken = false;
  const quietly = (work: () => void) => {
    if (broken) return;
    try {
      work();
    } catch {
      broken = true;
    }
  };
  return {
    write(chunk) {
      quietly(() => {
        sink ??= open();
        sink.write(chunk);
      });
    },
    end: () => quietly(() => sink?.end()),
  };
}
