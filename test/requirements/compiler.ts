import type { Requirement } from '../ledger.ts';

export const compiler: Requirement[] = [
  // ── Compiler: errors in a definition ──
  {
    id: 'LS-ERROR-UNKNOWN-FIELD',
    requirement: 'An unknown field is an error, everywhere.',
    proof: [
      'src/compile/compile.test.ts › C2, C3: any text › LS-ERROR-UNKNOWN-FIELD: reports every field that no table has, wherever it is put',
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-UNKNOWN-FIELD: an unknown field is an error, at every depth and in every file (unknown-field)',
    ],
  },
  {
    id: 'LS-ERROR-TWO-VERBS',
    requirement: 'Two verbs in a step are an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-TWO-VERBS: two verbs in a step are an error, reported once (two-verbs)',
  },
  {
    id: 'LS-ERROR-NO-VERB',
    requirement: 'A step without a verb is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-NO-VERB: a step without a verb is an error (no-verb)',
  },
  {
    id: 'LS-ERROR-DUPLICATE-ID',
    requirement: 'Two steps with one id in a list are an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-DUPLICATE-ID: two steps with one id in a list are an error that names both places (duplicate-id)',
  },
  {
    id: 'LS-ERROR-GOTO',
    requirement: 'A `goto` to nowhere is an error.',
    proof:
      'test/cli/definitions.test.ts › LS-DONE-TEN-BREAKS: ten ways of breaking it, each answered with what to fix › a goto to nowhere',
  },
  {
    id: 'LS-ERROR-MISSING-AGENT',
    requirement: 'A missing agent is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-MISSING-AGENT, LS-ERROR-MISSING-PROMPT, LS-ERROR-MISSING-SCHEMA: a file that is not there is an error that says where it was looked for (missing-files)',
  },
  {
    id: 'LS-ERROR-MISSING-PROMPT',
    requirement: 'A missing prompt is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-MISSING-AGENT, LS-ERROR-MISSING-PROMPT, LS-ERROR-MISSING-SCHEMA: a file that is not there is an error that says where it was looked for (missing-files)',
  },
  {
    id: 'LS-ERROR-MISSING-SCHEMA',
    requirement: 'A missing schema is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-MISSING-AGENT, LS-ERROR-MISSING-PROMPT, LS-ERROR-MISSING-SCHEMA: a file that is not there is an error that says where it was looked for (missing-files)',
  },
  {
    id: 'LS-ERROR-MISSING-PARENT',
    requirement: 'A missing parent file is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-MISSING-PARENT: a missing parent file is an error, and the rest is checked all the same (missing-parent)',
  },
  {
    id: 'LS-ERROR-EXTENDS-CIRCLE',
    requirement: 'An `extends` circle is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-EXTENDS-CIRCLE: an extends circle is an error that shows the circle (extends-circle)',
  },
  {
    id: 'LS-ERROR-WORKFLOW-CIRCLE',
    requirement: 'A `workflow` circle is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-WORKFLOW-CIRCLE: a workflow circle is an error that shows the circle (workflow-circle)',
  },
  {
    id: 'LS-ERROR-DURATION',
    requirement: 'A bad duration is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-DURATION: a bad duration is an error that says what is accepted (durations)',
  },
  {
    id: 'LS-ERROR-HANDLER-ARGUMENT',
    requirement: 'An unknown handler argument is an error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-HANDLER-ARGUMENT: unknown handlers, and arguments that are unknown, missing or of the wrong type (handlers)',
  },
  {
    id: 'LS-ERROR-FORM',
    requirement: 'An error has a code, file:line:column and a source frame.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-ALL, LS-ERROR-FORM: all problems of all files at once, each once, with code, place and frame (all-at-once)',
  },
  {
    id: 'LS-ERROR-DID-YOU-MEAN',
    requirement: 'An error says "did you mean" where something is close, and nothing where nothing is.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-DID-YOU-MEAN: a hint where something is close, and none where nothing is (did-you-mean)',
  },
  {
    id: 'LS-ERROR-ALL',
    requirement: 'All problems of all files are reported at once, each once.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-ERROR-ALL, LS-ERROR-FORM: all problems of all files at once, each once, with code, place and frame (all-at-once)',
  },
  {
    id: 'LS-ERROR-NOTHING-CREATED',
    requirement: 'An invalid definition ends with exit code 2 and creates nothing.',
    proof:
      'test/language.test.ts › LS-ERROR-NOTHING-CREATED: an invalid definition ends with exit code 2 and leaves no trace',
  },
  // ── Compiler: expressions and templates ──
  {
    id: 'LS-CEL-EVERYWHERE',
    requirement: 'CEL is parsed and type-checked at load wherever the language puts it.',
    proof:
      'src/compile/lower/lowering.test.ts › sites › LS-CEL-EVERYWHERE: there is one for every expression and template, with the way back to its place',
  },
  {
    id: 'LS-CEL-TEMPLATES',
    requirement: 'CEL is checked in every `{{ }}` and `{% %}`.',
    proof: 'src/expressions/check.test.ts › checkTemplate',
  },
  {
    id: 'LS-CEL-PROMPT-FILES',
    requirement: 'Prompt files are checked too, and the error points into the prompt file.',
    proof:
      'src/compile/lower/lowering.test.ts › sites › LS-CEL-PROMPT-FILES: positions in a prompt file point into the prompt file',
  },
  {
    id: 'LS-CEL-MISSPELT',
    requirement: 'A misspelt name is an error.',
    proof: [
      'src/expressions/check.test.ts › checkCel › step.plan',
      'src/expressions/check.test.ts › checkCel › steps.pln.output',
    ],
  },
  {
    id: 'LS-CEL-SCHEMA-FIELD',
    requirement: 'A field that a schema does not have is an error.',
    proof: [
      'src/expressions/check.test.ts › checkCel › steps.plan.output.tasks.map(t, t.titel)',
      'src/expressions/schema-type.test.ts › compileTypeOfSchema',
    ],
  },
  {
    id: 'LS-CEL-NOT-YET',
    requirement: 'A step that cannot have run yet is an error.',
    proof:
      'test/cli/definitions.test.ts › LS-DONE-TEN-BREAKS: ten ways of breaking it, each answered with what to fix › a step that cannot have run yet',
  },
  {
    id: 'LS-CEL-OTHER-BRANCH',
    requirement: 'A step of another branch of a `parallel` is an error.',
    proof:
      'src/compile/check/view.test.ts › rule 1: which steps are seen › LS-CEL-OTHER-BRANCH: no step of another branch of a parallel, even where a loop leads around',
  },
  {
    id: 'LS-CEL-SWITCHED-OFF',
    requirement: 'A step that is switched off by its own text is checked as if it were not, and is no error.',
    proof: '*LS-CEL-SWITCHED-OFF*',
  },
  {
    id: 'LS-CEL-MAY-BE-ABSENT',
    requirement: 'A value that may be absent at run time is no error at load.',
    proof:
      'src/expressions/check.test.ts › checkCel › rule 16: what may merely be absent at run time is no problem',
  },
  {
    id: 'LS-CEL-HYPHEN',
    requirement: '`steps.a-b` is reported with the hint `steps["a-b"]`.',
    proof: [
      'src/expressions/check.test.ts › checkCel › steps.a-b.output == "x"',
      'src/expressions/check.test.ts › error pages › cel-hyphen has a page whose example is that error',
    ],
  },
  {
    id: 'LS-CEL-DEFAULT',
    requirement: '`default` and `truthy` accept arguments that are absent.',
    proof: ['src/expressions/functions.test.ts › default', 'src/expressions/functions.test.ts › truthy'],
  },
  {
    id: 'LS-CEL-NUMBERS',
    requirement: 'Integers and doubles mix; integral JSON numbers are integers; results are plain JSON.',
    proof: 'src/expressions/evaluate.test.ts › values',
  },
  {
    id: 'LS-CEL-MATCHES',
    requirement: '`matches` and every user pattern run in linear time.',
    proof: [
      'src/expressions/pattern.test.ts › linearPattern',
      'src/expressions/functions.test.ts › matches',
      'src/runtime/schema.test.ts › schemas that users bring › cannot make a pattern take longer than the text is long',
    ],
  },
  {
    id: 'LS-CEL-KEYS',
    requirement: 'Objects with the keys `constructor` and `__proto__` are safe.',
    proof: 'src/expressions/evaluate.test.ts › X4: keys of any name',
  },
  {
    id: 'LS-CEL-ROOTS',
    requirement:
      'The roots are inputs vars steps run pass output status event session, the `each` name and output names; none can be rebound.',
    proof: [
      'src/compile/compile.golden.test.ts › compile › rule 1: names that cannot be: reserved words, roots, the id "end", characters that are not allowed (ids)',
      'src/expressions/documentation.test.ts › docs/expressions.md',
    ],
  },
  {
    id: 'LS-CEL-FUNCTIONS',
    requirement:
      '`files changed default truthy same mentions includes parse_json user_says command_runs` exist.',
    proof: [
      'src/expressions/functions.test.ts › default',
      'src/expressions/functions.test.ts › truthy',
      'src/expressions/functions.test.ts › same',
      'src/expressions/functions.test.ts › mentions',
      'src/expressions/functions.test.ts › includes',
      'src/expressions/functions.test.ts › parse_json',
      'src/expressions/functions.test.ts › user_says and command_runs',
      'src/expressions/evaluate.test.ts › X7: facts',
    ],
  },
  {
    id: 'LS-CEL-OBSERVED',
    requirement: 'What looks at the world is observed by the runtime and journaled.',
    proof: [
      'src/engine/order.test.ts › values of the world',
      'src/runtime/perform/observe.test.ts › E1: gives what the world looks like as facts',
    ],
  },
  {
    id: 'LS-TEMPLATE-IF',
    requirement: 'Templates have if, elsif, else and endif.',
    proof: [
      'src/expressions/template.test.ts › render › "{% if no %}A{% elsif n == 5 %}B{% elsif yes %}C{% else %}D{% endif %}" renders to "B"',
      'src/expressions/template.test.ts › render › "{% if yes %}A{% endif %}" renders to "A"',
    ],
  },
  {
    id: 'LS-TEMPLATE-FOR',
    requirement: 'Templates have for and endfor.',
    proof:
      'src/expressions/template.test.ts › render › "{% for x in list %}<{{ x }}>{% endfor %}" renders to "<a><b>"',
  },
  {
    id: 'LS-TEMPLATE-RAW',
    requirement: 'Templates have raw.',
    proof: 'src/expressions/template.test.ts › render › any text between raw and endraw comes out as it is',
  },
  {
    id: 'LS-TEMPLATE-RENDER',
    requirement: 'Strings render as they are, the rest as JSON.',
    proof: [
      'src/expressions/template.test.ts › renderText',
      'src/expressions/template.test.ts › render › "list: {{ list }}" renders to *',
    ],
  },
  {
    id: 'LS-TEMPLATE-ONE-PASS',
    requirement: 'Rendered text is never rendered again.',
    proof: 'src/expressions/template.test.ts › render › X5: what a value renders to is never rendered again',
  },
  {
    id: 'LS-TEMPLATE-DATA',
    requirement: 'Files that a step reads as data are never rendered.',
    proof:
      'src/runtime/perform/run-agent.test.ts › what the agent is asked › hands a prompt file over as it is, read when the step starts',
  },
  // ── Compiler: YAML traps ──
  {
    id: 'LS-YAML-TAG',
    requirement: 'An unquoted `!x` has a diagnostic of its own.',
    proof: [
      'src/compile/compile.golden.test.ts › compile › LS-YAML-TAG, LS-HOSTILE-TAGS: an unquoted !x is a tag that would vanish (yaml-tag)',
      'src/compile/compile.golden.test.ts › compile › LS-YAML-TAG: an unquoted ! before what YAML cannot read at all (yaml-tag-syntax)',
    ],
  },
  {
    id: 'LS-YAML-BRACES',
    requirement: '`{{ x }}` unquoted has a diagnostic of its own.',
    proof: [
      'src/compile/compile.golden.test.ts › compile › LS-YAML-BRACES: {{ x }} without quotes is a map (yaml-braces)',
      'src/compile/compile.golden.test.ts › compile › LS-YAML-BRACES: {{ x }} without quotes before other text (yaml-braces-text)',
    ],
  },
  {
    id: 'LS-YAML-HASH',
    requirement: '` #` cutting an expression has a diagnostic of its own.',
    proof: [
      'src/compile/compile.golden.test.ts › compile › LS-YAML-HASH: a hash that cuts an expression off (yaml-hash)',
      'src/compile/compile.golden.test.ts › compile › LS-YAML-HASH: a hash that cuts a map in braces off (yaml-hash-flow)',
    ],
  },
  {
    id: 'LS-YAML-VERSION',
    requirement: '`version: 1.1` as a float has a diagnostic of its own.',
    proof: [
      'src/compile/compile.golden.test.ts › compile › LS-YAML-VERSION: lockstep 1.0 is a float, not the version 1 (lockstep-float)',
      'src/compile/compile.golden.test.ts › compile › LS-YAML-VERSION: version 1.1 as a float (yaml-version)',
    ],
  },
  {
    id: 'LS-YAML-TABS',
    requirement: 'Tabs have a diagnostic of their own.',
    proof: 'src/compile/compile.golden.test.ts › compile › LS-YAML-TABS: tabs as indentation (yaml-tabs)',
  },
  // ── Compiler: proofs, layers, hostile text ──
  {
    id: 'LS-PROVE-INVARIANT',
    requirement: '`invariants` are proved on the control-flow graph.',
    proof: [
      'src/compile/prove/prove.test.ts › rule 15: an invariant holds',
      'src/compile/prove/agreement.test.ts › rule 15: the proof and the runs agree',
    ],
  },
  {
    id: 'LS-PROVE-PATH',
    requirement: 'A violated invariant prints a path that breaks it.',
    proof: 'src/compile/prove/prove.test.ts › rule 15: a violation prints a path that breaks the invariant',
  },
  {
    id: 'LS-PROVE-SKIP',
    requirement: '`--skip-step` against an invariant is refused.',
    proof: [
      'src/compile/prove/prove.test.ts › rule 15: skips that would break an invariant are refused',
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-SKIP-STEP: rule 15: against an invariant it is refused',
    ],
  },
  {
    id: 'LS-LAYER-ORDER',
    requirement: 'Project, then user, then built-in: the first match wins.',
    proof:
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › project before user before built-in, the others are shadowed',
  },
  {
    id: 'LS-LAYER-KINDS',
    requirement: 'Workflows, agents, prompts, gates and schemas are all resolved in layers.',
    proof: [
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › a workflow is workflows/x.yaml',
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › a schema is schemas/x.json',
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › a agent is agents/x.md',
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › a prompt is prompts/x.md',
      'src/library/file-library.test.ts › L1: the first layer that has a name wins › a gate is gates/x.md',
    ],
  },
  {
    id: 'LS-LAYER-LIST',
    requirement: '`lockstep list` says which layer won and what it shadows.',
    proof:
      'test/cli/definitions.test.ts › list and show › LS-CLI-LIST: names, the layer that won, what it shadows, and descriptions',
  },
  {
    id: 'LS-LAYER-SHOW',
    requirement: '`lockstep show NAME` says which layer won and what it shadows.',
    proof:
      'test/cli/definitions.test.ts › list and show › LS-CLI-SHOW: the layer, the path, the hash, what it shadows, inputs and steps',
  },
  {
    id: 'LS-LAYER-JOURNAL',
    requirement: 'The journal records source and hash of the definitions.',
    proof: [
      'test/cli/done.test.ts › done › LS-LAYER-JOURNAL: the journal has the hash of what was pinned, and that the source and hash of every definition',
      'src/compile/resolve/workflow-file.test.ts › called workflows › are compiled once, into the root, with the sources of all',
    ],
  },
  {
    id: 'LS-LAYER-STEP-RECORD',
    requirement:
      'The journal records per step: agent and prompt with their sources, model, raw output, duration.',
    proof:
      'src/expressions/check.test.ts › checkCel › rule 16: what may merely be absent at run time is no problem',
  },
  {
    id: 'LS-HOSTILE-ALIASES',
    requirement: 'An alias bomb is a clear error in bounded time and memory.',
    proof: 'src/source/read/yaml.test.ts › Y1: hostile texts are refused in bounded time › an alias bomb',
  },
  {
    id: 'LS-HOSTILE-DUPLICATE-KEYS',
    requirement: 'Duplicate keys are a clear error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-HOSTILE-DUPLICATE-KEYS: a key that is there twice (duplicate-keys)',
  },
  {
    id: 'LS-HOSTILE-TAGS',
    requirement: 'Custom tags are a clear error.',
    proof:
      'src/compile/compile.golden.test.ts › compile › LS-YAML-TAG, LS-HOSTILE-TAGS: an unquoted !x is a tag that would vanish (yaml-tag)',
  },
  {
    id: 'LS-HOSTILE-PROTO',
    requirement: '`__proto__` and `constructor` as keys do no harm.',
    proof:
      'src/compile/compile.test.ts › C2, C3: any text › LS-HOSTILE-PROTO: __proto__ and constructor as keys of free maps do no harm',
  },
  {
    id: 'LS-HOSTILE-SIZE',
    requirement: 'A 50 MB file is a clear error in bounded time and memory.',
    proof: 'src/source/read/yaml.test.ts › Y1: hostile texts are refused in bounded time › a 50 MB file',
  },
  {
    id: 'LS-HOSTILE-DEPTH',
    requirement: '10,000-deep nesting is a clear error, never a crash.',
    proof: [
      'src/source/read/yaml.test.ts › Y1: hostile texts are refused in bounded time › 10,000 open brackets',
      'src/source/read/yaml.test.ts › Y1: hostile texts are refused in bounded time › 10,000 open braces',
      'src/source/read/yaml.test.ts › Y1: hostile texts are refused in bounded time › 10,000 dashes',
    ],
  },
  {
    id: 'LS-HOSTILE-PATTERN',
    requirement: '`^(a+)+$` in `matches` gives the right answer in bounded time.',
    proof: 'src/expressions/pattern.test.ts › linearPattern',
  },
  // ── Compiler: schema and graph ──
  {
    id: 'LS-SCHEMA-PRINT',
    requirement: '`lockstep schema` prints a union of strict objects, one per verb.',
    proof:
      'src/source/grammar/json-schema.test.ts › editorSchema › LS-SCHEMA-PRINT: is a union of strict objects, one per verb',
  },
  {
    id: 'LS-SCHEMA-VALID',
    requirement: 'Every example and built-in validates against the schema.',
    proof: 'src/source/grammar/json-schema.test.ts › editorSchema › LS-SCHEMA-VALID:*',
  },
  {
    id: 'LS-GRAPH-MERMAID',
    requirement: '`lockstep graph NAME` draws the workflow in Mermaid.',
    proof: [
      'src/views/graph.test.ts › mermaidGraph',
      'test/cli/definitions.test.ts › graph and schema › LS-CLI-GRAPH: Mermaid by default, a tree as text; a broken workflow is told',
    ],
  },
  {
    id: 'LS-GRAPH-TEXT',
    requirement: '`lockstep graph NAME --format text` draws it as a tree.',
    proof: [
      'src/views/graph.test.ts › textGraph',
      'test/cli/definitions.test.ts › graph and schema › LS-CLI-GRAPH: Mermaid by default, a tree as text; a broken workflow is told',
    ],
  },
];
