// invocation: a request → the words, environment and standard input of one codex process.

import { Buffer } from 'node:buffer';
import type { Json } from '../../model/json.ts';
import { OWN_SERVER } from '../../model/own-tools.ts';
import { parseToolItem } from '../../model/tool-policy.ts';
import type { AgentRequest } from '../../ports/agent.ts';
import type { OpenDoor } from '../../ports/hook-door.ts';
import type { PrivateFolder } from '../private-folder.ts';
import { committingFolders } from './git-folders.ts';
import { hookWords } from './hook.ts';
import { codexServers } from './mcp-servers.ts';
import { codexParams } from './params.ts';
import { projectTrust } from './project-trust.ts';
import type { Sandbox } from './sandbox.ts';
import { strictSchema } from './strict-schema.ts';
import { tomlValue } from './toml.ts';

export interface Invocation {
  /** Without the command itself. */
  words: string[];
  env: Record<string, string>;
  stdin: string;
  /** What was asked for and is not had, one sentence each. */
  warnings: string[];
}

export interface InvocationParts {
  sandbox: Sandbox;
  /** The user has a server by the name of ours, which is not for this agent. */
  hidesOwn: boolean;
  /** Where a guard is there. */
  door: OpenDoor | undefined;
  folder: PrivateFolder;
}

/** Linux takes no longer word on a command line. */
const LONGEST_WORD = 128 * 1024 - 1;

export function invocationFor(request: AgentRequest, parts: InvocationParts): Invocation {
  const { sandbox, door, folder, hidesOwn } = parts;
  const { model, session, settingSources } = request;
  const params = codexParams(request.params);
  const servers = codexServers(request.mcpServers, request.env);
  const schema = request.schema && strictSchema(request.schema);
  const { developer, stdin } = textsOf(request, schema !== undefined);
  const isTrusting = params.trustsAllHooks || settingSources?.includes('project') === true;
  const warnings = [...params.warnings, ...servers.warnings];
  if (settingSources !== undefined && !settingSources.includes('user'))
    warnings.push('codex always loads the configuration of its user, whatever `setting_sources` says');

  // The last of two that name the same key counts: what holds the agent comes after what the step brings.
  const settings: [string, Json][] = [
    ...params.config,
    ...(developer === undefined ? [] : [['developer_instructions', developer] as [string, Json]]),
    ['check_for_update_on_startup', false],
    ['approval_policy', 'never'],
    ['sandbox_mode', sandbox],
    ...boundSettings(request, sandbox, door),
    ...(Object.keys(servers.config).length === 0 ? [] : [['mcp_servers', servers.config] as [string, Json]]),
    ...(hidesOwn ? [[`mcp_servers.${OWN_SERVER}.enabled`, false] as [string, Json]] : []),
  ];
  const folders = sandbox === 'workspace-write' ? committingFolders(request.cwd) : [];
  const words = [
    'exec',
    '--json',
    '--color',
    'never',
    '--skip-git-repo-check',
    ...(request.passing ? ['--ephemeral'] : []),
    ...(model === undefined ? [] : ['-m', model]),
    ...(params.profile === undefined ? [] : ['-p', params.profile]),
    ...folders.flatMap((each) => ['--add-dir', each]),
    ...settings.flatMap(([key, value]) => ['-c', `${key}=${tomlValue(value)}`]),
    ...(door === undefined ? [] : hookWords(door)),
    ...(isTrusting ? ['--dangerously-bypass-hook-trust'] : []),
    ...(schema === undefined ? [] : ['--output-schema', folder.write('schema.json', JSON.stringify(schema))]),
    ...(session === undefined ? [] : ['resume', session]),
    '-',
  ];
  return { words, env: { ...request.env, ...servers.env }, stdin, warnings };
}

function boundSettings(
  { cwd, env, settingSources, tools, guard }: AgentRequest,
  sandbox: Sandbox,
  door: OpenDoor | undefined,
): [string, Json][] {
  const settings: [string, Json][] = [];
  const trust = projectTrust({ cwd, env, settingSources, mayWrite: sandbox !== 'read-only' });
  if (trust !== undefined) settings.push(['projects', { [cwd]: { trust_level: trust } }]);
  // The model's own search never passes a hook: whoever is held to something has it only where a list names it.
  const names = (item: string) => parseToolItem(item)?.tool === 'WebSearch';
  const maySearch = tools.allow?.some(names) === true && !tools.deny.some(names);
  if (door !== undefined && guard?.isDemanded !== false && !maySearch)
    settings.push(['web_search', 'disabled']);
  return settings;
}

/**
 * A session keeps the instructions it began with: a step that goes on in another's says its own in front of the prompt,
 * and so does one whose instructions fit into no word.
 */
function textsOf(
  { system, prompt, session, dispatch, schema }: AgentRequest,
  isSchemaPassed: boolean,
): { developer?: string; stdin: string } {
  const asked = schema === undefined || isSchemaPassed ? prompt : `${prompt}\n\n${shapeText(schema)}`;
  if (system === '') return { stdin: asked };
  const fits = Buffer.byteLength(tomlValue(system)) < LONGEST_WORD - 'developer_instructions='.length;
  const isForeign = session !== undefined && dispatch.path === 0;
  if (isForeign || (!fits && session === undefined)) return { stdin: `${system}\n\n${asked}` };
  return fits ? { developer: system, stdin: asked } : { stdin: asked };
}

/** As the runtime says it to an agent that takes no schema. */
function shapeText(schema: Json): string {
  return `Answer with one JSON value and nothing around it, no explanation before or after. It must fit this JSON Schema:\n\n${JSON.stringify(schema, null, 2)}`;
}
