// override: what a person does to a run that holds a session: moves it, lets it begin anew, switches the holding off. Each is an
// entry with who and why. Whoever holds the run gives it back within a moment; until then this waits.

import { type Asked, currentHanded, factKey, weighEvent } from '../../engine/engine.ts';
import { type HeldRun, type Hosting, hostRun } from '../../hosting/hosting.ts';
import type { Channel, EntryBody, Fact } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import { lookAt } from '../../runtime/perform/observe.ts';
import { didYouMean } from '../../text/closest-name.ts';

export interface Person {
  by: string;
  why?: string;
  channel?: Channel;
}

export interface Moved {
  /** What of the step's `done` does not hold; then nothing was moved. */
  unmet: string[];
  state: State;
}

const LOCKED_LOOK_MS = 50;
const LOCKED_PATIENCE_MS = 30_000;

/** Fault `step-unknown`, `run-ended`. With `force` whatever is unmet. */
export async function movePhase(
  hosting: Hosting,
  id: string,
  to: string,
  { force, ...person }: Person & { force: boolean },
): Promise<Moved> {
  return await inHand(hosting, id, async (run) => {
    refuseEnded(run);
    const { state } = run;
    refuseUnknown(run, to);
    const path = currentHanded(state)?.open.path ?? [...state.questions.keys()][0];
    if (force) {
      await run.go([
        { kind: 'moved-by-person', ...(path !== undefined && { path }), to, ...person, forced: true },
      ]);
      return { unmet: [], state };
    }
    return await leave(run, { by: 'person', to });
  });
}

/** The agent thinks that its step is done. It is checked as at a stop; the agent's word moves nothing. Fault `run-ended`. */
export async function requestPhase(
  hosting: Hosting,
  id: string,
  { to, why }: { to?: string | undefined; why?: string | undefined },
): Promise<Moved> {
  return await inHand(hosting, id, async (run) => {
    refuseEnded(run);
    if (to !== undefined) refuseUnknown(run, to);
    return await leave(run, { by: 'agent', ...(to !== undefined && { to }) }, why);
  });
}

function refuseUnknown({ state, workflow }: HeldRun, to: string): void {
  const steps = state.root.steps.map((step) => step.id);
  if (!steps.includes(to) && to !== 'end')
    throw new Fault('step-unknown', `${workflow.name} has no step "${to}"`, {
      hint: didYouMean(to, steps) ?? `It has ${steps.join(', ')}.`,
      exitCode: 2,
    });
}

const NOWHERE = 'the session is at no step that could be left now';
const OPEN_ENDED = 'this step does not say when it is done: a rule of it, or the person, ends it';

async function leave(run: HeldRun, asked: Asked, why?: string): Promise<Moved> {
  const { state } = run;
  const facts = new Map<string, Fact>();
  for (;;) {
    const weighed = weighEvent(state, { facts, asked });
    if (weighed.kind === 'needs') {
      for (const fact of await lookAt(weighed.needs, run.around())) facts.set(factKey(fact), fact);
      continue;
    }
    const { bearing, path: at, unmet } = weighed;
    const open = at === undefined ? undefined : currentHanded(state)?.open;
    if (bearing?.does !== 'check' || at === undefined || !open)
      return { unmet: unmet.length > 0 ? unmet : [open ? OPEN_ENDED : NOWHERE], state };
    const tries = open.try;
    const said = { ...bearing, ...(why !== undefined && { why }) };
    await run.go([{ kind: 'event-weighed', path: at, bearing: said }]);
    const now = currentHanded(state)?.open;
    return { unmet: now?.path === at && now.try !== tries ? [...now.feedback] : [], state };
  }
}

/** The run is over; where `anew` is done, its session gets a new one with its next event, of the definition as it is then. */
export async function endRun(hosting: Hosting, id: string, person: Person): Promise<void> {
  await inHand(hosting, id, async (run) => {
    refuseEnded(run);
    await run.say({ kind: 'run-cancelled', ...person });
  });
}

export async function noteSwitch(hosting: Hosting, id: string, on: boolean, person: Person): Promise<void> {
  await inHand(hosting, id, async (run) => {
    const body: EntryBody = { kind: 'guard-switched', on, ...person };
    await run.say(body);
  });
}

/** Registers a text under a name, for what the workflow says of it later. */
export async function keepArtifact(
  hosting: Hosting,
  id: string,
  artifact: { name: string; content: string; by: string },
): Promise<void> {
  await inHand(hosting, id, (run) => run.say({ kind: 'artifact-kept', ...artifact }));
}

async function inHand<T>(hosting: Hosting, id: string, work: (run: HeldRun) => Promise<T>): Promise<T> {
  const until = performance.now() + LOCKED_PATIENCE_MS;
  for (;;) {
    try {
      return await hostRun(hosting, id).call(work);
    } catch (error) {
      const isLocked = error instanceof Fault && error.code === 'run-locked';
      if (!isLocked || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCKED_LOOK_MS));
    }
  }
}

function refuseEnded({ id, state }: HeldRun): void {
  const { status } = state;
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return;
  throw new Fault('run-ended', `run ${id} is ${status}: it holds no session any more`, { exitCode: 2 });
}
