// agent-events: what an agent tells while it works → what people and the transcript see of it, masked (S3).

import type { Place } from '../../model/command.ts';
import type { Agent, AgentEvent } from '../../ports/agent.ts';
import type { Mask } from '../mask.ts';
import type { LiveEvent } from './context.ts';

/** Undefined: nothing to see. */
export function liveEvent(event: AgentEvent, place: Place, mask: Mask): LiveEvent | undefined {
  const text = (value: string) => mask.text(value);
  switch (event.kind) {
    case 'text':
      return { kind: 'text', ...place, text: text(event.text) };
    case 'tool': {
      const call = { kind: 'tool', ...place, tool: text(event.tool), summary: text(event.summary) } as const;
      return event.denied === undefined ? call : { ...call, denied: text(event.denied) };
    }
    case 'tool-result': {
      const { tool, summary, failed } = event;
      const result = { kind: 'tool-result', ...place, tool: text(tool), summary: text(summary) } as const;
      return failed ? { ...result, failed: true } : result;
    }
    case 'debug':
      return { kind: 'debug', ...place, message: text(event.message) };
    default:
      return undefined;
  }
}

/** What a client prints that does not answer on stdout is its protocol and its chatter: nobody's activity. */
export function outputOf(
  agent: Agent,
  event: LiveEvent & { kind: 'output' },
): (LiveEvent & { kind: 'output' }) | undefined {
  if (agent.answersOnStdout) return event;
  return event.stream === 'stdout' ? undefined : { ...event, aside: true };
}
