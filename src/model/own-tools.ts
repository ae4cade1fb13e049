// own-tools: the tools of Lockstep's own MCP server that an agent of a run may be given: the tracker, and what its run has
// come to. None of them answers a question, ends a run, hands one over or hands work in.
//
// O1. An agent has one only where an item of its `allow` names it: `mcp__lockstep__issues_get`, `mcp__wrangler__issues_get`,
//     `issues_get`, or any of these with a `*` after `issues_` or `session_` began. `*` and `mcp__*` name none.
// O2. Whichever way it is spelt, it is judged and called by one name: `mcp__lockstep__issues_get`.
// O3. A server of the step that is called `wrangler` keeps its names for itself.

import { isWithheld, namesTool, parseToolItem } from './tool-policy.ts';
import type { ToolPolicy } from './workflow.ts';

export const OWN_SERVER = 'lockstep';

const CHANGES_ISSUES = ['issues_create', 'issues_update', 'issues_delete', 'issues_mark_complete'] as const;

export const AGENT_TOOLS = [
  ...['issues_create', 'issues_list', 'issues_search', 'issues_get', 'issues_update', 'issues_delete'],
  ...['issues_mark_complete', 'issues_all_complete', 'issues_labels', 'issues_metadata', 'issues_projects'],
  ...['session_get', 'session_status'],
];

/** Where issues lie, from the project. */
export const ISSUES_FOLDER = '.lockstep/issues/';

export interface OwnTools {
  /** By their bare names, in the order of the server. Empty: no server is needed. */
  names: string[];
  /** The policy with the names that calls of them come by (O2). */
  policy: ToolPolicy;
}

/** `servers`: names of those that the step brings itself. */
export function ownToolsOf(given: ToolPolicy, servers: readonly string[] = []): OwnTools {
  const spelt = (items: readonly string[]) => items.flatMap((item) => spellings(item, servers));
  const deny = spelt(given.deny);
  const policy = given.allow === undefined ? { deny } : { allow: spelt(given.allow), deny };
  const named = new Set((given.allow ?? []).flatMap((item) => namesIn(item, servers)));
  const names = AGENT_TOOLS.filter((name) => named.has(name) && !isWithheld(policy, callName(name)));
  return { names, policy };
}

/** As a call of it is judged: `mcp__lockstep__issues_get`. */
export function callName(name: string): string {
  return `mcp__${OWN_SERVER}__${name}`;
}

/** Whether a call by this name is of one of them, if Lockstep has started the server. */
export function isOwnCall(tool: string): boolean {
  return AGENT_TOOLS.some((name) => tool === callName(name));
}

/** Whether it changes issues, which lie in the project and not in the work of a step. */
export function changesIssues(names: readonly string[]): boolean {
  return CHANGES_ISSUES.some((name) => names.includes(name));
}

/** Any spelling of one of them as the first of O1; any other name as it is. */
export function firstSpelling(tool: string): string {
  return ownToolsNamed(tool).length === 0 ? tool : callName(bareName(tool, []) as string);
}

/** The tools that the name in an item stands for; none: it is about something else. */
export function ownToolsNamed(tool: string, servers: readonly string[] = []): string[] {
  const bare = bareName(tool, servers);
  return bare === undefined ? [] : AGENT_TOOLS.filter((name) => namesTool(bare, name));
}

function namesIn(item: string, servers: readonly string[]): string[] {
  const parsed = parseToolItem(item);
  return parsed === undefined ? [] : ownToolsNamed(parsed.tool, servers);
}

function bareName(tool: string, servers: readonly string[]): string | undefined {
  const [, server, bare] = /^mcp__(lockstep|wrangler)__(.+)$/.exec(tool) ?? [];
  if (server !== undefined) return servers.includes(server) ? undefined : bare;
  return /^(?:issues|session)_/.test(tool) ? tool : undefined;
}

/** An item of wrangler's stays beside ours: its user may have that server too. */
function spellings(item: string, servers: readonly string[]): string[] {
  const parsed = parseToolItem(item);
  const names = namesIn(item, servers);
  if (parsed === undefined || names.length === 0) return [item];
  const suffix = parsed.pattern === undefined ? '' : `(${parsed.pattern})`;
  const ours = names.map((name) => `${callName(name)}${suffix}`);
  return parsed.tool.startsWith('mcp__wrangler__') ? [item, ...ours] : ours;
}
