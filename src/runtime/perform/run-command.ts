// run-command: a command of the workflow, in a process group of its own, in the workspace.

import { fstatSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import type { RunCommand } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import { placeName } from '../../model/place-name.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import type { OpenFile } from '../../ports/workspace.ts';
import { fitCaptured, type Understood } from './answer.ts';
import type { PerformContext, Performing } from './context.ts';
import { environmentFor, requireSecrets } from './environment.ts';
import { type FileMeter, startFileMeter } from './file-meter.ts';
import {
  Breakdown,
  brokenOutcome,
  type EndReason,
  endFailure,
  masked,
  refused,
  TIMED_OUT,
  UNPERFORMABLE,
} from './outcome.ts';
import { type Finished, type OutputStreams, openOutput } from './output.ts';
import { findReads } from './reads.ts';
import { schemaOf } from './schema-check.ts';
import { watchedCommand } from './watched-command.ts';
import { openNamed } from './workspace-file.ts';

export function runCommand(command: RunCommand, context: PerformContext): Performing {
  return command.git ? watchedCommand(command, context, startCommand) : startCommand(command, context);
}

function startCommand(command: RunCommand, context: PerformContext): Performing {
  let ended: EndReason | undefined;
  let stop = () => {};
  let output: OutputStreams;
  let input: OpenFile | undefined;
  const started = context.clock.monotonic();
  const meter = startFileMeter(context.clock);
  try {
    requireSecrets(command, context);
    if (command.reads !== undefined) findReads(command, context, meter);
    input = openInput(command, context, meter);
    if (input) refuseSameFile(command, input, context);
    output = openOutput(command, context, meter, () => stop());
  } catch (error) {
    input?.close();
    return refused(error, context.mask);
  }

  const changesOf = context.workspace.watchRepository('quick');
  // The program of a gate only looks, and is held to that (run-program.ts).
  const release =
    command.review === undefined
      ? context.changes.worker(placeName(command.path, command.part), command.saveTo)
      : () => {};
  const { command: line } = command;
  const argv = line.kind === 'shell' ? ['/bin/sh', '-c', line.line] : line.argv;
  const env = environmentFor(command, context);
  context.debug?.(command, 'command', JSON.stringify(argv));
  const child = context.processes.spawn({
    argv,
    cwd: context.workspace.root,
    env,
    ...(input && { stdin: { descriptor: input.descriptor } }),
    onStdout: output.stdout,
    onStderr: output.stderr,
  });
  // The child has its own by now.
  input?.close();
  stop = () => child.stop();
  const endWith = (reason: EndReason) => {
    ended ??= reason;
    child.stop();
  };
  const disarm =
    command.timeout === undefined
      ? undefined
      : context.clock.after(command.timeout, () => endWith('timeout'));

  const settle = async (end: ProcessEnd): Promise<Outcome> => {
    disarm?.();
    release();
    const repository = changesOf?.();
    const duration = Math.round(context.clock.monotonic() - started);
    try {
      const finished = output.finish();
      const failure = failureOf(command, end, ended, finished.stderr);
      const { captured } = finished;
      const understood =
        failure === undefined
          ? await fitCaptured(captured, () => schemaOf(command, context, meter))
          : captured;
      return masked(context.mask, {
        ...outcomeOf(end, ended, finished, failure, understood),
        duration_ms: duration,
        ...(repository !== undefined && { repository }),
        invocation: { env_count: Object.keys(env).length },
        ...(Object.keys(meter.metrics()).length > 0 && { metrics: meter.metrics() }),
      });
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
    done: child.end
      .catch(crashed)
      .then(settle)
      .then((outcome) => ({ kind: 'outcome', outcome })),
    cancel: endWith,
  };
}

function openInput(command: RunCommand, context: PerformContext, meter: FileMeter): OpenFile | undefined {
  const { stdin } = command;
  if (stdin === undefined) return undefined;
  const file = meter.count(() => openNamed('the input file', stdin, context));
  context.debug?.(command, 'files', `opened ${stdin} as standard input (${file.bytes} bytes)`);
  return file;
}

/** Opening it for the output would empty it before the command has read a byte. */
function refuseSameFile(command: RunCommand, input: OpenFile, { workspace }: PerformContext): void {
  const { stdin = '', saveTo } = command;
  if (saveTo === undefined || !workspace.exists(saveTo)) return;
  const read = fstatSync(input.descriptor);
  const written = statSync(workspace.resolve(saveTo));
  if (read.ino !== written.ino || read.dev !== written.dev) return;
  throw new Breakdown(
    {
      class: 'error',
      message: `the command reads ${JSON.stringify(stdin)} and its output is to be saved there too: the file would be emptied first`,
      hint: 'Save the output under another name, and move it there in a step of its own.',
    },
    UNPERFORMABLE,
  );
}

function outcomeOf(
  end: ProcessEnd,
  ended: EndReason | undefined,
  { stderr, stdoutTail }: Finished,
  failure: Failure | undefined,
  { output, truncated, masked, unparsed, violations, failure: unreadable }: Understood,
): Omit<Outcome, 'duration_ms'> {
  const error = failure ?? unreadable;
  const isUnreadable = failure === undefined && unreadable !== undefined;
  const exitCode = ended === 'timeout' ? TIMED_OUT : exitCodeOf(end);
  return {
    ok: error === undefined,
    output,
    // What a command says of itself stays, also where its output could not be read.
    exit_code: isUnreadable ? UNPERFORMABLE : exitCode,
    ...(error !== undefined && { error }),
    ...(stderr !== '' && { stderr }),
    ...(error !== undefined && stdoutTail !== undefined && { stdout_tail: stdoutTail }),
    ...(truncated !== undefined && { truncated }),
    ...(masked && { masked }),
    ...(unparsed !== undefined && { unparsed }),
    ...(violations !== undefined && { violations }),
    ...(end.leftovers && { warnings: ['it ended and left processes running, which were ended too'] }),
  };
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
