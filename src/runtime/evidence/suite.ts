// suite: the tests of a project, run once in a room, and what came of each.

import { passedByNumbers, readResults } from '../../evidence/read-results.ts';
import type { ResolvedCommand } from '../../model/command.ts';
import type { TestResult } from '../../model/evidence.ts';
import type { Processes } from '../../ports/processes.ts';
import type { Room } from '../../ports/rooms.ts';

export interface SuiteRun {
  exitCode: number;
  results: TestResult[];
  /** How many passed, where only a summary says so. */
  numbers?: number;
  /** The last that it said. */
  said: string;
}

export interface SuiteMeans {
  command: ResolvedCommand;
  environment: Record<string, string>;
  processes: Processes;
  reporters: string;
  signal: AbortSignal;
  heard(stream: 'stdout' | 'stderr', chunk: Uint8Array): void;
}

/** Nobody asks for a listing of this size, and a runner that prints it is cut. */
const MOST_OUTPUT = 32 * 1024 * 1024;
const SAID = 4000;

/**
 * `asked`: runners are asked for the result of each test. Where that is what fails, it is run once more, plainly: honest
 * commands may not bear it. `plainly`: which of the two it was.
 */
export async function runSuite(
  room: Room,
  means: SuiteMeans,
  plainly: boolean,
): Promise<SuiteRun & { plainly: boolean }> {
  if (!plainly) {
    const run = await once(room, means, injected(room, means));
    const { exitCode, results } = run;
    if (exitCode === 0 || results.some(({ status }) => status === 'fail')) return { ...run, plainly: false };
    const again = await once(room, means, {});
    if (again.exitCode !== 0) return { ...run, plainly: false };
    return { ...again, plainly: true };
  }
  return { ...(await once(room, means, {})), plainly: true };
}

async function once(room: Room, means: SuiteMeans, more: Record<string, string>): Promise<SuiteRun> {
  room.takeResults();
  const { exitCode, output } = await runIn(room.root, argvOf(means.command), {
    ...means,
    environment: { ...means.environment, ...more },
  });
  const results = readResults(room.takeResults(), output, room.root);
  const numbers = results.length > 0 ? undefined : passedByNumbers(output);
  return {
    exitCode,
    results,
    ...(numbers !== undefined && { numbers }),
    said: output.slice(-SAID).trim(),
  };
}

export async function runIn(
  root: string,
  argv: string[],
  { environment, processes, signal, heard }: Omit<SuiteMeans, 'command' | 'reporters'>,
): Promise<{ exitCode: number; output: string }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const hear = (stream: 'stdout' | 'stderr') => (chunk: Uint8Array) => {
    heard(stream, chunk);
    size += chunk.length;
    if (size <= MOST_OUTPUT) chunks.push(Uint8Array.from(chunk));
  };
  signal.throwIfAborted();
  const child = processes.spawn({
    ...{ argv, cwd: root, env: environment },
    ...{ onStdout: hear('stdout'), onStderr: hear('stderr') },
  });
  const stop = () => child.stop();
  signal.addEventListener('abort', stop);
  const end = await child.end.finally(() => signal.removeEventListener('abort', stop));
  signal.throwIfAborted();
  const output = Buffer.concat(chunks).toString('utf8');
  return {
    exitCode: end.exitCode ?? (end.error?.code === 'ENOENT' ? 127 : 1),
    output: end.error ? end.error.message : output,
  };
}

function argvOf(command: ResolvedCommand): string[] {
  return command.kind === 'shell' ? ['/bin/sh', '-c', command.line] : command.argv;
}

/** What makes runners tell of each test, without a change of the project. */
function injected(room: Room, { environment, reporters }: SuiteMeans): Record<string, string> {
  const joined = (name: string, value: string, between = ' ') =>
    environment[name] ? `${environment[name]}${between}${value}` : value;
  const path = (name: string) => JSON.stringify(`${reporters}/${name}`);
  const forNode = [
    `--require=${path('inject.cjs')}`,
    ...(process.allowedNodeEnvironmentFlags.has('--test-reporter')
      ? [
          ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
          ...[`--test-reporter=${path('node-tests.mjs')}`, '--test-reporter-destination=stderr'],
        ]
      : []),
  ].join(' ');
  return {
    LOCKSTEP_RESULTS: room.results,
    NODE_OPTIONS: joined('NODE_OPTIONS', forNode),
    PYTHONPATH: joined('PYTHONPATH', reporters, ':'),
    PYTEST_ADDOPTS: joined('PYTEST_ADDOPTS', '-p lockstep_pytest -p no:cacheprovider'),
    ...(room.read('go.mod') !== undefined && { GOFLAGS: joined('GOFLAGS', '-json') }),
  };
}
