// run: a command, as the work of a step, as a check, an action or a probe.

import type { Command, ResolvedCommand, RunCommand } from '../../model/command.ts';
import type { EntryBody } from '../../model/entry.ts';
import type { Capture, CommandLine, RunWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { dispatchOf } from './dispatch.ts';

/** Of a check or a probe only what it said last matters: it becomes a reason. */
const REASON_CAPTURE: Capture = { as: 'text', limit: 16 * 1024, onParseError: 'keep' };

/** As the work of a step. */
export function dispatchRun(decision: Decision, work: RunWork): Command {
  const { entry, perform } = dispatchCommand(decision, work.command, 'run');
  if (work.stdin === undefined) return { entry, perform };
  return { entry, perform: { ...perform, stdin: decision.read.text(work.stdin) } };
}

export function dispatchCommand(
  decision: Decision,
  line: CommandLine,
  verb: 'run' | 'check' | 'probe',
  part?: string,
): { entry: EntryBody; perform: RunCommand } {
  const { started, dispatch } = dispatchOf(decision, verb, part);
  const command = decision.read.command(line);
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
