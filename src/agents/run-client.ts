// run-client: one client process, from its start to its end: its streams into the log, its stderr within bounds, and
// everything it started gone when the request is told to end.

import { constants } from 'node:os';
import type { AgentAnswer, AgentRequest } from '../ports/agent.ts';
import type { ProcessEnd, Processes } from '../ports/processes.ts';

export interface ClientInvocation {
  argv: string[];
  /** The whole environment; that of the request unless given. */
  env?: Record<string, string>;
  stdin?: string;
  /** Beside the log, which gets everything. */
  onStdout(chunk: Uint8Array): void;
  /** To end it before it ends by itself, e.g. once it has answered or cannot be trusted. */
  signal?: AbortSignal;
}

export type ClientEnd =
  /** The request was told to end. */
  | { kind: 'cancelled'; stderr: string }
  /** It could not be started, or broke our own handling of it. */
  | { kind: 'failed'; message: string; stderr: string; exitCode?: number }
  /** `exitCode` as a shell would have it; `signal` where one ended it. */
  | { kind: 'ended'; exitCode: number; signal?: string; stderr: string };

export async function runClient(
  { argv, env, stdin, onStdout, signal }: ClientInvocation,
  request: AgentRequest,
  processes: Processes,
): Promise<ClientEnd> {
  if (request.signal.aborted) return { kind: 'cancelled', stderr: '' };
  request.onEvent({ kind: 'started', argv });
  const errors = request.keep('stderr');
  const child = processes.spawn({
    argv,
    cwd: request.cwd,
    env: env ?? request.env,
    ...(stdin !== undefined && { stdin }),
    onStdout(chunk) {
      request.onEvent({ kind: 'output', stream: 'stdout', chunk });
      onStdout(chunk);
    },
    onStderr(chunk) {
      errors.write(chunk);
      request.onEvent({ kind: 'output', stream: 'stderr', chunk });
    },
  });
  const stop = () => child.stop();
  const signals = signal === undefined ? [request.signal] : [request.signal, signal];
  for (const each of signals) each.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  try {
    const end = await child.end;
    const stderr = errors.text();
    return request.signal.aborted ? { kind: 'cancelled', stderr } : endOf(end, stderr);
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message, stderr: errors.text() };
  } finally {
    for (const each of signals) each.removeEventListener('abort', stop);
  }
}

export function endOf(end: ProcessEnd, stderr: string): ClientEnd {
  if (end.error !== undefined) {
    const exitCode = end.error.code === 'ENOENT' ? 127 : 126;
    return { kind: 'failed', message: end.error.message, stderr, exitCode };
  }
  if (end.exitCode !== null) return { kind: 'ended', exitCode: end.exitCode, stderr };
  const number = constants.signals[end.signal as keyof typeof constants.signals] ?? 0;
  return { kind: 'ended', exitCode: 128 + number, signal: end.signal ?? 'a signal', stderr };
}

/** A client that ended without an answer in its own protocol. `brokeOff`: in the middle of a message. */
export function answerWithout(name: string, end: ClientEnd, text: string, brokeOff: boolean): AgentAnswer {
  if (end.kind === 'cancelled')
    return { text, stderr: end.stderr, error: { class: 'cancelled', message: 'it was told to end' } };
  const { stderr, exitCode } = end;
  const facts = { text, stderr, ...(exitCode !== undefined && { exitCode }) };
  if (end.kind === 'failed') return { ...facts, error: { class: 'error', message: end.message } };
  if (brokeOff && end.signal === undefined)
    return {
      ...facts,
      error: { class: 'error', message: `${name} broke off in the middle of a message` },
    };
  if (end.exitCode === 0)
    return { ...facts, error: { class: 'error', message: `${name} ended without an answer` } };
  const how =
    end.signal === undefined ? `ended with exit code ${end.exitCode}` : `was ended by ${end.signal}`;
  const said = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, 300);
  return {
    ...facts,
    error: { class: 'exit', message: said ? `${name} ${how}: ${said}` : `${name} ${how}` },
  };
}
