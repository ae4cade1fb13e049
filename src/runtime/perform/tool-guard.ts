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
import { type Bounds, judge, pathReadings, whyWriteWithheld } from '../../engine/guard.ts';
import type { RunAgent } from '../../model/command.ts';
import type { Fact, Need, Outcome } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import { callName, type OwnTools } from '../../model/own-tools.ts';
import type { Denied } from '../../model/tool-call.ts';
import type { Agent, HandBack, ToolAct, ToolGuard, Verdict } from '../../ports/agent.ts';
import { filesWritten } from '../../text/shell/shell.ts';
import type { CallRecord } from './call-record.ts';
import type { PerformContext } from './context.ts';
import { lookAt } from './observe.ts';
import type { SessionRecord } from './session-facts.ts';

/** So many of each are kept in the outcome; all are in the live events. */
const MOST_RECORDED = 50;
const LONGEST_ABOUT = 300;
const UNTOLD = 'a rule rewrites this call into something that the client cannot be told';

export interface DispatchGuard extends ToolGuard {
  denials(): Outcome['denials'];
  /** Whatever is asked from now on is denied. */
  close(): void;
}

export interface GuardParts {
  command: Pick<RunAgent, 'path' | 'part' | 'tools'>;
  agent: Pick<Agent, 'name' | 'can'>;
  own: OwnTools;
  context: Pick<
    PerformContext,
    'clock' | 'workspace' | 'mask' | 'environment' | 'rulesAt' | 'report' | 'globs'
  >;
  session: SessionRecord;
  calls: Pick<CallRecord, 'note'>;
  /** The home folder that the agent is given. */
  home?: string;
  /** Tools that no list withholds, by the names that the client has for them. */
  ownTools?: readonly string[];
  /** Files that a shell line changed against the lists, and may put back. */
  returning?: readonly string[];
  /** Who can be asked about a call, in a live session. Absent: nobody can (G7). */
  person?: {
    /** They agreed to this very call, and it has not happened since. */
    hasAgreed(act: ToolAct): boolean;
    /** Notes that they are asked; the answer is what the agent is told. */
    ask(act: ToolAct, question: string): string;
  };
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

export function createToolGuard(
  {
    command,
    agent,
    own,
    context,
    session,
    calls,
    home: agentsHome,
    ownTools,
    returning,
    person,
    warn,
  }: GuardParts,
  isDemanded: boolean,
): DispatchGuard {
  const { clock, workspace, mask, environment } = context;
  const started = clock.monotonic();
  const recorded: NonNullable<Outcome['denials']> = { count: 0, calls: [] };
  const told = new Set<string>();
  /** Masked before it is cut, so that no half of a secret is left. */
  const summary = (act: ToolAct): string => {
    const about = mask.text(aboutOf(act));
    return about.length > LONGEST_ABOUT ? `${about.slice(0, LONGEST_ABOUT)}…` : about;
  };
  const home = agentsHome ?? environment.HOME ?? homedir();
  let closed = false;

  /** Every name that the file may have for a client: as it is spelt and where it leads, the spelling first. */
  function settle(event: ToolAct): ToolAct {
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
      tools: own.policy,
      rules: now?.rules ?? [],
      names: now?.names ?? { lookup: () => undefined, fact: () => undefined },
      around: {
        ...{ root: workspace.root, home, temporary: [environment.TMPDIR ?? tmpdir()] },
        givenTools: own.names.map(callName),
        ...(ownTools && { ownTools }),
        ...(returning && { returning }),
      },
    };
  }

  /** Once for each sentence: an agent may do the same thing all day. */
  function tell(warning: string): void {
    if (told.has(warning) || told.size >= MOST_RECORDED) return;
    told.add(warning);
    warn(warning);
  }

  function refuse(act: ToolAct, denied: Denied, acts: readonly ToolAct[]): Denied {
    const reason = denied.asks ? questionReason(act, denied.reason) : denied.reason;
    const about = summary(act);
    const { tool } = act;
    recorded.count++;
    if (recorded.calls.length < MOST_RECORDED) recorded.calls.push({ tool, about, reason });
    const { by = 'guard', rule } = denied;
    calls.note({ verdict: 'denied', tool, about: aboutOf(act), by, rule, reason, acts });
    const { path, part } = command;
    const place = part === undefined ? { path } : { path, part };
    context.report({ kind: 'tool', ...place, tool, summary: about, denied: mask.text(reason) });
    return { kind: 'deny', reason };
  }

  function questionReason(act: ToolAct, question: string): string {
    return person
      ? person.ask(act, question)
      : `a person would have to agree, and nobody can be asked now: ${question}`;
  }

  /** About one thing that a call does. `settled` gets it as it is settled. */
  async function decide(act: ToolAct, settled: ToolAct[]): Promise<Verdict> {
    const facts = new Map<string, Fact>();
    const advice: string[] = [];
    let call = settle(act);
    settled.push(call);
    let from = 0;
    let input: JsonObject | undefined;
    for (;;) {
      // A look takes a moment. What is judged after it is judged as things are then.
      if (closed) return deny('the step has ended');
      const judged = judge(bounds(), call, {
        session: session.facts(clock.monotonic() - started),
        facts,
        from,
      });
      if (judged.kind === 'needs') {
        if (!(await look(judged.needs, facts, context))) return deny('a rule cannot be evaluated');
        continue;
      }
      for (const warning of judged.warnings) advice.push(warning);
      for (const note of [...judged.warnings, ...judged.notes]) tell(`${act.tool} ${summary(act)}: ${note}`);
      switch (judged.kind) {
        case 'deny':
          if (!judged.asks || judged.from === undefined || !person?.hasAgreed(act)) return judged;
          from = judged.from;
          break;
        case 'rewrite':
          from = judged.from ?? 0;
          if (!agent.can.has('rewrite')) {
            tell(`provider \`${agent.name}\` cannot have a call rewritten: ${act.tool} happened as it was`);
            break;
          }
          input = judged.input;
          call = settle(withInput(act, input));
          settled[settled.length - 1] = call;
          for (const file of movedTo(act, input)) {
            const again = judgeAnew({ ...act, input, file }, from);
            if (again !== undefined) return again;
          }
          break;
        case 'allow': {
          const written = whyFileWithheld(call);
          if (written !== undefined) return { ...deny(written), by: 'tools' };
          session.begin(call);
          return {
            ...(input === undefined ? { kind: 'allow' } : { kind: 'rewrite', input }),
            ...(advice.length > 0 && { advice: advice.join('\n') }),
          };
        }
      }
    }
  }

  async function safely(act: ToolAct, settled: ToolAct[]): Promise<Verdict> {
    try {
      return await decide(act, settled);
    } catch (error) {
      return deny(`it could not be judged: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** A call that names several paths is let through if it may be for each of them, whole or not at all. */
  async function decideWhole(call: readonly ToolAct[], handBack: HandBack): Promise<Verdict> {
    const advice: string[] = [];
    const settled: ToolAct[] = [];
    let input: JsonObject | undefined;
    let instead: string | undefined;
    for (const act of call) {
      const asked = input === undefined ? act : onceRewritten(act, input);
      const verdict = await safely(asked, settled);
      if (verdict.kind === 'deny') return refuse(asked, verdict, settled);
      if (verdict.kind === 'rewrite') {
        input = handBack(asked, verdict.input);
        if (input === undefined) return refuse(asked, deny(UNTOLD), settled);
        instead = aboutOf(settled.at(-1) ?? asked);
      }
      if (verdict.advice !== undefined && !advice.includes(verdict.advice)) advice.push(verdict.advice);
    }
    const said = advice.length > 0 ? { advice: advice.join('\n') } : {};
    const [first] = call;
    if (first !== undefined) {
      const { tool } = first;
      const verdict = input === undefined ? 'allowed' : 'rewritten';
      calls.note({ verdict, tool, about: aboutOf(first), instead, acts: settled, ...said });
    }
    return input === undefined ? { kind: 'allow', ...said } : { kind: 'rewrite', input, ...said };
  }

  /** Why a file that a shell line visibly writes must not be written; undefined: nothing is against it. */
  function whyFileWithheld({ tool, command: line, cwd }: ToolAct): string | undefined {
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
  function judgeAnew(act: ToolAct, from: number): Denied | undefined {
    const withRules = { session: session.facts(clock.monotonic() - started), facts: new Map(), from };
    const judged = judge(bounds(), settle(act), withRules);
    if (judged.kind === 'deny' && !judged.asks) return judged;
    return judged.kind === 'allow' ? undefined : deny('a rule moves it to a path that cannot be judged');
  }

  return {
    isDemanded,
    decide: async (call, handBack = (_, input) => input) => decideWhole(call, handBack),
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
async function look(
  needs: Need[],
  facts: Map<string, Fact>,
  context: GuardParts['context'],
): Promise<boolean> {
  const before = facts.size;
  for (const fact of await lookAt(needs, context)) facts.set(factKey(fact), fact);
  return facts.size > before;
}

function withInput(event: ToolAct, input: JsonObject): ToolAct {
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
function fieldOf({ field, file, input }: ToolAct): string | undefined {
  return field ?? Object.keys(input).find((key) => file !== undefined && input[key] === file);
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'dir_path', 'absolute_path'];

/** Paths that a rewritten input names and the call as it came did not, its own field aside. */
function movedTo(event: ToolAct, input: JsonObject): string[] {
  const own = fieldOf(event);
  return PATH_FIELDS.filter((field) => field !== own && input[field] !== event.input[field])
    .map((field) => input[field])
    .filter((path) => typeof path === 'string');
}

/** Who rewrites a call does so for the whole: the paths after are as they are then. */
function onceRewritten(act: ToolAct, input: JsonObject): ToolAct {
  const file = act.field === undefined ? undefined : input[act.field];
  return { ...act, input, ...(typeof file === 'string' && { file }) };
}

function deny(reason: string): Denied {
  return { kind: 'deny', reason };
}

function aboutOf({ file, command, input }: ToolAct): string {
  return file ?? command ?? JSON.stringify(input);
}
