// hook-answer: what the answers to all clients' hooks have in common.

import type { JsonObject } from '../model/json.ts';
import type { HookEvent, HookReply } from '../model/live-session.ts';
import type { ClientAnswer } from './clients.ts';
import { canCarry, canHold, refusalOf, showsNote } from './hooks.ts';
import { spokenContext, spokenLine, spokenNote, spokenRefusal } from './spoken.ts';

/** A reply, of which only what the client can be told with this event is left. */
export interface Sayable {
  /** In words, with what is to be said to the model where nothing else brings it there. */
  refusal?: string;
  context?: string;
  /** Under the name that all clients have for it. */
  note: { systemMessage?: string };
  /** Texts that `refusal` or `context` is made of. */
  say: readonly string[];
}

export function sayable(event: HookEvent, reply: HookReply): Sayable {
  const { client } = event.session;
  const why = canHold(client, event.kind) ? refusalOf(reply) : undefined;
  const isRefused = why !== undefined;
  const say = canCarry(event, isRefused) ? (reply.say ?? []) : [];
  const context = spokenContext(client, say);
  const systemMessage = showsNote(event, isRefused) ? spokenNote(reply.note) : undefined;
  return {
    say,
    note: systemMessage === undefined ? {} : { systemMessage },
    ...(isRefused && { refusal: spokenRefusal(client, why, say) }),
    ...(!isRefused && context !== undefined && { context }),
  };
}

/** One line of JSON and exit code 0. Nothing is printed where there is nothing to say. */
export function printed(answer: JsonObject): ClientAnswer {
  if (Object.keys(answer).length === 0) return { exitCode: 0 };
  // Every text in it was cut: a line that is too long is a fault of this program, and is told as one.
  const line = spokenLine(answer);
  return line === undefined
    ? inTrouble('the answer is too long to be told to the client')
    : { stdout: line, exitCode: 0 };
}

/** No answer can be given: every client takes text on stderr and exit code 2 as a denial, of calls, prompts and stops. */
export function inTrouble(why: string): ClientAnswer {
  return { stderr: `${spokenRefusal('claude', `Lockstep: ${why}`)}\n`, exitCode: 2 };
}

/** A prompt, a stop or a change of settings that is not to happen, as Claude and Codex are told. */
export function blocked({ refusal }: Sayable): JsonObject {
  return refusal === undefined ? {} : { decision: 'block', reason: refusal };
}

/** As Claude and Codex are told. What is not refused is left to the person whom the client asks. */
export function permissionDenied({ verdict }: HookReply, { refusal }: Sayable): JsonObject {
  const message = refusal ?? (verdict?.kind === 'rewrite' ? REWRITTEN : undefined);
  if (message === undefined) return {};
  const decision = { behavior: 'deny', message };
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

/** An agreeing person would let it happen as it was. */
const REWRITTEN =
  'a rule rewrites this call, which can only be done before a person is asked about it: it is denied as it is';

/** A text for the model, as all clients are told. */
export function inContext(hookEventName: string, { context }: Sayable): JsonObject {
  return context === undefined ? {} : { hookSpecificOutput: { hookEventName, additionalContext: context } };
}
