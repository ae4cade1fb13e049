// act: what a scripted answer does before it says anything: read and write files, run a command, commit. Each is asked
// about first, as the tool call of a client would be, and done as it was rewritten where it was.

import type { ScriptedAnswer } from '../../model/script.ts';
import type { AgentRequest, ToolAct } from '../../ports/agent.ts';
import type { Processes } from '../../ports/processes.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { shellWord } from '../../text/shell/quote.ts';

interface Means {
  processes: Processes;
  workspaces: Workspaces;
}

/** The step's `tools` or `rules` forbid it. */
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
  if (answer.read !== undefined) await readFiles(answer.read, request, means.workspaces);
  if (answer.write !== undefined) await writeFiles(answer.write, request, means.workspaces);
  if (answer.run !== undefined) await runLine(answer.run, request, means.processes);
  if (answer.commit !== undefined) await commit(answer.commit, request, means.processes);
}

async function readFiles(paths: string[], request: AgentRequest, workspaces: Workspaces): Promise<void> {
  const workspace = workspaces.open(request.cwd);
  for (const path of paths) {
    const event: ToolAct = { tool: 'Read', input: { file_path: path }, file: path };
    const asked = await ask(event, request);
    if ('denied' in asked) throw new NotAllowed(`not allowed to Read ${path}: ${asked.denied}`);
    const file = String(asked.input.file_path);
    request.onEvent({ kind: 'tool', tool: 'Read', summary: file });
    await doing(event, request, () => workspace.read(file));
  }
}

/** All are asked about before the first is written. */
async function writeFiles(
  files: Record<string, string>,
  request: AgentRequest,
  workspaces: Workspaces,
): Promise<void> {
  const allowed: { event: ToolAct; path: string; content: string }[] = [];
  const denied: { path: string; reason: string }[] = [];
  for (const [path, content] of Object.entries(files)) {
    const event: ToolAct = { tool: 'Write', input: { file_path: path, content }, file: path };
    const asked = await ask(event, request);
    if ('denied' in asked) denied.push({ path, reason: asked.denied });
    else allowed.push({ event, path: String(asked.input.file_path), content: String(asked.input.content) });
  }
  const [first] = denied;
  if (first !== undefined) {
    throw new NotAllowed(
      `not allowed to Write ${denied.map(({ path }) => path).join(', ')}: ${first.reason}`,
    );
  }
  const workspace = workspaces.open(request.cwd);
  for (const { event, path, content } of allowed) {
    request.onEvent({ kind: 'tool', tool: 'Write', summary: path });
    await doing(event, request, () => workspace.write(path, content));
  }
}

type Asked = { input: ToolAct['input'] } | { denied: string };

async function ask(event: ToolAct, { guard }: AgentRequest): Promise<Asked> {
  const verdict = await guard?.decide([event]);
  if (verdict?.kind === 'deny') return { denied: verdict.reason };
  return { input: verdict?.kind === 'rewrite' ? verdict.input : event.input };
}

async function doing<T>(event: ToolAct, { guard }: AgentRequest, work: () => T | Promise<T>): Promise<T> {
  try {
    const done = await work();
    guard?.ended(event);
    return done;
  } catch (error) {
    guard?.ended(event, (error as Error).message);
    throw error;
  }
}

async function runLine(
  command: string[] | string,
  request: AgentRequest,
  processes: Processes,
): Promise<void> {
  const line = typeof command === 'string' ? command : command.map(shellWord).join(' ');
  const { event, command: allowed } = await mayRun(line, request);
  const argv = typeof command === 'string' || allowed !== line ? ['/bin/sh', '-c', allowed] : command;
  await doing(event, request, async () => {
    const end = await run(argv, request, processes);
    if (end !== 0)
      throw new ScriptedFailure(`the scripted command \`${allowed}\` ended with exit code ${end}`, end);
  });
}

/** Nothing to commit is no failure: after a crash the first half of an answer may have happened already. */
async function commit(message: string, request: AgentRequest, processes: Processes): Promise<void> {
  await mayRun(`git commit -m ${shellWord(message)}`, request, 'git commit');
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

async function mayRun(
  line: string,
  request: AgentRequest,
  shown?: string,
): Promise<{ event: ToolAct; command: string }> {
  const event: ToolAct = { tool: 'Bash', input: { command: line }, command: line };
  const asked = await ask(event, request);
  if ('denied' in asked) throw new NotAllowed(`not allowed to Bash ${shown ?? line}: ${asked.denied}`);
  const command = String(asked.input.command);
  request.onEvent({ kind: 'tool', tool: 'Bash', summary: shown ?? command });
  return { event, command };
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
