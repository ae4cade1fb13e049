// Keys of clients and secrets of MCP servers reach the client through its environment, and are nowhere else: looked
// for in the command line of every process of the machine, in all that a run writes and in all that is printed.
// The clients are stand-ins that tell their key to everybody they can.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';

const KEY = 'sk-test-5b0d1f8a6a1c4f0e9d7c2b3a49586776';
const TOKEN = 'tracker-token-c2b3a4958677615b0d1f8a6a1';
const SERVER = join(projectRoot, 'test/support/mcp-server.js');
const CLIENTS = [
  ['claude', 'ANTHROPIC_API_KEY'],
  ['codex', 'OPENAI_API_KEY'],
  ['gemini', 'GEMINI_API_KEY'],
] as const;

const workflow = (provider: string) => `lockstep: 1
name: ask
steps:
  - id: ask
    provider: ${provider}
    prompt: { text: What is your key? }
    secrets: [TOKEN]
    params:
      mcp_servers:
        tracker: { command: ${process.execPath}, args: ['${SERVER}'], env: { TRACKER: '\${TOKEN}' } }
        far: { type: http, url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer \${TOKEN}' }, check: false }
`;

/** Notes what is on the command line of every process, then says its key aloud. */
const client = (name: string, variable: string) => `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { play } from ${JSON.stringify(join(projectRoot, `src/agents/${name}/fixtures/stand-in.js`))};
if (process.argv.includes('--version')) {
  console.log('9.9.9');
  process.exit(0);
}
const { ${variable}: key, TOKEN: token, LOCKSTEP_RUN: run, LOCKSTEP_STEP: step } = process.env;
const lines = readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry)).map((pid) => {
  try {
    return readFileSync('/proc/' + pid + '/cmdline', 'utf8');
  } catch {
    return '';
  }
});
const leaks = lines.filter((line) => line.includes(key) || line.includes(token));
writeFileSync('seen.json', JSON.stringify({ key, token, run, step, leaks, processes: lines.filter(Boolean).length }));
process.stderr.write('my key is ' + key + '\\n');
await play({ does: 'say', text: 'My key is ' + key + ', the token is ' + token });
`;

let project: Scratch;
afterEach(() => project.remove());

function install(name: string, variable: string): void {
  const bin = join(dirname(project.root), 'bin');
  writeFileSync(join(bin, `${name}-client.mjs`), client(name, variable));
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nexec ${process.execPath} "$(dirname "$0")/${name}-client.mjs" "$@"\n`,
  );
  chmodSync(join(bin, name), 0o755);
  const { env } = project;
  Object.assign(env, { LOCKSTEP_CLIENTS: name, LOCKSTEP_CLAUDE: 'cli', [variable]: KEY, TOKEN });
}

describe('keys', () => {
  it.each(CLIENTS)('AG-KEYS: %s: only through the environment', (name, variable) => {
    project = scratch({ git: true });
    install(name, variable);
    project.write('ask.yaml', workflow(name));
    const printed = project.spawned('run', 'ask.yaml', '--verbose');
    expect(printed).toMatchObject({ exitCode: 0 });
    const seen = JSON.parse(readFileSync(join(project.root, 'seen.json'), 'utf8')) as Record<string, unknown>;
    expect(seen).toMatchObject({ key: KEY, token: TOKEN, step: 'ask', leaks: [] });
    expect(seen.processes).toBeGreaterThan(3);
    expect(project.spawned('status', '--json').stdout).toContain('My key is ***, the token is ***');
    expect(project.spawned('logs').stdout).toContain('My key is ***');
    for (const secret of [KEY, TOKEN]) {
      expect(printed.stdout + printed.stderr).not.toContain(secret);
      // Journal, state.json, the pinned workflow, prompts, transcripts, what the client printed.
      expect(project.sh(`grep -rl ${secret} .lockstep`).stdout).toBe('');
      expect(project.spawned('run', 'ask.yaml', '--json').stdout).not.toContain(secret);
    }
  });
});
