import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { agentContract, contractVariables, type Seen } from '../../ports/agent.contract.ts';
import type { Agent, AgentAnswer } from '../../ports/agent.ts';
import { hookDoor } from '../../system/hook-door.ts';
import { childProcesses } from '../../system/processes.ts';
import { codexAgent } from './codex-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'codex-agent-'));
const processes = childProcesses({ graceMs: 100 });
afterAll(() => {
  processes.killAll();
  rmSync(folder, { recursive: true, force: true });
});
const playing = new URL('./fixtures/stand-in.js', import.meta.url).href;
const program = fileURLToPath(new URL('../../../scripts/hook.cjs', import.meta.url));
let count = 0;

/** An executable that plays the client so. */
function agentThat(behaviour: object): Agent {
  count += 1;
  const path = join(folder, `codex-${count}`);
  const text = `#!${process.execPath}\nimport(${JSON.stringify(playing)}).then((it) => it.play(${JSON.stringify(behaviour)}));\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return codexAgent({ path, processes, hookDoor: hookDoor({ program }) });
}

function seen(answer: AgentAnswer): Seen {
  const told = JSON.parse(answer.text) as Seen & { env: Record<string, string> };
  const env = Object.entries(told.env).filter(([name]) => contractVariables.includes(name));
  return { ...told, env: Object.fromEntries(env) };
}

agentContract('codex', {
  make: agentThat,
  seen,
  blind: {
    allow: 'codex takes no list of tools: each call is judged, and the sandbox holds',
    deny: 'codex takes no list of tools: each call is judged, and the sandbox holds',
  },
  params: { effort: 'high' },
});
