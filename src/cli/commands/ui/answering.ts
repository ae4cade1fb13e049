// answering: a word that a person says on the page, on its way to the run: checked as `lockstep answer` checks it, handed to the
// process that holds the run, or journaled here where none does.

import { validateAnswer } from '../../../engine/engine.ts';
import { readRun, tellRun } from '../../../hosting/hosting.ts';
import { Fault } from '../../../model/fault.ts';
import type { GivenAnswer } from '../../../ui/wire.ts';
import type { Services } from '../../services.ts';
import { speakOr } from '../../speak.ts';

export function answering(
  services: Services,
  stateDirectory: string | undefined,
): (run: string, given: GivenAnswer) => Promise<void> {
  return async (id, { path, asked, answer, note, shown }) => {
    const store = await services.store(stateDirectory);
    const question = readRun(store, id, services.hash).state.questions.get(path);
    if (!question) {
      throw new Fault('nothing-asked', `nothing is asked at "${path}" any more: somebody has answered`, {
        exitCode: 2,
      });
    }
    // What the person saw is what is asked now, or it is no answer.
    if (question.asked !== asked || (shown ?? '') !== (question.shown?.digest ?? '')) {
      throw new Fault('answer-outdated', `"${path}" asks about something else by now`, {
        hint: 'Look at what is asked now, and answer that.',
        exitCode: 2,
      });
    }
    const checked = validateAnswer(question, answer);
    if ('problem' in checked) throw new Fault('answer-invalid', checked.problem, { exitCode: 2 });
    const said = note ?? checked.note;
    const message = {
      ...({ kind: 'answer', path, asked, answer: checked.answer } as const),
      ...({ by: services.user, through: 'page' } as const),
      ...(said !== undefined && { note: said }),
    };
    await speakOr(services, store, id, message, async () =>
      tellRun(await services.hosting(stateDirectory), id, message),
    );
  };
}
