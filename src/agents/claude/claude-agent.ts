// claude-agent: Claude Code, through its Agent SDK where that is installed, else through the `claude` command.
// Owns: what a request comes to in Claude's terms, and what its messages mean in ours. Never: decides what a tool may
// do (the guard does), keeps anything between two dispatches.
//
// L1. Both ways are given the same and answer the same: they differ in how it is handed over.
// L2. What the guard denies does not happen; what it lets through runs unattended. A client that does not ask it is
//     ended (tool-calls.ts).
// L3. No secret and no prompt is in argv: standard input, the environment, and files of mode 600.
// L5. A server of the user's that is called `lockstep` (`claude mcp add lockstep -- lockstep mcp`) is not for agents of a run: its
//     tools are hidden and denied, unless the run gives one of its own, which goes before it.
// L4. Rendered text is text: no command of the client's, and no file that it names (cli.ts).

import type { Agent } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HookDoor } from '../../ports/hook-door.ts';
import type { Processes } from '../../ports/processes.ts';
import { abilitiesOf } from '../abilities.ts';
import { performWithCli } from './cli.ts';
import type { FoundClaude } from './find-claude.ts';
import { performWithSdk } from './sdk.ts';

export interface ClaudeAgentParts {
  found: FoundClaude;
  processes: Processes;
  hookDoor: HookDoor;
  clock: Clock;
  /** The client refuses some things to root. */
  isRoot: boolean;
  /** An ES module by its path; never part of the bundle. */
  load(path: string): Promise<unknown>;
}

export function claudeAgent(parts: ClaudeAgentParts): Agent {
  return {
    name: 'claude',
    can: abilitiesOf('claude'),
    async perform(request) {
      if (request.signal.aborted)
        return { text: '', error: { class: 'cancelled', message: 'it was told to end' } };
      try {
        const { kind, path } = parts.found;
        return kind === 'sdk'
          ? await performWithSdk(path, request, parts)
          : await performWithCli(path, request, parts);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { text: '', error: { class: 'error', message: `claude could not be driven: ${message}` } };
      }
    },
  };
}
