import type { Requirement } from '../ledger.ts';

export const compiler: Requirement[] = [
  // ── Compiler: errors in a definition ──
  { id: 'LS-ERROR-UNKNOWN-FIELD', requirement: 'An unknown field is an error, everywhere.', proof: [] },
  { id: 'LS-ERROR-TWO-VERBS', requirement: 'Two verbs in a step are an error.', proof: [] },
  { id: 'LS-ERROR-NO-VERB', requirement: 'A step without a verb is an error.', proof: [] },
  { id: 'LS-ERROR-DUPLICATE-ID', requirement: 'Two steps with one id in a list are an error.', proof: [] },
  { id: 'LS-ERROR-GOTO', requirement: 'A `goto` to nowhere is an error.', proof: [] },
  { id: 'LS-ERROR-MISSING-AGENT', requirement: 'A missing agent is an error.', proof: [] },
  { id: 'LS-ERROR-MISSING-PROMPT', requirement: 'A missing prompt is an error.', proof: [] },
  { id: 'LS-ERROR-MISSING-SCHEMA', requirement: 'A missing schema is an error.', proof: [] },
  { id: 'LS-ERROR-MISSING-PARENT', requirement: 'A missing parent file is an error.', proof: [] },
  { id: 'LS-ERROR-EXTENDS-CIRCLE', requirement: 'An `extends` circle is an error.', proof: [] },
  { id: 'LS-ERROR-WORKFLOW-CIRCLE', requirement: 'A `workflow` circle is an error.', proof: [] },
  { id: 'LS-ERROR-DURATION', requirement: 'A bad duration is an error.', proof: [] },
  { id: 'LS-ERROR-HANDLER-ARGUMENT', requirement: 'An unknown handler argument is an error.', proof: [] },
  {
    id: 'LS-ERROR-FORM',
    requirement: 'An error has a code, file:line:column and a source frame.',
    proof: [],
  },
  {
    id: 'LS-ERROR-DID-YOU-MEAN',
    requirement: 'An error says "did you mean" where something is close, and nothing where nothing is.',
    proof: [],
  },
  {
    id: 'LS-ERROR-ALL',
    requirement: 'All problems of all files are reported at once, each once.',
    proof: [],
  },
  {
    id: 'LS-ERROR-NOTHING-CREATED',
    requirement: 'An invalid definition ends with exit code 2 and creates nothing.',
    proof: [],
  },
  // ── Compiler: expressions and templates ──
  {
    id: 'LS-CEL-EVERYWHERE',
    requirement: 'CEL is parsed and type-checked at load wherever the language puts it.',
    proof: [],
  },
  { id: 'LS-CEL-TEMPLATES', requirement: 'CEL is checked in every `{{ }}` and `{% %}`.', proof: [] },
  {
    id: 'LS-CEL-PROMPT-FILES',
    requirement: 'Prompt files are checked too, and the error points into the prompt file.',
    proof: [],
  },
  { id: 'LS-CEL-MISSPELT', requirement: 'A misspelt name is an error.', proof: [] },
  { id: 'LS-CEL-SCHEMA-FIELD', requirement: 'A field that a schema does not have is an error.', proof: [] },
  { id: 'LS-CEL-NOT-YET', requirement: 'A step that cannot have run yet is an error.', proof: [] },
  {
    id: 'LS-CEL-OTHER-BRANCH',
    requirement: 'A step of another branch of a `parallel` is an error.',
    proof: [],
  },
  {
    id: 'LS-CEL-MAY-BE-ABSENT',
    requirement: 'A value that may be absent at run time is no error at load.',
    proof: [],
  },
  { id: 'LS-CEL-HYPHEN', requirement: '`steps.a-b` is reported with the hint `steps["a-b"]`.', proof: [] },
  {
    id: 'LS-CEL-DEFAULT',
    requirement: '`default` and `truthy` accept arguments that are absent.',
    proof: [],
  },
  {
    id: 'LS-CEL-NUMBERS',
    requirement: 'Integers and doubles mix; integral JSON numbers are integers; results are plain JSON.',
    proof: [],
  },
  { id: 'LS-CEL-MATCHES', requirement: '`matches` and every user pattern run in linear time.', proof: [] },
  {
    id: 'LS-CEL-KEYS',
    requirement: 'Objects with the keys `constructor` and `__proto__` are safe.',
    proof: [],
  },
  {
    id: 'LS-CEL-ROOTS',
    requirement:
      'The roots are inputs vars steps run pass output status event session, the `each` name and output names; none can be rebound.',
    proof: [],
  },
  {
    id: 'LS-CEL-FUNCTIONS',
    requirement:
      '`files changed default truthy same mentions includes parse_json user_says command_runs` exist.',
    proof: [],
  },
  {
    id: 'LS-CEL-OBSERVED',
    requirement: 'What looks at the world is observed by the runtime and journaled.',
    proof: [],
  },
  { id: 'LS-TEMPLATE-IF', requirement: 'Templates have if, elsif, else and endif.', proof: [] },
  { id: 'LS-TEMPLATE-FOR', requirement: 'Templates have for and endfor.', proof: [] },
  { id: 'LS-TEMPLATE-RAW', requirement: 'Templates have raw.', proof: [] },
  { id: 'LS-TEMPLATE-RENDER', requirement: 'Strings render as they are, the rest as JSON.', proof: [] },
  { id: 'LS-TEMPLATE-ONE-PASS', requirement: 'Rendered text is never rendered again.', proof: [] },
  { id: 'LS-TEMPLATE-DATA', requirement: 'Files that a step reads as data are never rendered.', proof: [] },
  // ── Compiler: YAML traps ──
  { id: 'LS-YAML-TAG', requirement: 'An unquoted `!x` has a diagnostic of its own.', proof: [] },
  { id: 'LS-YAML-BRACES', requirement: '`{{ x }}` unquoted has a diagnostic of its own.', proof: [] },
  { id: 'LS-YAML-HASH', requirement: '` #` cutting an expression has a diagnostic of its own.', proof: [] },
  { id: 'LS-YAML-VERSION', requirement: '`version: 1.1` as a float has a diagnostic of its own.', proof: [] },
  { id: 'LS-YAML-TABS', requirement: 'Tabs have a diagnostic of their own.', proof: [] },
  // ── Compiler: proofs, layers, hostile text ──
  { id: 'LS-PROVE-INVARIANT', requirement: '`invariants` are proved on the control-flow graph.', proof: [] },
  { id: 'LS-PROVE-PATH', requirement: 'A violated invariant prints a path that breaks it.', proof: [] },
  { id: 'LS-PROVE-SKIP', requirement: '`--skip-step` against an invariant is refused.', proof: [] },
  {
    id: 'LS-LAYER-ORDER',
    requirement: 'Project, then user, then built-in: the first match wins.',
    proof: [],
  },
  {
    id: 'LS-LAYER-KINDS',
    requirement: 'Workflows, agents, prompts, gates and schemas are all resolved in layers.',
    proof: [],
  },
  {
    id: 'LS-LAYER-LIST',
    requirement: '`lockstep list` says which layer won and what it shadows.',
    proof: [],
  },
  {
    id: 'LS-LAYER-SHOW',
    requirement: '`lockstep show NAME` says which layer won and what it shadows.',
    proof: [],
  },
  {
    id: 'LS-LAYER-JOURNAL',
    requirement: 'The journal records source and hash of the definitions.',
    proof: [],
  },
  {
    id: 'LS-LAYER-STEP-RECORD',
    requirement:
      'The journal records per step: agent and prompt with their sources, model, raw output, duration.',
    proof: [],
  },
  {
    id: 'LS-HOSTILE-ALIASES',
    requirement: 'An alias bomb is a clear error in bounded time and memory.',
    proof: [],
  },
  { id: 'LS-HOSTILE-DUPLICATE-KEYS', requirement: 'Duplicate keys are a clear error.', proof: [] },
  { id: 'LS-HOSTILE-TAGS', requirement: 'Custom tags are a clear error.', proof: [] },
  { id: 'LS-HOSTILE-PROTO', requirement: '`__proto__` and `constructor` as keys do no harm.', proof: [] },
  {
    id: 'LS-HOSTILE-SIZE',
    requirement: 'A 50 MB file is a clear error in bounded time and memory.',
    proof: [],
  },
  { id: 'LS-HOSTILE-DEPTH', requirement: '10,000-deep nesting is a clear error, never a crash.', proof: [] },
  {
    id: 'LS-HOSTILE-PATTERN',
    requirement: '`^(a+)+$` in `matches` gives the right answer in bounded time.',
    proof: [],
  },
  // ── Compiler: schema and graph ──
  {
    id: 'LS-SCHEMA-PRINT',
    requirement: '`lockstep schema` prints a union of strict objects, one per verb.',
    proof: [],
  },
  {
    id: 'LS-SCHEMA-VALID',
    requirement: 'Every example and built-in validates against the schema.',
    proof: [],
  },
  { id: 'LS-GRAPH-MERMAID', requirement: '`lockstep graph NAME` draws the workflow in Mermaid.', proof: [] },
  { id: 'LS-GRAPH-TEXT', requirement: '`lockstep graph NAME --format text` draws it as a tree.', proof: [] },
];
