// grammar: what an orchestrate workflow may look like, as a table like our own, so that unknown fields, wrong types and
// slips of the pen are told alike. Which version has which field is in version-gate.ts.

import {
  boolean,
  choice,
  count,
  type Field,
  type Fields,
  field,
  listOf,
  literal,
  name,
  object,
  record,
  required,
  type Shape,
  type Variants,
} from '../../source/grammar/shape.ts';

/** A text, or a number or boolean as it is written. */
const word: Shape = { kind: 'literal', loose: true };
const words: Shape = listOf(word, true);
const json: Shape = { kind: 'json', templates: false };
const jsonMap: Shape = { kind: 'json-map', templates: false };
/** Steps are held against `stepShape` one by one, each under its own name. */
const steps = required(listOf(json, true), 'At least one step.');

/** A list, or the line that somebody wrote instead, which gets a message of its own. */
const commandShape: Shape = { kind: 'either', of: [words, literal] };

const providerShape: Shape = object({
  command: required(commandShape, 'The words of the command; `${PROMPT}` is the prompt.'),
  input_mode: field(choice('argv', 'stdin'), 'How it gets the prompt; `argv`.'),
  defaults: field(jsonMap, 'Parameters where the step gives none.'),
});

export const documentShape: Shape = object(
  {
    version: required(literal, 'The version of the language, in quotes.'),
    name: field(literal, 'What people call it.'),
    strict_flow: field(boolean, 'False: the run goes on after a step that failed.'),
    context: field(jsonMap, 'Values for `${context.…}`.'),
    providers: field(record('any', providerShape), 'Commands that are agents.'),
    inbox_dir: field(literal, 'Where tasks arrive.'),
    processed_dir: field(literal, 'Where done ones go.'),
    failed_dir: field(literal, 'Where failed ones go.'),
    task_extension: field(literal, 'How their names end.'),
    steps,
  },
  'orchestrate workflow',
);

const goto: Shape = object({ goto: required(literal, 'The name of a step, or `_end`.') });

const common: Fields = {
  name: required(literal, 'Its name, unique in its list of steps.'),
  agent: field(literal, 'A label for people.'),
  when: field(
    object({
      equals: field(
        object({ left: required(word, 'A text.'), right: required(word, 'A text.') }),
        'Both are the same text.',
      ),
      exists: field(literal, 'A pattern that matches at least one path.'),
      not_exists: field(literal, 'A pattern that matches none.'),
    }),
    'When the step runs; else it is skipped.',
  ),
  on: field(
    object({
      success: field(goto, 'Where to go on after exit code 0.'),
      failure: field(goto, 'Where to go on after any other.'),
      always: field(goto, 'Where to go on, whatever the others say.'),
    }),
    'Where to go on.',
  ),
};

const injectShape: Shape = {
  kind: 'either',
  of: [
    boolean,
    object({
      mode: field(choice('list', 'content', 'none'), 'What the prompt gets; `none`.'),
      instruction: field(literal, 'A sentence before it.'),
      position: field(choice('prepend', 'append'), 'Before the prompt, or after it; `prepend`.'),
    }),
  ],
};

/** By its name it is looked at as ours are. */
const requirement: Shape = object(
  {
    pointer: required(literal, 'A JSON pointer, for example `/approved`.'),
    exists: field(boolean, 'Whether anything must stand there; true.'),
    equals: field(json, 'What must stand there.'),
    type: field(
      choice('string', 'number', 'boolean', 'array', 'object', 'null'),
      'What kind of value must stand there.',
    ),
  },
  'requirement',
);

const tries: Shape = { kind: 'integer', min: 0, max: 100 };
const retriesShape: Shape = object({
  max: field(tries, 'Further tries after the first; 0.'),
  delay_ms: field({ kind: 'number' }, 'How long to wait before each.'),
});

/** Of a step that starts a process. */
const process: Fields = {
  input_file: field(literal, 'The prompt, or the standard input of a command.'),
  output_file: field(literal, 'Gets the whole of stdout.'),
  output_capture: field(choice('text', 'lines', 'json'), 'What stdout is read as; `text`.'),
  allow_parse_error: field(boolean, 'With `output_capture: json`: what is no JSON is kept as text.'),
  output_schema: field(literal, 'A JSON Schema of the workspace that the output must fit.'),
  output_require: field(listOf(requirement, true), 'What must stand in the output.'),
  env: field(record('environment', word), 'Environment variables; nothing is filled in.'),
  secrets: field(listOf(name('environment')), 'Variables that are passed through, and masked.'),
  depends_on: field(
    object({
      required: field(listOf(literal), 'Patterns that must match.'),
      optional: field(listOf(literal), 'Patterns that may match.'),
      inject: field(injectShape, 'What the prompt is told about them.'),
    }),
    'Files the step depends on.',
  ),
  timeout_sec: field({ kind: 'number', above: true }, 'How long it may take.'),
  retries: field({ kind: 'either', of: [tries, retriesShape] }, 'What to do when it fails.'),
};

/** Of a step that starts none: what it depends on counts, the rest applies to providers and commands. */
const around: Fields = {
  depends_on: process.depends_on as Field,
  timeout_sec: process.timeout_sec as Field,
  output_capture: process.output_capture as Field,
};

const wait: Shape = object({
  glob: required(literal, 'A pattern.'),
  timeout_sec: field({ kind: 'number', above: true }, 'How long at most; 300.'),
  poll_ms: field({ kind: 'number', above: true }, 'How often to look; 500.'),
  min_count: field(count, 'How many must be there; 1.'),
});

const moved: Shape = object({ move_to: field(literal, 'A folder that the item is moved to.') });

const loop: Variants = {
  kind: 'variants',
  name: 'for_each',
  markName: 'list of items',
  common: {
    as: field(literal, 'What an item is called; `item`.'),
    steps,
    on_item_complete: field(
      object({
        success: field(moved, 'After a pass that succeeded.'),
        failure: field(moved, 'After one that did not.'),
      }),
      'What becomes of the item.',
    ),
  },
  branches: [
    {
      name: 'items',
      marks: ['items'],
      description: 'Written out.',
      fields: { items: required(listOf(json), 'The items.') },
    },
    {
      name: 'items_from',
      marks: ['items_from'],
      description: 'What an earlier step found.',
      fields: { items_from: required(literal, '`steps.<Name>.lines` or `steps.<Name>.json.<path>`.') },
    },
  ],
};

export const stepShape: Variants = {
  kind: 'variants',
  name: 'orchestrate step',
  markName: 'kind of work',
  common,
  branches: [
    {
      name: 'provider',
      marks: ['provider'],
      description: 'Gives an agent a task.',
      fields: {
        provider: required(literal, 'Which of `providers`.'),
        provider_params: field(jsonMap, 'Parameters for its command.'),
        ...process,
      },
    },
    {
      name: 'command',
      marks: ['command'],
      description: 'Runs a command.',
      fields: { command: required(commandShape, 'Its words, as a list.'), ...process },
    },
    {
      name: 'wait_for',
      marks: ['wait_for'],
      description: 'Waits for files.',
      fields: { wait_for: required(wait, 'Which, and how long.'), ...around },
    },
    {
      name: 'for_each',
      marks: ['for_each'],
      description: 'The same steps for every item.',
      fields: { for_each: required(loop, 'The items and the steps.'), ...around },
    },
  ],
};
