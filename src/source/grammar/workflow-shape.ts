// workflow-shape: a workflow, and the front matter of agents, prompts and gates.

import { GIT_CHECKS } from '../../model/git-checks.ts';
import { actions, agentReference, commandLine, performer, retry, rules, tools } from './parts.ts';
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
  name,
  object,
  record,
  required,
  type Shape,
  templated,
  text,
} from './shape.ts';
import { stepShape } from './step-shape.ts';

const json: Shape = { kind: 'json', templates: false };

const inputShape: Shape = object(
  {
    type: required(choice('string', 'number', 'boolean', 'list', 'map', 'file', 'any'), 'What it must be.'),
    description: field(literal, 'What it is for.'),
    default: field(json, 'Its value where none is given; absent: it must be given.'),
    required: field(boolean, 'False: it may be left out; reading it is then reading what is not there.'),
    choices: field(listOf(json, true), 'The values it may have.'),
    find: field(
      choice('test-command'),
      'Looked up in the project where it is not given: `test-command` is what runs its tests.',
    ),
    by: field(choice('anyone', 'person'), 'Who may give it; `person`: never the agent that is led.'),
  },
  'input',
);

const referenceShape: Shape = object({
  id: required(name('title'), 'Its short name.'),
  title: field(literal, 'What people call it.'),
  source: required(literal, 'Where it is: a path or an address.'),
  purpose: field(literal, 'What it is for.'),
  authoritative: field(boolean, 'True: it has the last word.'),
  from: field(choice('workspace', 'package'), 'What a path is relative to.'),
});

const providerShape: Shape = object({
  command: required(
    listOf({ kind: 'literal', loose: true }, true),
    'The command; `{{ name }}` is a parameter of it.',
  ),
  input: field(
    choice('argv', 'stdin', 'none'),
    'How it gets the prompt: as `{{ prompt }}`, on standard input, or not at all.',
  ),
  defaults: field(
    { kind: 'json-map', templates: false },
    'Parameters where the step gives none; null: there is one, without a value.',
  ),
});

const eventFields: Fields = Object.fromEntries(
  ['session_start', 'user_prompt', 'tool_call', 'tool_result', 'stop', 'compact', 'session_end'].map(
    (event) => [event, field(actions, `What is done on ${event}.`)],
  ),
);

export const EVENTS = Object.keys(eventFields);

export const workflowShape: Extract<Shape, { kind: 'object' }> = {
  kind: 'object',
  name: 'workflow',
  fields: {
    lockstep: required({ kind: 'version' }, 'The version of the language: 1.'),
    name: required(name('title'), 'Letters, digits, `-`, `_`, `.`.'),
    description: field(literal, 'What it does.'),
    extends: field(
      name('reference'),
      'A workflow this one is a change of: maps merge, lists replace, steps merge by id.',
    ),
    inputs: field(record('input', inputShape), 'What a run is given. Read-only.'),
    vars: field(record('variable', json), 'State, typed by the first value; null is any.'),
    defaults: field(
      object({
        agent: field(agentReference, 'Who does prompts that name nobody.'),
        ...performer,
        retry: field(retry, 'For prompts without `retry` of their own.'),
      }),
      'For every prompt.',
    ),
    limits: field(
      object({
        duration: field(duration, 'The whole run, pauses not counted.'),
        step: field(duration, 'Any one step that has no `timeout` of its own.'),
        cost: field({ kind: 'number', above: true }, 'US dollars.'),
        tokens: field(count, 'Input and output together.'),
        turns: field(count, 'Turns of all agents together.'),
        visits: field(count, 'Of one step by `goto`; 50.'),
        stop_blocks: field(count, 'How often a live session is kept from stopping; 5.'),
      }),
      'What ends or pauses a run.',
    ),
    on_fail: field(choice('stop', 'pause', 'continue'), 'For steps that do not say.'),
    workspace: field(choice('here', 'worktree'), 'Where the run works; `here`.'),
    guard: field(
      object({
        unenforceable: field(choice('error', 'warn'), 'A rule that this client cannot enforce; `error`.'),
        engine_down: field(choice('block', 'allow'), 'Tool calls while the engine does not answer; `block`.'),
      }),
      'How a live session is held.',
    ),
    invariants: field(
      listOf(
        object({
          every: required(name('id'), 'A step.'),
          after: required(name('id'), 'The step that must have ended done before it, on every path.'),
        }),
      ),
      'Proved at load.',
    ),
    policy: field(
      object({
        on_changed: field(choice('pinned', 'refuse'), 'A resume after the files changed; `pinned`.'),
        state: field(choice('coalesced', 'every-step'), 'How often state.json is written; `coalesced`.'),
        keep_stdout: field(choice('always', 'truncated'), 'Which logs of stdout stay; `always`.'),
        branch_prefix: field(name('id'), 'What branches of worktrees begin with; `lockstep`.'),
        paused_exit: field({ kind: 'integer', min: 0, max: 255 }, 'The exit code of a paused run; 3.'),
        dirs: field(
          object({
            inbox: field(literal, 'Where tasks arrive.'),
            processed: field(literal, 'Where done ones go.'),
            failed: field(literal, 'Where failed ones go.'),
            task_extension: field(literal, 'How their names end.'),
          }),
          'Folders of a task queue.',
        ),
        globs: field(
          choice('extended', 'posix'),
          'What patterns mean: with `**` and braces (`extended`), or only `*`, `?` and `[…]`.',
        ),
        git: field(
          object(
            Object.fromEntries(
              Object.entries(GIT_CHECKS).map(([check, what]) => [
                check,
                field(boolean, `False: no look whether ${what}.`),
              ]),
            ),
          ),
          'What a run in a worktree is not held to; all of it.',
        ),
        secrets: field(
          choice('declared', 'inherited'),
          'Who gets a secret: the steps that declare it (`declared`), or every step.',
        ),
      }),
      'What dialects differ in.',
    ),
    providers: field(record('title', providerShape), 'Commands that are agents.'),
    references: field(listOf(referenceShape), 'What agents are pointed to.'),
    guidance: field(listOf(text), 'Standing advice, shown with every step.'),
    tools: field(tools, 'For every agent.'),
    rules,
    events: field(
      object(eventFields),
      'What is done in a live session. Without `steps`: a lifecycle workflow.',
    ),
    outputs: field(record('variable', templated), 'What a caller of this workflow gets.'),
    steps: field(listOf(stepShape, true), 'What is done, in order.'),
  },
};

export const agentShape: Shape = object(
  {
    name: field(name('title'), 'As the file is called.'),
    description: field(literal, 'What it is good at.'),
    tools: field(tools, 'What it may use.'),
    ...performer,
  },
  'agent',
);

const promptInputs: Shape = either(
  listOf(name('binding')),
  record(
    'binding',
    object({
      description: field(literal, 'What it is.'),
      required: field(boolean, 'False: `with` need not give it.'),
    }),
  ),
);

const promptFields: Fields = {
  name: field(name('title'), 'As the file is called.'),
  description: field(literal, 'What it asks for.'),
  inputs: field(promptInputs, 'What `with` gives. A prompt that declares inputs sees only those, and `run`.'),
  schema: field({ kind: 'schema' }, 'What the answer must look like, where the step does not say.'),
};

export const promptShape: Shape = object(promptFields, 'prompt');

export const gateShape: Shape = object(
  {
    ...promptFields,
    prompt: field(name('reference'), 'A prompt of the library that is its text; the file then has none.'),
    agent: field(name('reference'), 'Who looks; `reviewer`.'),
    tools: field(tools, 'What may be used.'),
    ...performer,
    run: field(choice('always', 'changed-files', 'manual'), 'When it runs; `always`.'),
    files: field(listOf(literal), 'Patterns: what it looks at; everything.'),
    again: field(
      choice('always', 'changed'),
      'Another round: `always`, or only if something it looks at `changed` since it approved.',
    ),
    enabled: field(boolean, 'False: it is left out.'),
    command: field(commandLine, 'It is a program: a list of arguments, or a line for the shell.'),
    call: field(name('title'), 'It is a built-in handler.'),
    with: field(record('any', templated), 'The arguments of the handler.'),
    format: field(
      choice('review', 'sarif', 'junit', 'lines'),
      'What the program prints; absent: it is told by how that begins.',
    ),
    levels: field(
      record('any', choice('critical', 'important', 'minor', 'ignore')),
      'What its levels mean: `{ error: critical, note: ignore }`.',
    ),
    exit_codes: field(
      listOf({ kind: 'integer', min: 0, max: 125 }, true),
      'With which it has run; `[0, 1]`. With any other it approves nothing.',
    ),
    timeout: field(duration, 'How long it may take.'),
  },
  'gate',
);
