// decide: (workflow, state) → the next command, or none.
// Owns: which step is next, and why. Never: performs, reads the clock, touches a file.
// D1. Depends on its arguments only (E1), so the same journal gives the same commands in the same order (E3).
// D2. A run that is not running yields no command.
// D3. One decision at a time, each seeing every entry before it: a journal cut after any entry goes on the same way (E4).
// D4. Looks at the first ready place and nothing else (E2).

import type { Command } from '../model/command.ts';
import type { Cut, EntryBody, Failure } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { OpenStep, State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import { decideAccepted } from './acceptance.ts';
import { decideAction } from './action.ts';
import { decideBegin, decideWorktree } from './begin.ts';
import { Decision } from './decision.ts';
import { isFinished } from './descend.ts';
import { decideDoubt } from './doubt.ts';
import { waitsForSession } from './live.ts';
import { refuseMasks } from './masked.ts';
import { decideNext } from './next.ts';
import { asking, effectOf, firstReady, handedOut, isRunning } from './places.ts';
import { readerOfScope, Unevaluable, Unobserved } from './reader.ts';
import { fanStopped } from './steps/fan.ts';
import { decideWork } from './steps/work.ts';
import { workspaceOf } from './worktree.ts';

export function decide(workflow: Workflow, state: State): Command | undefined {
  // A run that waits for a person can still be cancelled.
  const isCancelled = state.status === 'paused' && state.ending?.to === 'cancelled';
  if (state.status !== 'running' && !isCancelled) return undefined;
  if (state.ending) return isRunning(state) ? undefined : { entry: ended(state) };
  const open = firstReady(state);
  if (open) return decidePlace(workflow, state, open);
  if (isRunning(state)) return undefined;
  if (asking(state).length > 0 || handedOut(state).length > 0 || waitsForSession(state))
    return { entry: paused(state) };
  return { entry: finished(workflow, state) };
}

function paused(state: State): EntryBody {
  const handed = handedOut(state);
  return { kind: 'run-paused', questions: asking(state), ...(handed.length > 0 && { handed }) };
}

function ended(state: State): EntryBody {
  const ending = state.ending as NonNullable<State['ending']>;
  switch (ending.to) {
    case 'handed-over':
      return paused(state);
    case 'interrupted':
      return { kind: 'run-interrupted', by: ending.by };
    case 'cancelled':
      return { kind: 'run-cancelled', by: ending.by, why: ending.why };
    case 'failed':
      return { kind: 'run-failed', path: ending.path, error: ending.error };
  }
}

function finished(workflow: Workflow, state: State): EntryBody {
  const { root } = state;
  if (root.failed) return { kind: 'run-failed', path: failedPath(state), error: root.failed };
  if (!isFinished(root))
    throw new Error(`nothing is left to decide, yet ${root.steps[root.index]?.id} is still open`);
  const cut = new Map<string, Cut>();
  try {
    const outputs = state.skips.dry_run
      ? dryOutputs(workflow, state)
      : readerOfScope(state, root.scope, { touched: (each) => cut.set(each.path, each) }).map(
          workflow.outputs,
        );
    return {
      kind: 'run-completed',
      outputs,
      continued_past: state.continuedPast,
      ...(cut.size > 0 && { cut: [...cut.values()] }),
    };
  } catch (problem) {
    if (problem instanceof Unevaluable) return outputsFailed(problem.message);
    if (problem instanceof Unobserved)
      return outputsFailed('`outputs` cannot look at files; do that in a step');
    throw problem;
  }
}

/** Most of what `outputs` speak of was never made: a dry run has those that it can have. */
function dryOutputs({ outputs }: Workflow, state: State): JsonObject {
  const reader = readerOfScope(state, state.root.scope);
  const known = Object.entries(outputs).flatMap(([name, value]) => {
    try {
      return Object.entries(reader.map({ [name]: value }));
    } catch (problem) {
      if (problem instanceof Unevaluable) return [];
      throw problem;
    }
  });
  return Object.fromEntries(known);
}

function outputsFailed(message: string): EntryBody {
  return { kind: 'run-failed', error: { class: 'expression', message: `in outputs: ${message}` } };
}

/** The innermost step the failure came from. */
function failedPath(state: State): string | undefined {
  let open = state.root.child;
  for (;;) {
    const inside: OpenStep | undefined =
      open?.body?.failed && !open.fan
        ? open.body.child
        : [...(open?.fan?.children.values() ?? [])].find((child) => child.place === 'closed');
    if (!inside) return open?.path;
    open = inside;
  }
}

function decidePlace(workflow: Workflow, state: State, open: OpenStep): Command {
  const command = decideUnmasked(workflow, state, open);
  return state.masked ? refuseMasks(open, command) : command;
}

function decideUnmasked(workflow: Workflow, state: State, open: OpenStep): Command {
  const decision = new Decision(workflow, state, open);
  try {
    const command = decideStage(decision);
    if (decision.cuts) command.entry.cut = decision.cuts;
    return command;
  } catch (problem) {
    if (problem instanceof Unobserved) {
      return {
        entry: { kind: 'observing', path: open.path, needs: problem.needs },
        perform: {
          kind: 'observe',
          path: open.path,
          needs: problem.needs,
          workspace: workspaceOf(state, open),
        },
      };
    }
    if (!(problem instanceof Unevaluable)) throw problem;
    const { message, absent } = problem;
    const details = absent === undefined ? {} : { details: whatIsAbsent(decision, absent) };
    const error: Failure = { class: 'expression', message, ...details };
    return { entry: { kind: 'step-failed', path: open.path, error, exit_code: 2 } };
  }
}

/** Everything the decision could not read, and the command that it stands in: it is taken once more, for nothing but that. */
function whatIsAbsent({ workflow, state, open }: Decision, first: string): JsonObject {
  const absent = new Set<string>();
  let command: string[] | undefined;
  try {
    const { entry } = decideStage(new Decision(workflow, state, open, absent));
    if (entry.kind === 'attempt-started' && entry.part === undefined) command = entry.argv;
  } catch (problem) {
    if (!(problem instanceof Unevaluable || problem instanceof Unobserved)) throw problem;
  }
  return { absent: absent.size > 0 ? [...absent] : [first], ...(command && { command }) };
}

function decideStage(decision: Decision): Command {
  const { open } = decision;
  if (open.doubt) return decideDoubt(decision);
  const doomed = decideDoomed(decision);
  if (doomed) return doomed;
  switch (open.stage) {
    case 'if':
      return decideBegin(decision);
    case 'worktree':
      return decideWorktree(decision);
    case 'enter':
    case 'exit':
      return decideAction(decision, open.stage);
    case 'work':
      return decideWork(decision);
    case 'done':
      return decideAccepted(decision);
    case 'next':
    case 'do':
    case 'held':
      return decideNext(decision);
  }
}

/** Left, cancelled or out of time: what runs is ended first, then the step says how it ended. */
function decideDoomed({ state, open }: Decision): Command | undefined {
  if (!open.leaving && !open.expired) return undefined;
  if (open.status !== undefined && (open.stage === 'exit' || !open.leaving)) return undefined;
  const why = open.leaving?.why ?? 'its time was up';
  const running = effectOf(state, open);
  if (running) {
    const place = { path: open.path, part: running.part };
    return {
      entry: { kind: 'attempt-cancelled', ...place, why },
      perform: { kind: 'cancel', ...place, why },
    };
  }
  if (open.fan && open.fan.next < open.fan.total && !open.fan.leftOut) return fanStopped(open, why);
  if (open.leaving && open.stage === 'if') {
    return { entry: { kind: 'step-skipped', path: open.path, reason: 'cancelled', why } };
  }
  if (!open.leaving) {
    const timeout_ms = open.step.timeout ?? 0;
    const message = `it took longer than ${timeout_ms / 1000} s`;
    const error: Failure = { class: 'timeout', message, details: { timeout_ms } };
    return { entry: { kind: 'step-failed', path: open.path, error, exit_code: 124 } };
  }
  const leftByJump = open.leaving.to !== undefined;
  return {
    entry: {
      kind: 'step-failed',
      path: open.path,
      error: { class: leftByJump ? 'left' : 'cancelled', message: why },
    },
  };
}
