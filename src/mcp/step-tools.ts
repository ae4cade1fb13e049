// step-tools: which of our tools a client has while it works on a step. Those that lead it are always there; the tracker's follow
// the lists of the step. Only over one connection: HTTP answers every request by itself, and offers all.

import type { Guide, Turn } from '../drivers/guide/guide.ts';
import { callName, ownToolsOf } from '../model/own-tools.ts';
import { isWithheld } from '../model/tool-policy.ts';
import type { ToolPolicy } from '../model/workflow.ts';
import { TOOLSETS } from './toolsets.ts';
import type { Workplace } from './workplace.ts';

export interface StepTools {
  /** Why the tool is not there for the step at hand; undefined: it is. */
  withheld(name: string): string | undefined;
  /** The place, with what its guide answers followed. */
  following(place: Workplace): Workplace;
}

export function stepTools(changed: () => void): StepTools {
  let step: { name: string; tools: ToolPolicy } | undefined;

  function follow(turn: Turn): Turn {
    if (turn.working) return turn;
    const before = hiddenBy(step?.tools);
    step = turn.handed && { name: turn.handed.step, tools: turn.handed.tools };
    if (hiddenBy(step?.tools) !== before) changed();
    return turn;
  }

  return {
    withheld: (name) =>
      step && isHidden(step.tools, name)
        ? `the step \`${step.name}\` does not have the tool ${name}`
        : undefined,
    following: (place) => ({
      ...place,
      guide: async () => followed(await place.guide(), follow),
    }),
  };
}

function followed(guide: Guide, follow: (turn: Turn) => Turn): Guide {
  return {
    start: async (request) => follow(await guide.start(request)),
    claim: async (id, claim) => follow(await guide.claim(id, claim)),
    look: async (id) => follow(await guide.look(id)),
    answer: async (id, answer) => follow(await guide.answer(id, answer)),
    close: () => guide.close(),
  };
}

function isHidden(tools: ToolPolicy, name: string): boolean {
  if (!(TOOLSETS.issues as readonly string[]).includes(name)) return false;
  const { names, policy } = ownToolsOf(tools);
  return tools.allow === undefined ? isWithheld(policy, callName(name)) : !names.includes(name);
}

function hiddenBy(tools: ToolPolicy | undefined): string {
  return tools === undefined ? '' : TOOLSETS.issues.filter((name) => isHidden(tools, name)).join(' ');
}
