// workplaces: what the MCP server reaches projects by, made of the services of the command line. Everything heavy is asked
// for by the first call that needs it.

import type { Workplace, Workplaces } from '../../../mcp/mcp.ts';
import { findRun } from '../../find-run.ts';
import type { Services } from '../../services.ts';

/** `ledFromAbove`: whoever started this process is the client; over HTTP it is whoever connects. */
export async function workplaces(
  here: Services,
  stateDirectory: string | undefined,
  ledFromAbove: boolean,
): Promise<Workplaces> {
  const known = new Map<string, Promise<Workplace & { close(): Promise<void> }>>();
  const callers = await here.callers();
  // Who started this server does not change while it runs, and every call asks: looking takes a millisecond each time.
  let above: { agent: string | undefined } | undefined;
  const agentAbove = (): string | undefined => {
    above ??= { agent: callers.agentAbove() };
    return above.agent;
  };
  return {
    version: here.version,
    user: here.user,
    callers: { ...callers, agentAbove },
    home: here.home,
    at(folder) {
      const services = folder === undefined ? here : here.at(folder);
      const place = known.get(services.cwd) ?? workplace(services, stateDirectory, ledFromAbove);
      known.set(services.cwd, place);
      return place;
    },
    known: () => Promise.all(known.values()),
    async close() {
      const places = await Promise.allSettled(known.values());
      for (const place of places) if (place.status === 'fulfilled') await place.value.close();
    },
  };
}

async function workplace(
  services: Services,
  stateDirectory: string | undefined,
  ledFromAbove: boolean,
): Promise<Workplace & { close(): Promise<void> }> {
  const root = await services.projectRoot();
  const store = await services.store(stateDirectory);
  const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const hosting = once(() => services.hosting(stateDirectory));
  let guided = false;
  const guide = once(async () => {
    guided = true;
    if (ledFromAbove) (await services.callers()).noteClient();
    const { createGuide } = await import('../../../drivers/guide/guide.ts');
    return createGuide(await hosting());
  });
  // What a client names must lie in the project, whatever a person might name on the command line.
  const reader = once(async () => {
    const folder = (await hosting()).workspaces.open(root);
    return (path: string) => Buffer.from(folder.read(path)).toString('utf8');
  });
  const definitions = async () => (await import('../../find-workflow.ts')).definitionsOf(services);
  return {
    ...{ root, store, hash: services.hash, hosting },
    definitions,
    async find(reference) {
      const { findDefinition } = await import('../../find-workflow.ts');
      return findDefinition((await definitions()).library, reference);
    },
    async load(file) {
      const { loadWorkflow } = await import('../../../drivers/run/load.ts');
      return loadWorkflow(await definitions(), file);
    },
    async given(workflow, skips, given) {
      const { valuesGiven } = await import('../../given/given.ts');
      return valuesGiven(services, workflow, skips, given, await reader());
    },
    guide,
    tracker: () => services.tracker(),
    findRun: (reference) => findRun(store, reference),
    async signal(run, name, data) {
      const message = { kind: 'signal', name, data, by: services.user } as const;
      const [{ speakOr }, { tellRun }] = await Promise.all([
        import('../../speak.ts'),
        import('../../../hosting/hosting.ts'),
      ]);
      await speakOr(services, store, run, message, async () => tellRun(await hosting(), run, message));
    },
    async heldSessions() {
      const { guardedRuns, isAway } = await import('../workflow/guarded-runs.ts');
      const runs = guardedRuns(await services.sessions(), store, root, services.hash);
      // Who calls is there: sessions that have ended come last.
      return runs
        .filter(({ lifecycle }) => !lifecycle)
        .sort((one, other) => Number(isAway(one)) - Number(isAway(other)))
        .map(({ session, run, workflow, state }) => ({ key: session, run, workflow, state }));
    },
    async handOff({ key, workflow, state }, notes, pendingTasks) {
      const { leaveNotes } = await import('../../../drivers/guard/handoff.ts');
      leaveNotes(await services.sessions(), key, {
        ...{ project: root, workflow, notes, pendingTasks, now: services.clock.now() },
        phase: state.handed.keys().next().value ?? '',
        artifacts: Object.fromEntries(state.live?.artifacts ?? []),
      });
    },
    async keepArtifact(run, by, name, content) {
      const { keepArtifact } = await import('../../../drivers/guard/override.ts');
      await keepArtifact(await hosting(), run, { name, content, by: by.client });
    },
    readFile: async (path) => (await reader())(path),
    readPackaged: async (path) => services.readPackaged(path),
    async close() {
      if (guided) await (await guide()).close();
    },
  };
}
