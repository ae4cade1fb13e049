// sandbox: what codex's commands and patches may touch, whatever its hooks say.

import { mayWrite } from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';

export type Sandbox = 'read-only' | 'workspace-write' | 'danger-full-access';

const MODES: Readonly<Record<string, Sandbox>> = {
  plan: 'read-only',
  default: 'workspace-write',
  acceptEdits: 'workspace-write',
  dontAsk: 'workspace-write',
  bypassPermissions: 'danger-full-access',
  'read-only': 'read-only',
  'workspace-write': 'workspace-write',
  'danger-full-access': 'danger-full-access',
};

/** Undefined: no such mode. A step without a tool that writes is read-only, whatever its mode. */
export function sandboxFor(mode = 'default', tools: ToolPolicy): Sandbox | undefined {
  const sandbox = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  return sandbox !== undefined && !mayWrite(tools) ? 'read-only' : sandbox;
}

export const KNOWN_MODES = Object.keys(MODES);
