// guarded-projects: the guard of all sessions of a user, made of the services of the command line. What a project needs is asked
// for by the first event of a session in it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHOICE_FILE, type GuardChoice, NOTHING_CHOSEN, readChoice } from '../../../drivers/guard/choice.ts';
import {
  createGuard,
  type Guard,
  type GuardedProject,
  type SessionBook,
} from '../../../drivers/guard/guard.ts';
import { loadWorkflow } from '../../../drivers/run/load.ts';
import type { Hosting } from '../../../hosting/hosting.ts';
import { Fault } from '../../../model/fault.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { SessionKey } from '../../../model/live-session.ts';
import type { Sessions } from '../../../ports/sessions.ts';
import { definitionsOf, findDefinition } from '../../find-workflow.ts';
import { valuesGiven } from '../../given/given.ts';
import type { DaemonServices, Services } from '../../services.ts';

const MOST_KNOWN = 200;

export async function guardOf(
  services: Services,
  clients: DaemonServices['clients'],
  environmentOf: (session: SessionKey) => Record<string, string> | undefined,
): Promise<Guard> {
  const sessions = await services.sessions();
  /** By folder and session: every event asks, and what a project is made of does not change. */
  const known = new Map<string, Promise<Known>>();
  const knownAt = (folder: string, session: SessionKey): Promise<Known> => {
    const name = `${session.client}/${session.id}/${folder}`;
    const found = known.get(name) ?? lookAt(services.at(folder, environmentOf(session)), sessions);
    known.set(name, found);
    found.catch(() => known.delete(name));
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return found;
  };
  return createGuard({
    ...clients,
    sessions: sessionBook(sessions),
    hash: services.hash,
    async projectAt(folder, session) {
      const here = await chosenAt(await knownAt(folder, session));
      if (here) return here;
      // The client may have gone elsewhere since.
      const { project = '', runs = [] } = sessions.get(session) ?? {};
      if (project === '' || !existsSync(project)) return undefined;
      const known = await knownAt(project, session);
      const there = await chosenAt(known);
      // What holds a session is its runs, until they are over: whoever takes the file away lets nobody go.
      return there ?? (runs.length > 0 ? projectOf(known, NOTHING_CHOSEN) : undefined);
    },
  });
}

/** What is the same for every event. */
interface Known {
  services: Services;
  root: string;
  hosting(): Promise<Hosting>;
}

async function lookAt(services: Services, sessions: Sessions): Promise<Known> {
  let hosting: Promise<Hosting> | undefined;
  return {
    services,
    root: await services.projectRoot(),
    hosting: () => {
      hosting ??= services.hosting().then((made) => ({ ...made, sessions }));
      return hosting;
    },
  };
}

/** The choice is read every time: a person may change it while a session runs. */
async function chosenAt(known: Known): Promise<GuardedProject | undefined> {
  const text = choiceOf(known.root);
  return text === undefined ? undefined : projectOf(known, readChoice(text));
}

async function projectOf({ services, root, hosting }: Known, choice: GuardChoice): Promise<GuardedProject> {
  return { root, choice, hosting: await hosting(), load: (name) => load(services, name, choice.inputs) };
}

function choiceOf(root: string): string | undefined {
  try {
    return readFileSync(join(root, CHOICE_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function sessionBook(sessions: Sessions): SessionBook {
  return {
    find(key) {
      const record = sessions.get(key);
      return (
        record && {
          project: record.project,
          runs: record.runs.map(({ run, lifecycle = false }) => ({ run, lifecycle })),
        }
      );
    },
    record(key) {
      const record = sessions.get(key);
      if (!record) return {};
      const { title, context_restored, todos, parent } = record;
      const before = parent && sessions.get(parent);
      return {
        ...{ title, context_restored, todos: todos.map((todo) => ({ ...todo })) },
        ...(parent && { parent: parent.id }),
        ...(before && { previous_summary: before.summary }),
      };
    },
    keep(key, project, runs) {
      sessions.update(key, (record) => ({
        ...record,
        ...{ project, status: 'active' },
        runs: runs.map(({ run, workflow, lifecycle }) => ({
          run,
          workflow,
          ...(lifecycle && { lifecycle }),
        })),
      }));
    },
  };
}

async function load(services: Services, name: string, inputs: JsonObject) {
  const definitions = await definitionsOf(services);
  const { workflow, main, diagnostics } = loadWorkflow(
    definitions,
    findDefinition(definitions.library, name),
  );
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
  if (problem)
    throw new Fault(problem.code, problem.message, { ...(problem.hint && { hint: problem.hint }) });
  return { workflow, file: main.path, path: main.id, inputs: given.inputs };
}
