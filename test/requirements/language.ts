import type { Requirement } from '../ledger.ts';

export const language: Requirement[] = [
  // ── Language: files and strings ──
  {
    id: 'LS-LANG-YAML',
    requirement: 'A workflow is written in YAML.',
    proof: 'src/source/read/yaml.test.ts › readYaml',
  },
  {
    id: 'LS-LANG-JSON',
    requirement: 'A workflow is written in JSON and means the same.',
    proof: [
      'src/source/read/yaml.test.ts › readYaml › reads JSON indented with tabs, CRLF and a byte order mark',
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › a workflow is workflows/x.json',
    ],
  },
  {
    id: 'LS-LANG-CEL-STRINGS',
    requirement: '`if`, `when`, `while`, `until`, `that`, `is` and the list of `each` hold CEL.',
    proof:
      'src/compile/lower/lowering.test.ts › sites › LS-CEL-EVERYWHERE: there is one for every expression and template, with the way back to its place',
  },
  {
    id: 'LS-LANG-TEXT-STRINGS',
    requirement:
      'Every other string is text with `{{ cel }}`; a string that is one `{{ }}` and nothing else keeps the type of the value.',
    proof: [
      'src/expressions/template.test.ts › render',
      'src/expressions/template.test.ts › isSoleExpression and hasExpressions',
    ],
  },
  {
    id: 'LS-LANG-SHELL-QUOTED',
    requirement: 'In a shell line every `{{ }}` is shell-quoted.',
    proof: 'src/expressions/shell-value.test.ts › render for the shell',
  },
  {
    id: 'LS-LANG-COMMAND-INPUT',
    requirement:
      'A `run` that is one `{{ }}` and nothing else is the command itself, and may name an input only.',
    proof: [
      'src/compile/compile.golden.test.ts › compile › a run that is one template may name an input only (run-template)',
      'src/compile/lower/step.test.ts › commands › takes a line that is one input as the command itself',
      'src/engine/dispatch.test.ts › commands',
    ],
  },
  {
    id: 'LS-LANG-ARGV',
    requirement: 'The argv form of `run` never meets a shell.',
    proof: [
      'src/runtime/perform/run-command.test.ts › a command › given as a list never meets a shell',
      'src/compile/lower/step.test.ts › commands › keeps lists away from the shell, and takes numbers as written',
    ],
  },
  // ── Language: the workflow ──
  {
    id: 'LS-WORKFLOW-NAME',
    requirement: '`name` has letters, digits, `-`, `_` and `.`; anything else is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › rule 1: names that cannot be: reserved words, roots, the id "end", characters that are not allowed (ids)',
  },
  {
    id: 'LS-WORKFLOW-EXTENDS',
    requirement: '`extends` merges maps, replaces lists and merges steps by id, new ones last.',
    proof: 'src/compile/resolve/workflow-file.test.ts › extends',
  },
  {
    id: 'LS-WORKFLOW-INPUTS',
    requirement:
      '`inputs` are typed (string number boolean list map file), with default and choices, and read-only.',
    proof: 'test/cli/run.test.ts › inputs',
  },
  {
    id: 'LS-WORKFLOW-VARS',
    requirement:
      '`vars` are typed by their initial value (null is any) and changed by `set` or `output: vars`.',
    proof: [
      'test/cli/run.test.ts › inputs › LS-CLI-RUN-VAR: vars are typed by their initial value; null takes anything',
      'src/engine/order.test.ts › order › output: vars merges an object, and fails the step when the output is something else',
    ],
  },
  {
    id: 'LS-WORKFLOW-DEFAULTS',
    requirement: '`defaults` gives agent, model, provider and params to steps that say nothing.',
    proof:
      'src/compile/lower/step.test.ts › who performs a prompt › takes model, provider and each parameter from the step, then the agent, then defaults',
  },
  {
    id: 'LS-WORKFLOW-ON-FAIL',
    requirement: '`on_fail` stop, pause and continue; a step may say otherwise.',
    proof: 'src/engine/order.test.ts › step end (rule 3)',
  },
  {
    id: 'LS-WORKFLOW-GUIDANCE',
    requirement: '`guidance` and `references` are shown with every prompt.',
    proof:
      'src/engine/dispatch.test.ts › prompts › the system text is the agent, then standing advice, then references',
  },
  {
    id: 'LS-WORKFLOW-OUTPUTS',
    requirement: '`outputs` is what a caller of the workflow gets.',
    proof:
      'src/engine/order.test.ts › order › rule 1: a called workflow sees its inputs only, and its caller its outputs',
  },
  {
    id: 'LS-WORKFLOW-EVENTS-ONLY',
    requirement: 'A workflow with `events` and no `steps` is a lifecycle workflow, and is checked as one.',
    proof: 'src/source/read/yaml.test.ts › readYaml',
  },
  {
    id: 'LS-WORKFLOW-POLICY',
    requirement: '`policy` is checked, and state, keep_stdout and paused_exit do what they say.',
    proof: [
      'test/cli/go-on.test.ts › answer › policy.paused_exit is what a paused run exits with',
      'src/runtime/perform/run-command.test.ts › output › keeps no log under `keep_stdout: truncated` unless something was left out',
    ],
  },
  // ── Language: the step ──
  {
    id: 'LS-STEP-TITLE',
    requirement: '`title` is a template, on record and shown with the step.',
    proof: [
      'test/cli/go-on.test.ts › answer › policy.paused_exit is what a paused run exits with',
      'src/runtime/perform/run-command.test.ts › output › keeps no log under `keep_stdout: truncated` unless something was left out',
    ],
  },
  {
    id: 'LS-STEP-LABELS',
    requirement: '`labels` is free metadata and is kept.',
    proof: 'test/language.test.ts › LS-STEP-LABELS: labels are free, and kept with the run',
  },
  {
    id: 'LS-STEP-IF',
    requirement:
      'A false `if` skips the step with the reason in the journal; a literal false reads "disabled in workflow definition".',
    proof:
      'src/engine/order.test.ts › order › S1: leaves a step out only with an entry that says why and on whose word',
  },
  {
    id: 'LS-STEP-DRY-RUN',
    requirement: 'A step with `dry_run: true` runs under --dry-run too.',
    proof: [
      'src/engine/order.test.ts › order › under --dry-run performs what is marked, and what is inside it, and nothing else',
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-DRY-RUN: steps marked `dry_run: true` do run, and the others are on record',
    ],
  },
  {
    id: 'LS-STEP-MODEL',
    requirement: 'Model, provider and params are taken from the step, else the agent, else the defaults.',
    proof:
      'src/compile/lower/step.test.ts › who performs a prompt › takes model, provider and each parameter from the step, then the agent, then defaults',
  },
  {
    id: 'LS-STEP-SESSION',
    requirement: "`session: plan` goes on in that step's agent session; without it a fresh one begins.",
    proof:
      'src/engine/dispatch.test.ts › prompts › session: x goes on in the session of that step, and fails where it has none',
  },
  {
    id: 'LS-STEP-WITH',
    requirement:
      '`with` gives values to the prompt; a prompt that declares inputs sees only those, and `run`.',
    proof: [
      'src/engine/dispatch.test.ts › prompts › render with what `with` gives them, and the whole scope besides',
      'src/engine/dispatch.test.ts › prompts › a prompt that declares inputs sees only those, and `run`',
    ],
  },
  {
    id: 'LS-STEP-OUTPUT',
    requirement: '`output` names the value.',
    proof:
      'src/engine/order.test.ts › order › rule 1: an output name is seen by later steps, and a later visit overwrites it',
  },
  {
    id: 'LS-STEP-OUTPUT-VARS',
    requirement: '`output: vars` merges an object into vars.',
    proof:
      'src/engine/order.test.ts › order › output: vars merges an object, and fails the step when the output is something else',
  },
  {
    id: 'LS-STEP-CAPTURE-TEXT',
    requirement: '`capture: text` keeps the text.',
    proof: 'src/runtime/capture.test.ts › text',
  },
  {
    id: 'LS-STEP-CAPTURE-LINES',
    requirement: '`capture: lines` gives a list of lines.',
    proof: 'src/runtime/capture.test.ts › lines',
  },
  {
    id: 'LS-STEP-CAPTURE-JSON',
    requirement: '`capture: json` parses; `on_parse_error` fail or keep.',
    proof: [
      'src/runtime/capture.test.ts › json',
      'src/runtime/perform/run-command.test.ts › output › is captured as lines or JSON where the step says so',
    ],
  },
  {
    id: 'LS-STEP-CAPTURE-LIMIT',
    requirement: '`capture.limit` bounds what the journal keeps, and marks it.',
    proof: [
      'src/runtime/capture.test.ts › text › S5: keeps the beginning and the end, marks the cut and says how much there was',
      'src/runtime/capture.test.ts › extract',
    ],
  },
  {
    id: 'LS-STEP-SAVE-TO',
    requirement: '`save_to` gets stdout, whole, as it streams.',
    proof:
      'src/runtime/perform/run-command.test.ts › output › LS-OUTPUT-WHOLE, LS-OUTPUT-EXTRACT: is whole in the log and in save_to, and an extract in the outcome',
  },
  {
    id: 'LS-STEP-READS',
    requirement:
      '`reads` demands files, allows optional ones, and injects list, content or nothing, before or after the prompt.',
    proof: [
      'src/runtime/perform/run-agent.test.ts › what the agent is asked › files it reads',
      'src/runtime/perform/run-command.test.ts › reads',
      'src/runtime/injected-text.test.ts › a list',
      'src/runtime/injected-text.test.ts › contents',
    ],
  },
  {
    id: 'LS-STEP-ENV',
    requirement: '`env` is literal: templates in it stay as they are.',
    proof:
      'src/engine/dispatch.test.ts › commands › carry env, secrets, timeout, save_to and reads, rendered',
  },
  {
    id: 'LS-STEP-TIMEOUT',
    requirement: '`timeout` ends the work with exit code 124.',
    proof: [
      'src/runtime/perform/run-command.test.ts › how it ends › LS-PROCESS-TIMEOUT: takes longer than its time-out: 124, and its children are gone',
      'src/runtime/perform/run-agent.test.ts › time-out and cancel › takes longer than its time-out: 124',
    ],
  },
  {
    id: 'LS-STEP-RETRY',
    requirement: '`retry` repeats a dispatch that failed, with its delay, on the codes and classes it names.',
    proof: 'src/engine/acceptance.test.ts › retry (rule 4)',
  },
  {
    id: 'LS-STEP-TOOLS',
    requirement: '`tools` reach the agent.',
    proof:
      'src/runtime/perform/run-agent.test.ts › what the agent is asked › LS-AGENT-REQUEST: carries everything the step says',
  },
  {
    id: 'LS-STEP-ENTER-EXIT',
    requirement: '`enter` and `exit` actions run around the step, on `each` around every pass.',
    proof: [
      'src/engine/order.test.ts › step end (rule 3) › exit runs whenever the step was entered, failed too, and a failing action changes nothing',
      'src/engine/order.test.ts › step end (rule 3) › enter actions run first, one whose `when` is false is passed, and `set` is seen by the work',
      'src/engine/order.test.ts › step end (rule 3) › enter and exit of an each go around every pass',
    ],
  },
  {
    id: 'LS-STEP-ACTIONS',
    requirement: 'An action sets, calls, runs or prompts, when its `when` holds, and binds its output.',
    proof: 'src/engine/dispatch.test.ts › actions',
  },
  {
    id: 'LS-STEP-DONE-ORDER',
    requirement:
      'The parts of `done` are looked at in the order schema, that, run, approve, and all must hold.',
    proof:
      'src/engine/acceptance.test.ts › done › asks in order of cost: no command while a cheap check says no, no approval while the command fails',
  },
  {
    id: 'LS-STEP-DONE-SCHEMA',
    requirement: '`done.schema` is a built-in name, a file or inline JSON Schema.',
    proof: [
      'test/cli/done.test.ts › done › LS-STEP-DONE-SCHEMA: a schema given as a name sends a wrong answer back with what does not fit',
      'test/cli/done.test.ts › done › LS-STEP-DONE-SCHEMA: a schema given as a file sends a wrong answer back with what does not fit',
      'test/cli/done.test.ts › done › LS-STEP-DONE-SCHEMA: a schema given as inline sends a wrong answer back with what does not fit',
      'src/runtime/schema.test.ts › violations',
    ],
  },
  {
    id: 'LS-STEP-DONE-THAT',
    requirement: '`done.that` holds expressions, with their own reason in `else`.',
    proof:
      'src/engine/acceptance.test.ts › done › sends the work back with all reasons, in the same session, until it holds',
  },
  {
    id: 'LS-STEP-DONE-RUN',
    requirement: '`done.run` is run by the engine in the workspace.',
    proof:
      'test/cli/done.test.ts › done › LS-STEP-DONE-RUN: the engine itself runs the command, in the workspace, and takes its word',
  },
  {
    id: 'LS-STEP-DONE-APPROVE',
    requirement: '`done.approve` asks a person, with if, timeout, accept and reject.',
    proof: [
      'src/engine/acceptance.test.ts › done › a rejected approval sends the work back with the note',
      'src/engine/acceptance.test.ts › done › an approval nobody gave in time is a rejection',
      'src/engine/acceptance.test.ts › done › approve.if leaves the question out',
    ],
  },
  {
    id: 'LS-STEP-DONE-TRIES',
    requirement: 'Work that is not accepted is sent back with the reasons until `tries` run out.',
    proof: [
      'src/engine/acceptance.test.ts › done › sends the work back with all reasons, in the same session, until it holds',
      'src/engine/acceptance.test.ts › done › rule 3: not accepted after all tries pauses for a person; accept is recorded, fail stops',
    ],
  },
  {
    id: 'LS-STEP-RECOVER-RERUN',
    requirement: '`recover: rerun` runs a step in doubt again.',
    proof:
      'src/engine/crash.test.ts › crash and resume › E4: an attempt that was under way is on record as in doubt',
  },
  {
    id: 'LS-STEP-RECOVER-PAUSE',
    requirement: '`recover: pause` asks a person about a step in doubt.',
    proof:
      'src/engine/crash.test.ts › crash and resume › recover: pause puts it to a person, and accept goes on without running it again',
  },
  {
    id: 'LS-STEP-RECOVER-PROBE',
    requirement: '`recover: { probe }` asks a command: exit 0 means it had happened.',
    proof: 'src/engine/crash.test.ts › crash and resume › recover: probe asks whether it had happened',
  },
  {
    id: 'LS-STEP-NEXT',
    requirement: 'The first `next` that holds wins; its `do` actions run and its `goto` is followed.',
    proof:
      'src/engine/fan.test.ts › goto (rule 7) › the first rule that holds wins; its actions are done before the jump',
  },
  // ── Language: the sixteen rules ──
  {
    id: 'LS-RULE-1',
    requirement: 'Rule 1: scope.',
    proof: [
      'src/engine/order.test.ts › order › rule 1: *',
      'src/engine/fan.test.ts › each (rules 1, 2, 6) › opens a scope per pass and gives a list in item order',
      'src/engine/fan.test.ts › each (rules 1, 2, 6) › steps of a pass are not seen after it; those of the parent are seen inside',
      'src/compile/compile.golden.test.ts › compile › rule 1: *',
    ],
  },
  {
    id: 'LS-RULE-2',
    requirement: 'Rule 2: values.',
    proof: [
      'src/engine/order.test.ts › order › rule 2: *',
      'src/runtime/perform/answer.test.ts › rule 2: an answer without a schema',
      'src/engine/fan.test.ts › parallel (rule 6) › starts all, and its value is a map by id of those that are done',
    ],
  },
  {
    id: 'LS-RULE-3',
    requirement: 'Rule 3: step end.',
    proof: [
      'src/engine/order.test.ts › step end (rule 3)',
      'src/engine/acceptance.test.ts › done › rule 3: not accepted after all tries pauses for a person; accept is recorded, fail stops',
    ],
  },
  {
    id: 'LS-RULE-4',
    requirement: 'Rule 4: retry and tries.',
    proof: [
      'src/engine/acceptance.test.ts › retry (rule 4)',
      'src/compile/lower/step.test.ts › rule 4: retry and tries',
      'src/compile/compile.golden.test.ts › compile › rule 4: only a prompt may have more than one try (tries)',
    ],
  },
  { id: 'LS-RULE-5', requirement: 'Rule 5: loop.', proof: 'src/engine/fan.test.ts › loop (rule 5)' },
  {
    id: 'LS-RULE-6',
    requirement: 'Rule 6: parallel and each.',
    proof: [
      'src/engine/fan.test.ts › parallel (rule 6)',
      'src/engine/fan.test.ts › each (rules 1, 2, 6)',
      'src/runtime/perform/run-agent.test.ts › rule 6: agents at the same time',
      'src/compile/check/workspace.test.ts › rule 6: agents that may write share no workspace',
    ],
  },
  { id: 'LS-RULE-7', requirement: 'Rule 7: goto.', proof: 'src/engine/fan.test.ts › goto (rule 7)' },
  {
    id: 'LS-RULE-8',
    requirement: 'Rule 8: tools.',
    proof: [
      'src/compile/lower/step.test.ts › rule 8: tools',
      'src/compile/resolve/tools.test.ts › rule 8: allow lists',
      "src/agents/script/script-agent.test.ts › rule 8: the step's tools",
    ],
  },
  {
    id: 'LS-RULE-9',
    requirement: 'Rule 9: guard (in a run; live sessions come later).',
    proof: [
      'test/language.test.ts › LS-RULE-9: rule 9: rules are checked at load, and bind in a run',
      'src/engine/guard.test.ts › AG-GUARD-RULES: rule 9: the rules',
    ],
  },
  {
    id: 'LS-RULE-10',
    requirement: "Rule 10: guide (approval never comes through the agent's word).",
    proof:
      'test/language.test.ts › LS-RULE-10: rule 10: approval comes from a person, never through the word of the agent',
  },
  {
    id: 'LS-RULE-11',
    requirement: 'Rule 11: paused.',
    proof: [
      'src/engine/acceptance.test.ts › done › rule 11: again runs the step from its beginning',
      'src/drivers/run/run.test.ts › the run drive › rule 11: asks in place where somebody can be asked, again when the answer does not fit, and goes on',
      'test/cli/go-on.test.ts › signals of the system › rule 11: SIGINT pauses cleanly, exits 130 and names the command that goes on; resume ends the run',
    ],
  },
  {
    id: 'LS-RULE-12',
    requirement: 'Rule 12: defaults.',
    proof: [
      'src/compile/lower/step.test.ts › rule 12: defaults',
      'src/drivers/run/run.test.ts › the run drive › rule 12: without an agent for its prompts a run is refused before anything is made, and --script is named',
    ],
  },
  {
    id: 'LS-RULE-13',
    requirement: 'Rule 13: secrets.',
    proof: [
      'src/runtime/mask.test.ts › what cannot be masked › rule 13: warns of values shorter than four characters and leaves them',
      "src/runtime/perform/run-command.test.ts › secrets › rule 13: LS-SECRET-SAVE-TO: save_to is the command's own output",
    ],
  },
  {
    id: 'LS-RULE-14',
    requirement: 'Rule 14: inputs of type file.',
    proof:
      'test/cli/run.test.ts › inputs › LS-CLI-RUN-INPUT: rule 14: a file is read, its title and front matter with it',
  },
  {
    id: 'LS-RULE-15',
    requirement: 'Rule 15: invariants and overrides.',
    proof: [
      'src/compile/prove/prove.test.ts › rule 15: an invariant holds',
      'src/compile/prove/prove.test.ts › rule 15: a violation prints a path that breaks the invariant',
      'src/compile/prove/prove.test.ts › rule 15: skips that would break an invariant are refused',
      'src/compile/prove/agreement.test.ts › rule 15: the proof and the runs agree',
    ],
  },
  {
    id: 'LS-RULE-16',
    requirement: 'Rule 16: absence never makes a check hold.',
    proof: [
      'src/expressions/evaluate.test.ts › rule 16: absence',
      'src/engine/order.test.ts › order › rule 16: a value that is not there fails the step with exit code 2 and is named',
      'src/engine/acceptance.test.ts › done › rule 16: *',
    ],
  },
  // ── Library: agents, prompts, handlers ──
  {
    id: 'LS-AGENT-FILE',
    requirement:
      'agents/x.md: name, description, tools, model, provider, params; the body is the system prompt.',
    proof: [
      'src/compile/language-docs.test.ts › docs/language.md › has the fields of agent, all of them and no more',
      'src/engine/dispatch.test.ts › prompts › the system text is the agent, then standing advice, then references',
    ],
  },
  {
    id: 'LS-PROMPT-FILE',
    requirement: 'prompts/x.md: name, description, inputs, schema; the body is the task.',
    proof: [
      'src/compile/language-docs.test.ts › docs/language.md › has the fields of prompt-file, all of them and no more',
      'src/compile/compile.golden.test.ts › compile › a prompt that declares inputs is given those and no others (prompt-inputs)',
      'src/compile/lower/step.test.ts › who performs a prompt › takes the schema of a library prompt where the step has none',
    ],
  },
  {
    id: 'LS-HANDLER-NOOP',
    requirement: 'The handler noop does nothing, successfully.',
    proof: 'src/runtime/handlers/call-handler.test.ts › noop',
  },
  {
    id: 'LS-HANDLER-WRITE-FILE',
    requirement: 'The handler write-file writes a file in the workspace.',
    proof: 'src/runtime/handlers/call-handler.test.ts › write-file',
  },
  {
    id: 'LS-HANDLER-READ-FILE',
    requirement: 'The handler read-file reads a file of the workspace.',
    proof: 'src/runtime/handlers/call-handler.test.ts › read-file',
  },
  {
    id: 'LS-HANDLER-MOVE',
    requirement: 'The handler move moves a file in the workspace.',
    proof: 'src/runtime/handlers/call-handler.test.ts › move',
  },
  {
    id: 'LS-HANDLER-CAPTURE-ARTIFACT',
    requirement: 'The handler capture-artifact keeps a file with the run.',
    proof: 'src/runtime/handlers/call-handler.test.ts › capture-artifact',
  },
  {
    id: 'LS-HANDLER-DOCUMENTED',
    requirement: 'Every handler is documented with its arguments.',
    proof:
      'src/compile/language-docs.test.ts › docs/language.md › names every handler, and docs/handlers.md every argument of those that a run has',
  },
];
