// tool-calls: every tool call of one dispatch, from Claude's question whether it may to its end.
//
// C1. With a guard, each call is judged before it happens, and reported once: as it happens, or as refused and why.
// C2. A call that ran without the guard having been asked means that hooks are off (a managed setting can do that):
//     it is found out by what the stream says, and the dispatch is ended. Absence of a question is no permission.
//     That it failed is no excuse: `rm x; false` fails, too.

import type { JsonObject } from '../../model/json.ts';
import type { AgentRequest, ToolEvent, Verdict } from '../../ports/agent.ts';
import { type Block, textOf } from './messages.ts';
import { isControlTool, oneLine, summaryOf, toolEvent } from './tools.ts';

export const HOOKS_OFF =
  'Look for `disableAllHooks`, `allowManagedHooksOnly` or CLAUDE_CODE_SHELL_PREFIX in the managed settings of Claude Code on this machine: without hooks neither `tools` nor `rules` can be held to.';

/** How the client says that a call never began. What a tool says of itself comes without. */
const NEVER_BEGAN = '<tool_use_error>';

export interface PreToolUse {
  tool_name?: unknown;
  tool_input?: unknown;
  tool_use_id?: unknown;
}

interface Call {
  event: ToolEvent;
  state: 'announced' | 'let-through' | 'denied';
}

export class ToolCalls {
  readonly #request: AgentRequest;
  readonly #approves: boolean;
  readonly #onUnguarded: (reason: string) => void;
  readonly #open = new Map<string, Call>();

  constructor(request: AgentRequest, approves: boolean, onUnguarded: (reason: string) => void) {
    this.#request = request;
    this.#approves = approves;
    this.#onUnguarded = onUnguarded;
  }

  /** From what a PreToolUse hook is given to what it answers. Never rejects: an error of a hook lets the call through. */
  async judge(asked: PreToolUse): Promise<JsonObject> {
    try {
      return await this.#judge(asked);
    } catch (error) {
      const permissionDecisionReason = `it could not be judged: ${(error as Error).message}`;
      return answer({ permissionDecision: 'deny', permissionDecisionReason });
    }
  }

  async #judge(asked: PreToolUse): Promise<JsonObject> {
    const { guard } = this.#request;
    const name = typeof asked.tool_name === 'string' ? asked.tool_name : '';
    if (name === '')
      return answer({ permissionDecision: 'deny', permissionDecisionReason: 'no tool is named' });
    if (isControlTool(name)) return answer({ permissionDecision: 'allow' });
    const event = toolEvent(name, objectOf(asked.tool_input));
    const verdict: Verdict = (await guard?.decide(event)) ?? { kind: 'allow' };
    const state = verdict.kind === 'deny' ? 'denied' : 'let-through';
    if (typeof asked.tool_use_id === 'string') this.#open.set(asked.tool_use_id, { event, state });
    // What the guard denies it tells itself.
    if (state === 'let-through') this.#report(event);
    return this.#answerOf(verdict);
  }

  /** The stream says that it is about to be made. */
  announced({ id, name, input }: Block): void {
    if (id === undefined || name === undefined || isControlTool(name) || this.#open.has(id)) return;
    const event = toolEvent(name, objectOf(input));
    this.#open.set(id, { event, state: 'announced' });
    if (this.#request.guard === undefined) this.#report(event);
  }

  /** The stream says what came of it. */
  ended({ tool_use_id: id = '', is_error: failed, content }: Block): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (call === undefined || call.state === 'denied') return;
    const { guard } = this.#request;
    const told = textOf(content);
    const said = told.replace(/<\/?tool_use_error>/g, '');
    const error = failed === true ? said.slice(0, 2000) || 'it failed' : undefined;
    if (guard === undefined || call.state === 'let-through') {
      guard?.ended(call.event, error);
      this.#resulted(call.event, said, failed === true);
    }
    // Refused by the client before anybody was asked: a tool it was not given.
    else if (error !== undefined && told.startsWith(NEVER_BEGAN)) this.#report(call.event, error);
    else
      this.#onUnguarded(
        `claude ran ${call.event.tool} (${summaryOf(call.event, this.#request.cwd)}) without asking whether it may: its hooks are switched off`,
      );
  }

  #report(event: ToolEvent, denied?: string): void {
    const { onEvent, cwd } = this.#request;
    const summary = summaryOf(event, cwd);
    onEvent({ kind: 'tool', tool: event.tool, summary, ...(denied !== undefined && { denied }) });
  }

  #resulted({ tool }: ToolEvent, said: string, failed: boolean): void {
    const summary = oneLine(said);
    this.#request.onEvent({ kind: 'tool-result', tool, summary, ...(failed && { failed }) });
  }

  #answerOf(verdict: Verdict): JsonObject {
    switch (verdict.kind) {
      case 'deny':
        return answer({ permissionDecision: 'deny', permissionDecisionReason: verdict.reason });
      case 'rewrite':
        return answer({
          permissionDecision: 'allow',
          updatedInput: verdict.input,
          ...advice(verdict.advice),
        });
      case 'allow':
        return answer({ ...(this.#approves && { permissionDecision: 'allow' }), ...advice(verdict.advice) });
    }
  }
}

function advice(text: string | undefined): JsonObject {
  return text === undefined ? {} : { additionalContext: text };
}

function answer(fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
