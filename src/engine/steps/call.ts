// call: a built-in handler.

import type { Command } from '../../model/command.ts';
import type { CallWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { dispatchOf } from './dispatch.ts';

export function dispatchCall(decision: Decision, work: CallWork, part?: string): Command {
  const { started, dispatch } = dispatchOf(decision, 'call', part);
  const given = decision.read.map(work.with);
  // What was to be moved where cannot be told from the outcome of one that failed.
  if (work.handler === 'move') Object.assign(started, { handler: work.handler, with: given });
  return {
    entry: started,
    perform: Object.assign(dispatch, { kind: 'call-handler' as const, handler: work.handler, with: given }),
  };
}
