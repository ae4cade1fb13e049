// codex-agent: the Codex CLI (`codex exec --json`), one process for each dispatch.
// Owns: what codex is given, what it says, what its failures mean. Never: judges a call (the guard does), changes
// anything of the user's own configuration, sets a key.
//
// X1. The prompt goes over standard input; secrets through the environment. Neither is in argv.
// X2. Whatever hooks do, the sandbox holds: read-only for a step that has no tool to write with.
// X3, X4. hook.ts
// X6. A server of the user's that is called `lockstep` (`codex mcp add lockstep -- lockstep mcp`) is not for agents of a run: it is
//     switched off for the dispatch, or ours is laid over it. One that a project brings by that name is refused.
// X5. A call that ran and that the guard was not asked about ends the dispatch as failed.

import { OWN_SERVER } from '../../model/own-tools.ts';
import { isReservedServer } from '../../model/tool-policy.ts';
import type { Agent, AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { HookDoor } from '../../ports/hook-door.ts';
import type { Processes } from '../../ports/processes.ts';
import { readJson } from '../../text/read-json.ts';
import { abilitiesOf } from '../abilities.ts';
import { jsonLines } from '../json-lines.ts';
import { type PrivateFolder, privateFolder } from '../private-folder.ts';
import { answerWithout, type ClientEnd, runClient } from '../run-client.ts';
import { configuredServers } from './configured-servers.ts';
import { failureOf } from './failure.ts';
import { type HookJudge, hookJudge } from './hook.ts';
import { invocationFor } from './invocation.ts';
import { KNOWN_MODES, type Sandbox, sandboxFor } from './sandbox.ts';
import { CodexStream, type StreamListener } from './stream.ts';

export interface CodexParts {
  /** The command. */
  path: string;
  processes: Processes;
  hookDoor: HookDoor;
}

export function codexAgent(parts: CodexParts): Agent {
  return {
    name: 'codex',
    can: abilitiesOf('codex'),
    async perform(request) {
      const { permissionMode, tools, signal } = request;
      if (signal.aborted) return { text: '', error: { class: 'cancelled', message: 'it was told to end' } };
      const sandbox = sandboxFor(permissionMode, tools);
      if (sandbox === undefined) return broken(unknownMode(permissionMode));
      const { user, project } = configuredServers(request.cwd, request.env);
      // X6.
      const reserved = [...user.filter((name) => name !== OWN_SERVER), ...project].find(isReservedServer);
      if (reserved !== undefined)
        return broken(
          `codex has an MCP server \`${reserved}\` in its config.toml, which is the name of Lockstep's own: rename it`,
        );
      const folder = privateFolder();
      try {
        const hidesOwn = user.includes(OWN_SERVER) && !Object.hasOwn(request.mcpServers, OWN_SERVER);
        return await dispatch(request, parts, folder, { sandbox, hidesOwn });
      } catch (error) {
        return broken(`codex could not be started: ${(error as Error).message}`);
      } finally {
        folder.remove();
      }
    },
  };
}

async function dispatch(
  request: AgentRequest,
  { path, processes, hookDoor }: CodexParts,
  folder: PrivateFolder,
  held: { sandbox: Sandbox; hidesOwn: boolean },
): Promise<AgentAnswer> {
  const { guard, tools } = request;
  const known = { tools, servers: Object.keys(request.mcpServers) };
  const distrust = new AbortController();
  let unasked: string | undefined;
  const onUnasked = (message: string) => {
    if (unasked !== undefined) return;
    unasked = message;
    if (guard?.isDemanded !== false) distrust.abort();
    else request.onEvent({ kind: 'warning', message });
  };
  const judging = guard && hookJudge({ guard, known, cwd: request.cwd, onRefused: () => stream.refused() });
  const stream: CodexStream = new CodexStream(request, listenerFor(request, judging, onUnasked));
  const door = judging && (await hookDoor.open((payload) => judging.answer(payload)));
  try {
    const { words, env, stdin, warnings } = invocationFor(request, { ...held, door, folder });
    for (const message of warnings) request.onEvent({ kind: 'warning', message });
    const lines = jsonLines({
      onValue: (value) => stream.take(value),
      onStray: (line) => request.onEvent({ kind: 'debug', message: `codex printed: ${line}` }),
      onOverlong: () =>
        request.onEvent({ kind: 'debug', message: 'codex printed a line too long to be read' }),
    });
    const end = await runClient(
      {
        argv: [path, ...words],
        env,
        stdin,
        onStdout: (chunk) => lines.write(chunk),
        signal: distrust.signal,
      },
      request,
      processes,
    );
    const { brokeOff } = lines.end();
    const outcome = { stream, end, brokeOff, unasked: distrust.signal.aborted ? unasked : undefined };
    return { ...answerOf(request, outcome), ...factsOf(request, stream) };
  } finally {
    await door?.close();
  }
}

function listenerFor(
  { guard }: AgentRequest,
  judging: HookJudge | undefined,
  onUnasked: (message: string) => void,
): StreamListener {
  let ran = 0;
  return {
    onCall(event) {
      ran += 1;
      if (judging === undefined) return false;
      if (ran <= judging.letThrough()) return true;
      const denied = judging.whyDenied(event);
      onUnasked(
        denied === undefined
          ? UNASKED
          : `codex ran ${event.tool} (${event.command ?? event.file ?? ''}) although it was told not to: ${denied}`,
      );
      return false;
    },
    onFailedCall: (event, error) => guard?.ended(event, error),
  };
}

interface Ending {
  stream: CodexStream;
  end: ClientEnd;
  brokeOff: boolean;
  unasked: string | undefined;
}

function answerOf(request: AgentRequest, { stream, end, brokeOff, unasked }: Ending): AgentAnswer {
  const kept = request.keep('answer');
  kept.write(stream.message);
  const text = kept.text();
  if (end.kind === 'cancelled') return answerWithout('codex', end, text, brokeOff);
  if (unasked !== undefined)
    return { text, stderr: end.stderr, error: { class: 'error', message: unasked, hint: UNASKED_HINT } };
  const said = stream.failure ?? (stream.isComplete ? undefined : stream.complaint);
  if (end.kind === 'ended' && end.signal === undefined) {
    const facts = { text, stderr: end.stderr, exitCode: end.exitCode };
    if (said !== undefined) return { ...facts, error: failureOf(said) };
    if (stream.isComplete && end.exitCode === 0) return { ...facts, ...structured(request, text) };
  }
  return answerWithout('codex', end, text, brokeOff);
}

function factsOf(request: AgentRequest, stream: CodexStream): Partial<AgentAnswer> {
  const usage = stream.usage();
  const { session, totals } = stream;
  if (request.session !== undefined && session !== undefined && session !== request.session)
    request.onEvent({
      kind: 'warning',
      message: `codex began a new session: it knows none that is called ${request.session}`,
    });
  return {
    ...(session !== undefined && { session }),
    ...(usage !== undefined && { usage }),
    ...(totals !== undefined && { sessionTotals: totals }),
  };
}

/** What is no JSON, or none that can be kept as it is, is left to the runtime, which says what is wrong with it. */
function structured({ schema }: AgentRequest, text: string): { structured?: unknown } {
  if (schema === undefined) return {};
  const read = readJson(text);
  return 'value' in read ? { structured: read.value } : {};
}

const UNASKED =
  'codex ran a tool without asking whether it may: its hooks do not work here, and the step cannot be held to its tools and rules';
const UNASKED_HINT =
  'Its administrator may have switched hooks off, or this version of codex does not know our hook: `params: { hook_trust: all }` makes it run every hook it finds. Look at what changed.';

function unknownMode(mode: string | undefined): string {
  return `codex knows no permission mode \`${mode}\`: it may be ${KNOWN_MODES.join(', ')}`;
}

function broken(message: string): AgentAnswer {
  return { text: '', error: { class: 'error', message } };
}
