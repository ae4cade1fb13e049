// printed: the workflows that the specification prints, comments left out, each with the files it names and stand-ins
// for the programs it calls. Fragments are in a wrapper of two lines: a version and a name. What a test may see
// afterwards is in examples.test.ts; convert.test.ts runs them a second time, converted.

import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scene, type SceneOptions, scene } from './support.ts';

export interface Printed {
  id: string;
  /** In printed/. */
  file: string;
  /** What has to change for it to run at all: it is not valid as printed. */
  mend?: (text: string) => string;
  files?: SceneOptions['files'];
  agents?: SceneOptions['agents'];
  env?: Record<string, string>;
  /** Programs it calls, as shell scripts. */
  programs?: Record<string, string>;
  exitCode?: number;
}

const DESIGN = 'mkdir -p artifacts/architect; cd artifacts/architect; echo design > system_design.md';
const architect = { sh: `(${DESIGN}; echo api > api_spec.md); echo designed` };
const design = {
  'artifacts/architect/system_design.md': 'design\n',
  'artifacts/architect/api_spec.md': 'api\n',
};
/** Providers that two of them use and none defines. */
const processors = (text: string) => `${text}providers:
  data_processor: { command: ["sh", "-c", "echo processed; cat"], input_mode: "stdin" }
  aggregator: { command: ["sh", "-c", "echo aggregated; cat"], input_mode: "stdin" }
`;
const inbox = {
  'prompts/architect/design_system.md': 'Design the system.\n',
  'prompts/engineer/generic_implement.md': 'Implement it.\n',
  'inbox/engineer/one.task': 'one\n',
  'inbox/qa/': '',
};

export const printed: Printed[] = [
  {
    id: 'ORC-EX-INBOX',
    file: 'inbox',
    files: { ...inbox, 'inbox/engineer/two.task': 'two\n', 'docs/coding_standards.md': 'Be brief.\n' },
    agents: {
      claude: [
        architect,
        ...[0, 1].map((index) => ({ sh: `mkdir -p src; touch src/impl_${index}.py; echo done` })),
      ],
    },
  },
  {
    id: 'ORC-EX-INBOX-DEPENDENCY',
    file: 'inbox',
    files: inbox,
    agents: { claude: { sh: `(${DESIGN})` } },
  },
  {
    id: 'ORC-EX-LIFECYCLE',
    file: 'lifecycle',
    mend: (text) => text.replace(/glob: ".*"/, 'glob: "inbox/qa/results/*.json"'),
    files: {
      'inbox/engineer/one.task': 'Do one.\n',
      'inbox/qa/results/one.task.json': '{"approved": true}',
    },
  },
  {
    id: 'ORC-EX-DEPENDENCIES',
    file: 'dependencies',
    mend: processors,
    files: {
      'config/pipeline.yaml': 'a: 1\n',
      'config/transformations.yaml': 'b: 1\n',
      'data/customer_2024/one.csv': '1,2\n',
      'data/customer_2024/two.csv': '3,4\n',
      'models/v3/weights.pkl': 'weights',
      'prompts/analyze_data.md': 'Analyze.\n',
      'prompts/aggregate.md': 'Aggregate.\n',
    },
  },
  {
    id: 'ORC-EX-INJECTION',
    file: 'injection',
    mend: processors,
    files: {
      ...design,
      'src/b.py': 'b\n',
      'src/a.py': 'a\n',
      'tests/c.py': 'c\n',
      'data/input.json': '{"in": 1}\n',
      'data/important.csv': '5\n',
      'data/statistics/s.csv': '6,7\n',
      ...Object.fromEntries(
        [
          'generic_review',
          'implement',
          'transform',
          'report_template',
          'code_review',
          'specific_files_mentioned',
        ].map((name) => [`prompts/${name}.md`, `This is ${name}.\n`]),
      ),
    },
  },
  {
    id: 'ORC-EX-DEBUGGING',
    file: 'debugging',
    programs: { python: 'echo "Traceback of $1, DEBUG=$DEBUG" >&2; exit 1' },
  },
  {
    id: 'ORC-EX-TRACE-CONTEXT',
    file: 'trace-context',
    // Tests call nobody outside: this is how curl ends where the name is unknown, and it is.
    programs: {
      curl: 'echo "TRACE_ID=$TRACE_ID $*"; echo "curl: (6) Could not resolve host: example" >&2; exit 6',
    },
    exitCode: 1,
  },
  {
    id: 'ORC-EX-COORDINATION',
    file: 'coordination',
    files: { 'prompts/architect/design.md': 'Design.\n', 'inbox/engineer/': '' },
    agents: { claude: [architect, { stdout: 'implemented\n' }] },
  },
  {
    id: 'ORC-EX-TEMPLATES',
    file: 'templates',
    files: { 'prompts/analyze.md': 'Analyze "this".\n', 'prompts/ping.md': 'Ping.\n' },
    agents: { codex: { stdout: 'pong\n' } },
  },
  { id: 'ORC-EX-DIRECTORIES', file: 'directories', files: { 'inbox/a.task': '' } },
  { id: 'ORC-EX-DYNAMIC-CONTENT', file: 'dynamic-content', files: { 'temp/': '' } },
  {
    id: 'ORC-EX-ENVIRONMENT',
    file: 'environment',
    env: { GITHUB_TOKEN: 'ghp_kingfisher' },
    programs: { npm: 'echo "$* $LOG_LEVEL $GITHUB_TOKEN"' },
  },
  {
    id: 'ORC-EX-FIELDS',
    file: 'fields',
    files: {
      'inbox/engineer/replies/r.task': '',
      'config/a.yaml': 'a: 1\n',
      'data/customers/one.csv': '1\n',
    },
  },
  {
    id: 'ORC-EX-INPUT-OUTPUT',
    file: 'input-output',
    files: { 'prompts/analyze.md': 'Analyze $HOME, ${context.x} and {{ this }}.\n' },
    agents: { claude: { stdout: '# Analysis\n' } },
  },
  {
    id: 'ORC-EX-FILE-OPERATIONS',
    file: 'file-operations',
    files: { 'prompts/design.md': 'Design.\n' },
    agents: { claude: architect },
  },
  {
    id: 'ORC-EX-DECLARED',
    file: 'declared',
    files: { ...design, 'prompts/process.md': 'Process.\n', 'config.json': '{}', 'data/a.csv': '1\n' },
  },
  {
    id: 'ORC-EX-BASIC-INJECTION',
    file: 'basic-injection',
    files: { ...design, 'prompts/implement.md': 'Implement.\n' },
  },
  {
    id: 'ORC-EX-ADVANCED-INJECTION',
    file: 'advanced-injection',
    files: { ...design, 'docs/standards.md': 'Be brief.\n', 'prompts/implement.md': 'Implement.\n' },
  },
  {
    id: 'ORC-EX-MIGRATION-BEFORE',
    file: 'migration-before',
    files: { ...design, 'prompts/implement.md': 'Implement.\n' },
  },
  {
    id: 'ORC-EX-MIGRATION-AFTER',
    file: 'migration-after',
    files: { ...design, 'prompts/generic_implement.md': 'Implement.\n' },
  },
];

export const textOf = ({ file }: Printed): string =>
  readFileSync(join(import.meta.dirname, 'printed', `${file}.yaml`), 'utf8');

/** A workspace for it; `workflow` is its own text, mended where it must be, unless said otherwise. */
export function stage(example: Printed, workflow = (example.mend ?? String)(textOf(example))): Scene {
  const { files, agents, env, programs = {} } = example;
  const staged = scene({ workflow, ...(files && { files }), ...(agents && { agents }), ...(env && { env }) });
  for (const [name, script] of Object.entries(programs)) {
    staged.write(`../bin/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(join(staged.root, '../bin', name), 0o755);
  }
  return staged;
}
