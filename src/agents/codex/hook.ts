// hook: the PreToolUse hook that lets the guard judge every call, and how codex is made to run it.
//
// X3. Only this hook is trusted by what we pass: hooks that the user has not reviewed stay as they are. Codex skips an
//     unreviewed hook without a word, so a call that ran and was never asked about ends the client (stream.ts).
// X4. The time codex gives the hook is longer than the hook takes to give up: a hook that codex ends counts for nothing.

import { createHash } from 'node:crypto';
import type { ToolCall } from '../../clients/call-paths.ts';
import { codexAnswer } from '../../clients/codex/answer.ts';
import { codexInput } from '../../clients/codex/read-hook.ts';
import { handBack, type Known, toolActs } from '../../clients/codex/tools.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { ToolAct, ToolGuard } from '../../ports/agent.ts';
import type { HookAnswer, OpenDoor } from '../../ports/hook-door.ts';
import { tomlValue } from './toml.ts';

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
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return `sha256:${createHash('sha256').update(sorted).digest('hex')}`;
}

export interface HookJudge {
  answer(payload: string): Promise<HookAnswer>;
  /** How many calls that show in the stream were let through. */
  letThrough(): number;
  /** Why such a call was denied; undefined: nobody has denied it. */
  whyDenied(event: ToolAct): string | undefined;
}

/** So many denials are remembered, to tell a call that was denied from one that nobody was asked about. */
const MOST_DENIALS = 1_000;

export interface JudgeParts {
  guard: ToolGuard;
  known: Known;
  /** Where the agent was started. */
  cwd: string;
  onRefused(): void;
}

export function hookJudge({ guard, known, cwd, onRefused }: JudgeParts): HookJudge {
  let count = 0;
  const denied = new Map<string, string>();
  return {
    letThrough: () => count,
    whyDenied: ({ command, file }) => denied.get(command ?? file ?? ''),
    async answer(payload) {
      const call = callOf(payload, cwd);
      const events = toolActs(call, known);
      const verdict = await guard.decide(events, (event, input) => handBack(call, event, input));
      if (verdict.kind === 'deny') {
        onRefused();
        if (denied.size < MOST_DENIALS)
          for (const { command, file } of events) denied.set(command ?? file ?? '', verdict.reason);
      } else if (events.length > 0) count++;
      return codexAnswer(verdict);
    },
  };
}

/** Throws where it is no call: the door then denies it. */
function callOf(payload: string, started: string): ToolCall {
  const { tool_name: name, tool_input: input, cwd } = JSON.parse(payload) as Record<string, Json>;
  if (typeof name !== 'string' || name === '') throw new Error('the call has no name');
  return {
    name,
    input: codexInput(input) ?? {},
    ...(typeof cwd === 'string' && cwd !== started && { cwd }),
  };
}
