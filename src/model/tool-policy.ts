// tool-policy: what can be said of a list of tools without a call at hand. An item is a tool (`Read`), a tool with what
// it may touch (`Write(docs/**)`, `Bash(npm test *)`), or a name with `*` in it (`mcp__github__*`).
// Whether one call fits is `engine/guard`'s to say: agents ask `request.guard`.

import type { ToolPolicy } from './workflow.ts';

export interface ToolItem {
  tool: string;
  pattern?: string;
}

/** Tools that are there to change files. Bash may do it too. */
export const WRITING_TOOLS: readonly string[] = ['Write', 'Edit', 'NotebookEdit'];

/** The same, with those that a client has under another name: a path that is denied to one is denied to all. */
const WRITERS: ReadonlySet<string> = new Set([...WRITING_TOOLS, 'MultiEdit', 'apply_patch']);
/** Tools that only look. */
const READERS: ReadonlySet<string> = new Set(['Read', 'NotebookRead', 'Grep', 'Glob', 'LS', 'LSP']);
/** Words in the name of a tool that nobody here knows by which it says that it changes something. */
const CHANGES =
  /(^|[_-])(write|edit|create|make|mkdir|move|rename|delete|remove|save|put|append|patch|update|copy|replace|insert|upload|set|touch|apply|truncate|link)/i;

/** Whether a call of it changes the file it names. Of a tool that is not known its name tells. */
export function isWritingTool(tool: string): boolean {
  if (WRITERS.has(tool)) return true;
  if (READERS.has(tool) || KNOWN_TOOLS.includes(tool)) return false;
  const name = (/^mcp__.+?__(.+)$/.exec(tool)?.[1] ?? tool).replace(/([a-z])([A-Z])/g, '$1_$2');
  return CHANGES.test(name);
}

/** Whether an item with a path for one tool is about calls of another: both write files, or both show what is in them. */
export function isAkin(name: string, tool: string): boolean {
  if (WRITERS.has(tool)) return [...WRITERS].some((writer) => namesTool(name, writer));
  return (tool === 'Grep' || tool === 'NotebookRead') && namesTool(name, 'Read');
}

/**
 * The names that calls are judged by, whichever client makes them, and those that a client has beside them. Others may
 * be named too: clients come with new ones.
 */
export const KNOWN_TOOLS: readonly string[] = [
  ...['Read', ...WRITING_TOOLS, 'MultiEdit', 'Bash', 'PowerShell', 'Monitor', 'BashOutput', 'KillShell'],
  ...['Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'Task', 'Agent', 'TaskOutput', 'TaskStop', 'TodoWrite'],
  ...['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'CronCreate', 'CronDelete', 'CronList', 'LSP'],
  ...['Skill', 'SlashCommand', 'Workflow', 'ListAgents', 'SendMessage', 'AskUserQuestion', 'EnterPlanMode'],
  ...['ExitPlanMode', 'EnterWorktree', 'ExitWorktree', 'StructuredOutput', 'ToolSearch', 'ListMcpResources'],
  ...['ReadMcpResource', 'ListMcpResourcesTool', 'ReadMcpResourceTool', 'save_memory', 'get_internal_docs'],
  ...['update_topic', 'tracker_create_task', 'tracker_update_task', 'tracker_get_task', 'tracker_list_tasks'],
  ...['tracker_add_dependency', 'tracker_visualize'],
];

/**
 * A name that belongs to Lockstep's own MCP server, as any client may write it: clients make an underscore of whatever is
 * no letter or digit, and join the names of server and tool with two of them.
 */
export function isReservedServer(name: string): boolean {
  return /^_*lockstep(_*|__.*)$/i.test(name.replace(/[^A-Za-z0-9]/g, '_'));
}

/** One that an item may name: a known one, one of an MCP server, or any that fits a `*`. */
export function isKnownTool(name: string): boolean {
  return name.startsWith('mcp__') || name.includes('*') || KNOWN_TOOLS.includes(name);
}

/** Undefined: not an item at all. */
export function parseToolItem(item: string): ToolItem | undefined {
  const [, tool = '', pattern] = /^([^\s()]+)\s*(?:\(([\s\S]*)\))?$/.exec(item.trim()) ?? [];
  if (tool === '') return undefined;
  return pattern === undefined ? { tool } : { tool, pattern };
}

/** `*` in the name of an item is anything. */
export function namesTool(name: string, tool: string): boolean {
  const parts = name.split('*');
  if (parts.length === 1) return name === tool;
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (!tool.startsWith(first) || !tool.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = tool.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= tool.length;
}

/** No call of it can be let through, whatever it is about: a client may as well not be given it. */
export function isWithheld({ allow, deny }: ToolPolicy, tool: string): boolean {
  const names = (item: string, whole: boolean) => {
    const parsed = parseToolItem(item);
    return parsed !== undefined && namesTool(parsed.tool, tool) && !(whole && parsed.pattern !== undefined);
  };
  return deny.some((item) => names(item, true)) || !(allow?.some((item) => names(item, false)) ?? true);
}

/** Whether it has a tool that is there to change files: without one it is held to reading (class changed-files). */
export function mayWrite(policy: ToolPolicy): boolean {
  return WRITING_TOOLS.some((tool) => !isWithheld(policy, tool));
}
