// agents: who answers the prompts of a run. A script answers all of them; else the provider a step names: one of the
// workflow's own `providers`, or a vendor's client. Where it names none: the first of its own, else the first client found.

import { Fault } from '../model/fault.ts';
import type { Script } from '../model/script.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Agent, Agents } from '../ports/agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { Processes } from '../ports/processes.ts';
import type { Workspaces } from '../ports/workspace.ts';
import { type ClientParts, clients, usableClients } from './clients.ts';
import { commandAgent } from './command/command-agent.ts';
import { scriptAgent } from './script/script-agent.ts';

export interface AgentParts {
  processes: Processes;
  workspaces: Workspaces;
  clock: Clock;
  /** Absent: no client of a vendor's is looked for. */
  clients?: ClientParts;
}

const WAYS_OUT =
  'Give the run a script (`--script answers.yaml`, see docs/scripted-agent.md), or describe a command under `providers:` (see docs/agents.md).';

export function agentsFor(workflow: Workflow, script: Script | undefined, parts: AgentParts): Agents {
  const known = new Map<string, Agent>();
  const scripted = script && scriptAgent({ script, ...parts });
  const make = (name: string): Agent | undefined => {
    const template = Object.hasOwn(workflow.providers, name) ? workflow.providers[name] : undefined;
    if (template !== undefined) return commandAgent({ name, provider: template, processes: parts.processes });
    return clientAgent(name, parts.clients);
  };
  const look = (name: string): Agent | undefined => {
    const agent = known.get(name) ?? make(name);
    if (agent !== undefined) known.set(name, agent);
    return agent;
  };
  return {
    find(provider) {
      if (scripted) return scripted;
      if (provider !== undefined) {
        const agent = look(provider);
        if (agent === undefined) throw unavailable(provider);
        return agent;
      }
      for (const name of [...Object.keys(workflow.providers), ...namesOf(parts.clients)]) {
        const agent = look(name);
        if (agent !== undefined) return agent;
      }
      throw none();
    },
  };
}

function namesOf(parts: ClientParts | undefined): string[] {
  return parts === undefined ? [] : usableClients(parts.environment);
}

function clientAgent(name: string, parts: ClientParts | undefined): Agent | undefined {
  if (parts === undefined || !namesOf(parts).includes(name)) return undefined;
  const client = clients[name];
  const found = client?.find(parts);
  return found && client?.agent(found, parts);
}

function none(): Fault {
  const install = Object.entries(clients)
    .map(([name, client]) => `${name}: \`${client.install}\``)
    .join(', ');
  return new Fault('agent-unavailable', 'no agent is there to answer the prompts of this workflow', {
    hint: `Install a client (${install}). Without one: ${WAYS_OUT}`,
    exitCode: 2,
  });
}

function unavailable(name: string): Fault {
  if (name === 'script') {
    const message = 'provider "script" answers from a file, and no --script was given';
    return new Fault('agent-unavailable', message, { hint: WAYS_OUT, exitCode: 2 });
  }
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (client === undefined) {
    const message = `provider "${name}" is neither known nor described under \`providers:\``;
    const hint = `Known are ${Object.keys(clients).join(', ')} and script. Without one of them: ${WAYS_OUT}`;
    return new Fault('agent-unavailable', message, { hint, exitCode: 2 });
  }
  return new Fault('agent-unavailable', `provider "${name}" was not found: ${client.sought}`, {
    hint: `Install it: \`${client.install}\`. Without it: ${WAYS_OUT}`,
    exitCode: 2,
  });
}
