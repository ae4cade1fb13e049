// act: what a scripted answer does before it says anything: write files, run a command, commit.

import type { ScriptedAnswer } from '../../model/script.ts';
import type { AgentRequest } from '../../ports/agent.ts';
import type { Processes } from '../../ports/processes.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { allows } from './tool-policy.ts';

interface Means {
  processes: Processes;
  workspaces: Workspaces;
}

/** The step's `tools` forbid it. */
export class NotAllowed extends Error {}

/** What it ran did not work. */
export class ScriptedFailure extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export async function act(answer: ScriptedAnswer, request: AgentRequest, means: Means): Promise<void> {
  if (answer.write !== undefined) writeFiles(answer.write, request, means.workspaces);
  if (answer.run !== undefined) await runLine(answer.run, request, means.processes);
  if (answer.commit !== undefined) await commit(answer.commit, request, means.processes);
}

function writeFiles(files: Record<string, string>, request: AgentRequest, workspaces: Workspaces): void {
  const paths = Object.keys(files);
  const forbidden = paths.filter((path) => !allows(request.tools, 'Write', path));
  if (forbidden.length > 0) throw new NotAllowed(`not allowed to Write ${forbidden.join(', ')}`);
  const workspace = workspaces.open(request.cwd);
  for (const path of paths) {
    request.onEvent({ kind: 'tool', tool: 'Write', summary: path });
    workspace.write(path, files[path] as string);
  }
}

async function runLine(
  command: string[] | string,
  request: AgentRequest,
  processes: Processes,
): Promise<void> {
  const line = typeof command === 'string' ? command : command.join(' ');
  const argv = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  mayRun(line, request);
  const end = await run(argv, request, processes);
  if (end !== 0)
    throw new ScriptedFailure(`the scripted command \`${line}\` ended with exit code ${end}`, end);
}

/** Nothing to commit is no failure: after a crash the first half of an answer may have happened already. */
async function commit(message: string, request: AgentRequest, processes: Processes): Promise<void> {
  mayRun('git commit', request);
  await git(['add', '-A'], request, processes);
  if ((await run(['git', 'diff', '--cached', '--quiet'], request, processes)) === 0) return;
  const known = await run(['git', 'config', 'user.email'], request, processes);
  const author =
    known === 0 ? [] : ['-c', 'user.name=Scripted agent', '-c', 'user.email=script@lockstep.invalid'];
  await git([...author, '-c', 'commit.gpgsign=false', 'commit', '-q', '-m', message], request, processes);
}

async function git(words: string[], request: AgentRequest, processes: Processes): Promise<void> {
  const end = await run(['git', ...words], request, processes);
  if (end !== 0) throw new ScriptedFailure(`\`git ${words.join(' ')}\` ended with exit code ${end}`, end);
}

function mayRun(line: string, request: AgentRequest): void {
  if (!allows(request.tools, 'Bash', line)) throw new NotAllowed(`not allowed to Bash ${line}`);
  request.onEvent({ kind: 'tool', tool: 'Bash', summary: line });
}

/** What it prints goes to the log of stderr: stdout is the agent's answer. */
async function run(argv: string[], request: AgentRequest, processes: Processes): Promise<number> {
  request.signal.throwIfAborted();
  const heard = (chunk: Uint8Array) => request.onEvent({ kind: 'output', stream: 'stderr', chunk });
  const child = processes.spawn({
    argv,
    cwd: request.cwd,
    env: request.env,
    onStdout: heard,
    onStderr: heard,
  });
  const stop = () => child.stop();
  request.signal.addEventListener('abort', stop, { once: true });
  try {
    const end = await child.end;
    request.signal.throwIfAborted();
    if (end.error !== undefined) throw new ScriptedFailure(end.error.message, 127);
    return end.exitCode ?? 1;
  } finally {
    request.signal.removeEventListener('abort', stop);
  }
}
