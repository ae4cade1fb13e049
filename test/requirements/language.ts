import type { Requirement } from '../ledger.ts';

export const language: Requirement[] = [
  // ── Language: files and strings ──
  { id: 'LS-LANG-YAML', requirement: 'A workflow is written in YAML.', proof: [] },
  { id: 'LS-LANG-JSON', requirement: 'A workflow is written in JSON and means the same.', proof: [] },
  {
    id: 'LS-LANG-CEL-STRINGS',
    requirement: '`if`, `when`, `while`, `until`, `that`, `is` and the list of `each` hold CEL.',
    proof: [],
  },
  {
    id: 'LS-LANG-TEXT-STRINGS',
    requirement:
      'Every other string is text with `{{ cel }}`; a string that is one `{{ }}` and nothing else keeps the type of the value.',
    proof: [],
  },
  { id: 'LS-LANG-SHELL-QUOTED', requirement: 'In a shell line every `{{ }}` is shell-quoted.', proof: [] },
  {
    id: 'LS-LANG-COMMAND-INPUT',
    requirement:
      'A `run` that is one `{{ }}` and nothing else is the command itself, and may name an input only.',
    proof: [],
  },
  { id: 'LS-LANG-ARGV', requirement: 'The argv form of `run` never meets a shell.', proof: [] },
  // ── Language: the workflow ──
  {
    id: 'LS-WORKFLOW-NAME',
    requirement: '`name` has letters, digits, `-`, `_` and `.`; anything else is an error.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-EXTENDS',
    requirement: '`extends` merges maps, replaces lists and merges steps by id, new ones last.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-INPUTS',
    requirement:
      '`inputs` are typed (string number boolean list map file), with default and choices, and read-only.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-VARS',
    requirement:
      '`vars` are typed by their initial value (null is any) and changed by `set` or `output: vars`.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-DEFAULTS',
    requirement: '`defaults` gives agent, model, provider and params to steps that say nothing.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-ON-FAIL',
    requirement: '`on_fail` stop, pause and continue; a step may say otherwise.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-GUIDANCE',
    requirement: '`guidance` and `references` are shown with every prompt.',
    proof: [],
  },
  { id: 'LS-WORKFLOW-OUTPUTS', requirement: '`outputs` is what a caller of the workflow gets.', proof: [] },
  {
    id: 'LS-WORKFLOW-EVENTS-ONLY',
    requirement: 'A workflow with `events` and no `steps` is a lifecycle workflow, and is checked as one.',
    proof: [],
  },
  {
    id: 'LS-WORKFLOW-POLICY',
    requirement: '`policy` is checked, and state, keep_stdout and paused_exit do what they say.',
    proof: [],
  },
  // ── Language: the step ──
  {
    id: 'LS-STEP-TITLE',
    requirement: '`title` is a template and is shown in progress, state and summary.',
    proof: [],
  },
  { id: 'LS-STEP-LABELS', requirement: '`labels` is free metadata and is kept.', proof: [] },
  {
    id: 'LS-STEP-IF',
    requirement:
      'A false `if` skips the step with the reason in the journal; a literal false reads "disabled in workflow definition".',
    proof: [],
  },
  { id: 'LS-STEP-DRY-RUN', requirement: 'A step with `dry_run: true` runs under --dry-run too.', proof: [] },
  {
    id: 'LS-STEP-MODEL',
    requirement: 'Model, provider and params are taken from the step, else the agent, else the defaults.',
    proof: [],
  },
  {
    id: 'LS-STEP-SESSION',
    requirement: "`session: plan` goes on in that step's agent session; without it a fresh one begins.",
    proof: [],
  },
  {
    id: 'LS-STEP-WITH',
    requirement: '`with` gives values to the prompt; a prompt that declares inputs sees only those.',
    proof: [],
  },
  { id: 'LS-STEP-OUTPUT', requirement: '`output` names the value.', proof: [] },
  { id: 'LS-STEP-OUTPUT-VARS', requirement: '`output: vars` merges an object into vars.', proof: [] },
  { id: 'LS-STEP-CAPTURE-TEXT', requirement: '`capture: text` keeps the text.', proof: [] },
  { id: 'LS-STEP-CAPTURE-LINES', requirement: '`capture: lines` gives a list of lines.', proof: [] },
  {
    id: 'LS-STEP-CAPTURE-JSON',
    requirement: '`capture: json` parses; `on_parse_error` fail or keep.',
    proof: [],
  },
  {
    id: 'LS-STEP-CAPTURE-LIMIT',
    requirement: '`capture.limit` bounds what the journal keeps, and marks it.',
    proof: [],
  },
  { id: 'LS-STEP-SAVE-TO', requirement: '`save_to` gets stdout, whole, as it streams.', proof: [] },
  {
    id: 'LS-STEP-READS',
    requirement:
      '`reads` demands files, allows optional ones, and injects list, content or nothing, before or after the prompt.',
    proof: [],
  },
  { id: 'LS-STEP-ENV', requirement: '`env` is literal: templates in it stay as they are.', proof: [] },
  { id: 'LS-STEP-TIMEOUT', requirement: '`timeout` ends the work with exit code 124.', proof: [] },
  {
    id: 'LS-STEP-RETRY',
    requirement: '`retry` repeats a dispatch that failed, with its delay, on the codes and classes it names.',
    proof: [],
  },
  { id: 'LS-STEP-TOOLS', requirement: '`tools` reach the agent.', proof: [] },
  {
    id: 'LS-STEP-ENTER-EXIT',
    requirement: '`enter` and `exit` actions run around the step, on `each` around every pass.',
    proof: [],
  },
  {
    id: 'LS-STEP-ACTIONS',
    requirement: 'An action sets, calls, runs or prompts, when its `when` holds, and binds its output.',
    proof: [],
  },
  {
    id: 'LS-STEP-DONE-ORDER',
    requirement:
      'The parts of `done` are looked at in the order schema, that, run, approve, and all must hold.',
    proof: [],
  },
  {
    id: 'LS-STEP-DONE-SCHEMA',
    requirement: '`done.schema` is a built-in name, a file or inline JSON Schema.',
    proof: [],
  },
  {
    id: 'LS-STEP-DONE-THAT',
    requirement: '`done.that` holds expressions, with their own reason in `else`.',
    proof: [],
  },
  { id: 'LS-STEP-DONE-RUN', requirement: '`done.run` is run by the engine in the workspace.', proof: [] },
  {
    id: 'LS-STEP-DONE-APPROVE',
    requirement: '`done.approve` asks a person, with if, timeout, accept and reject.',
    proof: [],
  },
  {
    id: 'LS-STEP-DONE-TRIES',
    requirement: 'Work that is not accepted is sent back with the reasons until `tries` run out.',
    proof: [],
  },
  { id: 'LS-STEP-RECOVER-RERUN', requirement: '`recover: rerun` runs a step in doubt again.', proof: [] },
  {
    id: 'LS-STEP-RECOVER-PAUSE',
    requirement: '`recover: pause` asks a person about a step in doubt.',
    proof: [],
  },
  {
    id: 'LS-STEP-RECOVER-PROBE',
    requirement: '`recover: { probe }` asks a command: exit 0 means it had happened.',
    proof: [],
  },
  {
    id: 'LS-STEP-NEXT',
    requirement: 'The first `next` that holds wins; its `do` actions run and its `goto` is followed.',
    proof: [],
  },
  // ── Language: the sixteen rules ──
  { id: 'LS-RULE-1', requirement: 'Rule 1: scope.', proof: [] },
  { id: 'LS-RULE-2', requirement: 'Rule 2: values.', proof: [] },
  { id: 'LS-RULE-3', requirement: 'Rule 3: step end.', proof: [] },
  { id: 'LS-RULE-4', requirement: 'Rule 4: retry and tries.', proof: [] },
  { id: 'LS-RULE-5', requirement: 'Rule 5: loop.', proof: [] },
  { id: 'LS-RULE-6', requirement: 'Rule 6: parallel and each.', proof: [] },
  { id: 'LS-RULE-7', requirement: 'Rule 7: goto.', proof: [] },
  { id: 'LS-RULE-8', requirement: 'Rule 8: tools.', proof: [] },
  {
    id: 'LS-RULE-9',
    requirement: 'Rule 9: guard (checked at load; refused at run until live sessions come).',
    proof: [],
  },
  {
    id: 'LS-RULE-10',
    requirement: "Rule 10: guide (approval never comes through the agent's word).",
    proof: [],
  },
  { id: 'LS-RULE-11', requirement: 'Rule 11: paused.', proof: [] },
  { id: 'LS-RULE-12', requirement: 'Rule 12: defaults.', proof: [] },
  { id: 'LS-RULE-13', requirement: 'Rule 13: secrets.', proof: [] },
  { id: 'LS-RULE-14', requirement: 'Rule 14: inputs of type file.', proof: [] },
  { id: 'LS-RULE-15', requirement: 'Rule 15: invariants and overrides.', proof: [] },
  { id: 'LS-RULE-16', requirement: 'Rule 16: absence never makes a check hold.', proof: [] },
  // ── Library: agents, prompts, handlers ──
  {
    id: 'LS-AGENT-FILE',
    requirement:
      'agents/x.md: name, description, tools, model, provider, params; the body is the system prompt.',
    proof: [],
  },
  {
    id: 'LS-PROMPT-FILE',
    requirement: 'prompts/x.md: name, description, inputs, schema; the body is the task.',
    proof: [],
  },
  { id: 'LS-HANDLER-NOOP', requirement: 'The handler noop does nothing, successfully.', proof: [] },
  {
    id: 'LS-HANDLER-WRITE-FILE',
    requirement: 'The handler write-file writes a file in the workspace.',
    proof: [],
  },
  {
    id: 'LS-HANDLER-READ-FILE',
    requirement: 'The handler read-file reads a file of the workspace.',
    proof: [],
  },
  { id: 'LS-HANDLER-MOVE', requirement: 'The handler move moves a file in the workspace.', proof: [] },
  {
    id: 'LS-HANDLER-CAPTURE-ARTIFACT',
    requirement: 'The handler capture-artifact keeps a file with the run.',
    proof: [],
  },
  { id: 'LS-HANDLER-DOCUMENTED', requirement: 'Every handler is documented with its arguments.', proof: [] },
];
