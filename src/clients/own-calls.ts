// own-calls: the tools of Lockstep's own MCP server in a live session, where the client has started it.
//
// O1. Known by exact names, under the prefix that each client gives to servers: `mcp__lockstep__x`, from a plugin of Claude's
//     `mcp__plugin_lockstep_lockstep__x`, Gemini's `mcp_lockstep_x`. Whichever it is, it is judged as `mcp__lockstep__x`.
// O2. Only servers that are named as ours: where the plugin brings ours, one of the project's that is called `lockstep` is
//     another's, and gets a name that no list of own tools has.

import type { ClientName } from '../model/live-session.ts';
import { callName, OWN_SERVER } from '../model/own-tools.ts';

/** As `lockstep init` and the plugin name it. Who knows which of them is installed hands in that one alone. */
export const OWN_SERVERS: Readonly<Record<ClientName, readonly string[]>> = {
  claude: [`plugin_lockstep_${OWN_SERVER}`, OWN_SERVER],
  codex: [OWN_SERVER],
  gemini: [OWN_SERVER],
};

/** A name in our form (`mcp__server__tool`) as it is judged. */
export function judgedName(name: string, ours: readonly string[]): string {
  const own = ours.map((server) => `mcp__${server}__`).find((prefix) => name.startsWith(prefix));
  if (own !== undefined) return callName(name.slice(own.length));
  const taken = callName('');
  return name.startsWith(taken) ? callName(`another__${name.slice(taken.length)}`) : name;
}

/** Exact names of our tools as calls of them are judged: for `ownTools` of the guard (engine/guard/tool-lists.ts). */
export function ownToolNames(tools: readonly string[]): string[] {
  return tools.map(callName);
}
