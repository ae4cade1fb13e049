// agent-request: from what the step asks for to what the chosen agent is asked. What it cannot do is said, never
// dropped: a system prompt and a schema go into the prompt instead, the rest becomes a warning.

import type { RunAgent } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { OWN_SERVER, type OwnTools, ownToolsOf } from '../../model/own-tools.ts';
import { placeName } from '../../model/place-name.ts';
import { isReservedServer } from '../../model/tool-policy.ts';
import type { Rule } from '../../model/workflow.ts';
import type { Ability, Agent, AgentRequest } from '../../ports/agent.ts';
import { promptText } from '../prompt-text.ts';
import type { PerformContext } from './context.ts';
import { environmentFor } from './environment.ts';
import type { FileMeter } from './file-meter.ts';
import { injectionOf } from './injection.ts';
import { Breakdown, listed, UNPERFORMABLE } from './outcome.ts';
import { findReads } from './reads.ts';
import { readNamed } from './workspace-file.ts';

export type RequestData = Omit<AgentRequest, 'guard' | 'signal' | 'onEvent' | 'keep'>;

export interface PreparedRequest {
  request: RequestData;
  warnings: string[];
  /** Names of the MCP servers that are looked at before it is handed over. */
  servers: string[];
  /** What it has of our own server, and its lists with the names that calls of these tools come by. */
  own: OwnTools;
  /** Of the files that were put into the prompt, where they did not fit. */
  injection?: Outcome['injection'];
}

export function requestFor(
  command: RunAgent,
  agent: Agent,
  context: PerformContext,
  meter: FileMeter,
): PreparedRequest {
  const known = knownParams(command.params);
  const own = ownToolsFor(command, known, context);
  const warnings = missingAbilities(command, known, agent, context.rulesAt(command)?.rules ?? []);
  const session = agent.can.has('session') ? command.session : undefined;
  const { reads } = command;
  const injected = reads && injectionOf(reads, findReads(command, context, meter), context.workspace, meter);
  if (injected?.warning !== undefined) warnings.push(injected.warning);
  const takesSchema = agent.can.has('schema');
  const takesSystem = agent.can.has('system-prompt');

  const request: RequestData = {
    path: placeName(command.path, command.part),
    step: stepName(command),
    system: takesSystem ? command.system : '',
    prompt: promptText({
      ...(!takesSystem && { system: command.system }),
      task: taskText(command, context, meter),
      ...(injected && { injected }),
      feedback: command.feedback,
      ...(command.notes && { notes: command.notes }),
      ...(command.told && { told: command.told }),
      ...(command.answered && { answered: true }),
      continuing: session !== undefined,
      ...(!takesSchema && command.schema !== undefined && { schema: command.schema.schema }),
    }),
    tools: own.policy,
    params: known.rest,
    mcpServers: known.mcpServers,
    cwd: context.workspace.root,
    env: environmentFor(command, context, 'agent'),
    secrets: command.secrets,
    dispatch: command.dispatch,
    ...(command.model !== undefined && { model: command.model }),
    ...(known.settingSources !== undefined && { settingSources: known.settingSources }),
    ...(known.permissionMode !== undefined && { permissionMode: known.permissionMode }),
    ...(known.maxTurns !== undefined && { maxTurns: known.maxTurns }),
    ...(command.budget !== undefined && { budget: command.budget }),
    ...(takesSchema && command.schema !== undefined && { schema: command.schema.schema }),
    ...(session !== undefined && { session }),
    ...(command.passing && { passing: true as const }),
    ...(session !== undefined && command.sessionTotals && { sessionTotals: command.sessionTotals }),
  };
  const servers = agent.can.has('mcp') ? known.checked : [];
  return { request, warnings, servers, own, ...(injected?.truncation && { injection: injected.truncation }) };
}

/** Where an item names a tool of our own server, that is one of the servers: known to start, so it is not looked at first. */
function ownToolsFor(command: RunAgent, known: KnownParams, context: PerformContext): OwnTools {
  const own = ownToolsOf(command.tools, Object.keys(known.mcpServers));
  if (own.names.length === 0 || !context.ownServer) return { ...own, names: [] };
  known.mcpServers = { ...known.mcpServers, [OWN_SERVER]: context.ownServer(context.runId, own.names) };
  return own;
}

/** `execute[1]/implement~2` is `implement`; an action of it is `implement.enter[0]`. */
function stepName({ path, part }: RunAgent): string {
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/(\[\d+\]|#\d+|~\d+)+$/, '');
  return placeName(last, part);
}

export function taskText(
  command: Pick<RunAgent, 'path' | 'part' | 'prompt'>,
  context: PerformContext,
  meter: FileMeter,
): string {
  const { prompt } = command;
  if (prompt.kind === 'text') return prompt.text;
  const content = meter.count(() => readNamed('the prompt file', prompt.path, context));
  context.debug?.(command, 'files', `read the prompt file ${prompt.path} (${content.length} bytes)`);
  return content.toString('utf8');
}

interface KnownParams {
  rest: JsonObject;
  mcpServers: JsonObject;
  /** Those without `check: false`. */
  checked: string[];
  settingSources?: string[];
  permissionMode?: string;
  maxTurns?: number;
}

/** The params that every provider knows, taken out; all that are of the wrong kind are named at once. */
function knownParams(params: JsonObject): KnownParams {
  const { mcp_servers, setting_sources, permission_mode, max_turns, ...rest } = params;
  const wrong: string[] = [];
  const known: KnownParams = { rest, mcpServers: {}, checked: [] };
  if (mcp_servers !== undefined) {
    if (isObject(mcp_servers)) Object.assign(known, readServers(mcp_servers, wrong));
    else wrong.push('`mcp_servers` must be a map');
  }
  if (setting_sources !== undefined) {
    if (Array.isArray(setting_sources) && setting_sources.every((source) => typeof source === 'string')) {
      known.settingSources = setting_sources as string[];
    } else wrong.push('`setting_sources` must be a list of names');
  }
  if (permission_mode !== undefined) {
    if (typeof permission_mode === 'string') known.permissionMode = permission_mode;
    else wrong.push('`permission_mode` must be a name');
  }
  if (max_turns !== undefined) {
    if (typeof max_turns === 'number' && Number.isInteger(max_turns) && max_turns > 0)
      known.maxTurns = max_turns;
    else wrong.push('`max_turns` must be a whole number above 0');
  }
  if (wrong.length === 0) return known;
  throw new Breakdown({ class: 'error', message: `in params: ${listed(wrong)}` }, UNPERFORMABLE);
}

/** `check` is ours: no client is given it. */
function readServers(servers: JsonObject, wrong: string[]): Pick<KnownParams, 'mcpServers' | 'checked'> {
  const mcpServers: JsonObject = {};
  const checked: string[] = [];
  for (const [name, server] of Object.entries(servers)) {
    if (!isObject(server)) {
      wrong.push(`\`mcp_servers.${name}\` must be a map`);
      continue;
    }
    if (isReservedServer(name)) wrong.push(`\`mcp_servers.${name}\` has the name of Lockstep's own server`);
    const { check = true, ...rest } = server;
    if (typeof check !== 'boolean') wrong.push(`\`mcp_servers.${name}.check\` must be true or false`);
    Object.defineProperty(mcpServers, name, { value: rest, enumerable: true });
    if (check !== false) checked.push(name);
  }
  return { mcpServers, checked };
}

function notPassedOn(servers: string[]): string {
  const isOurs = servers.length === 1 && servers[0] === OWN_SERVER;
  return isOurs ? 'it has no tools of the tracker and the run' : '`mcp_servers` is not passed on';
}

function missingAbilities(
  command: RunAgent,
  known: KnownParams,
  agent: Agent,
  rules: readonly Rule[],
): string[] {
  const { tools } = command;
  const asked: [Ability, boolean, string][] = [
    ['tools', tools.allow !== undefined || tools.deny.length > 0, '`tools` is not enforced'],
    ['rules', rules.length > 0, '`rules` are not enforced'],
    ['model', command.model !== undefined, `the model \`${command.model}\` is not passed on`],
    ['session', command.session !== undefined, 'the earlier session does not go on, a fresh one begins'],
    ['mcp', Object.keys(known.mcpServers).length > 0, notPassedOn(Object.keys(known.mcpServers))],
    ['setting-sources', known.settingSources !== undefined, '`setting_sources` is not passed on'],
    ['permission-mode', known.permissionMode !== undefined, '`permission_mode` is not passed on'],
    ['max-turns', known.maxTurns !== undefined, '`max_turns` is not passed on'],
  ];
  return asked
    .filter(([ability, wanted]) => wanted && !agent.can.has(ability))
    .map(([, , consequence]) => `provider \`${agent.name}\` has no way to take this: ${consequence}`);
}
