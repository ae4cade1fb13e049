// wait-files: until enough files match. Polled: a watcher misses what network and container file systems do.

import type { Wait } from '../../model/command.ts';
import type { PerformContext, Performing } from './context.ts';
import { over, refused } from './outcome.ts';
import { waiting } from './wait.ts';

type WaitFiles = Extract<Wait, { kind: 'wait-files' }>;

export function waitFiles(command: WaitFiles, context: PerformContext): Performing {
  const found = () => {
    const matches = new Set(command.files.flatMap((pattern) => context.workspace.glob(pattern)));
    return [...matches].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  };
  let files: string[];
  try {
    files = found();
  } catch (error) {
    return refused(error, context.mask);
  }
  if (files.length >= command.min) {
    return over({ ok: true, output: context.mask.deep(files), exit_code: 0, duration_ms: 0 });
  }

  return waiting(context, { ...command, soFar: () => context.mask.deep(files) }, ({ succeed, fail }) => {
    let cancel = () => {};
    const look = () => {
      try {
        files = found();
      } catch (error) {
        fail(error);
        return;
      }
      if (files.length < command.min) cancel = context.clock.after(command.every, look);
      else {
        const output = context.mask.deep(files);
        succeed({ kind: 'outcome', outcome: { ok: true, output, exit_code: 0, duration_ms: 0 } });
      }
    };
    cancel = context.clock.after(command.every, look);
    return () => cancel();
  });
}
