// environment: what a child sees. Ours, without the secrets other steps declare (unless the policy lets all inherit
// them), then the step's secrets, its `env`, and where it is.

import { delimiter } from 'node:path';
import type { Place } from '../../model/command.ts';
import type { GitOrders } from '../../model/git-checks.ts';
import { placeName } from '../../model/place-name.ts';
import type { PerformContext } from './context.ts';
import { Breakdown, listed, UNPERFORMABLE } from './outcome.ts';

interface Asking extends Place {
  git?: GitOrders;
  env: Record<string, string>;
  secrets: string[];
}

/** All missing secrets at once, before anything starts. One that is set to nothing is there; `env` does not count. */
export function requireSecrets(command: Asking, context: PerformContext): void {
  const missing = command.secrets.filter((name) => context.environment[name] === undefined);
  if (missing.length === 0) return;
  throw new Breakdown(
    {
      class: 'missing-secrets',
      message: `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} not set in the environment`,
      hint: `Set ${missing.length === 1 ? 'it' : 'them'} where Lockstep is started, then resume the run.`,
      details: { missing_secrets: missing },
    },
    UNPERFORMABLE,
  );
}

export function environmentFor(
  command: Asking,
  context: PerformContext,
  starts: 'command' | 'agent' = 'command',
): Record<string, string> {
  const environment = { ...context.environment };
  if (!context.inheritSecrets) for (const name of context.mask.names) delete environment[name];
  for (const name of command.secrets) {
    const value = context.environment[name];
    if (value !== undefined) environment[name] = value;
  }
  if (context.traceparent) environment.TRACEPARENT = context.traceparent(command);
  Object.assign(environment, command.env);
  if (command.git) addFence(environment, command.git, context);
  environment.LOCKSTEP_RUN = context.runId;
  environment.LOCKSTEP_STEP = placeName(command.path, command.part);
  environment.LOCKSTEP_RUN_ROOT = context.run.location;
  // Below it nobody speaks for a person (system/lineage.ts). A command has it only where we are below an agent ourselves.
  const outer = context.environment.LOCKSTEP_AGENT;
  if (starts === 'agent') environment.LOCKSTEP_AGENT = `${context.runId}/${environment.LOCKSTEP_STEP}`;
  else if (outer !== undefined) environment.LOCKSTEP_AGENT = outer;
  else delete environment.LOCKSTEP_AGENT;
  context.debug?.(command, 'environment', snapshot(environment, command, context));
  return environment;
}

/** Settings for the git that it starts, behind those that it is given anyway: only who publishes pushes. */
function addFence(
  environment: Record<string, string>,
  { publishes, without }: GitOrders,
  { workspace, fence }: PerformContext,
): void {
  if (publishes || without.includes('push')) return;
  const settings = workspace.checkout?.fence() ?? [];
  const given = Number(environment.GIT_CONFIG_COUNT ?? 0) || 0;
  settings.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${given + index}`] = key;
    environment[`GIT_CONFIG_VALUE_${given + index}`] = value;
  });
  environment.GIT_CONFIG_COUNT = String(given + settings.length);
  if (fence !== undefined) environment.PATH = [fence, environment.PATH ?? ''].filter(Boolean).join(delimiter);
}

/** What is declared a secret is hidden whatever its value: one of three characters cannot be masked elsewhere. */
function snapshot(environment: Record<string, string>, command: Asking, context: PerformContext): string {
  const isSecret = (name: string) => command.secrets.includes(name) || context.mask.names.has(name);
  return Object.entries(environment)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${isSecret(name) ? '***' : value}`)
    .join('\n');
}
