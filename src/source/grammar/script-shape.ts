// script-shape: the file of answers for the scripted agent.

import {
  boolean,
  choice,
  duration,
  either,
  field,
  listOf,
  literal,
  object,
  record,
  required,
  type Shape,
} from './shape.ts';

const amount: Shape = { kind: 'integer', min: 0 };

const answerShape: Shape = object(
  {
    delay: field(duration, 'How long it takes.'),
    hang: field(boolean, 'True: it never answers.'),
    read: field(listOf(literal), 'Files to look at. Needs the tool `Read`.'),
    write: field(record('any', literal), 'Files to write, by path. Needs the tool `Write`.'),
    run: field(
      either(literal, listOf({ kind: 'literal', loose: true }, true)),
      'A command to run. Needs the tool `Bash`.',
    ),
    commit: field(literal, 'Commits everything with this message. Needs the tool `Bash`.'),
    stderr: field(literal, 'What it prints there.'),
    garbage: field(boolean, 'True: the stream breaks off in the middle.'),
    output: field({ kind: 'json', templates: false }, 'A structured answer.'),
    text: field(literal, 'The answer as text.'),
    usage: field(
      object({
        input: field(amount, 'Tokens.'),
        output: field(amount, 'Tokens.'),
        cost: field({ kind: 'number' }, 'US dollars.'),
        turns: field(amount, 'Turns taken.'),
      }),
      'What it says it has used.',
    ),
    session: field(literal, 'The id of its session.'),
    exit: field({ kind: 'integer', min: 0, max: 255 }, 'Another code than 0: the dispatch failed.'),
    error: field(choice('exit', 'error', 'rate-limit', 'overloaded'), 'What kind of failure that is.'),
  },
  'answer',
);

/** By step path, step id or `*`; one or several in turn. */
export const answersShape: Shape = record('any', either(answerShape, listOf(answerShape, true)));

export const scriptShape: Shape = object(
  {
    answers: required(
      answersShape,
      'By step path, step id or `*`; a list is taken one by one, the last one repeats.',
    ),
  },
  'script',
);
