// guarded-runs: the runs that hold sessions of this project now.

import { readRun } from '../../../hosting/hosting.ts';
import { Fault } from '../../../model/fault.ts';
import type { SessionKey } from '../../../model/live-session.ts';
import type { State } from '../../../model/state.ts';
import type { Sessions } from '../../../ports/sessions.ts';
import type { Store } from '../../../ports/store.ts';

export interface GuardedRun {
  run: string;
  session: SessionKey;
  title: string;
  lifecycle: boolean;
  workflow: string;
  state: State;
}

/** The session seen last first; runs that have ended are left out. */
export function guardedRuns(
  sessions: Sessions,
  store: Store,
  project: string,
  hash: (text: string) => string,
): GuardedRun[] {
  return sessions.find({ project }).flatMap(({ client, id, title, runs }) =>
    runs.flatMap(({ run, workflow, lifecycle = false }) => {
      const state = stateOf(store, run, hash);
      if (!state || state.status === 'completed' || state.status === 'failed' || state.status === 'cancelled')
        return [];
      return [{ run, session: { client, id }, title, lifecycle, workflow, state }];
    }),
  );
}

function stateOf(store: Store, id: string, hash: (text: string) => string): State | undefined {
  try {
    return readRun(store, id, hash).state;
  } catch {
    return undefined;
  }
}

/** Its client has ended it, and may go on with it later. */
export function isAway({ state }: GuardedRun): boolean {
  return state.live?.isOver === true;
}

/** The one that is meant: where nothing is said, of those that are open. Faults `guard-no-session`, `guard-sessions`. */
export function theOne(runs: readonly GuardedRun[], named: string | undefined): GuardedRun {
  const all = runs.filter(({ lifecycle }) => !lifecycle);
  const open = all.filter((run) => !isAway(run));
  const steps = named === undefined && open.length > 0 ? open : all;
  const meant =
    named === undefined
      ? steps
      : steps.filter(
          ({ run, session }) =>
            run.startsWith(named) || run.endsWith(`-${named}`) || session.id.startsWith(named),
        );
  const [only] = meant;
  if (only && meant.length === 1) return only;
  if (!only)
    throw new Fault(
      'guard-no-session',
      named === undefined
        ? 'no session of this project is at a step'
        : `no session or run is called ${named}`,
      { hint: '`lockstep workflow status` shows which sessions are held, and where they are.', exitCode: 2 },
    );
  throw new Fault('guard-sessions', `${meant.length} sessions of this project are at a step`, {
    hint: `Say which with --session: ${meant.map(({ session }) => session.id).join(', ')}`,
    exitCode: 2,
  });
}
