// line-runs: whether a shell line runs what a pattern means (`git push *`).

import { type CommandsReading, commandsRun } from './commands-run.ts';
import { matchCommand } from './match-command.ts';

/** `unclear`: the line cannot be followed, or what it runs depends on values that are known only when it runs. */
export type Runs = { kind: 'yes' } | { kind: 'no' } | { kind: 'unclear'; why: string };

export function lineRuns(line: string, pattern: string): Runs {
  return readingRuns(commandsRun(line), pattern);
}

/** Of a line that has been read already. */
export function readingRuns(reading: CommandsReading, pattern: string): Runs {
  if (reading.kind === 'unclear')
    return { kind: 'unclear', why: `this line cannot be followed: ${reading.why}` };
  const matches = reading.commands.map((command) => matchCommand(pattern, command));
  if (matches.includes('certain')) return { kind: 'yes' };
  const isSplit = reading.commands.some(
    ({ words }, at) => matches[at] === 'possible' && words.flat().some(({ count }) => count === 'any'),
  );
  if (reading.programs.some((program) => startsCommand(program, pattern))) return { kind: 'yes' };
  if (matches.includes('possible'))
    return {
      kind: 'unclear',
      why: `what it runs depends on values that are known only when it runs; ${isSplit ? 'put "quotes" around them, or write' : 'write'} the command out`,
    };
  return { kind: 'no' };
}

/** The words of the pattern stand in a row in a text that starts commands: `system("git push")`, `["git", "push"]`. */
function startsCommand(program: string, pattern: string): boolean {
  const words = pattern.split(/[\s*:]+/).filter((word) => /\w/.test(word));
  if (words.length === 0) return false;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\w-])${escaped.join('[^\\w]{1,8}')}(?![\\w-])`).test(program);
}
