// doing: what an attempt does, in a few words: the command as it was run, else as the definition has it.

import type { Action, Step } from '../../model/workflow.ts';
import { readPart } from '../step-path.ts';
import type { Attempt } from '../step-record.ts';
import { plain } from '../text/plain.ts';
import { commandText, workText } from './describe.ts';

export function doingText(
  step: Step | undefined,
  part: string | undefined,
  attempt: Attempt | undefined,
): string {
  const { command, verb = 'run' } = attempt ?? {};
  if (command !== undefined)
    return `${verb === 'run' ? 'run ' : verb === 'probe' ? 'probe ' : ''}${plain(command)}`;
  if (part === undefined) return step ? workText(step.work) : verb;
  const { name, index } = readPart(part);
  if (name === 'done') {
    const check = step?.done?.checks[index];
    if (check?.kind === 'tests') return `whether ${commandText(check.command)} still means anything`;
    return check?.kind === 'run' ? commandText(check.command) : 'the check';
  }
  if (name === 'probe')
    return step?.recover.kind === 'probe' ? `probe ${commandText(step.recover.command)}` : 'the probe';
  const action = actionOf(step, name, index);
  return action && action.work.kind !== 'set' && action.work.kind !== 'say' ? workText(action.work) : verb;
}

function actionOf(step: Step | undefined, name: string, index: number): Action | undefined {
  if (name === 'enter') return step?.enter[index];
  return name === 'exit' ? step?.exit[index] : undefined;
}
