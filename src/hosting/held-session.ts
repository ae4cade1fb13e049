// held-session: what an effect knows of the live session of its run. A run that only watches (it has no steps) knows the step that
// the session is held to as well: another run of the session has it.

import { currentHanded, sessionValue } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import type { SessionView } from '../model/session-view.ts';
import type { State } from '../model/state.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { PerformContext } from '../runtime/perform/perform.ts';
import type { Hosting } from './hosting.ts';
import type { Memory } from './memory.ts';
import { readRun } from './read-run.ts';

type HeldSession = NonNullable<PerformContext['session']>;

/** Who it is, is known with its first event. */
export function heldSession(
  { store, hash }: Pick<Hosting, 'store' | 'hash'>,
  sessions: Sessions,
  memory: Memory,
): HeldSession {
  const { state, pinned } = memory;
  const keyOf = () => state.live?.session ?? { client: 'claude' as const, id: '' };

  /** Of the run with steps that holds the same session; as its journal tells it. */
  function beside(): State | undefined {
    if (pinned.workflow.steps.length > 0) return undefined;
    const run = sessions.get(keyOf())?.runs.find(({ lifecycle }) => lifecycle !== true)?.run;
    if (run === undefined) return undefined;
    try {
      return readRun(store, run, hash).state;
    } catch (error) {
      if (error instanceof Fault) return undefined; // removed, or not readable: then nothing is known of it
      throw error;
    }
  }

  return {
    get key() {
      return keyOf();
    },
    ...{ sessions, project: pinned.workspace },
    get workflow() {
      return beside()?.root.scope.workflow.name ?? pinned.workflow.name;
    },
    get transcript() {
      return memory.transcript;
    },
    facts() {
      const other = beside();
      return {
        phase: currentHanded(other ?? state)?.open.step.id ?? askedAt(other ?? state),
        view: other ? seenFrom(sessionValue(state), sessionValue(other)) : sessionValue(state),
        vars: Object.fromEntries((other ?? state).root.scope.vars),
      };
    },
  };
}

/** A person is asked about the work of a step: that is where the session is. */
function askedAt({ questions }: State): string {
  const [question] = questions.values();
  return question?.open.step.id ?? '';
}

/** Who the session is, its own run knows; what it did, the run that was told of every call. */
function seenFrom(own: SessionView, other: SessionView): SessionView {
  const { artifacts, files_read, files_modified, tool_calls, errors, step, observations } = other;
  return {
    ...own,
    ...{ files_read, files_modified, tool_calls, errors, step, observations },
    artifacts: { ...artifacts, ...own.artifacts },
  };
}
