// grammar: what a gobby workflow may look like, as tables like our own. An action is held against the table of its name, an
// exit condition against that of its type.

import {
  boolean,
  choice,
  count,
  either,
  type Fields,
  field,
  listOf,
  literal,
  object,
  required,
  type Shape,
} from '../../source/grammar/shape.ts';

const json: Shape = { kind: 'json', templates: false };
const jsonMap: Shape = { kind: 'json-map', templates: false };
/** Texts may be written as numbers or as true and false: `version: 1.0`, `value: 3`. */
const words: Shape = { kind: 'literal', loose: true };
const minutes: Shape = { kind: 'number', above: true };
/** Items are held against their own tables one by one. */
const items: Shape = listOf(json);

export const SETTINGS: Fields = {
  reflect_after_actions: field(count, 'After how many tool calls a phase is left for `reflect`.'),
  max_actions_per_phase: field(count, 'How many tool calls a phase may make before a person is asked.'),
  stuck_detection: field(
    object({
      max_phase_duration_minutes: field(minutes, 'After how long a phase is left for `reflect`.'),
      max_verification_attempts: field(count, 'How often a phase may fail its exit conditions.'),
    }),
    'What to do about a session that does not come on.',
  ),
  require_plan_approval: field(boolean, 'A person agrees to the plan before it is left.'),
  priority: field(words, 'No effect: lifecycle workflows go in the order in which they are listed.'),
};

/** In the order in which people are told of them. */
export const TRIGGERS: Readonly<Record<string, string>> = {
  on_session_start: 'session_start',
  on_prompt_submit: 'user_prompt',
  on_before_agent: 'user_prompt',
  on_tool_call: 'tool_call',
  on_before_tool: 'tool_call',
  on_tool_result: 'tool_result',
  on_after_tool: 'tool_result',
  on_assistant_response: 'stop',
  on_after_agent: 'stop',
  on_stop: 'stop',
  on_compact: 'compact',
  on_pre_compact: 'compact',
  on_session_end: 'session_end',
};

const triggers: Shape = object(
  Object.fromEntries(Object.keys(TRIGGERS).map((name) => [name, field(items, 'What is done then.')])),
);

export const documentShape: Shape = object(
  {
    name: required(literal, 'What it is called.'),
    description: field(words, 'What it does.'),
    version: field(words, 'Of the workflow.'),
    type: field(choice('lifecycle', 'phase', 'phased'), 'With phases, or with triggers alone.'),
    extends: field(literal, 'A workflow this one is a change of.'),
    settings: field({ kind: 'open', known: SETTINGS }, 'Numbers that the phases are held to.'),
    variables: field(jsonMap, 'Values that expressions read by name.'),
    phases: field(items, 'What is done, in order.'),
    triggers: field(triggers, 'Actions by event.'),
    on_error: field(items, 'Actions for a tool that failed.'),
  },
  'gobby workflow',
);

export const DOCUMENT_FIELDS: readonly string[] =
  documentShape.kind === 'object' ? Object.keys(documentShape.fields) : [];

const tools = either(words, listOf(literal));

export const phaseShape: Shape = object({
  name: required(literal, 'Its name.'),
  description: field(words, 'What it is for.'),
  on_enter: field(items, 'Actions when it is entered.'),
  allowed_tools: field(tools, 'The tools that may be used, or `all`.'),
  blocked_tools: field(tools, 'Tools that may not.'),
  rules: field(items, 'What is done about a tool call.'),
  transitions: field(items, 'When it is left, and for which phase.'),
  exit_conditions: field(either(words, items), 'What must hold before the next phase.'),
  on_exit: field(items, 'Actions when it is left.'),
});

export const ruleShape: Shape = object({
  name: field(words, 'For people.'),
  when: required(words, 'When it applies.'),
  action: required(choice('block', 'warn', 'require_approval', 'allow'), 'What is done.'),
  message: field(words, 'What is said.'),
});

export const transitionShape: Shape = object({
  to: required(literal, 'The phase.'),
  when: field(words, 'When; absent: at once.'),
  on_transition: field(items, 'Actions on the way.'),
});

export const EXITS: Readonly<Record<string, Shape>> = {
  artifact_exists: object({
    type: required(literal, 'What kind it is.'),
    pattern: field(literal, 'A file that must be there.'),
    artifact: field(literal, 'Or an artifact that was captured, by its name.'),
    when: field(words, 'Asked only then.'),
  }),
  user_approval: object({
    type: required(literal, 'What kind it is.'),
    prompt: field(words, 'What the person is asked.'),
    when: field(words, 'Asked only then.'),
    timeout: field(words, 'How long to wait for the answer.'),
  }),
  variable_set: object({
    type: required(literal, 'What kind it is.'),
    variable: required(literal, 'Which.'),
    value: field(json, 'What it must be; absent: anything.'),
    when: field(words, 'Asked only then.'),
  }),
  expression: object({
    type: required(literal, 'What kind it is.'),
    expression: field(words, 'What must hold.'),
    condition: field(words, 'The same.'),
    message: field(words, 'What is said where it does not.'),
    when: field(words, 'Asked only then.'),
  }),
};

const source = field(words, 'Where it comes from.');
const output: Fields = {
  output_as: field(literal, 'The variable that gets the answer.'),
  as: field(literal, 'The same.'),
};
const written: Fields = {
  generator: field(words, 'Who writes it: `llm`.'),
  template: field(words, 'What it is asked.'),
  prompt: field(words, 'The same.'),
};
const server: Fields = {
  server: field(literal, 'The MCP server.'),
  server_name: field(literal, 'The same.'),
  tool: field(literal, 'Its tool.'),
  tool_name: field(literal, 'The same.'),
};

/** Fields beside `action` and `when`. */
export const ACTIONS: Readonly<Record<string, Fields>> = {
  inject_context: {
    source: { ...source, required: true },
    template: field(words, 'How it is put into words.'),
  },
  inject_message: { content: field(words, 'What is said.'), message: field(words, 'The same.') },
  switch_mode: { mode: required(words, 'Which.') },
  capture_artifact: {
    pattern: required(literal, 'Which files.'),
    as: field(literal, 'The name of the artifact.'),
  },
  read_artifact: {
    pattern: required(literal, 'Which file.'),
    as: required(literal, 'The variable that gets it.'),
  },
  load_workflow_state: {},
  save_workflow_state: {},
  set_variable: { name: required(literal, 'Which.'), value: required(json, 'Its new value.') },
  increment_variable: {
    name: required(literal, 'Which.'),
    amount: field(words, 'By how much.'),
    by: field(words, 'The same.'),
  },
  generate_handoff: {
    include: field(listOf(literal), 'What goes into it.'),
    notes: field(words, 'What to say beside that.'),
    pending_tasks: field(json, 'What is left to do.'),
    pending_task_ids: field(json, 'The same, by their ids.'),
    ...written,
  },
  restore_from_handoff: { template: field(words, 'How it is put into words.') },
  restore_context: {
    source,
    inject_as: field(words, 'How the model gets it.'),
    session: field(words, 'Of which session.'),
    template: field(words, 'How it is put into words.'),
  },
  find_parent_session: {
    filter: field(
      object({
        status: field(words, 'Its status.'),
        same_project: field(boolean, 'Of this project.'),
        same_machine: field(boolean, 'Of this machine.'),
      }),
      'What it must be.',
    ),
  },
  mark_session_status: {
    status: required(words, 'The new status.'),
    target: field(choice('this', 'current', 'parent'), 'Which session.'),
  },
  call_llm: { prompt: required(words, 'What is asked.'), model: field(words, 'Which model.'), ...output },
  generate_summary: written,
  synthesize_title: written,
  write_todos: { source: { ...source, required: true }, filename: field(words, 'No effect.') },
  mark_todo_complete: { index: required(json, 'Which, from 0.') },
  persist_tasks: {
    source: { ...source, required: true },
    create_dependencies: field(either(boolean, words), '`sequential`: each needs the one before.'),
    link_to_session: field(boolean, 'The tasks name the session.'),
  },
  call_mcp_tool: { ...server, arguments: field(jsonMap, 'What it is given.'), ...output },
  enter_phase: { phase: required(literal, 'Which.') },
};

export function actionShape(fields: Fields): Shape {
  return object({
    action: required(literal, 'What is done.'),
    when: field(words, 'Only then.'),
    ...fields,
  });
}
