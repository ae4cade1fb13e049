// agents: who answers the prompts of a run. A script answers all of them; else the provider a step names, which is one
// of the workflow's own `providers`, or the first of those where the step names none.

import { Fault } from '../model/fault.ts';
import type { Script } from '../model/script.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Agent, Agents } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { Processes } from '../ports/processes.ts';
import type { Workspaces } from '../ports/workspace.ts';
import { commandAgent } from './command/command-agent.ts';
import { scriptAgent } from './script/script-agent.ts';

export interface AgentParts {
  processes: Processes;
  workspaces: Workspaces;
  clock: Clock;
}

/** Clients that a later version drives. */
const VENDORS = ['claude', 'codex', 'gemini'];
const WAYS_OUT =
  'Give the run a script (`--script answers.yaml`, see docs/scripted-agent.md), or describe a command under `providers:` (see docs/agents.md).';

export function agentsFor(workflow: Workflow, script: Script | undefined, parts: AgentParts): Agents {
  const known = new Map<string, Agent>();
  const scripted = script && scriptAgent({ script, ...parts });
  return {
    find(provider) {
      if (scripted) return scripted;
      const name = provider ?? Object.keys(workflow.providers)[0];
      const template = name === undefined ? undefined : workflow.providers[name];
      if (name === undefined || template === undefined) throw unavailable(name);
      const agent = known.get(name) ?? commandAgent({ name, provider: template, processes: parts.processes });
      known.set(name, agent);
      return agent;
    },
  };
}

function unavailable(name: string | undefined): Fault {
  const options = { hint: WAYS_OUT, exitCode: 2 };
  if (name === undefined)
    return new Fault(
      'agent-unavailable',
      'no agent is there to answer the prompts of this workflow',
      options,
    );
  if (name === 'script')
    return new Fault(
      'agent-unavailable',
      'provider "script" answers from a file, and no --script was given',
      options,
    );
  if (VENDORS.includes(name)) {
    return new Fault('agent-unavailable', `provider "${name}" is not driven by this version yet`, options);
  }
  return new Fault(
    'agent-unavailable',
    `provider "${name}" is neither known nor described under \`providers:\``,
    options,
  );
}
