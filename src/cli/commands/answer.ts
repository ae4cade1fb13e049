// answer: what a person says to a question of a paused run. It is checked here, journaled by whoever holds the run.

import { validateAnswer } from '../../engine/engine.ts';
import { type ReadRun, readRun, tellRun } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { Json } from '../../model/json.ts';
import type { OpenQuestion, State } from '../../model/state.ts';
import { journalNotWhole } from '../../ports/journal-not-whole.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { answerCommands } from '../../views/next-commands.ts';
import { refuseBelowStep } from '../below-agent.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { speakOr } from '../speak.ts';
import type { DisplayOptions } from '../start/display.ts';
import { goOn } from './resume.ts';

interface AnswerOptions extends DisplayOptions {
  step?: string;
  shown?: string;
  choose?: string;
  text?: string;
  note?: string;
  resume: boolean;
  stateDir?: string;
}

export async function answer(
  services: Services,
  first: string | undefined,
  second: string | undefined,
  options: AnswerOptions,
): Promise<number> {
  await refuseBelowStep(services, 'answer');
  const store = await services.store(options.stateDir);
  const { reference, text } = readWords(first, second, options, store.list());
  const id = findRun(store, reference);
  const run = readRun(store, id, services.hash);
  const [path, question] = questionAt(run, id, options.step);
  assertShown(path, question, options.shown);
  const value = options.choose === undefined ? (options.text ?? text) : chosen(question, options.choose);
  if (value === undefined) throw unanswered(run, id, path, nothingGiven(question, options));
  const checked = validateAnswer(question, value);
  if ('problem' in checked) throw unanswered(run, id, path, checked.problem);

  const note = options.note ?? checked.note;
  const given = {
    path,
    asked: question.asked,
    answer: checked.answer,
    by: services.user,
    ...(note !== undefined && { note }),
  };
  const message = { kind: 'answer', ...given } as const;
  const said = await speakOr(services, store, id, message, async () => {
    if (options.resume) return goOn(services, id, { ...options, answer: given });
    await tellRun(await services.hosting(options.stateDir), id, message);
    services.stdout.write(`Answered "${path}". Go on with: lockstep resume ${id}\n`);
    return 0;
  });
  if ('done' in said) return said.done;
  services.stdout.write(`Answered "${path}"; the process that runs ${id} (pid ${said.heard.pid}) goes on.\n`);
  return 0;
}

/** `answer approve`, `answer RUN approve`; with --choose or --text the only word is a run. */
function readWords(
  first: string | undefined,
  second: string | undefined,
  options: AnswerOptions,
  ids: string[],
): { reference: string; text: string | undefined } {
  if (second !== undefined) return { reference: first ?? 'latest', text: second };
  const isGiven = options.choose !== undefined || options.text !== undefined;
  // Two digits may be an answer; what looks like the beginning of an id is one.
  const namesRun =
    first !== undefined &&
    (first === 'latest' || (/^\d{6}/.test(first) && ids.some((id) => id.startsWith(first))));
  if (first !== undefined && (isGiven || namesRun)) return { reference: first, text: undefined };
  return { reference: 'latest', text: first };
}

function questionAt(run: ReadRun, id: string, step: string | undefined): [string, OpenQuestion] {
  const { questions } = run.state;
  if (questions.size === 0 && run.missing !== undefined) throw journalNotWhole(id, run.missing);
  if (questions.size === 0) {
    throw new Fault('nothing-asked', `run ${id} asks nothing: it is ${run.state.status}`, { exitCode: 2 });
  }
  if (step !== undefined) {
    const question = questions.get(step);
    if (question) return [step, question];
    // The end of a path is enough where no other question has it.
    const meant = [...questions].filter(([path]) => path.endsWith(`/${step}`));
    if (meant.length === 1 && meant[0]) return meant[0];
    if (meant.length > 1) {
      throw new Fault('question-ambiguous', `run ${id} asks ${meant.length} questions at "${step}"`, {
        hint: `Say which with --step: ${meant.map(([path]) => path).join(', ')}.`,
        exitCode: 2,
      });
    }
    throw new Fault('nothing-asked', `nothing is asked at "${step}"`, {
      hint: didYouMean(step, questions.keys()) ?? `Open questions: ${[...questions.keys()].join(', ')}.`,
      exitCode: 2,
    });
  }
  const [only] = questions;
  if (questions.size === 1 && only) return only;
  throw new Fault('question-ambiguous', `run ${id} asks ${questions.size} questions`, {
    hint: `Say which with --step: ${[...questions.keys()].join(', ')}.`,
    exitCode: 2,
  });
}

/** `--shown`: what the person looked at is what is asked now. */
function assertShown(path: string, { shown }: OpenQuestion, given: string | undefined): void {
  if (given === undefined) return;
  const digest = shown?.digest ?? '';
  if (/^[0-9a-f]{8,64}$/.test(given) && digest.startsWith(given)) return;
  throw new Fault('answer-outdated', `"${path}" does not ask about ${given} any more`, {
    hint:
      digest === ''
        ? 'The question that is open has no digest. See it with: lockstep status'
        : `What it asks about now is ${digest.slice(0, 16)}. See it with: lockstep status`,
    exitCode: 2,
  });
}

function chosen(question: OpenQuestion, number: string): Json | undefined {
  return /^\d+$/.test(number) ? question.choices?.[Number(number) - 1] : undefined;
}

function nothingGiven(question: OpenQuestion, { choose }: AnswerOptions): string {
  if (choose === undefined) return 'no answer was given';
  const { choices } = question;
  return choices
    ? `there is no choice ${choose}: there are ${choices.length}`
    : 'it has no choices to choose from';
}

function unanswered(
  run: { state: State; view: ReadRun['view'] },
  id: string,
  path: string,
  problem: string,
): Fault {
  const shown = run.view.outline.questions.get(path);
  const ways = shown
    ? answerCommands(id, shown, run.state.questions.size > 1).map(({ command }) => command)
    : [];
  return new Fault('answer-invalid', `"${path}" asks: ${run.state.questions.get(path)?.text}\n  ${problem}`, {
    hint: ways.length > 0 ? `Answer with one of:\n${ways.map((way) => `    ${way}`).join('\n')}` : undefined,
    exitCode: 2,
  });
}
