// tools: Gemini's names and inputs ↔ ours (`model/tool-call.ts`).

import { type JsonObject, objectOf } from '../../model/json.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import { pathActs, searchActs, standingIn, type ToolCall, textsOf } from '../call-paths.ts';

/** Every tool of Gemini CLI 0.61 that a model can be offered, old names too. What we have no word for keeps its own. */
export const BUILT_IN: Readonly<Record<string, string>> = {
  write_file: 'Write',
  replace: 'Edit',
  run_shell_command: 'Bash',
  read_file: 'Read',
  read_many_files: 'Read',
  grep_search: 'Grep',
  search_file_content: 'Grep',
  glob: 'Glob',
  list_directory: 'LS',
  web_fetch: 'WebFetch',
  google_web_search: 'WebSearch',
  invoke_agent: 'Task',
  write_todos: 'TodoWrite',
  activate_skill: 'Skill',
  ask_user: 'AskUserQuestion',
  enter_plan_mode: 'EnterPlanMode',
  exit_plan_mode: 'ExitPlanMode',
  list_background_processes: 'BashOutput',
  read_background_output: 'BashOutput',
  list_mcp_resources: 'ListMcpResources',
  read_mcp_resource: 'ReadMcpResource',
  save_memory: 'save_memory',
  get_internal_docs: 'get_internal_docs',
  update_topic: 'update_topic',
  tracker_create_task: 'tracker_create_task',
  tracker_update_task: 'tracker_update_task',
  tracker_get_task: 'tracker_get_task',
  tracker_list_tasks: 'tracker_list_tasks',
  tracker_add_dependency: 'tracker_add_dependency',
  tracker_visualize: 'tracker_visualize',
};

/** How a subagent hands in its answer: it touches nothing, and without it no subagent could end. */
export const HANDS_IN = 'complete_task';

const MCP = 'mcp_';
const SUMMARY = 200;

export interface McpTool {
  server: string;
  tool: string;
}

/** What `mcp_context` of a hook's payload says. */
export function mcpOf(context: unknown): McpTool | undefined {
  const { server_name: server, tool_name: tool } = objectOf(context);
  return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : undefined;
}

/** `mcp`: as the client says it. Without it the name is taken apart by the servers that are known. */
export function ourName(name: string, servers: readonly string[], mcp?: McpTool): string {
  if (mcp !== undefined) return `mcp__${mcp.server}__${mcp.tool}`;
  if (!name.startsWith(MCP)) return Object.hasOwn(BUILT_IN, name) ? (BUILT_IN[name] as string) : name;
  const rest = name.slice(MCP.length);
  const known = servers
    .filter((server) => rest.startsWith(`${server}_`))
    .sort((one, other) => other.length - one.length)[0];
  const server = known ?? rest.split('_')[0] ?? '';
  return `mcp__${server}__${rest.slice(server.length + 1)}`;
}

/** One for each path in the call, one where there is none. `tool`: by our name. */
export function toolActs(tool: string, { input, cwd }: Pick<ToolCall, 'input' | 'cwd'>): ToolAct[] {
  return standingIn(cwd, eventsOf(tool, input, cwd));
}

const FOLDER = ['dir_path', 'path'];

function eventsOf(tool: string, input: JsonObject, cwd: string | undefined): ToolAct[] {
  switch (tool) {
    case 'Bash':
      return [commandEvent(input, cwd)];
    case 'Glob':
      return searchActs(tool, input, { folder: FOLDER, globs: ['pattern'] });
    case 'Grep':
      return searchActs(tool, input, { folder: FOLDER, globs: ['include_pattern', 'include'] });
    case 'LS':
      return pathActs(tool, input, FOLDER);
    case 'Read': {
      const isMany = ['include', 'paths'].some((field) => textsOf(input[field]).length > 0);
      if (isMany) return searchActs(tool, input, { folder: [], globs: ['include', 'paths'] });
      return pathActs(tool, input, ['file_path', 'absolute_path']);
    }
    default:
      return pathActs(tool, input, ['file_path']);
  }
}

/** A command may be given a folder to run in. */
function commandEvent(input: JsonObject, cwd: string | undefined): ToolAct {
  const { command, dir_path: folder } = input;
  const event: ToolAct = { tool: 'Bash', input, ...(typeof command === 'string' && { command }) };
  if (typeof folder !== 'string' || folder === '') return event;
  return { ...event, cwd: folder.startsWith('/') || cwd === undefined ? folder : `${cwd}/${folder}` };
}

/** What it is about, in a few words; files as from the folder it works in. */
export function summaryOf(input: JsonObject, cwd: string): string {
  const names = ['command', 'file_path', 'pattern', 'dir_path', 'query', 'prompt', 'agent_name', 'title'];
  const said = names.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '');
  const text = typeof said === 'string' ? said : Object.keys(input).length > 0 ? JSON.stringify(input) : '';
  return lineOf(text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text);
}

export function lineOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SUMMARY ? `${line.slice(0, SUMMARY - 1)}…` : line;
}
