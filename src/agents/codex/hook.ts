// hook: the PreToolUse hook that lets the guard judge every call, and how codex is made to run it.
//
// X3. Only this hook is trusted by what we pass: hooks that the user has not reviewed stay as they are. Codex skips an
//     unreviewed hook without a word, so a call that ran and was never asked about ends the client (stream.ts).
// X4. The time codex gives the hook is longer than the hook takes to give up: a hook that codex ends counts for nothing.

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../model/json.ts';
import type { ToolEvent, ToolGuard, Verdict } from '../../ports/agent.ts';
import type { HookAnswer, OpenDoor } from '../../ports/hook-door.ts';
import { tomlValue } from './toml.ts';
import { handBack, type Known, type ToolCall, toolEvents } from './tools.ts';

const EVENT = 'PreToolUse';
/** Where codex looks for trust in a hook that came with `-c`. */
const KEY = '/<session-flags>/config.toml:pre_tool_use:0:0';
const SLACK_SECONDS = 10;

/** `-c` words: the hook, and that it is trusted. */
export function hookWords(door: OpenDoor): string[] {
  const hook = {
    type: 'command',
    command: door.command,
    timeout: Math.ceil(door.patienceMs / 1000) + SLACK_SECONDS,
  };
  const group = { matcher: '.*', hooks: [hook] };
  const trusted_hash = fingerprint({
    event_name: 'pre_tool_use',
    ...group,
    hooks: [{ ...hook, async: false }],
  });
  const settings: [string, Json][] = [
    ['features.hooks', true],
    [`hooks.${EVENT}`, [group]],
    ['hooks.state', { [KEY]: { trusted_hash } }],
  ];
  return settings.flatMap(([key, value]) => ['-c', `${key}=${tomlValue(value)}`]);
}

/** As codex has it: over the hook as JSON, keys in order. */
function fingerprint(hook: JsonObject): string {
  const sorted = JSON.stringify(hook, (_, value: Json) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `sha256:${createHash('sha256').update(sorted).digest('hex')}`;
}

export interface HookJudge {
  answer(payload: string): Promise<HookAnswer>;
  /** How many calls that show in the stream were let through. */
  letThrough(): number;
}

export function hookJudge(guard: ToolGuard, known: Known, onRefused: () => void): HookJudge {
  let count = 0;
  return {
    letThrough: () => count,
    async answer(payload) {
      const { tool_name, tool_input } = JSON.parse(payload) as { tool_name: string; tool_input: JsonObject };
      const call: ToolCall = { name: tool_name, input: tool_input };
      const events = toolEvents(call, known);
      const verdict = await judgeAll(call, events, guard);
      if (verdict.kind === 'deny') onRefused();
      else if (events.length > 0) count++;
      return answerFor(verdict);
    },
  };
}

/** All files of a patch, or none; whoever rewrites it does so for the whole. */
async function judgeAll(call: ToolCall, events: ToolEvent[], guard: ToolGuard): Promise<Verdict> {
  const advice: string[] = [];
  let input: JsonObject | undefined;
  for (const event of events) {
    const asked = input === undefined ? event : { ...event, input };
    const verdict = await guard.decide(asked);
    if (verdict.kind === 'deny') return verdict;
    if (verdict.kind === 'rewrite') input = handBack(call, asked, verdict.input);
    if (verdict.kind === 'rewrite' && input === undefined) return { kind: 'deny', reason: UNTOLD };
    if (verdict.advice !== undefined && !advice.includes(verdict.advice)) advice.push(verdict.advice);
  }
  const said = advice.length > 0 ? { advice: advice.join('\n') } : {};
  return input === undefined ? { kind: 'allow', ...said } : { kind: 'rewrite', input, ...said };
}

const UNTOLD = 'a rule rewrites this call into something that codex cannot be told';

function answerFor(verdict: Verdict): HookAnswer {
  const specific: JsonObject = { hookEventName: EVENT };
  if (verdict.kind === 'deny') {
    specific.permissionDecision = 'deny';
    specific.permissionDecisionReason = verdict.reason;
  } else {
    if (verdict.kind === 'rewrite') {
      specific.permissionDecision = 'allow';
      specific.updatedInput = verdict.input;
    }
    if (verdict.advice !== undefined) specific.additionalContext = verdict.advice;
  }
  return Object.keys(specific).length === 1
    ? {}
    : { stdout: JSON.stringify({ hookSpecificOutput: specific }) };
}
