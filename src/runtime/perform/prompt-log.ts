// prompt-log: the prompt as it was given, to the byte, beside the other logs of its step. Of a prompt that was dispatched again
// the file has the last one.

import type { Place } from '../../model/command.ts';
import type { PerformContext } from './context.ts';
import { logName } from './output.ts';

export function writePromptLog(
  command: Place & { try: number },
  prompt: string,
  { run, mask }: Pick<PerformContext, 'run' | 'mask'>,
): void {
  const log = run.openLog(`${logName(command)}.prompt.txt`, { isAnew: true });
  log.write(Buffer.from(mask.text(prompt)));
  log.end();
}
