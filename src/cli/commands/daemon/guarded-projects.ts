// guarded-projects: the guard of all sessions of a user, made of the services of the command line. What a project needs is asked
// for by the first event of a session in it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHOICE_FILE, readChoice } from '../../../drivers/guard/choice.ts';
import { createGuard, type Guard, type GuardedProject } from '../../../drivers/guard/guard.ts';
import { loadWorkflow } from '../../../drivers/run/load.ts';
import { Fault } from '../../../model/fault.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { SessionKey } from '../../../model/live-session.ts';
import { definitionsOf, findDefinition } from '../../find-workflow.ts';
import { valuesGiven } from '../../given/given.ts';
import type { DaemonServices, Services } from '../../services.ts';

export function guardOf(
  services: Services,
  { clients, sessions }: DaemonServices,
  environmentOf: (session: SessionKey) => Record<string, string> | undefined,
): Guard {
  return createGuard({
    ...clients,
    sessions,
    hash: services.hash,
    projectAt: (folder, session) => projectAt(services.at(folder, environmentOf(session))),
  });
}

async function projectAt(services: Services): Promise<GuardedProject | undefined> {
  const root = await services.projectRoot();
  const text = choiceOf(root);
  if (text === undefined) return undefined;
  const choice = readChoice(text);
  return {
    root,
    choice,
    hosting: await services.hosting(),
    load: (name) => load(services, name, choice.inputs),
  };
}

function choiceOf(root: string): string | undefined {
  try {
    return readFileSync(join(root, CHOICE_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function load(services: Services, name: string, inputs: JsonObject) {
  const definitions = await definitionsOf(services);
  const { workflow, main, diagnostics } = loadWorkflow(definitions, findDefinition(definitions.library, name));
  if (!workflow) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    throw new Fault('workflow-invalid', `workflow "${name}" has errors: ${errors[0]?.message}`, {
      hint: `\`lockstep validate ${name}\` shows all of them.`,
      exitCode: 2,
    });
  }
  const folder = (await services.hosting()).workspaces.open(await services.projectRoot());
  const readFile = (path: string) => Buffer.from(folder.read(path)).toString('utf8');
  const skips = { steps: [], checks: false, dry_run: false };
  // A project's inputs are for all of its workflows: each takes those that it knows.
  const known = Object.fromEntries(Object.entries(inputs).filter(([key]) => key in workflow.inputs));
  const given = await valuesGiven(services, workflow, skips, { inputs: known, context: {} }, readFile);
  const [problem] = given.problems.filter(({ severity }) => severity === 'error');
  if (problem) throw new Fault(problem.code, problem.message, { ...(problem.hint && { hint: problem.hint }) });
  return { workflow, file: main.path, path: main.id, inputs: given.inputs };
}
