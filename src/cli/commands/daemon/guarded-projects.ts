// guarded-projects: the guard of all sessions of a user, made of the services of the command line. What a project needs is asked
// for by the first event of a session in it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sender } from '../../../daemon/daemon.ts';
import { CHOICE_FILE, type GuardChoice, NOTHING_CHOSEN, readChoice } from '../../../drivers/guard/choice.ts';
import { createGuard, type Guard, type GuardedProject } from '../../../drivers/guard/guard.ts';
import { sessionBook } from '../../../drivers/guard/session-book.ts';
import { loadWorkflow } from '../../../drivers/run/load.ts';
import type { Hosting } from '../../../hosting/hosting.ts';
import { Fault } from '../../../model/fault.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { SessionKey } from '../../../model/live-session.ts';
import type { Sessions } from '../../../ports/sessions.ts';
import { definitionsOf, findDefinition } from '../../find-workflow.ts';
import { valuesGiven } from '../../given/given.ts';
import type { DaemonServices, Services } from '../../services.ts';
import { keepGuardRuns, keepSessions } from '../../settings.ts';

const MOST_KNOWN = 200;

export async function guardOf(
  services: Services,
  clients: DaemonServices['clients'],
  sender: (session: SessionKey) => Sender | undefined,
): Promise<Guard> {
  const sessions = await services.sessions();
  const callers = await services.callers();
  // Beside the first events: nobody waits for it.
  setImmediate(() => forgetRecords(services, sessions));
  /** By folder and session: every event asks, and what a project is made of does not change. */
  const known = new Map<string, Promise<Known>>();
  const knownAt = (folder: string, session: SessionKey): Promise<Known> => {
    const name = `${session.client}/${session.id}/${folder}`;
    const found = known.get(name) ?? lookAt(services.at(folder, sender(session)?.environment), sessions);
    known.set(name, found);
    found.catch(() => known.delete(name));
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return found;
  };
  return createGuard({
    ...clients,
    sessions: sessionBook(sessions, services.clock.now),
    hash: services.hash,
    async projectAt(folder, session) {
      const found = await projectOf(folder, session);
      const { pid } = sender(session) ?? {};
      // What its shell starts does not speak for the person from now on. Who is only watched is free to.
      if (found?.choice.workflow !== undefined && pid !== undefined) callers.noteHook(pid);
      return found;
    },
  });

  async function projectOf(folder: string, session: SessionKey): Promise<GuardedProject | undefined> {
    const here = await chosenAt(await knownAt(folder, session));
    if (here) return here;
    // The client may have gone elsewhere since.
    const { project = '', runs = [] } = sessions.get(session) ?? {};
    if (project === '' || !existsSync(project)) return undefined;
    const known = await knownAt(project, session);
    // What holds a session is its runs, until they are over: whoever takes the file away lets nobody go.
    return (await chosenAt(known)) ?? (runs.length > 0 ? guarded(known, NOTHING_CHOSEN) : undefined);
  }
}

/** What cannot be removed stays, and `lockstep clean` says so. */
function forgetRecords(services: Services, sessions: Sessions): void {
  try {
    sessions.retain(keepSessions(services.environment));
  } catch {
    // Not today.
  }
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
  return text === undefined ? undefined : guarded(known, readChoice(text));
}

async function guarded({ services, root, hosting }: Known, choice: GuardChoice): Promise<GuardedProject> {
  const keepMs = keepGuardRuns(services.environment);
  return {
    root,
    choice,
    hosting: await hosting(),
    keepMs,
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
