// clients: the vendors' clients that a run can drive: where each is found, and the agent made of it. In this order they
// are looked for where a step names none.

import { Fault } from '../model/fault.ts';
import type { Agent } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { HookDoor } from '../ports/hook-door.ts';
import type { Processes } from '../ports/processes.ts';
import { claudeAgent } from './claude/claude-agent.ts';
import { findClaude } from './claude/find-claude.ts';
import { codexAgent } from './codex/codex-agent.ts';
import { findOnPath } from './find-on-path.ts';
import { geminiAgent } from './gemini/gemini-agent.ts';

/** Where to look. */
export interface Surroundings {
  environment: Readonly<Record<string, string>>;
  /** The project: its own packages come first. */
  cwd: string;
  /** Where Lockstep is installed: a package may be its neighbour there. */
  beside?: string;
}

export interface ClientParts extends Surroundings {
  processes: Processes;
  hookDoor: HookDoor;
  clock: Clock;
  isRoot: boolean;
  /** An ES module by its path, outside of the bundle. */
  load(path: string): Promise<unknown>;
}

export interface Found {
  /** sdk: a package that is loaded; cli: a command that is run. */
  kind: 'sdk' | 'cli';
  path: string;
  /** Where it can be known without starting anything. */
  version?: string;
}

export interface VendorClient {
  find(where: Surroundings): Found | undefined;
  agent(found: Found, parts: ClientParts): Agent;
  /** What was looked for. */
  sought: string;
  /** What to do to have it. */
  install: string;
}

export const clients: Readonly<Record<string, VendorClient>> = {
  claude: {
    find: ({ environment, cwd, beside }) => findClaude(environment, cwd, beside),
    agent: (found, parts) => claudeAgent({ ...parts, found }),
    sought: 'neither the package @anthropic-ai/claude-agent-sdk nor the command `claude` is there',
    install: 'npm install -g @anthropic-ai/claude-code',
  },
  codex: {
    find({ environment, cwd }) {
      const path = findOnPath('codex', environment, cwd);
      return path === undefined ? undefined : { kind: 'cli', path };
    },
    agent: ({ path }, { processes, hookDoor }) => codexAgent({ path, processes, hookDoor }),
    sought: 'the command `codex` is not there',
    install: 'npm install -g @openai/codex',
  },
  gemini: {
    find({ environment, cwd }) {
      const path = findOnPath('gemini', environment, cwd);
      return path === undefined ? undefined : { kind: 'cli', path };
    },
    agent: ({ path }, { processes, hookDoor }) => geminiAgent({ path, processes, hookDoor }),
    sought: 'the command `gemini` is not there',
    install: 'npm install -g @google/gemini-cli',
  },
};

/** Of these, those that may be used, in the order in which they are looked for: `LOCKSTEP_CLIENTS`. */
export function usableClients(environment: Readonly<Record<string, string>>): string[] {
  const known = Object.keys(clients);
  const text = environment.LOCKSTEP_CLIENTS?.trim() ?? '';
  if (text === '') return known;
  if (text === 'none') return [];
  const named = text.split(',').map((name) => name.trim());
  const wrong = named.filter((name) => !known.includes(name));
  if (wrong.length === 0) return named;
  throw new Fault('setting-invalid', `LOCKSTEP_CLIENTS=${text}: there is no client "${wrong[0]}"`, {
    hint: `Some of ${known.join(', ')}, with commas, or \`none\`.`,
    exitCode: 2,
  });
}
