// judge-call: a tool call of a live session → may it happen? The lists and rules of the step that the session is at decide, as
// they do for an agent of a run (runtime/perform/tool-guard.ts).
// J1. While a person is asked, and while checks run, the session may read and nothing else: what is looked at stays as it is.
// J2. A call that a rule wants to ask about is denied with the question; a prompt that agrees lets that very call through once.
// J3. Every call is on record with its verdict.

import { rulesOf } from '../../engine/engine.ts';
import { namesOf } from '../../engine/guard.ts';
import type { HeldRun } from '../../hosting/hosting.ts';
import type { EntryBody, SessionCall } from '../../model/entry.ts';
import type { HookEvent } from '../../model/live-session.ts';
import { ownToolsOf } from '../../model/own-tools.ts';
import type { OpenStep, State } from '../../model/state.ts';
import type { SessionFacts, ToolAct, Verdict } from '../../model/tool-call.ts';
import type { ToolPolicy } from '../../model/workflow.ts';
import type { CallNote } from '../../runtime/perform/call-record.ts';
import { createToolGuard } from '../../runtime/perform/tool-guard.ts';
import { maskSecretShapes } from '../../text/secret-shapes.ts';
import { named } from './happening.ts';

export type CallEvent = HookEvent & { kind: 'tool_call' | 'permission_request' };

export interface CallParts {
  hash(text: string): string;
  /** Tools of our own server, by the names that the client has for them. */
  ownTools: readonly string[];
  /** Who the session's client is to the guard. */
  canRewrite: boolean;
  /** What the tree is like before the call, where that is to be known when it has ended. */
  tree?: string;
  /** What the call does under these lists. Absent: what the event says. */
  actsUnder?(event: CallEvent, tools: ToolPolicy): ToolAct[];
}

/** What binds the session now. */
export type Binding =
  | { kind: 'free' }
  /** At this step, by its lists and rules. `onlyReads`: why nothing but reading is let happen. */
  | { kind: 'step'; open: OpenStep; tools: ToolPolicy; onlyReads?: string };

const LONGEST_ABOUT = 1_000;
/** Tools of clients that only look, or ask. */
export const READING: readonly string[] = [
  'Read',
  'NotebookRead',
  'Grep',
  'Glob',
  'LS',
  'WebFetch',
  'WebSearch',
  'TodoWrite',
  'AskUserQuestion',
];

export function bindingOf(state: State): Binding {
  if (state.status === 'completed' || state.status === 'failed' || state.status === 'cancelled')
    return { kind: 'free' };
  for (const { open } of state.handed.values()) return { kind: 'step', open, tools: toolsOf(open) };
  for (const { open, text } of state.questions.values())
    return { kind: 'step', open, tools: readsOf(open), onlyReads: `a person is asked: ${text}` };
  for (const { open } of state.running.values())
    if (!isEventAction(open))
      return { kind: 'step', open, tools: readsOf(open), onlyReads: `Lockstep is at work on ${open.path}` };
  for (const open of state.ready.values())
    if (!isEventAction(open))
      return {
        kind: 'step',
        open,
        tools: readsOf(open),
        onlyReads: `Lockstep is about to go on with ${open.path}`,
      };
  return { kind: 'free' };
}

function isEventAction({ path }: OpenStep): boolean {
  return path.startsWith('@');
}

/** The lists of the step itself. */
export function toolsOf({ step, scope }: OpenStep): ToolPolicy {
  return step.work.kind === 'prompt' ? step.work.performer.tools : scope.workflow.tools;
}

function readsOf(open: OpenStep): ToolPolicy {
  return { allow: [...READING], deny: toolsOf(open).deny };
}

/** Whether a call of the step may change files by a tool of its own. */
export function mayWrite({ tools, onlyReads }: Extract<Binding, { kind: 'step' }>): boolean {
  if (onlyReads !== undefined) return false;
  if (tools.deny.includes('Write') && tools.deny.includes('Edit')) return false;
  return (
    tools.allow === undefined ||
    tools.allow.some((item) => /^(\*|Write|Edit|MultiEdit|NotebookEdit)\b|^\*$/.test(item))
  );
}

/** Journals the call, and says whether it may happen. */
export async function judgeCall(run: HeldRun, event: CallEvent, parts: CallParts): Promise<Verdict> {
  const binding = bindingOf(run.state);
  const message = { message: event.delivery };
  if (binding.kind === 'free') return { kind: 'allow' };
  const { open, tools, onlyReads } = binding;
  const acts = parts.actsUnder?.(event, tools) ?? event.acts;
  const call = callOf({ ...event, acts }, run);
  let note: CallNote | undefined;
  let asks: string | undefined;
  let granted: string | undefined;
  const key = callKey(event, parts);
  const around = run.around();
  const guard = createToolGuard(
    {
      command: { path: open.path, tools },
      agent: {
        name: event.session.client,
        can: new Set(parts.canRewrite ? ['tools', 'rewrite'] : ['tools']),
      },
      own: ownToolsOf(tools),
      context: { ...around, rulesAt: () => (onlyReads === undefined ? rulesOf(run.state, open) : undefined) },
      session: { facts: () => factsOf(run.state), begin: () => {}, failed: () => {} },
      calls: {
        note: (one) => {
          note = one;
        },
      },
      ownTools: parts.ownTools,
      returning: run.state.live?.changed ?? [],
      person: {
        hasAgreed() {
          const agreed = run.state.live?.asked.get(key) === true;
          if (agreed) granted = key;
          return agreed;
        },
        ask(_, question) {
          asks = key;
          return `a person has to agree first: ${question}. Ask them; when they agree in their next prompt, make the very same call again`;
        },
      },
      warn: () => {},
    },
    true,
  );
  const judged = await guard.decide(acts);
  const verdict =
    onlyReads !== undefined && judged.kind === 'deny' ? waiting(judged.reason, onlyReads) : judged;
  const entry: EntryBody = {
    kind: 'call-judged',
    path: open.path,
    call,
    verdict: verdict.kind === 'deny' ? 'denied' : verdict.kind === 'rewrite' ? 'rewritten' : 'allowed',
    ...(verdict.kind === 'deny' && { reason: verdict.reason.slice(0, 2_000) }),
    ...(note?.rule !== undefined && { rule: note.rule }),
    ...(asks !== undefined && { asks }),
    ...(granted !== undefined && verdict.kind !== 'deny' && { granted }),
    ...(parts.tree !== undefined && verdict.kind !== 'deny' && { tree: parts.tree }),
    ...message,
  };
  if (!run.state.messages.has(event.delivery)) run.note(entry);
  return verdict;
}

function waiting(reason: string, why: string): Verdict {
  return {
    kind: 'deny',
    reason: `${why}${/[.?!]$/.test(why) ? '' : '.'} Until that is over nothing is changed: ${reason}`,
  };
}

function callOf({ tool, acts, subagent, ...event }: CallEvent, run: HeldRun): SessionCall {
  const { workspace } = run.around();
  const [first] = acts;
  const { file, command } = first ?? {};
  const read = acts.flatMap((act) =>
    act.tool === 'Read' && act.file !== undefined ? readNames(act, workspace) : [],
  );
  return {
    id: 'call' in event ? event.call : '',
    tool: first?.tool ?? tool,
    ...(file !== undefined && { file: named(file, workspace).slice(0, LONGEST_ABOUT) }),
    ...(command !== undefined && { command: maskSecretShapes(command).slice(0, LONGEST_ABOUT) }),
    ...(read.length > 0 && { read: read.slice(0, 50) }),
    ...(subagent && { subagent: true as const }),
  };
}

function readNames(act: ToolAct, workspace: Parameters<typeof named>[1]): string[] {
  try {
    const { spelt, real } = workspace.locate(act.file as string);
    return [...new Set(namesOf({ ...act, file: spelt, real }))];
  } catch {
    return [];
  }
}

/** The very same call, whatever its client calls it this time. */
function callKey({ tool, input }: CallEvent, { hash }: CallParts): string {
  return hash(JSON.stringify([tool, input])).slice(0, 32);
}

function factsOf({ live, lastAt }: State): SessionFacts {
  return {
    files_read: [...(live?.filesRead ?? [])],
    files_modified: [...(live?.filesModified ?? [])],
    tool_calls: live?.calls ?? 0,
    errors: live?.errors ?? 0,
    elapsed: Math.max(0, Math.floor((lastAt - (live?.boundAt ?? lastAt)) / 1000)),
  };
}
