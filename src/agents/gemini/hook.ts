// hook: Gemini's hook events → the guard, and its verdicts back in Gemini's words.
//
// Gemini lets a call through when its hook fails or is late (any exit code but 2, a time-out, a hook that is switched off).
// So its hook has to be heard of when the session begins, before the model is asked anything, and what is let through is
// counted: a call that ran without having been is found out (M2).

import { geminiAnswer } from '../../clients/gemini/answer.ts';
import {
  HANDS_IN,
  lineOf,
  type McpTool,
  mcpOf,
  ourName,
  summaryOf,
  toolActs,
} from '../../clients/gemini/tools.ts';
import { type JsonObject, objectOf } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import type { AgentEvent, AgentRequest, ToolGuard } from '../../ports/agent.ts';
import type { HookAnswer } from '../../ports/hook-door.ts';
import type { StreamListener, ToolEnd, ToolUse } from './stream.ts';

export interface GuardedCalls extends StreamListener {
  /** For the door. */
  answer(payload: string): Promise<HookAnswer>;
}

export interface GuardedParts {
  guard: ToolGuard;
  /** Names of the servers that are known. */
  servers: readonly string[];
  onEvent: AgentRequest['onEvent'];
  /** Its hooks do not ask, about this tool or at all; `denied`: they did, and were told no. */
  onUnasked(tool?: string, denied?: boolean): void;
  cwd: string;
}

export function guardedCalls({ guard, servers, onEvent, onUnasked, cwd }: GuardedParts): GuardedCalls {
  let isKnown = false;
  const passes = new Map<string, number>();
  const denials = new Map<string, number>();
  const named = ({ name, input }: ToolUse, mcp?: McpTool, standing?: string) => {
    const tool = ourName(name, servers, mcp);
    const call = { input, ...(standing !== undefined && standing !== cwd && { cwd: standing }) };
    return { tool, summary: summaryOf(input, cwd), events: toolActs(tool, call) };
  };

  async function judge(
    use: ToolUse,
    mcp: McpTool | undefined,
    standing: string | undefined,
  ): Promise<Verdict> {
    const { tool, summary, events } = named(use, mcp, standing);
    const verdict = use.name === HANDS_IN ? ({ kind: 'allow' } as const) : await guard.decide(events);
    if (verdict.kind === 'deny') count(denials, use.name);
    else {
      count(passes, use.name);
      onEvent({ kind: 'tool', tool, summary });
    }
    return verdict;
  }

  return {
    async answer(payload) {
      isKnown = true;
      const {
        hook_event_name: event,
        tool_name: name,
        tool_input: input,
        mcp_context: context,
        cwd: standing,
      } = read(payload);
      if (event !== 'BeforeTool') return { stdout: '{}', exitCode: 0 };
      if (typeof name !== 'string') return geminiAnswer({ kind: 'deny', reason: 'the call has no name' });
      const use = { name, input: objectOf(input) };
      return geminiAnswer(
        await judge(use, mcpOf(context), typeof standing === 'string' ? standing : undefined),
      );
    },
    onBegin() {
      if (!isKnown) onUnasked();
    },
    onToolUse() {},
    onToolResult(use, end) {
      const { error, refused } = end;
      const { tool, summary, events } = named(use);
      if (refused) {
        // Refused by the policy file, before its hook: nobody has told of it yet.
        if (!discount(denials, use.name))
          onEvent({ kind: 'tool', tool, summary, denied: error ?? 'refused' });
        return;
      }
      onEvent(resultEvent(tool, end));
      if (discount(passes, use.name)) for (const event of events) guard.ended(event, error);
      // A failure is no excuse: it may have done half of it. What was denied fails without having begun.
      else if (!discount(denials, use.name)) {
        onEvent({ kind: 'tool', tool, summary, unasked: true });
        onUnasked(tool);
      } else if (error === undefined) onUnasked(tool, true);
    },
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Whether there was one to take away. */
function discount(counts: Map<string, number>, name: string): boolean {
  const left = counts.get(name) ?? 0;
  if (left > 0) counts.set(name, left - 1);
  return left > 0;
}

/** The tools of an agent that nothing is denied to. */
export function freeCalls({
  servers,
  onEvent,
  cwd,
}: Omit<GuardedParts, 'guard' | 'onUnasked'>): StreamListener {
  return {
    onBegin() {},
    onToolUse: ({ name, input }) =>
      onEvent({ kind: 'tool', tool: ourName(name, servers), summary: summaryOf(input, cwd) }),
    onToolResult({ name, input }, end) {
      const tool = ourName(name, servers);
      if (!end.refused) return onEvent(resultEvent(tool, end));
      onEvent({ kind: 'tool', tool, summary: summaryOf(input, cwd), denied: end.error ?? 'refused' });
    },
  };
}

function resultEvent(tool: string, { output, error }: ToolEnd): AgentEvent {
  return {
    kind: 'tool-result',
    tool,
    summary: lineOf(error ?? output),
    ...(error !== undefined && { failed: true }),
  };
}

function read(payload: string): JsonObject {
  return objectOf(JSON.parse(payload));
}
