// call-handler: the built-in handlers, by name. One file each; what they take is in docs/handlers.md.
// Owns: finding the handler, its outcome, its time-out. Never: knows what a handler does.
//
// H1. A handler that answers at once costs no promise.
// H2. What it answers is normalised, masked and bounded like any output.

import type { CallHandler } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { PerformContext, Performing } from '../perform/context.ts';
import { requireSecrets } from '../perform/environment.ts';
import { startFileMeter } from '../perform/file-meter.ts';
import {
  Breakdown,
  brokenOutcome,
  type EndReason,
  endFailure,
  masked,
  over,
  TIMED_OUT,
} from '../perform/outcome.ts';
import { findReads } from '../perform/reads.ts';
import { schemaOf, violationsOf } from '../perform/schema-check.ts';
import { callMcpTool } from './call-mcp-tool.ts';
import { captureArtifact } from './capture-artifact.ts';
import { createIssues } from './create-issues.ts';
import { findParentSession } from './find-parent-session.ts';
import { generateHandoff } from './generate-handoff.ts';
import { generateSummary } from './generate-summary.ts';
import type { Handled, Handler } from './handler.ts';
import { markSessionStatus } from './mark-session-status.ts';
import { markTodoComplete } from './mark-todo-complete.ts';
import { move } from './move.ts';
import { persistTasks } from './persist-tasks.ts';
import { readFile } from './read-file.ts';
import { restoreContext } from './restore-context.ts';
import { saveCheckpoint } from './save-checkpoint.ts';
import { switchMode } from './switch-mode.ts';
import { synthesizeTitle } from './synthesize-title.ts';
import { testIntegrity } from './test-integrity.ts';
import { writeFile } from './write-file.ts';
import { writeTodos } from './write-todos.ts';

const HANDLERS = new Map<string, Handler>([
  ['noop', ({ with: given }) => ({ output: given.value ?? null })],
  ['write-file', writeFile],
  ['read-file', readFile],
  ['move', move],
  ['capture-artifact', captureArtifact],
  ['call-mcp-tool', callMcpTool],
  ['create-issues', createIssues],
  ['persist-tasks', persistTasks],
  ['save-checkpoint', saveCheckpoint],
  ['test-integrity', testIntegrity],
  ['write-todos', writeTodos],
  ['mark-todo-complete', markTodoComplete],
  ['generate-summary', generateSummary],
  ['synthesize-title', synthesizeTitle],
  ['generate-handoff', generateHandoff],
  ['find-parent-session', findParentSession],
  ['restore-context', restoreContext],
  ['mark-session-status', markSessionStatus],
  ['switch-mode', switchMode],
]);

export function callHandler(command: CallHandler, context: PerformContext): Performing {
  if (command.handler === 'noop' && !asksForSchema(command)) {
    return over({
      ok: true,
      ...(command.masked && { masked: true as const }),
      output: context.mask.deep(command.with.value ?? null),
      exit_code: 0,
      duration_ms: 0,
    });
  }
  const handler = HANDLERS.get(command.handler);
  if (handler === undefined) {
    throw new Breakdown({
      class: 'error',
      message: `the handler \`${command.handler}\` is not part of this version of Lockstep`,
    });
  }
  requireSecrets(command, context);
  if (command.reads !== undefined) findReads(command, context, startFileMeter(context.clock));
  return handle(handler, command, context);
}

function handle(handler: Handler, command: CallHandler, context: PerformContext): Performing {
  const started = context.clock.monotonic();
  const elapsed = () => Math.round(context.clock.monotonic() - started);
  const controller = new AbortController();
  const succeeded = (handled: Handled & { violations?: string[] }): Outcome =>
    masked(context.mask, {
      ok: true,
      output: handled.output,
      exit_code: 0,
      duration_ms: elapsed(),
      ...(handled.truncated !== undefined && { truncated: handled.truncated }),
      ...((handled.masked || command.masked) && { masked: true as const }),
      ...(handled.violations !== undefined && { violations: handled.violations }),
      ...(handled.warnings !== undefined && { warnings: handled.warnings }),
      ...(handled.say !== undefined && { say: handled.say }),
      ...(handled.sessionFacts !== undefined && { session_facts: handled.sessionFacts }),
      ...handled.written,
    });

  const answer = handler({ command, with: command.with, context, signal: controller.signal });
  const handled = asksForSchema(command) ? fitted(answer, command, context) : answer;
  if (!(handled instanceof Promise)) return over(succeeded(handled));

  let ended: EndReason | undefined;
  const end = (reason: EndReason) => {
    ended ??= reason;
    controller.abort();
  };
  const disarm =
    command.timeout === undefined ? () => {} : context.clock.after(command.timeout, () => end('timeout'));
  const failed = (error: unknown): Outcome => {
    const outcome = brokenOutcome(error, context.mask, elapsed());
    if (ended === undefined) return outcome;
    return {
      ...outcome,
      error: endFailure(ended, command.timeout),
      ...(ended === 'timeout' && { exit_code: TIMED_OUT }),
    };
  };
  const done = handled.then(succeeded).catch(failed);
  return {
    done: done.then((outcome) => {
      disarm();
      return { kind: 'outcome', outcome };
    }),
    cancel: end,
  };
}

function asksForSchema(command: CallHandler): boolean {
  return command.schema !== undefined || command.schemaFile !== undefined;
}

async function fitted(
  answer: Handled | Promise<Handled>,
  command: CallHandler,
  context: PerformContext,
): Promise<Handled & { violations?: string[] }> {
  const handled = await answer;
  const schema = schemaOf(command, context, startFileMeter(context.clock));
  return schema === undefined
    ? handled
    : { ...handled, violations: await violationsOf(schema, handled.output) };
}
