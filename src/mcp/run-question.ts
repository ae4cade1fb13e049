// run-question: what any run asks a person, put to them by the client: a run that Lockstep drives goes on with the answer in
// the background, a guided one within the call.

import { Fault } from '../model/fault.ts';
import type { CallContext } from './call-context.ts';
import { sayFromForm } from './driven-run.ts';
import { elicitationOf } from './person.ts';
import { readRunIn } from './reading.ts';
import type { Elicitation } from './tool.ts';
import type { Workplace } from './workplace.ts';

const KIND = 'run-question';

export async function runQuestionFor(
  place: Workplace,
  id: string,
  context: CallContext,
): Promise<Elicitation | undefined> {
  if (!context.canAsk || (context.said && context.said.action !== 'accept')) return undefined;
  const { state, view } = await readRunIn(place, id);
  const [question] = view.outline.questions.values();
  const asked = question && state.questions.get(question.path)?.asked;
  if (!question || asked === undefined) return undefined;
  return elicitationOf(id, question, { kind: KIND, root: place.root, run: id, path: question.path, asked });
}

/** undefined: it is a new call. */
export async function afterRunAnswer(
  context: CallContext,
): Promise<{ place: Workplace; run: string; warning?: string } | undefined> {
  const { said } = context;
  if (said?.about.kind !== KIND) return undefined;
  const { root, run, path, asked } = said.about as { root: string; run: string; path: string; asked: number };
  const place = await context.at(root);
  if (said.action !== 'accept') return { place, run };
  try {
    await sayFromForm(context, { place, run }, { path, asked }, said.content);
    return { place, run };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { place, run, warning: error.message };
  }
}
