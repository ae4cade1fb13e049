// driven-run: runs that Lockstep drives itself, for a client: begun, gone on with, answered and cancelled. They go on in the
// background of the server.

import type { JsonObject } from '../model/json.ts';
import type { Background, CallContext } from './call-context.ts';
import { answerIn } from './person.ts';
import { type Observer, readRunIn } from './reading.ts';
import { refuseBelowAgent } from './start-guided.ts';
import type { Workplace } from './workplace.ts';

/** Answers with the id of the run once it is there; what comes after is told by whoever looks at the run. */
export function inBackground(
  background: Background,
  drive: (observer: Observer) => Promise<unknown>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let stop = (_by: string): void => {};
    let id: string | undefined;
    const ended = drive({
      opened(run) {
        stop = (by) => run.interrupt(by);
        id = run.id;
        resolve(run.id);
      },
    });
    ended.catch(reject);
    background.keep({ run: () => id, stop: (by) => stop(by), ended });
  });
}

/** Goes on with it where it is. Faults as those of `lockstep resume`. */
export async function goOn({ background }: CallContext, place: Workplace, id: string): Promise<void> {
  const { resumeRun } = await import('../drivers/run/run.ts');
  const hosting = await place.hosting();
  await inBackground(background, (observer) => resumeRun(hosting, { id }, observer));
}

export interface AskedQuestion {
  path: string;
  /** The number of the entry that asked. */
  asked: number;
}

/** What a person put into a form, said to the run, which goes on with it. Fault `answer-invalid`. */
export async function sayFromForm(
  context: CallContext,
  { place, run }: { place: Workplace; run: string },
  question: AskedQuestion,
  content: JsonObject,
): Promise<void> {
  refuseBelowAgent(context);
  const by = context.workplaces.user;
  const answer = { ...question, by, through: 'form' as const, ...answerIn(content) };
  const { state } = await readRunIn(place, run);
  if (state.driven.drive === 'guide') return void (await (await place.guide()).answer(run, answer));
  // It has paused by its journal, and may still be about to let go of the run.
  if (state.status === 'paused') await context.background.on(run)?.ended.catch(() => {});
  const { resumeRun } = await import('../drivers/run/run.ts');
  const hosting = await place.hosting();
  await inBackground(context.background, (observer) => resumeRun(hosting, { id: run, answer }, observer));
}

/** Ends what this server does on it first. Faults `run-locked` where another process holds it. */
export async function cancelRun(
  { background, client }: CallContext,
  place: Workplace,
  run: string,
): Promise<void> {
  const work = background.on(run);
  work?.stop(client);
  await work?.ended.catch(() => {});
  const { state } = await readRunIn(place, run);
  if (state.status === 'completed' || state.status === 'cancelled') return;
  const { tellRun } = await import('../hosting/hosting.ts');
  await tellRun(await place.hosting(), run, { kind: 'cancel', by: client });
}
