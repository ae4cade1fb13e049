// claude: the Agent SDK, found in the project, and the command line client, found on the PATH.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../../model-server/turn.ts';
import { type Client, LOCKSTEP_SERVER, type SetUp, type Use } from './client.ts';
import { installed, link } from './installed.ts';

function environment({ home, url, key }: SetUp): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  };
}

function call(use: Use, root: string): ToolCall {
  switch (use.tool) {
    case 'Write':
      return { name: 'Write', input: { file_path: join(root, use.file), content: use.content } };
    case 'Edit':
      return {
        name: 'Edit',
        input: { file_path: join(root, use.file), old_string: use.old, new_string: use.new },
      };
    case 'Read':
      return { name: 'Read', input: { file_path: join(root, use.file) } };
    case 'Bash':
      return { name: 'Bash', input: { command: use.command, description: 'as the script says' } };
    case 'MCP':
      return { name: `mcp__${use.server}__${use.name}`, input: use.input };
  }
}

const either = {
  provider: 'claude',
  vendor: 'anthropic',
  call,
  answerTool: 'StructuredOutput',
  overloaded: 529,
  keyVariable: 'ANTHROPIC_API_KEY',
} as const;

export const claudeCli: Client = {
  ...either,
  name: 'claude-cli',
  setUp(place) {
    link(place.bin, 'claude');
    return environment(place);
  },
  led(prompt, { root }) {
    writeFileSync(join(root, '.mcp.json'), JSON.stringify({ mcpServers: { lockstep: LOCKSTEP_SERVER } }));
    const tools = ['mcp__lockstep', 'Bash', 'Write', 'Edit', 'Read'];
    return [
      ...['claude', '-p', prompt, '--model', 'model-one', '--output-format', 'json'],
      ...['--mcp-config', '.mcp.json', '--strict-mcp-config', '--allowedTools', tools.join(',')],
    ];
  },
  held(prompt, goesOn) {
    return [
      ...['claude', '-p', prompt, ...(goesOn ? ['--continue'] : []), '--model', 'model-one'],
      ...['--output-format', 'json', '--allowedTools', 'Bash,Write,Edit,Read'],
    ];
  },
};

export const claudeSdk: Client = {
  ...either,
  name: 'claude-sdk',
  setUp(place) {
    const scope = join(place.root, 'node_modules/@anthropic-ai');
    mkdirSync(scope, { recursive: true });
    symlinkSync(join(installed, '@anthropic-ai/claude-agent-sdk'), join(scope, 'claude-agent-sdk'));
    return environment(place);
  },
};
