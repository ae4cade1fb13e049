// permissions: how a session runs unattended. What the step allows runs without a question; a permission mode that the
// step names keeps its meaning.
//
// Q1. `bypassPermissions` is refused by the client for root outside a sandbox: it becomes acceptEdits and every tool
//     that is not forbidden, which is the same thing minus the client's own safety checks, and a warning says so.

import type { AgentRequest } from '../../ports/agent.ts';

export interface Permissions {
  mode: string;
  /** What the guard lets through runs without a question of the client's own. */
  approves: boolean;
  warning?: string;
}

const APPROVING = new Set(['acceptEdits', 'bypassPermissions']);

export function permissionsFor(request: AgentRequest, isRoot: boolean): Permissions {
  const asked = request.permissionMode ?? 'acceptEdits';
  if (asked === 'bypassPermissions' && isRoot && !isSandbox(request.env)) {
    return {
      mode: 'acceptEdits',
      approves: true,
      warning:
        'claude refuses permission_mode `bypassPermissions` for root: it runs with `acceptEdits` and every tool that the step allows',
    };
  }
  // A list of allowed tools is a permission in every mode but the one that is there to do nothing.
  const approves = APPROVING.has(asked) || (request.tools.allow !== undefined && asked !== 'plan');
  return { mode: asked, approves };
}

function isSandbox(env: Readonly<Record<string, string>>): boolean {
  return ['1', 'true', 'yes', 'on'].includes((env.IS_SANDBOX ?? '').toLowerCase());
}
