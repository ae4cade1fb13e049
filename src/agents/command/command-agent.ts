// command-agent: any command that takes a prompt and prints an answer, by a template of the workflow's own.
// Owns: filling in the template, the streams, the exit code. Never: knows what the command is.
//
// K1. What the template has no place for is declared missing in `can`, so the runtime says so.
// K2. Its output is its answer, whole in the log, bounded in the answer.
// K3. A parameter of the step that the template has no place for changes nothing, and somebody who looks is told.

import { constants } from 'node:os';
import type { JsonObject } from '../../model/json.ts';
import type { CommandProvider } from '../../model/workflow.ts';
import type { Ability, Agent, AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { ProcessEnd, Processes } from '../../ports/processes.ts';
import { fillIn, placeholdersOf } from './placeholders.ts';

export interface CommandAgentParts {
  name: string;
  provider: CommandProvider;
  processes: Processes;
}

/** Which place in the template makes up for which ability. */
const PLACES: Record<string, Ability> = {
  model: 'model',
  system: 'system-prompt',
  permission_mode: 'permission-mode',
  max_turns: 'max-turns',
  mcp_servers: 'mcp',
  setting_sources: 'setting-sources',
};

export function commandAgent({ name, provider, processes }: CommandAgentParts): Agent {
  const can = new Set<Ability>(['streaming']);
  const places = placeholdersOf(provider.command);
  for (const place of places) {
    const ability = PLACES[place];
    if (ability !== undefined) can.add(ability);
  }
  return {
    name,
    can,
    answersOnStdout: true,
    async perform(request) {
      for (const key of Object.keys(request.params)) {
        if (!places.has(key)) request.onEvent({ kind: 'debug', message: unused(key, name) });
      }
      const filled = fillIn(provider.command, valuesFor(provider, request));
      if ('missing' in filled) return cannotFill(name, provider, filled.missing);
      if (request.signal.aborted) return cancelled('');
      request.onEvent({ kind: 'started', argv: filled.argv });
      return run(filled.argv, provider.input === 'stdin' ? request.prompt : undefined, request, processes);
    },
  };
}

function unused(key: string, name: string): string {
  return `provider_params key ${JSON.stringify(key)} is not used by the command of provider ${JSON.stringify(name)}`;
}

function valuesFor(provider: CommandProvider, request: AgentRequest): JsonObject {
  const values: JsonObject = { ...provider.defaults, ...request.params };
  if (Object.keys(request.mcpServers).length > 0) values.mcp_servers = request.mcpServers;
  if (request.settingSources !== undefined) values.setting_sources = request.settingSources;
  if (request.permissionMode !== undefined) values.permission_mode = request.permissionMode;
  if (request.maxTurns !== undefined) values.max_turns = request.maxTurns;
  if (request.model !== undefined) values.model = request.model;
  values.system = request.system;
  if (provider.input === 'argv') values.prompt = request.prompt;
  else delete values.prompt;
  return values;
}

function cannotFill(name: string, provider: CommandProvider, missing: string[]): AgentAnswer {
  const places = missing.map((place) => `{{ ${place} }}`).join(', ');
  const misplaced = provider.input !== 'argv' && missing.includes('prompt');
  return {
    text: '',
    exitCode: 2,
    error: {
      class: 'error',
      message: `the command of provider \`${name}\` has nothing to put in for ${places}`,
      hint: misplaced
        ? `With \`input: ${provider.input}\` the prompt goes ${provider.input === 'stdin' ? 'to standard input' : 'nowhere'}: take {{ prompt }} out of the command, or say \`input: argv\`.`
        : 'Give a value in the step’s `params`, or in `defaults` of the provider.',
      details: { missing_placeholders: missing },
    },
  };
}

async function run(
  argv: string[],
  stdin: string | undefined,
  request: AgentRequest,
  processes: Processes,
): Promise<AgentAnswer> {
  const answer = request.keep('answer');
  const errors = request.keep('stderr');
  const decoder = new TextDecoder();
  const child = processes.spawn({
    argv,
    cwd: request.cwd,
    env: request.env,
    ...(stdin !== undefined && { stdin }),
    onStdout(chunk) {
      answer.write(chunk);
      request.onEvent({ kind: 'output', stream: 'stdout', chunk });
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') request.onEvent({ kind: 'text', text });
    },
    onStderr(chunk) {
      errors.write(chunk);
      request.onEvent({ kind: 'output', stream: 'stderr', chunk });
    },
  });
  const stop = () => child.stop();
  request.signal.addEventListener('abort', stop, { once: true });
  let end: ProcessEnd;
  try {
    end = await child.end;
  } catch (error) {
    return { text: answer.text(), error: { class: 'error', message: (error as Error).message } };
  } finally {
    request.signal.removeEventListener('abort', stop);
  }
  return answerOf(end, answer.text().replace(/\r?\n$/, ''), errors.text(), request);
}

function answerOf(end: ProcessEnd, text: string, stderr: string, request: AgentRequest): AgentAnswer {
  if (request.signal.aborted) return { ...cancelled(text), stderr };
  if (end.error !== undefined) {
    const exitCode = end.error.code === 'ENOENT' ? 127 : 126;
    return { text, stderr, exitCode, error: { class: 'error', message: end.error.message } };
  }
  if (end.exitCode === 0) return { text, stderr, exitCode: 0 };
  const how = end.exitCode === null ? `was ended by ${end.signal}` : `ended with exit code ${end.exitCode}`;
  const said = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, 200);
  return {
    text,
    stderr,
    exitCode: end.exitCode ?? 128 + (constants.signals[end.signal as keyof typeof constants.signals] ?? 0),
    error: { class: 'exit', message: said ? `the agent ${how}: ${said}` : `the agent ${how}` },
  };
}

function cancelled(text: string): AgentAnswer {
  return { text, error: { class: 'cancelled', message: 'it was told to end' } };
}
