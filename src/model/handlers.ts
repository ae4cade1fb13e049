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
  /** What it cannot do without: refused by a run that has none. */
  needs?: 'session';
}

function needed(type: HandlerArgument['type'], description: string): HandlerArgument {
  return { type, required: true, description };
}
function optional(type: HandlerArgument['type'], description: string): HandlerArgument {
  return { type, required: false, description };
}

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
    arguments: { path: needed('text', 'Which, relative to the workspace.') },
  },
  move: {
    description: 'Moves a file within the workspace. Its output is the new path.',
    arguments: {
      from: needed('text', 'What to move.'),
      to: needed('text', 'The new path; one that ends in `/` is a folder, and the name stays.'),
    },
  },
  'capture-artifact': {
    description: 'Copies files into the artifacts of the run. Its output is the list of paths.',
    arguments: { files: needed('texts', 'A path or pattern, or a list of them.') },
  },
  'call-mcp-tool': {
    description: 'Calls one tool of an MCP server. Its output is what the tool answered.',
    arguments: {
      server: needed('map', 'How to reach it: `{ command, args, env }` or `{ url, headers }`.'),
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
    },
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
    arguments: { todo: needed('text', 'Its text or id.') },
    needs: 'session',
  },
  'generate-summary': {
    description: 'Sums the session up. Its output is the text.',
    arguments: { instruction: optional('text', 'What to look at.') },
    needs: 'session',
  },
  'synthesize-title': {
    description: 'Finds a title for the session. Its output is the text.',
    arguments: { instruction: optional('text', 'What to look at.') },
    needs: 'session',
  },
  'generate-handoff': {
    description: 'Writes down what the next session has to know.',
    arguments: { instruction: optional('text', 'What to look at.') },
    needs: 'session',
  },
  'find-parent-session': {
    description: 'Looks for the session this one goes on from. Its output is its id, or null.',
    arguments: {},
    needs: 'session',
  },
  'restore-context': {
    description: 'Gives this session what an earlier one left.',
    arguments: {
      session: optional('text', 'Which; the parent where nothing is said.'),
      template: optional('text', 'How it is put into words.'),
    },
    needs: 'session',
  },
  'mark-session-status': {
    description: 'Says where the session stands.',
    arguments: { status: needed('text', 'For example `handed-off`.') },
    needs: 'session',
  },
  'switch-mode': {
    description: 'Asks the client for another mode.',
    arguments: { mode: needed('text', 'For example `plan`.') },
    needs: 'session',
  },
};
