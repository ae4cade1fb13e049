// action: `enter`, `exit` and the `do` of a `next`. An action that fails is recorded and changes nothing (rule 3).

import type { Command } from '../model/command.ts';
import type { Action } from '../model/workflow.ts';
import type { Decision } from './decision.ts';
import { partName } from './part.ts';
import { Unevaluable } from './reader.ts';
import { dispatchCall } from './steps/call.ts';
import { dispatchPrompt } from './steps/prompt.ts';
import { dispatchCommand } from './steps/run.ts';
import { varsMismatch } from './vars.ts';

export function decideAction(decision: Decision, stage: 'enter' | 'exit'): Command {
  return decideOne(
    decision,
    decision.open.step[stage][decision.open.cursor] as Action,
    partName(stage, decision.open.cursor),
  );
}

export function decideDo(decision: Decision, actions: Action[]): Command {
  return decideOne(decision, actions[decision.open.cursor] as Action, partName('do', decision.open.cursor));
}

function decideOne(decision: Decision, action: Action, part: string): Command {
  const { open, read } = decision;
  const passed = (why: string): Command => ({ entry: { kind: 'action-passed', path: open.path, part, why } });
  try {
    if (action.when !== undefined && !read.test(action.when))
      return passed(`condition is false: ${action.when}`);
    const { work } = action;
    switch (work.kind) {
      case 'set': {
        const values = decision.readParts(work.values);
        const problem = varsMismatch(open.scope, values);
        return problem === undefined
          ? { entry: { kind: 'vars-set', path: open.path, part, values } }
          : passed(problem);
      }
      case 'run':
        return dispatchCommand(decision, work.command, 'run', part);
      case 'call':
        return dispatchCall(decision, work, part);
      case 'prompt':
        return dispatchPrompt(decision, work, part);
      case 'say':
        if (!decision.state.live) return passed('`say` needs a live session');
        return { entry: { kind: 'text-prepared', path: open.path, part, text: read.text(work.text) } };
    }
  } catch (problem) {
    if (problem instanceof Unevaluable) return passed(problem.message);
    throw problem;
  }
}
