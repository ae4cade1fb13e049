// plan: what a request comes to for Claude, the same for the CLI and the SDK.

import { everyTool, notBetweenSessions, type ToolFlags, toolFlags } from '../../clients/claude/tools.ts';
import { OWN_SERVER } from '../../model/own-tools.ts';
import type { AgentRequest } from '../../ports/agent.ts';
import { type ClaudeParams, readParams } from './params.ts';
import { permissionsFor } from './permissions.ts';
import { type AskedSchema, askedSchema } from './schema.ts';

export interface Plan {
  params: ClaudeParams;
  mode: string;
  /** What the guard lets through runs without a question. */
  approves: boolean;
  flags: ToolFlags;
  /** Tools that run without a question where there is no guard to say so. */
  allowed: string[];
  mcpServers: Record<string, unknown>;
  schema?: AskedSchema;
  env: Record<string, string>;
}

/** Of a session that Lockstep itself was started in: a step is a session of its own. */
const NOT_INHERITED = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'];
/** What it counts against a budget goes on with its session. A budget of nothing would be none. */
function withBudget(params: ClaudeParams, { budget, sessionTotals }: AgentRequest): ClaudeParams {
  if (budget === undefined) return params;
  const left = Math.max(LEAST_BUDGET, budget + (sessionTotals?.cost ?? 0));
  return { ...params, maxBudgetUsd: Math.min(left, params.maxBudgetUsd ?? left) };
}

const LEAST_BUDGET = 0.0001;

/** They switch hooks off, or may keep them from being run, and with them the guard. */
const HOOKLESS = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_SHELL_PREFIX'];
/**
 * A project's settings may switch all hooks off, ours as well. And may put a program of its own before every command: also
 * before our hook, which it need not run.
 */
export const HOOKS_ON = { disableAllHooks: false, env: { CLAUDE_CODE_SHELL_PREFIX: '' } };

export function planFor(request: AgentRequest, isRoot: boolean): Plan {
  const { params: own, warnings } = readParams(request.params);
  const params = withBudget(own, request);
  const permissions = permissionsFor(request, isRoot);
  if (permissions.warning !== undefined) warnings.push(permissions.warning);
  for (const message of warnings) request.onEvent({ kind: 'warning', message });
  const servers = Object.keys(request.mcpServers);
  const flags = toolFlags(request.tools, servers);
  const isBound = request.guard !== undefined && request.guard.isDemanded !== false;
  const leaveOut = request.guard === undefined ? NOT_INHERITED : [...NOT_INHERITED, ...HOOKLESS];
  return {
    params,
    mode: permissions.mode,
    approves: permissions.approves,
    flags: {
      ...flags,
      disallowed: [
        ...new Set([...flags.disallowed, ...notBetweenSessions(request.tools), ...notOfOthers(servers)]),
      ],
    },
    // Where the hook may be missing, nothing else would say so.
    allowed: isBound ? [] : permissions.approves ? everyTool(servers) : [],
    mcpServers: Object.fromEntries(
      Object.entries(request.mcpServers).map(([name, one]) => [name, server(one)]),
    ),
    ...(request.schema !== undefined && { schema: askedSchema(request.schema) }),
    env: Object.fromEntries(Object.entries(request.env).filter(([name]) => !leaveOut.includes(name))),
  };
}

/** L5. */
function notOfOthers(servers: readonly string[]): string[] {
  return servers.includes(OWN_SERVER) ? [] : [`mcp__${OWN_SERVER}`];
}

/** A server with a `url` and no `type` speaks HTTP: the client takes it for a command otherwise. */
function server(one: unknown): unknown {
  if (typeof one !== 'object' || one === null || !('url' in one) || 'type' in one) return one;
  return { type: 'http', ...one };
}
