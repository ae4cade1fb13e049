// invocation: the words and variables that Gemini is started with.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRequest } from '../../ports/agent.ts';
import type { PrivateFolder } from '../private-folder.ts';
import { policyFor } from './policy.ts';

/** By `permission_mode`. Nobody is there to be asked, so the default asks nobody: the guard says what may be done. */
const APPROVAL: Readonly<Record<string, string>> = {
  default: 'yolo',
  bypassPermissions: 'yolo',
  yolo: 'yolo',
  acceptEdits: 'auto_edit',
  auto_edit: 'auto_edit',
  dontAsk: 'default',
  plan: 'plan',
};

export interface Places {
  /** For files of this dispatch. */
  folder: PrivateFolder;
  /** What is to be Gemini's home. */
  home: string;
}

export function argumentsFor(request: AgentRequest, places: Places): string[] {
  const { model, session, permissionMode } = request;
  const mode = approvalMode(permissionMode);
  return [
    '--output-format',
    'stream-json',
    '--approval-mode',
    mode,
    ...(model === undefined ? [] : ['--model', model]),
    ...(session === undefined ? ['--session-id', randomUUID()] : ['--resume', session]),
    ...policyArguments(request, mode, places),
  ];
}

export function variablesFor(home: string): Record<string, string> {
  return {
    GEMINI_CLI_HOME: home,
    // Else it starts a second process of itself, which a signal to the first would not reach.
    GEMINI_CLI_NO_RELAUNCH: '1',
    // Else it does not work at all without a terminal; who runs a workflow here trusts the folder.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
}

function approvalMode(asked = 'default'): string {
  const mode = Object.hasOwn(APPROVAL, asked) ? APPROVAL[asked] : undefined;
  if (mode !== undefined) return mode;
  const known = Object.keys(APPROVAL).join(', ');
  throw new Error(`\`permission_mode: ${asked}\` means nothing to it; it knows ${known}`);
}

function policyArguments({ tools }: AgentRequest, mode: string, { folder, home }: Places): string[] {
  // Where nobody is there to say no, Gemini lets its model leave the plan mode by itself.
  const policy = policyFor(tools, mode === 'plan' ? ['exit_plan_mode'] : []);
  if (policy === undefined) return [];
  const file = folder.write('policy.toml', policy);
  if (!hasSystemPolicies()) return ['--admin-policy', file];
  // An administrator's policies forbid ours as such. As the user's they would replace the user's own.
  const users = join(home, '.gemini', 'policies');
  return ['--policy', file, ...(existsSync(users) ? ['--policy', users] : [])];
}

function hasSystemPolicies(): boolean {
  const folder =
    process.platform === 'darwin'
      ? '/Library/Application Support/GeminiCli/policies'
      : '/etc/gemini-cli/policies';
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.toml'));
}
