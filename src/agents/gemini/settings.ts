// settings: the user's settings with what a request adds. Pure: text in, an object out.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { OWN_SERVER } from '../../model/own-tools.ts';
import type { AgentRequest } from '../../ports/agent.ts';
import type { OpenDoor } from '../../ports/hook-door.ts';
import { type Params, settingsOfParams } from './params.ts';

const HOOK_NAME = 'lockstep-guard';
/** What a client's own time-out has to spare, so that ours comes first: Gemini lets a call through that its hook is late for. */
const SPARE_MS = 60_000;
/** In CI Gemini keeps variables from its commands and hooks unless they are named. */
const OURS = ['LOCKSTEP_RUN', 'LOCKSTEP_STEP', 'LOCKSTEP_AGENT', 'LOCKSTEP_CHILD'];

/** JSON with comments, as Gemini reads it. Throws where it is none. */
export function parseSettings(text: string): JsonObject {
  const bare = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '');
  if (bare.trim() === '') return {};
  const value = JSON.parse(bare) as Json;
  if (!isObject(value)) throw new SyntaxError('it is no JSON object');
  return value;
}

export function settingsFor(
  user: JsonObject,
  request: Pick<AgentRequest, 'mcpServers' | 'maxTurns'>,
  params: Params,
  door: Pick<OpenDoor, 'command' | 'patienceMs'> | undefined,
): JsonObject {
  const settings = merge(withoutOwnServer(user), {
    // Else `@word` in a prompt puts in the first file that has the word in its name.
    context: { fileFiltering: { enableRecursiveFileSearch: false } },
    security: { environmentVariableRedaction: { allowed: OURS } },
    ...(request.maxTurns !== undefined && { model: { maxSessionTurns: request.maxTurns } }),
  });
  const servers = mcpServersFor(request.mcpServers);
  const names = Object.keys(servers);
  const withServers = names.length === 0 ? settings : merge(settings, { mcpServers: servers });
  const { mcp } = withServers;
  if (isObject(mcp) && Array.isArray(mcp.allowed) && names.length > 0)
    withServers.mcp = { ...mcp, allowed: [...mcp.allowed, ...names] };
  const complete = merge(withServers, settingsOfParams(params));
  return door === undefined ? complete : withHooks(complete, door);
}

/** A server that its user has by the name of ours is not for agents of a run. */
function withoutOwnServer(user: JsonObject): JsonObject {
  if (!isObject(user.mcpServers) || !Object.hasOwn(user.mcpServers, OWN_SERVER)) return user;
  const { [OWN_SERVER]: _, ...mcpServers } = user.mcpServers;
  return { ...user, mcpServers };
}

/** Hooks of a user who has switched hooks off stay off. */
function withHooks(settings: JsonObject, door: Pick<OpenDoor, 'command' | 'patienceMs'>): JsonObject {
  const config = isObject(settings.hooksConfig) ? settings.hooksConfig : {};
  const own = config.enabled === false || !isObject(settings.hooks) ? {} : settings.hooks;
  const disabled = Array.isArray(config.disabled) ? config.disabled.filter((name) => name !== HOOK_NAME) : [];
  const hook = {
    matcher: '*',
    hooks: [{ type: 'command', name: HOOK_NAME, command: door.command, timeout: door.patienceMs + SPARE_MS }],
  };
  const before = Array.isArray(own.BeforeTool) ? own.BeforeTool : [];
  const start = Array.isArray(own.SessionStart) ? own.SessionStart : [];
  return {
    ...settings,
    hooksConfig: { ...config, enabled: true, disabled },
    hooks: { ...own, BeforeTool: [...before, hook], SessionStart: [...start, hook] },
  };
}

/** From the form that `mcp_servers` of a workflow has to Gemini's. */
export function mcpServersFor(servers: JsonObject): JsonObject {
  const translated = Object.entries(servers).map(([name, server]): [string, Json] => {
    // Without this a mode that asks before commands would also ask before these tools, and no person is there to answer. The guard
    // judges each call.
    if (name === OWN_SERVER && isObject(server)) return [name, { ...server, trust: true }];
    if (!isObject(server) || typeof server.url !== 'string') return [name, server];
    const { type, url, ...rest } = server;
    return [name, type === 'sse' ? { ...rest, url } : { ...rest, httpUrl: url }];
  });
  return Object.fromEntries(translated);
}

/** The name of the file with standing instructions: what the project says goes before what the user says. */
export function memoryFileName(project: JsonObject, user: JsonObject): string {
  for (const { context } of [project, user]) {
    const said = isObject(context) ? context.fileName : undefined;
    const name = Array.isArray(said) ? said[0] : said;
    if (typeof name === 'string' && name !== '' && !name.includes('/')) return name;
  }
  return 'GEMINI.md';
}

/** Whether a project has switched off the hooks that the guard needs. */
export function switchesHooksOff({ hooksConfig }: JsonObject): boolean {
  if (!isObject(hooksConfig)) return false;
  const { enabled, disabled } = hooksConfig;
  return enabled === false || (Array.isArray(disabled) && disabled.includes(HOOK_NAME));
}

/** Maps into each other, lists united, else the latter. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const merged: JsonObject = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = merged[name];
    if (isObject(before) && isObject(value))
      merged[name] = name === 'mcpServers' ? { ...before, ...value } : merge(before, value);
    else if (Array.isArray(before) && Array.isArray(value)) merged[name] = [...before, ...value];
    else merged[name] = value;
  }
  return merged;
}
