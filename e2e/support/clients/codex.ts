// codex: the scripted model is a provider in its config.toml.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../../model-server/turn.ts';
import { type Client, LOCKSTEP_SERVER, type Use } from './client.ts';
import { link } from './installed.ts';

const config = (url: string, root: string) => `model_provider = "scripted"
check_for_update_on_startup = false
[features]
plugins = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."${root}"]
trust_level = "trusted"
`;

export const codex: Client = {
  name: 'codex',
  provider: 'codex',
  vendor: 'openai',
  overloaded: 503,
  keyVariable: 'SCRIPTED_KEY',
  setUp({ root, home, bin, url, key }) {
    const folder = join(home, '.codex');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.toml'), config(url, root));
    link(bin, 'codex');
    return { CODEX_HOME: folder, SCRIPTED_KEY: key };
  },
  led(prompt) {
    const { command, args } = LOCKSTEP_SERVER;
    return [
      ...['codex', 'exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-m', 'model-one', '-c', `mcp_servers.lockstep.command=${JSON.stringify(command)}`],
      ...['-c', `mcp_servers.lockstep.args=${JSON.stringify(args)}`, prompt],
    ];
  },
  held(prompt, goesOn) {
    return [
      ...['codex', 'exec', ...(goesOn ? ['resume', '--last'] : []), '--json', '--skip-git-repo-check'],
      // Codex skips hooks that nobody has looked at, and looking takes a terminal.
      ...['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'],
      // One that is given apply_patch as a tool: a patch in a command may be meant for any folder, which no hook is told.
      ...['-m', 'gpt-5.5', prompt],
    ];
  },
  call,
};

function call(use: Use, root: string, offered: string[]): ToolCall {
  switch (use.tool) {
    case 'Write':
      return patch(`*** Add File: ${use.file}\n${prefixed('+', use.content)}`, offered);
    case 'Edit':
      return patch(`*** Update File: ${use.file}\n@@\n${hunk(use, root)}`, offered);
    case 'Read':
      return shell(`cat '${use.file}'`);
    case 'Bash':
      return shell(use.command);
    case 'MCP':
      return { name: use.name, namespace: `mcp__${use.server}`, input: use.input };
  }
}

function shell(cmd: string): ToolCall {
  return { name: 'exec_command', input: { cmd } };
}

/** Offered as a tool to some models, as a command to all. */
function patch(change: string, offered: string[]): ToolCall {
  const text = `*** Begin Patch\n${change}\n*** End Patch`;
  if (offered.includes('apply_patch')) return { name: 'apply_patch', input: { text }, plain: true };
  return shell(`apply_patch <<'PATCH'\n${text}\nPATCH`);
}

/** A patch has whole lines: those that the text to be replaced stands in. */
function hunk({ file, old, new: next }: Extract<Use, { tool: 'Edit' }>, root: string): string {
  const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
  const at = text.indexOf(old);
  if (at === -1) return `${prefixed('-', old)}\n${prefixed('+', next)}`;
  const end = text.indexOf('\n', at + old.length - 1);
  const lines = text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? undefined : end);
  return `${prefixed('-', lines)}\n${prefixed(
    '+',
    lines.replace(old, () => next),
  )}`;
}

function prefixed(mark: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => mark + line).join('\n');
}
