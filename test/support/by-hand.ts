// by-hand: decide and fold with every completion, answer and alarm placed by the test.

import { decide, effectName, fold, initialState } from '../../src/engine/engine.ts';
import type { Perform } from '../../src/model/command.ts';
import type { Entry, EntryBody, Outcome } from '../../src/model/entry.ts';
import type { State } from '../../src/model/state.ts';
import type { Workflow } from '../../src/model/workflow.ts';
import { type RehearsalOptions, start } from './rehearsal.ts';

const BY = { user: 'tester', host: 'here', pid: 1, version: '0' };

export interface ByHand {
  state: State;
  entries: Entry[];
  write(body: EntryBody): ByHand;
  /** Decides until nothing more follows. */
  quiet(): ByHand;
  finish(path: string, outcome?: Partial<Outcome>, part?: string): ByHand;
  /** Names of the effects under way. */
  pending(): string[];
  commands(): Perform[];
  resume(): ByHand;
  /** The process dies and somebody resumes. */
  crash(): ByHand;
}

/** Starts the workflow and decides until it is quiet. */
export function byHand(workflow: Workflow, options: RehearsalOptions = {}): ByHand {
  const state = initialState(workflow);
  const entries: Entry[] = [];
  let pending: Perform[] = [];

  const self: ByHand = {
    state,
    entries,
    write(body) {
      const stamped = { n: state.n + 1, at: 1000 * (state.n + 1), ...body };
      const entry = JSON.parse(JSON.stringify(stamped)) as Entry;
      entries.push(entry);
      fold(workflow, state, entry);
      return self;
    },
    quiet() {
      for (let count = 0; count < 2000; count += 1) {
        const command = decide(workflow, state);
        if (!command) return self;
        self.write(command.entry);
        if (command.perform?.kind === 'cancel') {
          const { path, part } = command.perform;
          self.finish(path, { ok: false, error: { class: 'cancelled', message: 'x' } }, part);
        } else if (command.perform) pending.push(command.perform);
      }
      throw new Error('decide never becomes quiet');
    },
    finish(path, outcome = {}, part) {
      pending = pending.filter((one) => effectName(one.path, one.part) !== effectName(path, part));
      const exit = outcome.ok === false ? {} : { exit_code: 0 };
      const whole: Outcome = { ok: true, output: null, duration_ms: 1, ...exit, ...outcome };
      return self.write({ kind: 'attempt-finished', path, part, outcome: whole });
    },
    pending: () => pending.map((one) => effectName(one.path, one.part)),
    commands: () => pending,
    resume: () => self.write({ kind: 'run-resumed', by: BY }).quiet(),
    crash() {
      pending = [];
      return self.resume();
    },
  };
  return self.write(start(workflow, options)).quiet();
}

export const broke = (message = 'broke'): Partial<Outcome> => ({
  ok: false,
  exit_code: 1,
  error: { class: 'exit', message },
});
