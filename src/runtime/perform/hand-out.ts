// hand-out: put together what a client is given to do. Nothing is started, and the same prompt can be put together again: a
// crash in the middle leaves nothing behind.

import type { HandOut } from '../../model/command.ts';
import { promptText } from '../prompt-text.ts';
import { taskText } from './agent-request.ts';
import type { PerformContext, Performing } from './context.ts';
import { startFileMeter } from './file-meter.ts';
import { injectionOf } from './injection.ts';
import { writePromptLog } from './prompt-log.ts';
import { findReads } from './reads.ts';

/** Why the last try was not accepted is not part of it: whoever shows the step says that beside it. */
export function handOut(command: HandOut, context: PerformContext): Performing {
  const meter = startFileMeter(context.clock);
  const { reads, notes, told, system } = command;
  const injected = reads && injectionOf(reads, findReads(command, context, meter), context.workspace, meter);
  const prompt = promptText({
    task: taskText(command, context, meter),
    ...(injected && { injected }),
    feedback: [],
    ...(notes && { notes }),
    ...(told && { told }),
    continuing: false,
  });
  writePromptLog(command, prompt, context);
  return {
    now: {
      kind: 'handed',
      prompt,
      ...(system !== '' && { system }),
      ...(injected?.warning !== undefined && { warnings: [injected.warning] }),
    },
  };
}
