// prompt-log: the prompt as it was given, beside the other logs of its step.

import type { Place } from '../../model/command.ts';
import type { PerformContext } from './context.ts';
import { logName } from './output.ts';

export function writePromptLog(
  command: Place & { try: number },
  prompt: string,
  { run, mask }: Pick<PerformContext, 'run' | 'mask'>,
): void {
  const log = run.openLog(`${logName(command)}.prompt.txt`);
  const text = mask.text(prompt);
  log.write(Buffer.from(text.endsWith('\n') ? text : `${text}\n`));
  log.end();
}
