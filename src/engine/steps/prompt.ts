// prompt: give the agent this task. A try that was not accepted goes on in the same session where there is one.

import type { Command, RunAgent } from '../../model/command.ts';
import type { Json } from '../../model/json.ts';
import type { OpenStep, State } from '../../model/state.ts';
import type { PromptWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { isForClient } from '../handed.ts';
import { Unevaluable } from '../reader.ts';
import { dispatchOf } from './dispatch.ts';

export function dispatchPrompt(decision: Decision, work: PromptWork, part?: string): Command {
  const { state, open, read } = decision;
  const isHandedOut = part === undefined && isForClient(state, open.step);
  // What a client spends is its own, and nobody tells us.
  const spent = isHandedOut ? undefined : limitSpent(state);
  if (spent) return { entry: { kind: 'limit-reached', path: open.path, ...spent } };

  const { performer, prompt } = work;
  const { started, dispatch } = dispatchOf(decision, isHandedOut ? 'hand-out' : 'prompt', part);
  const local = new Map<string, Json>(Object.entries(read.map(work.with)));
  const named = decision.reading({ local });
  const isTemplate = prompt.kind === 'template';
  const text =
    isTemplate && prompt.inputs
      ? decision.reading({ local: declared(local, prompt.inputs), only: true })
      : named;
  const session = part === undefined && !isHandedOut ? sessionOf(open, work) : undefined;
  const totals = session === undefined ? undefined : state.sessionTotals.get(session);

  const perform: RunAgent = {
    ...dispatch,
    kind: 'run-agent',
    agent: performer.agent?.name,
    system: systemText(decision, performer.agent ? named.text(performer.agent.system) : ''),
    prompt: isTemplate
      ? { kind: 'text', text: text.text(prompt.text) }
      : { kind: 'file', path: named.text(prompt.path) },
    feedback: part === undefined ? open.feedback : [],
    provider: performer.provider,
    model: performer.model,
    params: read.map(performer.params),
    tools: performer.tools,
    session,
    ...(totals && { sessionTotals: totals }),
    ...(state.limits.cost !== undefined && {
      budget: Math.max(0, state.limits.cost - state.totals.cost),
    }),
    dispatch: {
      path: open.list.dispatches?.get(open.step.id) ?? 0,
      id: state.dispatches.get(open.step.id) ?? 0,
    },
    concurrent: isConcurrent(open) || open.step.gate !== undefined,
    ...(part === undefined && notesFor(open)),
    ...(part === undefined && open.told && { told: open.told }),
    ...(part === undefined && open.answered && { answered: true as const }),
  };
  return {
    entry: {
      ...started,
      agent: performer.agent?.name,
      agent_source: performer.agent?.source,
      provider: performer.provider,
      model: performer.model,
      prompt: isTemplate ? prompt.name : perform.prompt.kind === 'file' ? perform.prompt.path : undefined,
      prompt_source: isTemplate ? prompt.source : undefined,
      session,
    },
    perform: isHandedOut ? { ...perform, kind: 'hand-out' } : perform,
  };
}

/** Those of the blocks around it first. */
function notesFor(open: OpenStep): { notes?: string[] } {
  const notes: string[] = [];
  for (let at: OpenStep | undefined = open; at; at = at.list.owner) notes.unshift(...(at.notes ?? []));
  return notes.length > 0 ? { notes } : {};
}

function declared(local: Map<string, Json>, inputs: string[]): Map<string, Json> {
  return new Map([...local].filter(([name]) => inputs.includes(name)));
}

/** A rejected try's own session, and that of a question that was answered; else the one that `session:` names. */
function sessionOf(open: OpenStep, work: PromptWork): string | undefined {
  if (open.try > 1 || open.answered) return open.session;
  if (work.session === undefined) return undefined;
  for (let scope: OpenStep['scope'] | undefined = open.scope; scope; scope = scope.parent) {
    const session = scope.steps.get(work.session)?.session;
    if (session !== undefined) return session;
  }
  throw new Unevaluable(`\`session: ${work.session}\`: that step has no agent session to go on in`);
}

function systemText({ open, read }: Decision, agent: string): string {
  const { guidance, references } = open.scope.workflow;
  const advice = guidance.map((text) => `- ${read.text(text)}`);
  const sources = references.map((reference) => {
    const title = reference.title ?? reference.id;
    const purpose = reference.purpose === undefined ? '' : `: ${reference.purpose}`;
    return `- ${title} (${reference.source})${reference.authoritative ? ', authoritative' : ''}${purpose}`;
  });
  return [
    agent,
    advice.length > 0 ? `Keep in mind:\n${advice.join('\n')}` : '',
    sources.length > 0 ? `References:\n${sources.join('\n')}` : '',
  ]
    .filter((section) => section.trim() !== '')
    .join('\n\n');
}

/** Whether another step may be running in the same workspace (rule 6). */
function isConcurrent(open: OpenStep): boolean {
  for (let at: OpenStep | undefined = open; at && !at.worktree; at = at.list.owner) {
    const { fan } = at.list.owner ?? {};
    if (fan && fan.concurrency > 1 && fan.total > 1) return true;
  }
  return false;
}

function limitSpent(state: State): { limit: string; message: string } | undefined {
  const { limits, totals } = state;
  const tokens = totals.input_tokens + totals.output_tokens;
  if (limits.cost !== undefined && totals.cost >= limits.cost) {
    return { limit: 'cost', message: `$${totals.cost.toFixed(2)} spent, and limits.cost is $${limits.cost}` };
  }
  if (limits.tokens !== undefined && tokens >= limits.tokens) {
    return { limit: 'tokens', message: `${tokens} tokens used, and limits.tokens is ${limits.tokens}` };
  }
  if (limits.turns !== undefined && totals.turns >= limits.turns) {
    return { limit: 'turns', message: `${totals.turns} turns taken, and limits.turns is ${limits.turns}` };
  }
  return undefined;
}
