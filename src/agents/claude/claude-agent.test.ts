import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import {
  agentContract,
  type ClientBehaviour,
  contractVariables,
  type Seen,
} from '../../ports/agent.contract.ts';
import type { Agent, AgentAnswer } from '../../ports/agent.ts';
import type { HookDoor } from '../../ports/hook-door.ts';
import { systemClock } from '../../system/clock.ts';
import { hookDoor } from '../../system/hook-door.ts';
import { childProcesses } from '../../system/processes.ts';
import { claudeAgent } from './claude-agent.ts';
import { standInSdk } from './fixtures/stand-in-sdk.js';

const folder = mkdtempSync(join(tmpdir(), 'claude-agent-'));
const processes = childProcesses({ graceMs: 100 });
afterAll(() => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
const door = hookDoor({ program: new URL('../../../scripts/hook.cjs', import.meta.url).pathname, folder });
const playing = new URL('./fixtures/stand-in.js', import.meta.url).href;
let count = 0;

/** An executable that plays the client so. */
function executable(behaviour: object): string {
  count += 1;
  const path = join(folder, `claude-${count}`);
  const text = `#!${process.execPath}\nimport(${JSON.stringify(playing)}).then((it) => it.play(${JSON.stringify(behaviour)}));\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function agentOf(
  kind: 'cli' | 'sdk',
  behaviour: object,
  more: { hookDoor?: HookDoor; isRoot?: boolean } = {},
): Agent {
  const path = executable(behaviour);
  return claudeAgent({
    found: { kind, path },
    processes,
    hookDoor: door,
    clock: systemClock(),
    isRoot: false,
    load: async () => standInSdk(path),
    ...more,
  });
}

const ALIASES = ['Monitor', 'PowerShell', 'Agent', 'MultiEdit'];

function seen(answer: AgentAnswer): Seen {
  const told = JSON.parse(answer.text) as Seen & { env: Record<string, string> };
  const env = Object.entries(told.env).filter(([name]) => contractVariables.includes(name));
  const deny = told.deny?.filter((tool) => !ALIASES.includes(tool));
  return { ...told, env: Object.fromEntries(env), ...(deny && { deny }) };
}

describe.each(['cli', 'sdk'] as const)('%s', (kind) => {
  agentContract(`claude, ${kind}`, {
    make: (behaviour: ClientBehaviour) => agentOf(kind, behaviour),
    seen,
    blind: {},
    params: { effort: 'high' },
  });
});
