// tool-guard: answers an agent that asks whether it may use a tool, and writes down what came of it.
// Owns: settling paths, looking at what rules ask for, the session's facts, the record of denials. Never: the order of
// lists and rules (engine/guard).
//
// G6. It always answers: what cannot be judged is denied, and so is a call after the dispatch has ended.
// G7. Nobody is asked in the middle of a turn: an `ask` rule denies, with its question as the reason.
// G8. A `rewrite` for an agent that cannot do one is recorded, and the call let through as it was: that it may be so was
//     accepted when the workflow was loaded (`guard.unenforceable: warn`).
// G11. An agent that can be held to tools always has one, without lists and rules too: `.git`, the runs, definitions and
//      clients' settings are not written by any call (engine/guard/protected-places.ts).

import { homedir, tmpdir } from 'node:os';
import { factKey } from '../../engine/engine.ts';
import { type Bounds, judge, pathReadings, type SettledCall, whyWriteWithheld } from '../../engine/guard.ts';
import type { RunAgent } from '../../model/command.ts';
import type { Fact, Need, Outcome } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Agent, ToolEvent, ToolGuard, Verdict } from '../../ports/agent.ts';
import { filesWritten } from '../../text/shell/shell.ts';
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
  /** The home folder that the agent is given. */
  home?: string;
  warn(warning: string): void;
}

/** Undefined: nothing restricts this dispatch, or nothing could. */
export function toolGuard(parts: GuardParts): DispatchGuard | undefined {
  const { command, context, agent } = parts;
  const { allow, deny } = command.tools;
  const rules = context.rulesAt(command)?.rules ?? [];
  const isDemanded = allow !== undefined || deny.length > 0 || rules.length > 0;
  if (!isDemanded && !agent.can.has('tools')) return undefined;
  return createToolGuard(parts, isDemanded);
}

function createToolGuard(
  { command, agent, context, session, home: agentsHome, warn }: GuardParts,
  isDemanded: boolean,
): DispatchGuard {
  const { clock, workspace, mask, environment } = context;
  const started = clock.monotonic();
  const recorded: NonNullable<Outcome['denials']> = { count: 0, calls: [] };
  const told = new Set<string>();
  const home = agentsHome ?? environment.HOME ?? homedir();
  let closed = false;

  /** Every name that the file may have for a client: as it is spelt and where it leads, the spelling first. */
  function settle(event: ToolEvent): SettledCall {
    if (event.file === undefined) return event;
    const hasTildeFolder =
      event.file.trim().startsWith('~') && (workspace.locate('~').real !== '~' || workspace.exists('~'));
    const place = { home, hasTildeFolder, ...(event.cwd !== undefined && { cwd: event.cwd }) };
    const located = pathReadings(event.file, place).map((reading) => workspace.locate(reading));
    const [first, ...rest] = located as [ReturnType<typeof workspace.locate>];
    const others = rest.flatMap(({ spelt, real }) => [spelt, real]);
    const inside = located.find((one) => one.inside !== undefined)?.inside;
    return {
      ...event,
      file: first.spelt,
      real: first.real,
      ...(others.length > 0 && { others: [...new Set(others)] }),
      ...(inside !== undefined && { inside }),
    };
  }

  function bounds(): Bounds {
    const now = context.rulesAt(command);
    return {
      tools: command.tools,
      rules: now?.rules ?? [],
      names: now?.names ?? { lookup: () => undefined, fact: () => undefined },
      around: { root: workspace.root, home, temporary: [environment.TMPDIR ?? tmpdir()] },
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

  async function decide(event: ToolEvent): Promise<Verdict> {
    const facts = new Map<string, Fact>();
    const advice: string[] = [];
    let call = settle(event);
    let from = 0;
    let input: JsonObject | undefined;
    for (;;) {
      // A look takes a moment. What is judged after it is judged as things are then.
      if (closed) return refuse(event, 'the step has ended');
      const judgement = judge(bounds(), call, {
        session: session.facts(clock.monotonic() - started),
        facts,
        from,
      });
      if (judgement.kind === 'needs') {
        if (!(await look(judgement.needs, facts, context)))
          return refuse(event, 'a rule cannot be evaluated');
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
          for (const file of movedTo(event, input)) {
            const again = judgeAnew({ ...event, input, file }, from);
            if (again !== undefined) return refuse(event, again);
          }
          break;
        case 'allow': {
          const written = whyFileWithheld(call);
          if (written !== undefined) return refuse(event, written);
          session.begin(call);
          return {
            ...(input === undefined ? { kind: 'allow' } : { kind: 'rewrite', input }),
            ...(advice.length > 0 && { advice: advice.join('\n') }),
          };
        }
      }
    }
  }

  /** Why a file that a shell line visibly writes must not be written; undefined: nothing is against it. */
  function whyFileWithheld({ tool, command: line, cwd }: SettledCall): string | undefined {
    if (tool !== 'Bash' || line === undefined) return undefined;
    const { tools, around } = bounds();
    for (const { file, glob } of filesWritten(line)) {
      const place = settle({ tool: 'Write', input: {}, file, ...(cwd !== undefined && { cwd }) });
      const reached = { ...place, file: place.file ?? file, ...(glob !== undefined && { glob }) };
      const why = whyWriteWithheld(tools, reached, around);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /** Why a rewritten call must not touch another path that it names now; undefined: nothing is against it. */
  function judgeAnew(event: ToolEvent, from: number): string | undefined {
    const withRules = { session: session.facts(clock.monotonic() - started), facts: new Map(), from };
    const judgement = judge(bounds(), settle(event), withRules);
    if (judgement.kind === 'deny') return judgement.reason;
    return judgement.kind === 'allow' ? undefined : 'a rule moves it to a path that cannot be judged';
  }

  return {
    isDemanded,
    async decide(event) {
      try {
        return await decide(event);
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
async function look(needs: Need[], facts: Map<string, Fact>, context: PerformContext): Promise<boolean> {
  const before = facts.size;
  for (const fact of await lookAt(needs, context)) facts.set(factKey(fact), fact);
  return facts.size > before;
}

function withInput(event: ToolEvent, input: JsonObject): ToolEvent {
  const field = fieldOf(event);
  const file = field === undefined ? undefined : input[field];
  const { command } = input;
  return {
    ...event,
    input,
    ...(typeof file === 'string' && { file }),
    ...(event.command !== undefined && typeof command === 'string' && { command }),
  };
}

/** Where the path stands; of a patch it stands nowhere by itself. */
function fieldOf({ field, file, input }: ToolEvent): string | undefined {
  return field ?? Object.keys(input).find((key) => file !== undefined && input[key] === file);
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'dir_path', 'absolute_path'];

/** Paths that a rewritten input names and the call as it came did not, its own field aside. */
function movedTo(event: ToolEvent, input: JsonObject): string[] {
  const own = fieldOf(event);
  return PATH_FIELDS.filter((field) => field !== own && input[field] !== event.input[field])
    .map((field) => input[field])
    .filter((path) => typeof path === 'string');
}

function summary({ file, command, input }: ToolEvent): string {
  const about = file ?? command ?? JSON.stringify(input);
  return about.length > LONGEST_ABOUT ? `${about.slice(0, LONGEST_ABOUT)}…` : about;
}
