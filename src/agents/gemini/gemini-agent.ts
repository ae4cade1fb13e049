// gemini-agent: the Gemini CLI (`gemini -o stream-json`), one process for each dispatch.
// Owns: what Gemini is given (argv, environment, a home of its own), what it says, what its failures mean.
// Never: judges a call (the guard does), keeps what Gemini prints elsewhere than in `keep`, writes to the user's settings.
//
// M1. The prompt goes over standard input and keys through the environment: neither is in argv.
// M2. A call that the guard was not asked about ends the dispatch: Gemini's hooks fail open, this does not.
// M3. What was asked for and cannot be had is told, as a warning or an error.
// M4. Nothing of ours is left behind but the session, which is the user's to continue.

import { Buffer } from 'node:buffer';
import { homedir } from 'node:os';
import type { JsonObject } from '../../model/json.ts';
import { OWN_SERVER } from '../../model/own-tools.ts';
import { isReservedServer } from '../../model/tool-policy.ts';
import type { Agent, AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { HookDoor } from '../../ports/hook-door.ts';
import type { Processes } from '../../ports/processes.ts';
import { abilitiesOf } from '../abilities.ts';
import { jsonLines } from '../json-lines.ts';
import { type PrivateFolder, privateFolder } from '../private-folder.ts';
import { answerWithout, type ClientEnd, runClient } from '../run-client.ts';
import { failureOf } from './failure.ts';
import { layOver, type OwnSettings, readOwnSettings } from './home.ts';
import { freeCalls, guardedCalls } from './hook.ts';
import { argumentsFor, variablesFor } from './invocation.ts';
import { type Params, readParams } from './params.ts';
import { instructionsFor, LONGEST_PROMPT, promptFor } from './prompt.ts';
import { sessionMeter } from './session-meter.ts';
import { memoryFileName, settingsFor, switchesHooksOff } from './settings.ts';
import { GeminiStream, type StreamListener } from './stream.ts';

export interface GeminiParts {
  /** The command. */
  path: string;
  processes: Processes;
  hookDoor: HookDoor;
  /** Where the user's `.gemini` is, for a request whose environment has neither GEMINI_CLI_HOME nor HOME. */
  home?: string;
}

export function geminiAgent(parts: GeminiParts): Agent {
  return {
    name: 'gemini',
    can: abilitiesOf('gemini'),
    async perform(request) {
      const folder = privateFolder();
      try {
        return await dispatch(request, parts, folder);
      } catch (error) {
        const message = `gemini could not be started: ${(error as Error).message}`;
        return { text: '', error: { class: 'error', message } };
      } finally {
        folder.remove();
      }
    },
  };
}

async function dispatch(
  request: AgentRequest,
  parts: GeminiParts,
  folder: PrivateFolder,
): Promise<AgentAnswer> {
  const stdin = promptFor(request.prompt, request.cwd);
  if (Buffer.byteLength(stdin) > LONGEST_PROMPT)
    throw new Error(`the prompt is longer than ${LONGEST_PROMPT} bytes, and it would cut off the rest`);
  const { env } = request;
  const own = readOwnSettings(env.GEMINI_CLI_HOME || env.HOME || parts.home || homedir(), request.cwd);
  const { known, warnings } = readParams(request.params);
  for (const message of warnings) request.onEvent({ kind: 'warning', message });

  const calls = callsOf(request, own);
  const door = calls.answer && (await parts.hookDoor.open(calls.answer));
  try {
    const home = homeFor(request, own, known, folder, door);
    const stream = new GeminiStream(request, calls.listener, (session) => sessionMeter(home, session));
    const lines = jsonLines({
      onValue: (value) => stream.take(value),
      onStray: (line) => request.onEvent({ kind: 'debug', message: `gemini printed: ${line}` }),
      onOverlong: () => request.onEvent({ kind: 'debug', message: 'gemini printed a line too long to read' }),
    });
    const end = await runClient(
      {
        argv: [parts.path, ...argumentsFor(request, { folder, home })],
        env: { ...env, ...variablesFor(home) },
        stdin,
        onStdout: (chunk) => lines.write(chunk),
        signal: calls.distrusted,
      },
      request,
      parts.processes,
    );
    const { brokeOff } = lines.end();
    const unasked = calls.unasked();
    if (unasked !== undefined && end.kind !== 'cancelled') return untrusted(unasked, stream, end);
    return answerOf(stream, end, brokeOff);
  } finally {
    await door?.close();
  }
}

interface Calls {
  listener: StreamListener;
  /** For the hook door, where there is a guard. */
  answer?: Parameters<HookDoor['open']>[0];
  /** Aborts when Gemini does not ask; `unasked` says about what. */
  distrusted: AbortSignal;
  unasked(): string | undefined;
}

function callsOf({ guard, onEvent, mcpServers, cwd }: AgentRequest, { user, project }: OwnSettings): Calls {
  const distrust = new AbortController();
  let unasked: string | undefined;
  const watch = {
    distrusted: distrust.signal,
    unasked: () => (distrust.signal.aborted ? unasked : undefined),
  };
  // One of the user's by that name is taken out of the settings, or ours put in its place (settings.ts).
  const users = serverNames(user).filter((name) => name !== OWN_SERVER);
  const reserved = [...users, ...serverNames(project)].find(isReservedServer);
  if (reserved !== undefined)
    throw new Error(
      `its settings have an MCP server \`${reserved}\`, which is the name of Lockstep's own: rename it`,
    );
  const servers = [user, project, { mcpServers }].flatMap(serverNames);
  if (guard === undefined) return { ...watch, listener: freeCalls({ servers, onEvent, cwd }) };
  const isDemanded = guard.isDemanded !== false;
  if (switchesHooksOff(project) && isDemanded)
    throw new Error(
      'this project switches off its hooks (`hooksConfig` in .gemini/settings.json), which hold it to the tools and rules of a step',
    );
  const listener = guardedCalls({
    guard,
    servers,
    onEvent,
    cwd,
    onUnasked(tool, denied) {
      if (unasked !== undefined) return;
      unasked = whyUnasked(tool, denied);
      if (isDemanded) distrust.abort();
      else onEvent({ kind: 'warning', message: unasked });
    },
  });
  return { ...watch, listener, answer: (payload) => listener.answer(payload) };
}

function whyUnasked(tool: string | undefined, denied = false): string {
  if (tool === undefined)
    return 'gemini does not run its hooks, and so would ask nobody whether it may use a tool';
  return denied
    ? `gemini used ${tool} although it was told not to`
    : `gemini used ${tool} without asking whether it may: its hook failed`;
}

function serverNames({ mcpServers }: JsonObject): string[] {
  return typeof mcpServers === 'object' && mcpServers !== null ? Object.keys(mcpServers) : [];
}

function homeFor(
  request: AgentRequest,
  own: OwnSettings,
  params: Params,
  folder: PrivateFolder,
  door: Parameters<typeof settingsFor>[3],
): string {
  const settings = settingsFor(own.user, request, params, door);
  const content = { settings, passing: request.passing === true };
  if (request.system === '') return layOver(folder, own.home, content);
  const memory = { name: memoryFileName(own.project, own.user), text: instructionsFor(request.system) };
  return layOver(folder, own.home, { ...content, memory });
}

function answerOf(stream: GeminiStream, end: ClientEnd, brokeOff: boolean): AgentAnswer {
  const text = stream.text();
  const facts = factsOf(stream);
  const said = stream.end !== undefined || (end.kind === 'ended' && end.exitCode !== 0 && !brokeOff);
  if (end.kind !== 'ended' || end.signal !== undefined || !said)
    return { ...answerWithout('gemini', end, text, brokeOff), ...facts };
  const { stderr, exitCode } = end;
  if (stream.end?.ok && stream.complaints.length === 0) return { text, stderr, exitCode, ...facts };
  const error = failureOf(stream.end, exitCode, stderr, stream.complaints);
  return { text, stderr, exitCode, ...facts, error };
}

function untrusted(message: string, stream: GeminiStream, end: ClientEnd): AgentAnswer {
  return {
    text: stream.text(),
    stderr: end.stderr,
    ...factsOf(stream),
    error: {
      class: 'error',
      message,
      hint: 'Hooks may be switched off in the settings of this machine (/etc/gemini-cli); the log of the step has what gemini says.',
    },
  };
}

function factsOf({ session, model, usage, usageByModel }: GeminiStream): Partial<AgentAnswer> {
  return {
    ...(session !== undefined && { session }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(usageByModel !== undefined && { usageByModel }),
  };
}
