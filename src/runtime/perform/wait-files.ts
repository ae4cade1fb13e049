// wait-files: until enough files match. Polled: a watcher misses what network and container file systems do.

import type { Wait } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { PerformContext, Performing } from './context.ts';
import { over, refused } from './outcome.ts';
import { inByteOrder } from './reads.ts';
import { waitedBefore, waiting } from './wait.ts';

type WaitFiles = Extract<Wait, { kind: 'wait-files' }>;

export function waitFiles(command: WaitFiles, context: PerformContext): Performing {
  let polls = 0;
  let files: string[] = [];
  const isThere = (): boolean => {
    polls += 1;
    const { workspace, globs } = context;
    files = inByteOrder(new Set(command.files.flatMap((pattern) => workspace.glob(pattern, globs))));
    return files.length >= command.min;
  };
  const seen = () => ({ output: context.mask.deep(files), polls });
  const found = (): Outcome => ({ ok: true, exit_code: 0, duration_ms: 0, ...seen() });
  const tell = () =>
    context.debug?.(
      command,
      'dependencies',
      `waited for ${command.files.join(', ')}: ${files.length} of ${command.min} after ${polls} looks`,
    );
  try {
    if (isThere()) {
      tell();
      return over({ ...found(), duration_ms: Math.round(waitedBefore(context.clock, command)) });
    }
  } catch (error) {
    return refused(error, context.mask);
  }

  let look = (_isLast: boolean): boolean => false;
  const limits = { ...command, soFar: seen, lastLook: () => look(true) };
  return waiting(context, limits, ({ succeed, fail }) => {
    let cancel = () => {};
    look = (isLast) => {
      try {
        const isEnough = isThere();
        if (isEnough || isLast) tell();
        if (isEnough) succeed({ kind: 'outcome', outcome: found() });
        else if (!isLast) again();
        return isEnough;
      } catch (error) {
        fail(error);
        return true;
      }
    };
    const again = () => {
      cancel = context.clock.after(command.every, () => look(false));
    };
    again();
    return () => cancel();
  });
}
