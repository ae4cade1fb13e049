// person: what the run asks a person, put to them by the client where it can do that. Only what comes back by that way is
// taken as the person's word; where the client cannot ask, the answer to its call names the command to type (G4).

import type { Turn } from '../drivers/guide/guide.ts';
import { Fault } from '../model/fault.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Question } from '../views/step-record.ts';
import { plainLines } from '../views/text/plain.ts';
import { within } from './blockers.ts';
import type { CallContext } from './call-context.ts';
import { readRunIn } from './reading.ts';
import { refuseBelowAgent } from './start-guided.ts';
import type { Elicitation } from './tool.ts';
import type { Workplace } from './workplace.ts';

/** Bytes: a dialog is read at once. */
const LONGEST_MESSAGE = 6000;
const QUESTION = 'question';

/** What to ask now; undefined: nothing, the client cannot, or the person has just said no. */
export async function questionFor(
  turn: Turn,
  place: Workplace,
  context: CallContext,
): Promise<Elicitation | undefined> {
  const [question] = turn.questions;
  if (!question || turn.handed || turn.working || !context.canAsk) return undefined;
  if (context.said && context.said.action !== 'accept') return undefined;
  const { state } = await readRunIn(place, turn.run.id);
  const asked = state.questions.get(question.path)?.asked;
  if (asked === undefined) return undefined;
  const { id } = turn.run;
  return elicitationOf(id, question, {
    kind: QUESTION,
    root: place.root,
    run: id,
    path: question.path,
    asked,
  });
}

export async function elicitationOf(
  run: string,
  question: Question,
  about: JsonObject,
): Promise<Elicitation> {
  return { message: await messageOf(run, question), schema: formOf(question), about };
}

/** What a person put into the form. */
export function answerIn({ answer, note }: JsonObject): { answer: Json; note?: string } {
  return { answer: answer ?? '', ...(typeof note === 'string' && note !== '' && { note }) };
}

/**
 * The call is made again after a person was asked: the run has gone on with the answer. undefined: it is a new call.
 * What they said may not fit; then the answer to the call says so, and they are not asked over and over.
 */
export async function afterAnswer(
  context: CallContext,
): Promise<{ place: Workplace; turn: Turn; context: CallContext } | undefined> {
  const { said } = context;
  if (said?.about.kind !== QUESTION) return undefined;
  const { root, run, path, asked } = said.about as { root: string; run: string; path: string; asked: number };
  const place = await context.at(root);
  const guide = await place.guide();
  if (said.action !== 'accept') return { place, context, turn: await guide.look(run) };
  refuseBelowAgent(context);
  try {
    const given = {
      path,
      asked,
      by: context.workplaces.user,
      through: 'form' as const,
      ...answerIn(said.content),
    };
    return { place, context, turn: await guide.answer(run, given) };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'answer-invalid') throw error;
    const turn = await guide.look(run);
    const warnings = [...turn.warnings, error.message];
    return { place, context: { ...context, canAsk: false }, turn: { ...turn, warnings } };
  }
}

async function messageOf(run: string, question: Question): Promise<string> {
  const { shownParts } = await import('../views/shown.ts');
  const parts = shownParts(run, question).flatMap(({ title, lines, more }) => [
    '',
    title,
    ...lines.map((line) => `  ${line}`),
    ...(more === undefined ? [] : [`  ${more}`]),
  ]);
  const reasons = question.reasons.map((reason) => `- ${reason}`);
  return within([...plainLines(question.text), ...reasons, ...parts].join('\n'), LONGEST_MESSAGE);
}

function formOf(question: Question): JsonObject {
  const decision = (choices: string[]): JsonObject => ({
    type: 'object',
    properties: {
      answer: { type: 'string', enum: choices, title: 'Decision' },
      note: { type: 'string', title: 'Why (may be left empty)' },
    },
    required: ['answer'],
  });
  switch (question.question) {
    case 'approve':
      return decision(['approve', 'reject']);
    case 'held':
    case 'in-doubt':
      return decision(['again', 'accept', 'fail']);
    default: {
      const choices = question.question === 'ask' ? (question.choices ?? []) : [];
      const answer = {
        type: 'string',
        title: 'Answer',
        ...(choices.length > 0 && { enum: choices.map(word) }),
      };
      return { type: 'object', properties: { answer }, required: ['answer'] };
    }
  }
}

function word(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
