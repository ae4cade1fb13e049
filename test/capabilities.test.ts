// What clients can be held to is data (src/model/capabilities.ts): the page says the same, and so do the agents.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clients } from '../src/agents/clients.ts';
import { commandAgent } from '../src/agents/command/command-agent.ts';
import { scriptAgent } from '../src/agents/script/script-agent.ts';
import { CAPABILITIES, type Capability, type Client, clientOf } from '../src/model/capabilities.ts';
import type { Ability, Agent } from '../src/ports/agent.ts';
import { systemClock } from '../src/system/clock.ts';
import { hookDoor } from '../src/system/hook-door.ts';
import { childProcesses } from '../src/system/processes.ts';
import { workspaces } from '../src/workspaces/workspaces.ts';
import { projectRoot } from './scratch.ts';

const WORDS = { full: 'yes', partly: 'partly', none: 'no' };
const names = Object.keys(CAPABILITIES) as Client[];
const capabilities = Object.keys(CAPABILITIES.claude) as Capability[];

/** As it stands in docs/agents.md, between its two comments. */
function table(): string {
  const rows = capabilities.map((capability) => {
    const cells = names.map((name) => {
      const { level, how } = CAPABILITIES[name][capability];
      return `${WORDS[level]}: ${how}`;
    });
    return `| \`${capability}\` | ${cells.join(' | ')} |`;
  });
  return [`| | ${names.join(' | ')} |`, `| --- |${' --- |'.repeat(names.length)}`, ...rows].join('\n');
}

/** `UPDATE_GOLDEN=1` writes it. */
it('AG-GUARD-TABLE: the table in docs/agents.md is the data', () => {
  const path = join(projectRoot, 'docs/agents.md');
  const between = /(?<=<!-- capabilities -->\n)[\s\S]*?(?=<!-- \/capabilities -->)/;
  if (process.env.UPDATE_GOLDEN !== undefined) {
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(between, () => `${table()}\n`),
    );
  }
  expect(between.exec(readFileSync(path, 'utf8'))?.[0]).toBe(`${table()}\n`);
});

describe('AG-GUARD-TABLE: what an agent says it can is what the table says', () => {
  /** Which promise of an agent stands for which row: `none` is not promised, `full` is. */
  const PROMISES: [Ability, Capability][] = [
    ['tools', 'tools.allow'],
    ['tools', 'tools.deny'],
    ['rules', 'rules.block'],
    ['rewrite', 'rules.rewrite'],
    ['system-prompt', 'system-prompt'],
    ['model', 'model'],
    ['schema', 'schema'],
    ['session', 'session'],
    ['mcp', 'mcp'],
    ['setting-sources', 'setting-sources'],
    ['permission-mode', 'permission-mode'],
    ['max-turns', 'max-turns'],
    ['usage', 'usage'],
    ['cost', 'cost'],
  ];
  const processes = childProcesses({});
  const parts = {
    processes,
    hookDoor: hookDoor({ program: '' }),
    clock: systemClock(),
    environment: {},
    cwd: projectRoot,
    isRoot: false,
    load: () => Promise.reject(new Error('nothing is loaded here')),
    workspaces: workspaces(),
  };
  const provider = { command: ['cat'], input: 'stdin' as const, defaults: {} };
  const made: [Client, Agent][] = [
    ['script', scriptAgent({ script: { answers: {} }, ...parts })],
    ['command', commandAgent({ name: 'mine', provider, processes })],
    ...Object.entries(clients).map(([name, { agent }]): [Client, Agent] => [
      name as Client,
      agent({ kind: 'cli', path: '/nowhere' }, parts),
    ]),
  ];

  it.each(made)('%s', (client, agent) => {
    for (const [ability, capability] of PROMISES) {
      const { level } = CAPABILITIES[client][capability];
      if (level === 'full') expect(`${ability} ${agent.can.has(ability)}`).toBe(`${ability} true`);
      if (level === 'none') expect(`${ability} ${agent.can.has(ability)}`).toBe(`${ability} false`);
    }
  });
});

it('a template of the workflow goes before a client of that name', () => {
  expect(clientOf('claude', {})).toBe('claude');
  expect(clientOf('claude', { claude: {} })).toBe('command');
  expect(clientOf('script', {})).toBe('script');
  expect(clientOf('command', {})).toBeUndefined();
  expect(clientOf('toString', {})).toBeUndefined();
});
