// run: a command, as the work of a step, as a check, an action or a probe.

import type { Command, ResolvedCommand } from '../../model/command.ts';
import type { Capture, CommandLine } from '../../model/workflow.ts';
import type { Turn } from '../turn.ts';
import { dispatchOf } from './dispatch.ts';

/** Of a check or a probe only what it said last matters: it becomes a reason. */
const REASON_CAPTURE: Capture = { as: 'text', limit: 16 * 1024, onParseError: 'keep' };

export function dispatchCommand(
  turn: Turn,
  line: CommandLine,
  verb: 'run' | 'check' | 'probe',
  part?: string,
): Command {
  const { started, dispatch } = dispatchOf(turn, verb, part);
  const command = turn.read.command(line);
  return {
    entry:
      command.kind === 'argv' ? { ...started, argv: command.argv } : { ...started, command: command.line },
    perform: {
      ...dispatch,
      kind: 'run-command',
      command,
      capture: verb === 'run' ? dispatch.capture : REASON_CAPTURE,
    },
  };
}

/** For people: the line, or the words. */
export function commandText(command: ResolvedCommand): string {
  return command.kind === 'shell' ? command.line : command.argv.join(' ');
}
