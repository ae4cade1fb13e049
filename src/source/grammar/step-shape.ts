// step-shape: a step, one branch per verb.

import {
  actions,
  agentReference,
  capture,
  commandLine,
  done,
  performer,
  prompt,
  reads,
  retry,
  rules,
  templateSyntax,
  tools,
} from './parts.ts';
import {
  type Branch,
  boolean,
  cel,
  choice,
  count,
  duration,
  either,
  type Fields,
  field,
  listOf,
  literal,
  name,
  object,
  record,
  required,
  type Shape,
  templated,
  text,
  type Variants,
} from './shape.ts';

const common: Fields = {
  id: required(name('id'), 'Unique in its list of steps: letters, digits, `-`, `_`.'),
  title: field(text, 'What people see.'),
  labels: field({ kind: 'json-map', templates: false }, 'Free metadata.'),
  if: field(cel, 'False: the step is skipped, with the reason on record.'),
  check: field(boolean, 'True: a quality check, which `--skip-checks` leaves out.'),
  dry_run: field(boolean, 'True: runs under `--dry-run` too.'),
  output: field(
    either(
      name('output'),
      object({
        vars: required(name('member'), 'Where the object stands in the output: `context`, `result.context`.'),
        extra: field(choice('refuse', 'keep'), 'Keys that `vars` does not declare; `refuse`.'),
      }),
    ),
    'A name for the value; `vars` merges an object into vars, and a map says which and how.',
  ),
  timeout: field(duration, 'How long it may take; exit code 124.'),
  enter: field(actions, 'Done before the work; on `each`, before every pass.'),
  exit: field(actions, 'Done after it, whatever came of it; on `each`, after every pass.'),
  done: field(done, 'When the work counts as done.'),
  on_fail: field(choice('stop', 'pause', 'continue'), 'What a failure does to the run.'),
  next: field(
    listOf(
      object({
        when: field(cel, 'Taken only if this holds; the first that holds wins.'),
        goto: field(name('goto'), 'A step of this or an enclosing list, or `end`.'),
        do: field(actions, 'Done on the way.'),
      }),
    ),
    'Where to go on; absent or none holds: the following step.',
  ),
};

const workspace: Fields = {
  workspace: field(
    choice('here', 'worktree'),
    'Where it works; on `each` a worktree and branch for every pass.',
  ),
  branch: field(
    text,
    'With `workspace: worktree`: what its branch is called; on `each` that of every pass, so it names the item.',
  ),
};

const recover: Fields = {
  recover: field(
    either(
      choice('rerun', 'pause'),
      object({ probe: required(commandLine, 'Exit code 0: it had happened. Anything else: it runs again.') }),
    ),
    'What to do after a crash inside the step; `rerun`.',
  ),
};

const publishes: Fields = {
  publishes: field(
    either(name('id'), boolean),
    'It may push, and changes nothing: what the step of this id has verified, as it was then.',
  ),
};

/** Of a step that dispatches nothing itself. */
const needed: Fields = {
  reads: field(
    object({
      files: field(listOf(text), 'Paths and patterns that must be there when it begins.'),
      optional: field(listOf(text), 'Paths and patterns that may be there.'),
    }),
    'Files it depends on.',
  ),
};

/** What every dispatched piece of work has. */
const dispatched: Fields = {
  ...workspace,
  ...publishes,
  ...recover,
  capture: field(capture, 'What the output is read as.'),
  reads: field(reads, 'Files the step depends on.'),
  env: field(
    record('environment', { kind: 'literal', loose: true, warn: true }),
    'Environment variables; nothing is filled in.',
  ),
  secrets: field(
    listOf(name('environment')),
    'Variables that are passed through, and masked in all that is written.',
  ),
  retry: field(retry, 'What to do when the dispatch failed.'),
};

const saved: Fields = { save_to: field(text, 'A file of the workspace that gets the whole of stdout.') };

const agent: Fields = {
  agent: field(agentReference, 'Who does it: `agents/<name>.md`, a path, or `{ template, syntax }`.'),
  ...performer,
  tools: field(tools, 'What may be used.'),
  rules,
};

const steps: Fields = {
  steps: required(listOf({ kind: 'later', shape: () => stepShape }, true), 'The steps inside.'),
};
const concurrency: Fields = { concurrency: field(count, 'How many at a time.') };

const branches: readonly Branch[] = [
  {
    name: 'prompt',
    marks: ['prompt'],
    description: 'Gives an agent a task.',
    fields: {
      prompt: required(
        prompt,
        'A prompt of the library, `{ text }`, `{ file }` or `{ template }`; a text of several lines, or with `{{ }}`, is the task itself.',
      ),
      ...agent,
      session: field(name('id'), 'A step whose agent session goes on here; without, a fresh one.'),
      with: field(record('binding', templated), 'Values for the prompt.'),
      ...dispatched,
      ...saved,
    },
  },
  {
    name: 'run',
    marks: ['run'],
    description: 'Runs a command.',
    fields: {
      run: required(commandLine, 'A list of arguments, or a line for the shell.'),
      stdin: field(
        object({ file: required(text, 'Its path; read just before the command starts.') }),
        'A file of the workspace that is its standard input; absent: empty.',
      ),
      ...dispatched,
      ...saved,
    },
  },
  {
    name: 'call',
    marks: ['call'],
    description: 'Calls a built-in handler.',
    fields: {
      call: required(name('title'), 'The handler.'),
      with: field(record('any', templated), 'Its arguments.'),
      ...dispatched,
    },
  },
  {
    name: 'wait',
    marks: ['wait'],
    description: 'Waits until something holds.',
    fields: { wait: required(waitShape(), '`{ files }`, `{ signal }` or `{ for }`.'), ...needed },
  },
  {
    name: 'ask',
    marks: ['ask'],
    description: 'Asks a person. The answer is the output.',
    fields: {
      ask: required(text, 'The question.'),
      choices: field(
        either(text, listOf(templated, true)),
        'The answers to choose from, or one `{{ }}` that gives the list; absent: any text.',
      ),
    },
  },
  {
    name: 'gates',
    marks: ['gates'],
    description: 'Reviews the work with every enabled gate of a directory, as one result.',
    fields: {
      gates: required(
        literal,
        'The directory: a name below `gates/` in the library, or a path: `./reviews/`.',
      ),
      with: field(record('binding', templated), 'Values for the text of every gate.'),
      prompts: field(
        choice('always', 'unless-critical'),
        'Whether gates that are prompts look where a program found something critical; `always`.',
      ),
      syntax: field(templateSyntax, 'What gates of a path are written in; `native`.'),
      ...concurrency,
      ...workspace,
      ...recover,
    },
  },
  {
    name: 'workflow',
    marks: ['workflow'],
    description: 'Calls another workflow. Its `outputs` are the output.',
    fields: {
      workflow: required(name('reference'), 'A workflow of the library, or a path.'),
      with: field(record('input', templated), 'Its inputs.'),
      ...workspace,
    },
  },
  {
    name: 'steps',
    marks: ['steps'],
    description: 'One step after the other.',
    fields: { ...steps, ...workspace },
  },
  {
    name: 'parallel',
    marks: ['steps', 'parallel'],
    description: 'All steps at once.',
    fields: { parallel: required(boolean, 'True.'), ...steps, ...concurrency, ...workspace },
  },
  {
    name: 'loop',
    marks: ['steps', 'loop'],
    description: 'The same steps again and again.',
    fields: { loop: required(loopShape(), '`{ while, max }` or `{ until, max }`.'), ...steps, ...workspace },
  },
  {
    name: 'each',
    marks: ['steps', 'each'],
    description: 'The same steps for every item of a list.',
    fields: {
      each: required({ kind: 'each' }, '`x in list`.'),
      ...steps,
      ...needed,
      order: field(choice('listed', 'dependencies'), 'As listed, or what an item depends on first.'),
      ...concurrency,
      ...workspace,
    },
  },
];

function waitShape(): Shape {
  const timeout = field(duration, 'How long at most.');
  return {
    kind: 'variants',
    name: 'wait',
    markName: 'condition',
    common: {},
    branches: [
      {
        name: 'files',
        marks: ['files'],
        description: 'Files that match.',
        fields: {
          files: required(
            either(text, listOf(text, true)),
            'A path or pattern, a list of them, or one `{{ }}` that gives it.',
          ),
          min: field(count, 'How many must be there; 1.'),
          timeout,
          every: field(duration, 'How often to look; 1s.'),
        },
      },
      {
        name: 'signal',
        marks: ['signal'],
        description: 'A signal from outside: `lockstep signal RUN NAME`.',
        fields: { signal: required(text, 'Its name.'), timeout },
      },
      {
        name: 'for',
        marks: ['for'],
        description: 'Some time.',
        fields: { for: required(duration, 'How long.') },
      },
    ],
  };
}

function loopShape(): Shape {
  const exhausted = field(
    choice('stop', 'pause', 'continue'),
    'What becomes of the run when the test still asks for more; absent: as `on_fail` says.',
  );
  return {
    kind: 'variants',
    name: 'loop',
    markName: 'test',
    common: {},
    branches: [
      {
        name: 'while',
        marks: ['while'],
        description: 'Tested before each pass.',
        fields: {
          max: required({ kind: 'integer', min: 0 }, 'The most passes there may be; 0: none, only the test.'),
          exhausted,
          while: required(cel, 'Goes on while this holds.'),
        },
      },
      {
        name: 'until',
        marks: ['until'],
        description: 'Tested after each pass.',
        fields: {
          max: required(count, 'The most passes there may be.'),
          exhausted,
          until: required(cel, 'Ends once this holds.'),
        },
      },
    ],
  };
}

export const stepShape: Variants = { kind: 'variants', name: 'step', markName: 'verb', common, branches };
