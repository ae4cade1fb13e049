// fault-performer: stands between the loop and its effects. Lets those go wrong that the test names, lets commands be
// what it says instead of running them, hurries what only waits, and writes down what agents were given.
// Everything else is the runtime's own: a time-out is its time-out, with a clock that is in a hurry.

import type { RunAgent, RunCommand } from '../model/command.ts';
import type { FaultKind, PlannedFault, StandIn } from '../model/workflow-test.ts';
import type { Agent, AgentAnswer } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type Performable,
  type PerformContext,
  type Performing,
  perform,
} from '../runtime/perform/perform.ts';
import { placeName } from '../views/step-path.ts';
import { idOf, isAt } from './place.ts';

export interface Prompted {
  path: string;
  part?: string;
  prompt: string;
}

export interface FaultPerformer {
  perform(command: Performable, context: PerformContext): Performing;
  readonly prompts: Prompted[];
  /** Faults that cannot happen where they were put, one sentence each. */
  readonly problems: string[];
  /** Which of them came to pass, and which stand-ins were used: what never is, is a mistake in the test. */
  readonly used: Set<PlannedFault | string>;
}

type Dispatched = Extract<Performable, { kind: 'run-agent' | 'run-command' | 'call-handler' }>;

export function faultPerformer(
  faults: readonly PlannedFault[],
  commands: Record<string, StandIn[]>,
): FaultPerformer {
  const prompts: Prompted[] = [];
  const problems: string[] = [];
  const used = new Set<PlannedFault | string>();
  const met = new Map<PlannedFault, number>();
  const turns = new Map<string, number>();
  /** A dispatch that was made to fail uses up no answer: it never reached whoever answers. */
  const lost = new Map<string, number>();

  function faultAt(command: Performable): FaultKind | undefined {
    if (command.kind === 'sleep' || command.kind === 'observe') return undefined;
    // Every one counts every time, also where another is first.
    const due = faults.filter((planned) => {
      if (planned.fault.kind === 'crash' || !isAt(planned.at, command)) return false;
      const count = (met.get(planned) ?? 0) + 1;
      met.set(planned, count);
      return count >= planned.from && count < planned.from + planned.times;
    });
    for (const planned of due) {
      const problem = impossible(planned.fault, command);
      if (problem === undefined) {
        used.add(planned);
        return planned.fault;
      }
      problems.push(`${placeName(command.path, command.part)} ${problem}`);
    }
    return undefined;
  }

  function standIn(command: RunCommand): StandIn | undefined {
    const key = bestKey(Object.keys(commands), command);
    const all = key === undefined ? undefined : commands[key];
    if (key === undefined || all === undefined) return undefined;
    used.add(key);
    const turn = turns.get(key) ?? 0;
    // After a crash it is done again, and comes to the same.
    const index = command.again ? Math.max(turn - 1, 0) : turn;
    turns.set(key, index + 1);
    return all[Math.min(index, all.length - 1)];
  }

  function performAgent(command: RunAgent, context: PerformContext, fault?: FaultKind): Performing {
    const [byPath, byId] = [command.path, `#${idOf(command.path)}`];
    const { dispatch } = command;
    const own = {
      path: Math.max(dispatch.path - (lost.get(byPath) ?? 0), 0),
      id: Math.max(dispatch.id - (lost.get(byId) ?? 0), 0),
    };
    if (fault) for (const key of [byPath, byId]) lost.set(key, (lost.get(key) ?? 0) + 1);
    const find: PerformContext['agents']['find'] = (provider) => {
      const agent = context.agents.find(provider);
      return {
        ...agent,
        perform(request) {
          prompts.push({
            path: command.path,
            ...(command.part && { part: command.part }),
            prompt: request.prompt,
          });
          return fault ? faultyAnswer(fault, request.signal) : agent.perform(request);
        },
      } satisfies Agent;
    };
    return perform({ ...command, dispatch: own }, { ...context, agents: { find } });
  }

  return {
    prompts,
    problems,
    used,
    perform(command, context) {
      if (command.kind === 'sleep' || command.kind === 'wait-time')
        return perform(command, { ...context, clock: inAHurry(context.clock) });
      const fault = faultAt(command);
      const around = fault?.kind === 'timeout' ? { ...context, clock: inAHurry(context.clock) } : context;
      if (command.kind === 'run-agent') return performAgent(command, around, fault);
      if (command.kind === 'run-command') {
        if (fault) return perform({ ...command, command: faultyCommand(fault) }, around);
        const instead = standIn(command);
        return instead ? perform(stood(command, instead, context), context) : perform(command, context);
      }
      if (fault?.kind === 'error') return { now: { kind: 'outcome', outcome: failed(fault) } };
      return perform(command, around);
    },
  };
}

/** Why this cannot go wrong in this way here. */
function impossible(fault: FaultKind, command: Performable): string | undefined {
  const isDispatched = (one: Performable): one is Dispatched =>
    one.kind === 'run-agent' || one.kind === 'run-command' || one.kind === 'call-handler';
  switch (fault.kind) {
    case 'timeout': {
      const timeout = 'timeout' in command ? command.timeout : undefined;
      return timeout === undefined ? 'has no `timeout`, so that it can never be over' : undefined;
    }
    case 'malformed':
      return command.kind === 'run-agent' || command.kind === 'run-command'
        ? undefined
        : 'is neither a prompt nor a command: it has no answer that could be malformed';
    case 'error':
      if (!isDispatched(command)) return 'only waits: it cannot fail in this way';
      return fault.class === 'exit' || fault.class === 'error' || command.kind === 'run-agent'
        ? undefined
        : `is no prompt: only an agent can be ${fault.class === 'overloaded' ? 'overloaded' : 'limited'}`;
    case 'crash':
      return undefined;
  }
}

function bestKey(keys: string[], place: { path: string; part?: string | undefined }): string | undefined {
  const matching = keys.filter((key) => isAt(key, place));
  const exact = placeName(place.path, place.part);
  return matching.find((key) => key === exact) ?? matching.find((key) => key.includes('/')) ?? matching[0];
}

const INJECTED = 'the test let it fail';

async function faultyAnswer(fault: FaultKind, signal: AbortSignal): Promise<AgentAnswer> {
  switch (fault.kind) {
    case 'malformed':
      return { text: fault.text, exitCode: 0 };
    case 'error':
      return { text: '', exitCode: fault.exit, error: { class: fault.class, message: INJECTED } };
    default:
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return { text: '', error: { class: 'cancelled', message: 'it was told to end' } };
  }
}

const PRINT = 'printf %s "$1"; printf %s "$2" >&2; exit "$3"';

function faultyCommand(fault: FaultKind): RunCommand['command'] {
  switch (fault.kind) {
    case 'malformed':
      return printing(fault.text, '', 0);
    case 'error':
      return printing('', INJECTED, fault.exit);
    default:
      return { kind: 'argv', argv: ['/bin/sh', '-c', 'exec sleep 86400'] };
  }
}

function printing(stdout: string, stderr: string, exit: number): RunCommand['command'] {
  return { kind: 'argv', argv: ['/bin/sh', '-c', PRINT, 'sh', stdout, stderr, String(exit)] };
}

function stood(command: RunCommand, instead: StandIn, { workspace }: PerformContext): RunCommand {
  for (const [path, text] of Object.entries(instead.write)) workspace.write(path, text);
  return { ...command, command: printing(instead.stdout, instead.stderr, instead.exit) };
}

function failed(fault: Extract<FaultKind, { kind: 'error' }>) {
  const error = { class: fault.class, message: INJECTED };
  return { ok: false, output: null, exit_code: fault.exit, error, duration_ms: 0 };
}

/** Timers are over as soon as everything that can happen at once has happened. */
function inAHurry(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: (digits) => clock.random(digits),
    after(_, callback) {
      const timer = setTimeout(callback, 1);
      return () => clearTimeout(timer);
    },
  };
}
