// call: a built-in handler.

import type { Command } from '../../model/command.ts';
import type { CallWork } from '../../model/workflow.ts';
import type { Turn } from '../turn.ts';
import { dispatchOf } from './dispatch.ts';

export function dispatchCall(turn: Turn, work: CallWork, part?: string): Command {
  const { started, dispatch } = dispatchOf(turn, 'call', part);
  return {
    entry: started,
    perform: { ...dispatch, kind: 'call-handler', handler: work.handler, with: turn.read.map(work.with) },
  };
}
