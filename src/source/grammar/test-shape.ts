// test-shape: a file of tests for a workflow (`*.test.yaml`).

import { answersShape } from './script-shape.ts';
import {
  boolean,
  choice,
  count,
  duration,
  either,
  type Fields,
  field,
  listOf,
  literal,
  object,
  record,
  required,
  type Shape,
} from './shape.ts';

const json: Shape = { kind: 'json', templates: false };
const jsonMap: Shape = { kind: 'json-map', templates: false };
const exitCode: Shape = { kind: 'integer', min: 0, max: 255 };
const oneOrMore = either(literal, listOf(literal, true));

const standIn = object(
  {
    exit: field(exitCode, 'What it ends with; 0.'),
    stdout: field(literal, 'What it prints.'),
    stderr: field(literal, 'What it prints there.'),
    write: field(record('any', literal), 'Files it leaves behind, by path.'),
  },
  'stand-in',
);

const reply = object(
  {
    step: field(literal, 'Path or id of the step that asks. Without: whichever asks next.'),
    answer: required(
      json,
      'As with `lockstep answer`: approve, reject, again, accept, fail, a choice, or text.',
    ),
    note: field(literal, 'Why; goes to the agent and on record.'),
  },
  'reply',
);

const signal = object(
  {
    name: required(literal, 'What a `wait: { signal }` waits for.'),
    data: field(json, 'What the waiting step gets; null.'),
  },
  'signal',
);

const fault = object(
  {
    at: required(literal, 'Path or id of a step, or a part of it such as `verify.done[1]`.'),
    crash: field(
      either(boolean, choice('announced', 'done')),
      '`done` (or true): all of its work is done and nothing of it is on record; `announced`: nothing is done yet. Then it is resumed.',
    ),
    timeout: field(boolean, 'It does not end until its `timeout` is over, which is at once.'),
    malformed: field(
      either(boolean, literal),
      'It answers or prints this instead; true: JSON that breaks off.',
    ),
    error: field(
      either(choice('exit', 'error', 'rate-limit', 'overloaded'), exitCode),
      'Its dispatch fails: an exit code, or a class of failure.',
    ),
    times: field(count, 'How often it happens; 1.'),
    from: field(count, 'From which time on that the step comes to it; 1.'),
  },
  'fault',
);

const text: Shape = object({
  contains: field(oneOrMore, 'Text, or texts, that must be in it.'),
  lacks: field(oneOrMore, 'Text, or texts, that must not be in it.'),
});

const fileExpectation: Shape = object({
  contains: field(oneOrMore, 'Text, or texts, that must be in it.'),
  lacks: field(oneOrMore, 'Text, or texts, that must not be in it.'),
  absent: field(boolean, 'True: there must be no such file.'),
});

const stepExpectation: Shape = object({
  status: field(choice('done', 'failed', 'skipped', 'cancelled'), 'How it ended.'),
  output: field(json, 'What its output must hold; it may hold more.'),
  tries: field(count, 'How many times its work was tried.'),
  exit_code: field(exitCode, 'Of its last attempt.'),
  error: field(literal, 'Words of its failure, or the class of it.'),
});

const expectation: Shape = object({
  status: field(
    choice('completed', 'failed', 'paused', 'cancelled', 'refused'),
    'How the run ends; completed. `refused`: nothing was run, because something was wrong with what it was given.',
  ),
  exit: field(exitCode, 'What `lockstep run` would end with.'),
  path: field(
    listOf(literal),
    'The steps that did something, by path or id, in the order they began. `…` or `...` stands for any number of them.',
  ),
  steps: field(record('any', stepExpectation), 'By step path; by id, the last one of that id.'),
  outputs: field(jsonMap, 'What the `outputs` of the workflow must hold.'),
  vars: field(jsonMap, 'What the `vars` must hold at the end.'),
  files: field(
    record('any', either(literal, fileExpectation)),
    'By path: the whole text, or what must be in it.',
  ),
  skipped: field(
    record('any', literal),
    'By step path or id: the reason, or words of it. Nothing else may be skipped.',
  ),
  asked: field(
    listOf(
      object({ step: required(literal, 'Path or id.'), text: field(literal, 'Words of the question.') }),
    ),
    'What people were asked, in order, all of it.',
  ),
  prompts: field(
    record('any', either(literal, text)),
    'By step path or id: what its agent must have been given, in one of its dispatches.',
  ),
  commits: field(listOf(literal), 'The subjects of all commits the run made, the oldest first.'),
  error: field(literal, 'Words of why the run failed.'),
});

/** What cases have in common may stand at the top of the file. */
const shared: Fields = {
  inputs: field(jsonMap, 'Inputs of the workflow; one of type file is a path in the scratch project.'),
  vars: field(jsonMap, 'Other initial values for vars.'),
  files: field(record('any', literal), 'Files of the scratch project, by path.'),
  fixture: field(literal, 'A folder beside this file that is copied into the scratch project first.'),
  git: field(boolean, 'Whether the scratch project is a git repository; true.'),
  env: field(record('environment', { kind: 'literal', loose: true }), 'Environment variables.'),
  answers: field(answersShape, 'What agents answer, as in a file for `--script`.'),
  commands: field(
    record('any', either(standIn, listOf(standIn, true))),
    'Commands that are not run, by step path or id, or a part of it (`verify.done[1]`), and what they come to. The last one repeats.',
  ),
  replies: field(listOf(reply), 'What people answer, each once, when they are asked.'),
  signals: field(listOf(signal), 'Signals that are sent at the start.'),
  skip_steps: field(listOf(literal), 'As `--skip-step`.'),
  skip_checks: field(boolean, 'As `--skip-checks`.'),
  dry_run: field(boolean, 'As `--dry-run`.'),
  gates: field(listOf(literal), 'As `--gate`.'),
  faults: field(listOf(fault), 'What goes wrong, and where.'),
  timeout: field(duration, 'How long one play of a case may take, before it is ended and has failed; 1m.'),
  crash: field(choice('everywhere'), 'Play it again with a crash at every step; the end must be the same.'),
};

const testCase: Shape = object(
  {
    name: required(literal, 'A sentence that the case proves.'),
    ...shared,
    expect: required(expectation, 'What must come of it.'),
  },
  'case',
);

export const testShape = object(
  {
    lockstep_test: required({ kind: 'integer', min: 1, max: 1 }, 'The version of this format: 1.'),
    workflow: required(
      literal,
      'Which workflow: a name of the library, or a path beside this file (`./ship.yaml`).',
    ),
    ...shared,
    cases: required(listOf(testCase, true), 'What is tried, one after the other.'),
  },
  'test',
) as Extract<Shape, { kind: 'object' }>;
