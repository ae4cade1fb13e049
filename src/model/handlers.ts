// handlers: what `call` may name, and what each takes. Data: the compiler checks against it, the docs list it.

export interface HandlerArgument {
  /** What a value that is written out must be; a template may give anything and is looked at when it is run. */
  type: 'text' | 'texts' | 'boolean' | 'number' | 'map' | 'list' | 'any';
  required: boolean;
  description: string;
}

export interface Handler {
  description: string;
  arguments: Record<string, HandlerArgument>;
  /** Of these arguments exactly one is given. */
  oneOf?: readonly string[];
  /** What it cannot do without: refused by a run that has none. */
  needs?: 'session';
}

function needed(type: HandlerArgument['type'], description: string): HandlerArgument {
  return { type, required: true, description };
}
function optional(type: HandlerArgument['type'], description: string): HandlerArgument {
  return { type, required: false, description };
}

/** A text that a model writes; without a model it is put together from what happened. */
const WRITTEN: Record<string, HandlerArgument> = {
  instruction: optional('text', 'What to look at.'),
  generator: optional('text', '`llm`, the default: by a model, in the background; `extract`: without one.'),
  template: optional(
    'text',
    'What the model is asked; `{transcript_summary}`, `{last_messages}`, `{git_status}` and `{file_changes}` stand for what happened. `default` is ours.',
  ),
};

export const HANDLERS: Readonly<Record<string, Handler>> = {
  noop: {
    description: 'Does nothing.',
    arguments: { value: optional('any', 'Becomes the output of the step.') },
  },
  'write-file': {
    description: 'Writes a file in the workspace. Its output is the path.',
    arguments: {
      path: needed('text', 'Where, relative to the workspace.'),
      content: needed('any', 'A text as it is, anything else as JSON.'),
    },
  },
  'read-file': {
    description: 'Reads a file of the workspace. Its output is the content, as `capture` says.',
    arguments: {
      path: optional('text', 'Which, relative to the workspace.'),
      pattern: optional('text', 'Instead of `path`: the file that matches it and was changed last.'),
    },
    oneOf: ['path', 'pattern'],
  },
  move: {
    description: 'Moves a file within the workspace. Its output is the new path.',
    arguments: {
      from: needed('text', 'What to move.'),
      to: needed('text', 'The new path; one that ends in `/` is a folder, and the name stays.'),
    },
  },
  'capture-artifact': {
    description:
      'Keeps files, or a text, as artifacts of the run. Its output is the list of paths; with `as` it is the content.',
    arguments: {
      files: optional('texts', 'A path or pattern, or a list of them: copied into the artifacts of the run.'),
      content: optional('any', 'Instead of `files`: what to keep. A text as it is, anything else as JSON.'),
      as: optional(
        'text',
        'A name: the content is `session.artifacts.<name>` from then on. Of several files, the one that was changed last.',
      ),
    },
    oneOf: ['files', 'content'],
  },
  'call-mcp-tool': {
    description: 'Calls one tool of an MCP server. Its output is what the tool answered.',
    arguments: {
      server: needed(
        'any',
        'How to reach it: `{ command, args, env }` or `{ url, headers }`; or a name of `servers`.',
      ),
      servers: optional('map', 'Servers by name, each as `server` has it.'),
      tool: needed('text', 'The name of the tool.'),
      arguments: optional('map', 'What the tool is given.'),
    },
  },
  'create-issues': {
    description: 'Makes an issue of every task that has none yet. Its output is the list, with ids.',
    arguments: {
      issues: optional(
        'list',
        'Texts, or maps with `title`, and `id`, `description`, `requirements`, `labels`, `priority`, `dependencies` where there are any.',
      ),
      analysis: optional('map', 'Instead of `issues`: its `tasks` are taken.'),
      labels: optional('list', 'Given to all of them.'),
    },
  },
  'persist-tasks': {
    description: 'Keeps a list of tasks in the tracker, as it is now. Its output is the list, with ids.',
    arguments: {
      tasks: needed('list', 'As `issues` of `create-issues`; `status` counts too.'),
      labels: optional('list', 'Given to all of them.'),
      dependencies: optional(
        'text',
        '`sequential`: each needs the one before it, beside what it says itself; `none`, the default.',
      ),
      link_session: optional('boolean', 'True: the issues name the session that they come from.'),
    },
  },
  'test-integrity': {
    description:
      'Counts tests, assertions and what keeps tests from running, in all test files that changed since the run began, there and now. Its output is a review: whether there are fewer, net.',
    arguments: {},
  },
  'save-checkpoint': {
    description:
      'Marks a task as done. Its output is which tasks of the run are completed, and which are pending.',
    arguments: {
      task: optional('any', 'The task, or its id.'),
      name: optional('text', 'What to call the checkpoint.'),
      data: optional('any', 'What to keep with it.'),
    },
  },
  'write-todos': {
    description: 'Gives the session a list of things to do.',
    arguments: { todos: needed('list', 'Texts, or maps with `content` and `status`.') },
    needs: 'session',
  },
  'mark-todo-complete': {
    description: 'Ticks one thing off.',
    arguments: {
      todo: optional('text', 'Its text or id.'),
      index: optional('number', 'Instead of `todo`: its place in the list, from 0.'),
    },
    oneOf: ['todo', 'index'],
    needs: 'session',
  },
  'generate-summary': {
    description: 'Sums the session up, and keeps the text in its record. Its output is the text.',
    arguments: { ...WRITTEN },
    needs: 'session',
  },
  'synthesize-title': {
    description: 'Finds a title for the session. Its output is the text.',
    arguments: { ...WRITTEN },
    needs: 'session',
  },
  'generate-handoff': {
    description: 'Writes down what the next session has to know. Its output is the handoff.',
    arguments: {
      include: optional(
        'list',
        'What goes into it: `current_phase`, `artifacts`, `pending_tasks`, `observations`, `variables`, `summary`, `git_status`, `file_changes`. All of them where nothing is said.',
      ),
      notes: optional('text', 'What to say beside that.'),
      pending_tasks: optional('list', 'What is left to do: texts, or maps with `id` and `title`.'),
      ...WRITTEN,
    },
    needs: 'session',
  },
  'find-parent-session': {
    description: 'Looks for the session this one goes on from. Its output is its id, or null.',
    arguments: {
      filter: optional(
        'map',
        'What it must be: `status` (`handoff_ready` where nothing is said), `same_project`, `same_machine` (both true).',
      ),
    },
    needs: 'session',
  },
  'restore-context': {
    description: 'Gives this session what an earlier one left. A handoff is given once.',
    arguments: {
      session: optional('text', 'Which; the parent where nothing is said.'),
      source: optional(
        'text',
        '`parent_session_summary`, `previous_session_summary`, `handoff`, `artifacts`, `observations` or `workflow_state`; the summary and the handoff where nothing is said.',
      ),
      inject_as: optional(
        'text',
        '`system_context`, the default: the model reads it as context; `message`: as a message.',
      ),
      template: optional(
        'text',
        'What is said instead of our words: a text that may name `session.previous_summary` and `session.handoff`.',
      ),
    },
    needs: 'session',
  },
  'mark-session-status': {
    description: 'Says where a session stands.',
    arguments: {
      status: needed('text', 'For example `handoff_ready` or `expired`.'),
      target: optional('text', '`this`, the default, or `parent`.'),
    },
    needs: 'session',
  },
  'switch-mode': {
    description: 'Asks the client for another mode.',
    arguments: { mode: needed('text', 'For example `plan`.') },
    needs: 'session',
  },
};
