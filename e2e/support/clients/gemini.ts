// gemini: settings in a home of its own.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../../model-server/turn.ts';
import { type Client, LOCKSTEP_SERVER, type Use } from './client.ts';
import { link } from './installed.ts';

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
  // As the others: one attempt, so that who tries again is Lockstep.
  general: { disableAutoUpdate: true, maxAttempts: 1 },
};

export const gemini: Client = {
  name: 'gemini',
  provider: 'gemini',
  vendor: 'gemini',
  overloaded: 503,
  keyVariable: 'GEMINI_API_KEY',
  setUp({ home, bin, url, key }) {
    const folder = join(home, 'gemini/.gemini');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    link(bin, 'gemini');
    return {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_HOME: join(home, 'gemini'),
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    };
  },
  led(prompt, { root }) {
    const servers = { lockstep: { ...LOCKSTEP_SERVER, trust: true } };
    mkdirSync(join(root, '.gemini'), { recursive: true });
    writeFileSync(join(root, '.gemini/settings.json'), JSON.stringify({ mcpServers: servers }));
    return ['gemini', '-m', 'model-one', '-p', prompt, '-o', 'json', '-y'];
  },
  held(prompt, goesOn) {
    const session = goesOn ? ['--resume', 'latest'] : [];
    return ['gemini', '-m', 'model-one', ...session, '-p', prompt, '-o', 'json', '-y'];
  },
  call,
};

function call(use: Use, root: string): ToolCall {
  switch (use.tool) {
    case 'Write':
      return { name: 'write_file', input: { file_path: join(root, use.file), content: use.content } };
    case 'Edit':
      return {
        name: 'replace',
        input: {
          file_path: join(root, use.file),
          instruction: 'as the script says',
          old_string: use.old,
          new_string: use.new,
        },
      };
    case 'Read':
      return { name: 'read_file', input: { file_path: join(root, use.file) } };
    case 'Bash':
      return {
        name: 'run_shell_command',
        input: { command: use.command, description: 'as the script says' },
      };
    case 'MCP':
      return { name: `mcp_${use.server}_${use.name}`, input: use.input };
  }
}
