// tools: Claude's tools in our vocabulary, which was taken from Claude's, and what of a policy can be said in its flags.
//
// T1. A tool by another name is judged by what it does: Monitor and PowerShell run command lines, so they are Bash.
// T2. Tools that only steer the client (StructuredOutput, ToolSearch) are nobody's to forbid (rule 8).

import type { ToolAct } from '../../model/tool-call.ts';
import { isWithheld, namesTool, parseToolItem } from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';
import { pathActs, searchActs, standingIn, type ToolCall } from '../call-paths.ts';

const ALIASES: Readonly<Record<string, string>> = {
  Agent: 'Task',
  // Each changes one file, whatever it is called.
  MultiEdit: 'Edit',
  Monitor: 'Bash',
  PowerShell: 'Bash',
};
const CONTROL = new Set(['StructuredOutput', 'ToolSearch']);

/** What a client of today has, by our names; others may be named in `tools` all the same. */
const BUILT_IN = [
  ...['Read', 'Write', 'Edit', 'NotebookEdit', 'Bash', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'Task'],
  ...['TodoWrite', 'Skill', 'BashOutput', 'KillShell', 'TaskOutput', 'TaskStop', 'Workflow'],
];

export function isControlTool(name: string): boolean {
  return CONTROL.has(name);
}

/** The field that counts, by tool. Whatever else in a call looks like a path is asked about as well. */
const FIELDS: Readonly<Record<string, string>> = {
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  NotebookEdit: 'notebook_path',
  NotebookRead: 'notebook_path',
  LS: 'path',
};

/** One for each path in the call, one where there is none. */
export function toolActs({ name, input, cwd }: ToolCall): ToolAct[] {
  const tool = ALIASES[name] ?? name;
  return standingIn(cwd, eventsOf(tool, input));
}

function eventsOf(tool: string, input: ToolCall['input']): ToolAct[] {
  if (tool === 'Bash')
    return [{ tool, input, ...(typeof input.command === 'string' && { command: input.command }) }];
  if (tool === 'Glob') return searchActs(tool, input, { folder: ['path'], globs: ['pattern'] });
  if (tool === 'Grep') return searchActs(tool, input, { folder: ['path'], filters: ['glob'] });
  const field = Object.hasOwn(FIELDS, tool) ? [FIELDS[tool] as string] : [];
  return pathActs(tool, input, field);
}

const LONGEST_SUMMARY = 160;

/** What the call is about, on one line. */
export function summaryOf({ tool, input, file, command }: ToolAct, cwd: string): string {
  const about = [
    command,
    input.pattern,
    shownPath(file, cwd),
    input.url,
    input.query,
    input.description,
  ].find((part) => typeof part === 'string' && part !== '');
  const line = oneLine(typeof about === 'string' ? about : JSON.stringify(input));
  return line === '{}' || line === '' ? tool : line;
}

export function oneLine(text: string): string {
  // Only what may be shown: a result can be megabytes.
  const line = text
    .slice(0, 4 * LONGEST_SUMMARY)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY)}…` : line;
}

function shownPath(file: string | undefined, cwd: string): string | undefined {
  return file?.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
}

export interface ToolFlags {
  /** The built-in tools it is given; absent: all. */
  tools?: string[];
  /** Not to be given. */
  disallowed: string[];
}

/** What can be said before any call is made, so that the model does not even see what it may not use. */
export function toolFlags(policy: ToolPolicy, servers: readonly string[]): ToolFlags {
  const disallowed = new Set<string>();
  for (const item of policy.deny) {
    const parsed = parseToolItem(item);
    if (parsed === undefined || parsed.pattern !== undefined) continue;
    for (const name of clientNames(parsed.tool)) disallowed.add(name);
  }
  for (const server of servers) {
    if (policy.allow !== undefined && !mayName(policy.allow, `mcp__${server}__`))
      disallowed.add(`mcp__${server}`);
  }
  const given = givenTools(policy);
  return { ...(given && { tools: given }), disallowed: [...disallowed] };
}

/** Undefined: a list cannot say it, because an item is a pattern over names. */
function givenTools(policy: ToolPolicy): string[] | undefined {
  const items = policy.allow?.flatMap((item) => parseToolItem(item) ?? []);
  const names = items?.map(({ tool }) => tool).filter((tool) => !tool.startsWith('mcp__'));
  if (names === undefined || names.some((name) => name.includes('*'))) return undefined;
  return [...new Set(names)].filter((name) => !isWithheld(policy, name));
}

/** `*` in a name is spelt out: the client has patterns for MCP tools only. */
function clientNames(tool: string): string[] {
  if (tool.startsWith('mcp__')) return [tool];
  const names = tool.includes('*') ? BUILT_IN.filter((name) => namesTool(tool, name)) : [tool];
  const also = Object.entries(ALIASES).flatMap(([alias, name]) => (names.includes(name) ? [alias] : []));
  return [...names, ...also];
}

/** Whether an item can be about any tool whose name begins so. */
function mayName(items: readonly string[], beginning: string): boolean {
  return items.some((item) => {
    const name = parseToolItem(item)?.tool ?? '';
    const star = name.indexOf('*');
    const fixed = star === -1 ? name : name.slice(0, star);
    return star === -1
      ? name.startsWith(beginning)
      : fixed.startsWith(beginning) || beginning.startsWith(fixed);
  });
}

/** Through these a session finds others on the machine and writes to them: a step is alone, unless it names them. */
const BETWEEN_SESSIONS = ['ListAgents', 'SendMessage'];

export function notBetweenSessions({ allow }: ToolPolicy): string[] {
  return BETWEEN_SESSIONS.filter((tool) => !allow?.includes(tool));
}

/** All that may be let run without a question, where nothing is forbidden. */
export function everyTool(servers: readonly string[]): string[] {
  return [...BUILT_IN, ...Object.keys(ALIASES), ...servers.map((server) => `mcp__${server}`)];
}
