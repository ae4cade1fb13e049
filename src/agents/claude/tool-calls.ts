// tool-calls: every tool call of one dispatch, from Claude's question whether it may to its end.
//
// C1. With a guard, each call is judged before it happens, and reported once: as it happens, or as refused and why.
// C2. A call that ran without the guard having been asked means that hooks are off (a managed setting can do that):
//     it is found out by what the stream says, and the dispatch is ended. Absence of a question is no permission.
//     That it failed is no excuse: `rm x; false` fails, too.
// C3. A call that was denied and ran all the same ends the dispatch too, and that is what is said: the client was told no.

import { claudeAnswer } from '../../clients/claude/answer.ts';
import { isControlTool, oneLine, summaryOf, toolActs } from '../../clients/claude/tools.ts';
import { type JsonObject, objectOf } from '../../model/json.ts';
import type { AgentRequest, ToolAct, Verdict } from '../../ports/agent.ts';
import { type Block, textOf } from './messages.ts';

const HOOKS_OFF =
  'Look for `disableAllHooks`, `allowManagedHooksOnly` or CLAUDE_CODE_SHELL_PREFIX in the managed settings of Claude Code on this machine: without hooks neither `tools` nor `rules` can be held to.';

/** How the client says that a call never began. What a tool says of itself comes without. */
const NEVER_BEGAN = '<tool_use_error>';

const REFUSED = 'the permissions of the client do not let it happen';
/** So many calls are remembered, to tell what the client itself refused. */
const MOST_PASSED = 10_000;

export interface PreToolUse {
  tool_name?: unknown;
  tool_input?: unknown;
  tool_use_id?: unknown;
  cwd?: unknown;
}

interface Call {
  /** One for each path; there is at least one. */
  events: ToolAct[];
  state: 'announced' | 'let-through' | 'denied';
}

export class ToolCalls {
  readonly #request: AgentRequest;
  readonly #approves: boolean;
  readonly #onUnguarded: (reason: string, hint: string) => void;
  readonly #open = new Map<string, Call>();
  /** Let through, by id. */
  readonly #passed = new Map<string, readonly ToolAct[]>();

  constructor(request: AgentRequest, approves: boolean, onUnguarded: (reason: string, hint: string) => void) {
    this.#request = request;
    this.#approves = approves;
    this.#onUnguarded = onUnguarded;
  }

  /** From what a PreToolUse hook is given to what it answers. Never rejects: an error of a hook lets the call through. */
  async judge(asked: PreToolUse): Promise<JsonObject> {
    try {
      const isControl = typeof asked.tool_name === 'string' && isControlTool(asked.tool_name);
      if (isControl) return claudeAnswer({ kind: 'allow' }, true);
      return claudeAnswer(await this.#judge(asked), this.#approves);
    } catch (error) {
      return claudeAnswer(
        { kind: 'deny', reason: `it could not be judged: ${(error as Error).message}` },
        false,
      );
    }
  }

  async #judge(asked: PreToolUse): Promise<Verdict> {
    const { guard, cwd } = this.#request;
    const name = typeof asked.tool_name === 'string' ? asked.tool_name : '';
    if (name === '') return { kind: 'deny', reason: 'no tool is named' };
    const events = toolActs({
      name,
      input: objectOf(asked.tool_input),
      ...(typeof asked.cwd === 'string' && asked.cwd !== cwd && { cwd: asked.cwd }),
    });
    const verdict = guard === undefined ? ({ kind: 'allow' } as const) : await guard.decide(events);
    const state = verdict.kind === 'deny' ? 'denied' : 'let-through';
    if (typeof asked.tool_use_id === 'string') this.#open.set(asked.tool_use_id, { events, state });
    // What the guard denies it tells itself.
    if (state === 'denied') return verdict;
    this.#report(events);
    if (typeof asked.tool_use_id === 'string' && this.#passed.size < MOST_PASSED)
      this.#passed.set(asked.tool_use_id, events);
    return verdict;
  }

  /** The stream says that it is about to be made. */
  announced({ id, name, input }: Block): void {
    if (id === undefined || name === undefined || isControlTool(name) || this.#open.has(id)) return;
    const events = toolActs({ name, input: objectOf(input) });
    this.#open.set(id, { events, state: 'announced' });
    if (this.#request.guard === undefined) this.#report(events);
  }

  /** The stream says what came of it. */
  ended({ tool_use_id: id = '', is_error: failed, content }: Block): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (call === undefined) return;
    const { guard } = this.#request;
    const [first] = call.events as [ToolAct];
    if (call.state === 'denied') {
      if (failed !== true) this.#distrust(`claude ran ${this.#shown(first)} although it was told not to`);
      return;
    }
    const told = textOf(content);
    const said = told.replace(/<\/?tool_use_error>/g, '');
    const error = failed === true ? said.slice(0, 2000) || 'it failed' : undefined;
    if (guard === undefined || call.state === 'let-through') {
      for (const event of call.events) guard?.ended(event, error);
      this.#resulted(first, said, failed === true);
    }
    // Refused by the client before anybody was asked: a tool it was not given.
    else if (error !== undefined && told.startsWith(NEVER_BEGAN)) this.#report(call.events, error);
    else {
      this.#report(call.events, undefined, true);
      this.#distrust(
        `claude ran ${this.#shown(first)} without asking whether it may: its hooks are switched off`,
      );
    }
  }

  /** The client's own permissions were against calls that the guard had let through: it says so at the end. */
  refused(ids: readonly string[]): void {
    for (const id of ids) {
      const events = this.#passed.get(id);
      this.#passed.delete(id);
      if (events !== undefined) this.#report(events, REFUSED);
    }
  }

  /** The client has a server that goes by the name of Lockstep's own: nobody could tell their tools apart. */
  reserved(server: string): void {
    this.#onUnguarded(
      `claude has an MCP server \`${server}\`, which is the name of Lockstep's own`,
      'Rename it in the settings of Claude Code (.mcp.json, ~/.claude.json).',
    );
  }

  /** Where nothing but the protected places is to be held to, a client without hooks goes on, and that is on record. */
  #distrust(reason: string): void {
    if (this.#request.guard?.isDemanded !== false) return this.#onUnguarded(reason, HOOKS_OFF);
    this.#request.onEvent({ kind: 'warning', message: reason });
  }

  #shown(event: ToolAct): string {
    return `${event.tool} (${summaryOf(event, this.#request.cwd)})`;
  }

  #report([event]: readonly ToolAct[], denied?: string, unasked = false): void {
    if (event === undefined) return;
    const { onEvent, cwd } = this.#request;
    const summary = summaryOf(event, cwd);
    const how = { ...(denied !== undefined && { denied }), ...(unasked && { unasked: true as const }) };
    onEvent({ kind: 'tool', tool: event.tool, summary, ...how });
  }

  #resulted({ tool }: ToolAct, said: string, failed: boolean): void {
    const summary = oneLine(said);
    this.#request.onEvent({ kind: 'tool-result', tool, summary, ...(failed && { failed }) });
  }
}
