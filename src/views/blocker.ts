// blocker: blocker.json: while a run is paused, the list of what is asked, of whom, and how to go on.

import type { JsonObject } from '../model/json.ts';
import { answerCommands, logsCommand } from './next-commands.ts';
import type { Outline } from './outline/shape.ts';
import { seeCommands } from './shown.ts';
import { isoTime } from './text/words.ts';

export function blockers(outline: Outline): JsonObject[] {
  const run = outline.run?.id ?? '';
  const several = outline.questions.size > 1;
  return [...outline.questions.values()].map((question) => {
    const blocker: JsonObject = {
      run,
      path: question.path,
      question: question.question,
      of: 'a person',
      text: question.text,
      reasons: question.reasons,
      asked_at: isoTime(question.askedAt),
    };
    if (question.part !== undefined) blocker.part = question.part;
    if (question.choices) blocker.choices = question.choices;
    if (question.timeoutMs !== undefined) blocker.expires_at = isoTime(question.askedAt + question.timeoutMs);
    blocker.go_on = answerCommands(run, question, several).map(({ command, meaning }) => ({
      command,
      meaning,
    }));
    if (question.shown) {
      blocker.shown = question.shown as unknown as JsonObject;
      blocker.see = seeCommands(run, question).map(({ command, meaning }) => ({ command, meaning }));
    }
    blocker.logs = logsCommand(run, question.path);
    return blocker;
  });
}
