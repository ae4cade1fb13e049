// run-command: a command of the workflow, in a process group of its own, in the workspace.

import { constants } from 'node:os';
import type { RunCommand } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import { effectName, type PerformContext, type Performing } from './context.ts';
import { environmentFor, requireSecrets } from './environment.ts';
import { brokenOutcome, type EndReason, endFailure, masked, refused, TIMED_OUT } from './outcome.ts';
import { type OutputStreams, openOutput } from './output.ts';
import { findReads } from './reads.ts';

export function runCommand(command: RunCommand, context: PerformContext): Performing {
  let ended: EndReason | undefined;
  let stop = () => {};
  let output: OutputStreams;
  try {
    requireSecrets(command, context);
    if (command.reads !== undefined) findReads(command.reads, context.workspace);
    output = openOutput(command, context, () => stop());
  } catch (error) {
    return refused(error, context.mask);
  }

  const started = context.clock.monotonic();
  const release = context.changes.worker(effectName(command), command.saveTo);
  const child = context.processes.spawn({
    argv: command.command.kind === 'shell' ? ['/bin/sh', '-c', command.command.line] : command.command.argv,
    cwd: context.workspace.root,
    env: environmentFor(command, context),
    onStdout: output.stdout,
    onStderr: output.stderr,
  });
  stop = () => child.stop();
  const endWith = (reason: EndReason) => {
    ended ??= reason;
    child.stop();
  };
  const disarm =
    command.timeout === undefined
      ? undefined
      : context.clock.after(command.timeout, () => endWith('timeout'));

  const settle = (end: ProcessEnd): Outcome => {
    disarm?.();
    release();
    const duration = Math.round(context.clock.monotonic() - started);
    try {
      return masked(context.mask, outcomeOf(command, end, ended, output.finish(), duration));
    } catch (error) {
      return brokenOutcome(error, context.mask, duration);
    }
  };
  const crashed = (error: unknown): ProcessEnd => ({
    exitCode: null,
    signal: null,
    error: { code: 'EIO', message: error instanceof Error ? error.message : String(error) },
  });
  return {
    done: child.end.catch(crashed).then((end) => ({ kind: 'outcome', outcome: settle(end) })),
    cancel: endWith,
  };
}

function outcomeOf(
  command: RunCommand,
  end: ProcessEnd,
  ended: EndReason | undefined,
  { captured, stderr }: ReturnType<OutputStreams['finish']>,
  duration: number,
): Outcome {
  const outcome: Outcome = {
    ok: true,
    output: captured.output,
    exit_code: ended === 'timeout' ? TIMED_OUT : exitCodeOf(end),
    duration_ms: duration,
    ...(stderr !== '' && { stderr }),
    ...(captured.truncated !== undefined && { truncated: captured.truncated }),
    ...(end.leftovers && { warnings: ['it ended and left processes running, which were ended too'] }),
  };
  const error = failureOf(command, end, ended, stderr) ?? captured.failure;
  if (error === undefined) return outcome;
  const unreadable = error === captured.failure;
  return { ...outcome, ok: false, error, ...(unreadable && { exit_code: 2 }) };
}

function failureOf(
  command: RunCommand,
  end: ProcessEnd,
  ended: EndReason | undefined,
  stderr: string,
): Failure | undefined {
  if (ended !== undefined) return endFailure(ended, command.timeout);
  if (end.error !== undefined) {
    return { class: 'error', message: end.error.message, details: { code: end.error.code } };
  }
  if (end.exitCode === 0) return undefined;
  const how = end.exitCode === null ? `was ended by ${end.signal}` : `ended with exit code ${end.exitCode}`;
  const said = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, 200);
  return { class: 'exit', message: said ? `the command ${how}: ${said}` : `the command ${how}` };
}

/** As a shell counts: 126 found but not to be run, 127 not found, 128 and the number of the signal. */
function exitCodeOf(end: ProcessEnd): number {
  if (end.error !== undefined) return end.error.code === 'ENOENT' ? 127 : 126;
  if (end.exitCode !== null) return end.exitCode;
  return 128 + (constants.signals[end.signal as keyof typeof constants.signals] ?? 0);
}
