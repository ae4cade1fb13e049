// run-program: a gate that is a command or a handler. It runs as any other does; what it gives becomes a review
// (program-review.ts), and it is held to looking: files that changed meanwhile fail it, as they fail an agent that looks.

import type { CallHandler, RunCommand } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import { placeName } from '../../model/place-name.ts';
import type { ProgramResult } from '../../model/workflow.ts';
import { callHandler } from '../handlers/call-handler.ts';
import { programFailure } from './agent-failure.ts';
import { type AgentWatch, LONGEST_MARK } from './change-watch.ts';
import type { CancelReason, PerformContext, Performed, Performing } from './context.ts';
import { brokenOutcome, endFailure, masked, UNPERFORMABLE } from './outcome.ts';
import { type ProgramReview, reviewOfCommand, reviewOfValue } from './program-review.ts';
import { runCommand } from './run-command.ts';

/** As a shell counts: from here on it could not be started, or a signal ended it. */
const NEVER_RAN = 126;

export function runProgram(command: RunCommand | CallHandler, context: PerformContext): Performing {
  let ended: CancelReason | undefined;
  let inner: Performing | undefined;
  const run = async (): Promise<Performed> => {
    const watch = await context.changes.agent(placeName(command.path, command.part));
    if (ended !== undefined) {
      watch.drop();
      return outcomeOf(brokenBy(endFailure(ended)));
    }
    try {
      // The journal has the review: what it was made from is in the log, whatever is kept otherwise.
      const own = { ...context, keepStdout: 'always' as const };
      inner = command.kind === 'run-command' ? runCommand(command, own) : callHandler(command, own);
      const performed = inner.now ?? (await inner.done);
      if (performed.kind !== 'outcome') return performed;
      return outcomeOf(await reviewedOutcome(command, performed.outcome, watch, context));
    } catch (error) {
      watch.drop();
      throw error;
    }
  };
  return {
    done: run().catch((error) => outcomeOf(brokenOutcome(error, context.mask, 0))),
    cancel(reason) {
      ended ??= reason;
      if (inner !== undefined && !('now' in inner && inner.now)) inner.cancel?.(reason);
    },
  };
}

async function reviewedOutcome(
  command: RunCommand | CallHandler,
  outcome: Outcome,
  watch: AgentWatch,
  context: PerformContext,
): Promise<Outcome> {
  const { before } = watch;
  const changed = programFailure(await watch.end());
  const review = reviewOf(command, outcome, context);
  const failure = changed ?? (review && 'failure' in review ? review.failure : undefined);
  const { error: _said, truncated: _cut, stdout_tail: _tail, ...facts } = outcome;
  // A text of megabytes is in the log.
  if (failure !== undefined) return masked(context.mask, { ...facts, ...brokenBy(failure, outcome) });
  if (review === undefined || !('output' in review)) return { ...outcome, output: null };
  const mark = command.mark ? before : undefined;
  return masked(context.mask, {
    ...facts,
    ok: true,
    output: review.output,
    ...(mark !== undefined && mark.length <= LONGEST_MARK && { mark }),
  });
}

/** Undefined: it did not come to an end of its own, and the outcome says why. */
function reviewOf(
  command: RunCommand | CallHandler,
  outcome: Outcome,
  { workspace }: PerformContext,
): ProgramReview | undefined {
  const program = command.review as ProgramResult;
  const { ok, output, exit_code: exitCode = 0, error, truncated } = outcome;
  if (command.kind === 'call-handler') return ok ? reviewOfValue(output, program, workspace) : undefined;
  if ((error !== undefined && error.class !== 'exit') || exitCode >= NEVER_RAN) return undefined;
  return reviewOfCommand({ text: output, exitCode, cut: truncated !== undefined }, program, workspace);
}

function brokenBy(failure: Failure, outcome?: Outcome): Outcome {
  return {
    ok: false,
    output: null,
    exit_code: outcome?.exit_code || UNPERFORMABLE,
    error: failure,
    duration_ms: outcome?.duration_ms ?? 0,
  };
}

function outcomeOf(outcome: Outcome): Performed {
  return { kind: 'outcome', outcome };
}
