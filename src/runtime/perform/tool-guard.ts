// tool-guard: answers an agent that asks whether it may use a tool, and writes down what came of it.
// Owns: settling paths, looking at what rules ask for, the session's facts, the record of denials. Never: the order of
// lists and rules (engine/guard).
//
// G6. It always answers: what cannot be judged is denied, and so is a call after the dispatch has ended.
// G7. Nobody is asked in the middle of a turn: an `ask` rule denies, with its question as the reason.
// G8. A `rewrite` for an agent that cannot do one is recorded, and the call let through as it was: that it may be so was
//     accepted when the workflow was loaded (`guard.unenforceable: warn`).

import { type Bounds, judge, type SettledCall } from '../../engine/guard.ts';
import type { RunAgent } from '../../model/command.ts';
import type { Fact, Need, Outcome } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Agent, ToolEvent, ToolGuard, Verdict } from '../../ports/agent.ts';
import type { PerformContext } from './context.ts';
import { lookAt } from './observe.ts';
import type { SessionRecord } from './session-facts.ts';

/** So many of each are kept in the outcome; all are in the live events. */
const MOST_RECORDED = 50;
const LONGEST_ABOUT = 300;

export interface DispatchGuard extends ToolGuard {
  denials(): Outcome['denials'];
  /** Whatever is asked from now on is denied. */
  close(): void;
}

export interface GuardParts {
  command: RunAgent;
  agent: Agent;
  context: PerformContext;
  session: SessionRecord;
  warn(warning: string): void;
}

/** Undefined: nothing restricts this dispatch. */
export function toolGuard(parts: GuardParts): DispatchGuard | undefined {
  const { command, context } = parts;
  const { allow, deny } = command.tools;
  const rules = context.rulesAt(command)?.rules ?? [];
  if (allow === undefined && deny.length === 0 && rules.length === 0) return undefined;
  return createToolGuard(parts);
}

function createToolGuard({ command, agent, context, session, warn }: GuardParts): DispatchGuard {
  const { clock, workspace, mask, environment } = context;
  const started = clock.monotonic();
  const recorded: NonNullable<Outcome['denials']> = { count: 0, calls: [] };
  const told = new Set<string>();
  let closed = false;

  function settle(event: ToolEvent): SettledCall {
    if (event.file === undefined) return event;
    const { spelt, real } = workspace.locate(event.file);
    return { ...event, file: spelt, real };
  }

  function bounds(): Bounds {
    const now = context.rulesAt(command);
    const home = environment.HOME;
    return {
      tools: command.tools,
      rules: now?.rules ?? [],
      names: now?.names ?? { lookup: () => undefined, fact: () => undefined },
      around: { root: workspace.root, ...(home !== undefined && { home }) },
    };
  }

  /** Once for each sentence: an agent may do the same thing all day. */
  function tell(warning: string): void {
    if (told.has(warning) || told.size >= MOST_RECORDED) return;
    told.add(warning);
    warn(warning);
  }

  function refuse(event: ToolEvent, reason: string): Verdict {
    const about = summary(event);
    recorded.count++;
    if (recorded.calls.length < MOST_RECORDED) recorded.calls.push({ tool: event.tool, about, reason });
    const { path, part } = command;
    const place = part === undefined ? { path } : { path, part };
    const { tool } = event;
    context.report({ kind: 'tool', ...place, tool, summary: mask.text(about), denied: mask.text(reason) });
    return { kind: 'deny', reason };
  }

  function decide(event: ToolEvent): Verdict {
    if (closed) return refuse(event, 'the step has ended');
    const facts = new Map<string, Fact>();
    const advice: string[] = [];
    let call = settle(event);
    let from = 0;
    let input: JsonObject | undefined;
    for (;;) {
      const judgement = judge(bounds(), call, {
        session: session.facts(clock.monotonic() - started),
        facts,
        from,
      });
      if (judgement.kind === 'needs') {
        if (!look(judgement.needs, facts, context)) return refuse(event, 'a rule cannot be evaluated');
        continue;
      }
      for (const warning of judgement.warnings) advice.push(warning);
      for (const note of [...judgement.warnings, ...judgement.notes])
        tell(`${event.tool} ${summary(event)}: ${note}`);
      switch (judgement.kind) {
        case 'deny':
          return refuse(event, judgement.reason);
        case 'ask':
          return refuse(
            event,
            `a person would have to agree, and nobody can be asked now: ${judgement.question}`,
          );
        case 'rewrite':
          from = judgement.from;
          if (!agent.can.has('rewrite')) {
            tell(`provider \`${agent.name}\` cannot have a call rewritten: ${event.tool} happened as it was`);
            break;
          }
          input = judgement.input;
          call = settle(withInput(event, input));
          break;
        case 'allow':
          session.begin(call);
          return {
            ...(input === undefined ? { kind: 'allow' } : { kind: 'rewrite', input }),
            ...(advice.length > 0 && { advice: advice.join('\n') }),
          };
      }
    }
  }

  return {
    async decide(event) {
      try {
        return decide(event);
      } catch (error) {
        return refuse(
          event,
          `it could not be judged: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
    ended(event, error) {
      if (error !== undefined) session.failed(settle(event));
    },
    denials: () => (recorded.count === 0 ? undefined : recorded),
    close() {
      closed = true;
    },
  };
}

/** False: it was looked at before, and is asked for again. */
function look(needs: Need[], facts: Map<string, Fact>, context: PerformContext): boolean {
  const before = facts.size;
  for (const [key, fact] of lookAt(needs, context)) facts.set(key, fact);
  return facts.size > before;
}

/** The names that such tools have in the vocabulary of rules. */
function withInput(event: ToolEvent, input: JsonObject): ToolEvent {
  const text = (...keys: string[]) =>
    keys.map((key) => input[key]).find((value) => typeof value === 'string');
  const file = event.file === undefined ? undefined : text('file_path', 'notebook_path', 'path');
  const command = event.command === undefined ? undefined : text('command');
  return {
    ...event,
    input,
    ...(file !== undefined && { file }),
    ...(command !== undefined && { command }),
  };
}

function summary({ file, command, input }: ToolEvent): string {
  const about = file ?? command ?? JSON.stringify(input);
  return about.length > LONGEST_ABOUT ? `${about.slice(0, LONGEST_ABOUT)}…` : about;
}
