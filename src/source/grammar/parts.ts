// parts: the shapes that workflows, steps, agents, prompts and gates share.

import {
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
} from './shape.ts';

export const commandLine: Shape = either(text, listOf({ kind: 'argument' }, true));

export const tools: Shape = object({
  allow: field(listOf(literal), 'Only these tools; absent means all, `[]` none. `Tool` or `Tool(pattern)`.'),
  deny: field(listOf(literal), 'Never these. Deny wins.'),
});

/** Known to every provider; the rest is the provider's own. */
export const KNOWN_PARAMS: Fields = {
  permission_mode: field(text, 'How the client asks for permission.'),
  setting_sources: field(listOf(text), 'Which settings of its own the client reads.'),
  mcp_servers: field({ kind: 'json-map', templates: true }, 'MCP servers the agent may use.'),
  max_turns: field(count, 'How many turns the agent may take.'),
};

const params: Shape = { kind: 'open', known: KNOWN_PARAMS };

export const performer: Fields = {
  model: field({ kind: 'literal', warn: true }, 'Which model; step, then agent, then `defaults`.'),
  provider: field(name('title'), 'Which client: `claude`, `codex`, `gemini`, one of `providers`, `script`.'),
  params: field(params, 'Settings for the provider; step over agent over `defaults`.'),
};

const rule: Shape = {
  kind: 'variants',
  name: 'rule',
  markName: 'effect',
  common: { when: required(cel, 'When it applies.') },
  branches: [
    {
      name: 'block',
      marks: ['block'],
      description: 'Denies the tool call.',
      fields: { block: required(text, 'Why; shown to the agent.') },
    },
    {
      name: 'ask',
      marks: ['ask'],
      description: 'Asks a person.',
      fields: { ask: required(text, 'The question.') },
    },
    {
      name: 'warn',
      marks: ['warn'],
      description: 'Lets it pass, and says so.',
      fields: { warn: required(text, 'What to say.') },
    },
    {
      name: 'rewrite',
      marks: ['rewrite'],
      description: 'Changes the input of the tool.',
      fields: { rewrite: required({ kind: 'json-map', templates: true }, 'The new values.') },
    },
  ],
};

export const rules = field(listOf(rule), 'What tool calls are blocked, asked about, warned of or rewritten.');

/** What a text with placeholders may be written in. */
export const templateSyntax: Shape = choice('native', 'handlebars');

export const prompt: Shape = either(name('prompt'), {
  kind: 'variants',
  name: 'prompt',
  markName: 'source',
  common: {},
  branches: [
    {
      name: 'text',
      marks: ['text'],
      description: 'A template in place.',
      fields: { text: required(text, 'The task.') },
    },
    {
      name: 'file',
      marks: ['file'],
      description: 'A file of the workspace, handed over as it is.',
      fields: { file: required(text, 'Its path; read when the step starts, nothing in it is filled in.') },
    },
    {
      name: 'template',
      marks: ['template'],
      description: 'A file beside the workflow whose body is the template; pinned at start.',
      fields: {
        template: required(literal, 'Its path, relative to the workflow. Its front matter is not read.'),
        syntax: field(templateSyntax, 'What it is written in; `native`.'),
      },
    },
  ],
});

export const agentReference: Shape = either(
  name('reference'),
  object(
    {
      template: required(literal, 'Its path, relative to the workflow.'),
      syntax: field(templateSyntax, 'What it is written in; `native`.'),
    },
    'agent',
  ),
);

const actionEnd: Fields = {
  output: field(name('output'), 'A name for the value; `vars` merges an object into vars.'),
};

const action: Shape = {
  kind: 'variants',
  name: 'action',
  markName: 'verb',
  common: { when: field(cel, 'Done only if this holds.') },
  branches: [
    {
      name: 'say',
      marks: ['say'],
      description: 'Puts a text into the context of the live session.',
      fields: { say: required(text, 'The text.') },
    },
    {
      name: 'set',
      marks: ['set'],
      description: 'Changes vars.',
      fields: { set: required(record('variable', templated), 'The new values, by name.') },
    },
    {
      name: 'call',
      marks: ['call'],
      description: 'Calls a built-in handler.',
      fields: {
        call: required(name('title'), 'The handler.'),
        with: field(record('any', templated), 'Its arguments.'),
        ...actionEnd,
      },
    },
    {
      name: 'run',
      marks: ['run'],
      description: 'Runs a command.',
      fields: { run: required(commandLine, 'The command, as in a step.'), ...actionEnd },
    },
    {
      name: 'prompt',
      marks: ['prompt'],
      description: 'Gives an agent a task, through a provider.',
      fields: {
        prompt: required(prompt, 'The task, as in a step.'),
        with: field(record('binding', templated), 'Values for the prompt.'),
        ...actionEnd,
      },
    },
  ],
};

export const actions = listOf(action);

export const done: Shape = object({
  schema: field(
    { kind: 'schema' },
    'What the output must look like: a name, a path, JSON Schema, or `{ file }` of the workspace.',
  ),
  require: field(
    listOf(
      object(
        {
          pointer: required(literal, 'A JSON pointer into the output: `/issues/0`; empty: all of it.'),
          exists: field(boolean, 'Whether anything must stand there; true.'),
          equals: field({ kind: 'json', templates: false }, 'What must stand there, exactly.'),
          type: field(
            choice('string', 'number', 'boolean', 'array', 'object', 'null'),
            'What kind of value must stand there.',
          ),
        },
        'requirement',
      ),
      true,
    ),
    'What must stand in the output.',
  ),
  that: field(
    either(
      cel,
      listOf(
        either(
          cel,
          object({
            is: required(cel, 'What must hold.'),
            else: field(text, 'What to say when it does not.'),
            final: field(
              boolean,
              'True: the work is not sent back; the step fails at once. Looked at when all else holds, `run` included.',
            ),
          }),
        ),
      ),
    ),
    'What must hold.',
  ),
  run: field(commandLine, 'A command that must end with 0; the engine runs it in the workspace.'),
  approve: field(
    either(
      text,
      object({
        ask: required(text, 'The question.'),
        if: field(cel, 'Asked only if this holds.'),
        timeout: field(duration, 'How long to wait for the answer.'),
        accept: field(listOf(literal), 'Words that mean yes.'),
        reject: field(listOf(literal), 'Words that mean no.'),
      }),
    ),
    'What a person must agree to.',
  ),
  tries: field(
    count,
    'How often the work may be done, in all; 2 for a prompt. Only a prompt may have more than 1.',
  ),
});

export const reads: Shape = object({
  files: field(
    either(text, listOf(text)),
    'Paths and patterns that must be there; or one, or one `{{ }}` that gives a list.',
  ),
  optional: field(either(text, listOf(text)), 'Paths and patterns that may be there, so.'),
  inject: field(
    choice('list', 'content', 'none'),
    'What the prompt gets: the names (`list`), the content, or nothing.',
  ),
  instruction: field(text, 'A sentence before them.'),
  position: field(choice('prepend', 'append'), 'Before the prompt, or after it.'),
});

export const retry: Shape = object({
  max: field({ kind: 'integer', min: 0, max: 10_000 }, 'Further dispatches after the first; 2.'),
  delay: field(duration, 'How long to wait before each; 1s.'),
  on: field(
    listOf(
      either(
        { kind: 'integer', min: 1, max: 255 },
        choice('exit', 'timeout', 'error', 'rate-limit', 'overloaded'),
      ),
    ),
    'Exit codes and kinds of failure; absent: 1, 124, rate-limit and overloaded for a prompt, any for the rest.',
  ),
});

export const capture: Shape = either(
  choice('text', 'lines', 'json'),
  object({
    as: field(choice('text', 'lines', 'json'), 'What the output is read as; text.'),
    limit: field(
      { kind: 'size' },
      'How much of it the journal keeps: a size, or for `lines` a number of lines.',
    ),
    on_parse_error: field(choice('fail', 'keep'), 'What to do with an output that is no JSON.'),
    text_limit: field(
      { kind: 'size' },
      'With `on_parse_error: keep`, how much of the text is kept; as `limit`.',
    ),
    exact: field(
      boolean,
      'True: just as it came, the final newline too, and an answer is never read as JSON.',
    ),
  }),
);
