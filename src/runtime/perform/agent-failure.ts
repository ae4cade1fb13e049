// agent-failure: why a dispatch of an agent, or of a gate's program, failed, if it did: it was ended, it says so itself, or it changed files
// that it may not change (rule 6, or no tool to write with).

import type { Failure } from '../../model/entry.ts';
import type { AgentAnswer } from '../../ports/agent.ts';
import type { Changes } from './change-watch.ts';
import { listed } from './outcome.ts';

const MOST_NAMED = 20;
const MOST_LISTED = 100;

export function answerFailure({ error }: AgentAnswer): Failure | undefined {
  if (error === undefined) return undefined;
  const details = {
    ...error.details,
    ...(error.retryAfter !== undefined && { retry_after_ms: error.retryAfter }),
  };
  return {
    // Nobody here cancelled it.
    class: error.class === 'cancelled' ? 'error' : error.class,
    message: error.message,
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** Where a command ran at the same time, nobody can tell who did it: a warning then. */
export function changeFailure(
  changes: Changes | undefined,
  readOnly: boolean,
): { failure?: Failure; warning?: string } {
  if (changes === undefined || changes.files.length === 0) return {};
  const files = named(changes.files);
  if (changes.workers.length > 0) {
    const warning = `${files} changed while this agent ran; ${named(changes.workers)} ran too and may have done it`;
    return { warning };
  }
  const details = {
    files: changes.files.slice(0, MOST_LISTED),
    agents: changes.agents.slice(0, MOST_LISTED),
  };
  if (readOnly && changes.agents.length === 1) {
    return {
      failure: {
        class: 'changed-files',
        message: `the agent changed ${files}, and has no tool that writes: this step only reads`,
        hint: 'Undo the change. If the step is to write, give it Write or Edit in `tools`; if not, take Bash away or say in the prompt that it only looks.',
        details,
      },
    };
  }
  const who = changes.agents.length === 1 ? 'the agent' : `one of the agents of ${named(changes.agents)}`;
  return {
    failure: {
      class: 'changed-files',
      message: `${who} changed ${files}; agents that run at the same time share a workspace and may not`,
      hint: 'Undo the change, and let one agent at a time write: no `parallel`, or `concurrency: 1`.',
      details,
    },
  };
}

/** Of the program of a gate. */
export function programFailure({ files, agents }: Changes): Failure | undefined {
  if (files.length === 0) return undefined;
  const who = agents.length === 1 ? 'the program' : `one of the programs of ${named(agents)}`;
  return {
    class: 'changed-files',
    message: `${who} changed ${named(files)}; a gate only looks`,
    hint: 'Let it only check, and write nothing (no `--fix`); what it leaves behind on its way, a cache for example, belongs in .gitignore.',
    details: { files: files.slice(0, MOST_LISTED), agents: agents.slice(0, MOST_LISTED) },
  };
}

function named(names: string[]): string {
  if (names.length <= MOST_NAMED) return listed(names);
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}
