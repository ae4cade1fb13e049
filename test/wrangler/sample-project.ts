// sample-project: a project in the first generation of wrangler's format: a workflow with the shape of SPEC-000044's own,
// the agents it names, two review gates, a specification; and what the scripted agent answers where all goes well.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/json.ts';
import { journal, projectWith } from '../cli/started.ts';
import type { Ended, Scratch } from '../scratch.ts';

const WORKFLOW = `name: spec-implementation
version: 1

defaults:
  model: opus
  permissionMode: bypassPermissions
  settingSources: ["project"]

phases:
  - name: analyze
    agent: agents/analyzer.md
    model: sonnet
    output: analysis

  - name: plan
    type: code
    handler: create-issues
    input: analysis

  - name: execute
    type: per-task
    source: analysis.tasks
    steps:
      - name: implement
        agent: agents/implementer.md
        input: task

      - name: review
        type: gate-group
        gates: review-gates/
        output: review

      - name: fix
        type: loop
        condition: review.hasActionableIssues
        maxRetries: 2
        onExhausted: escalate
        steps:
          - name: fix-issues
            agent: agents/fixer.md
            input: review.actionableIssues

          - name: re-review
            type: gate-group
            gates: review-gates/
            output: review

      - name: checkpoint
        type: code
        handler: save-checkpoint

  - name: verify
    agent: agents/verifier.md
    output: verification
    failWhen: verification.testSuite.exitCode != 0

  - name: publish
    agent: agents/publisher.md
    output: publish
`;

const page = (name: string, tools: string, schema: string, body: string, more = '') => `---
name: ${name}
description: For a test
tools: [${tools}]
model: sonnet
outputSchema: schemas/${schema}
${more}---

${body}
`;
export const gate = (name: string, more = '') =>
  page(
    name,
    '"Read", "Glob", "Grep"',
    'review.ts#ReviewResultSchema',
    `Look for ${name}. Change nothing.`,
    more,
  );

const FILES: Record<string, string> = {
  'SPEC.md': '---\nid: SPEC-7\ntitle: Two greetings\n---\n# Two greetings\n\nSay hello, then goodbye.\n',
  'workflows/spec-implementation.yaml': WORKFLOW,
  'workflows/agents/analyzer.md': page(
    'analyzer',
    '"Read", "Glob", "Grep"',
    'analysis.ts#AnalysisResultSchema',
    'Split the specification in {{specPath}} into tasks.',
  ),
  'workflows/agents/implementer.md': page(
    'implementer',
    '"Read", "Write", "Edit", "Bash"',
    'implementation.ts#ImplementResultSchema',
    'Implement {{task.title}}: {{task.description}}\n{{#each task.requirements}}\n- {{this}}\n{{/each}}',
  ),
  'workflows/agents/fixer.md': page(
    'fixer',
    '"Read", "Write", "Edit", "Bash"',
    'fix.ts#FixResultSchema',
    'Fix these:\n{{#each actionableIssues}}\n- {{description}}\n{{/each}}',
  ),
  'workflows/agents/verifier.md': page(
    'verifier',
    '"Read", "Bash"',
    'verification.ts#VerifyResultSchema',
    'Run everything and say what is met.',
  ),
  'workflows/agents/publisher.md': page(
    'publisher',
    '"Read", "Bash"',
    'publish.ts#PublishResultSchema',
    'Open a pull request.',
  ),
  'workflows/review-gates/security.md': gate('security-review'),
  'workflows/review-gates/style.md': gate('style-review'),
};

const task = (id: string, dependencies: string[]): JsonObject => ({
  ...{ id, title: `Say ${id}`, description: `A function ${id}().`, requirements: [`${id}() greets`] },
  ...{ dependencies, estimatedComplexity: 'low', filePaths: [`${id}.js`] },
});
export const analysis: JsonObject = {
  tasks: [task('goodbye', ['hello']), task('hello', [])],
  requirements: [{ id: 'R1', description: 'Both greet', source: 'SPEC.md', testable: true }],
  constraints: [],
  techStack: { language: 'JavaScript', testFramework: 'node:test' },
};
/** Where it takes no second one to see what is to be seen. */
export const oneTask: JsonObject = { ...analysis, tasks: [task('hello', [])] };
export const implementation: JsonObject = {
  filesChanged: [{ path: 'a.js', action: 'created', linesAdded: 1, linesRemoved: 0 }],
  testResults: { total: 1, passed: 1, failed: 0, exitCode: 0 },
  tddCertification: {
    functions: [{ name: 'hello', testFile: 'a.test.js', watchedFail: true, watchedPass: true }],
  },
  commits: ['implement: hello'],
};
export const approved: JsonObject = {
  ...{ assessment: 'approved', issues: [], strengths: ['short'], hasActionableIssues: false },
};
export const rejected: JsonObject = {
  assessment: 'needs_revision',
  issues: [
    {
      ...{ severity: 'critical', description: 'It greets twice', file: 'a.js', line: 1 },
      fixInstructions: 'Greet once',
    },
  ],
  strengths: [],
  hasActionableIssues: true,
};
const fixed: JsonObject = {
  filesChanged: [{ path: 'a.js', action: 'modified', linesAdded: 1, linesRemoved: 0 }],
  testResults: { total: 1, passed: 1, failed: 0, exitCode: 0 },
  fixed: [{ description: 'It greets twice', file: 'a.js', how: 'Greets once' }],
  notFixed: [],
  commits: ['fix: hello'],
};
export const verification = (exitCode: number): JsonObject => ({
  testSuite: { total: 2, passed: exitCode === 0 ? 2 : 1, failed: exitCode === 0 ? 0 : 1, exitCode },
  requirements: [{ id: 'R1', description: 'Both greet', met: exitCode === 0, evidence: 'a.test.js' }],
  gitClean: true,
});
export const publication: JsonObject = {
  ...{ branch: 'b', pushed: false, commits: ['implement: hello'] },
  pullRequest: { url: 'https://example.org/1', title: 'Two greetings' },
};

export type Answers = Record<string, JsonObject | JsonObject[]>;

/** What an answer says is there: git is asked. */
const work = (subject: string, before: string) => ({
  run: ['sh', '-c', `${before}echo "// ${subject}" >> a.js && git add a.js && git commit -qm "${subject}"`],
});
export const implementedAfter = (before: string) => ({
  ...work('implement: hello', before),
  output: implementation,
});
export const implemented = implementedAfter('');
export const mended = { ...work('fix: hello', ''), output: fixed };

export const ANSWERS = {
  analyze: { output: analysis },
  implement: implemented,
  'security-review': { output: approved },
  'style-review': { output: approved },
  'fix-issues': mended,
  verify: { output: verification(0) },
  publish: { output: publication },
} satisfies Answers;

export function wranglerProject(files: Record<string, string> = {}): Scratch {
  const project = projectWith({ ...FILES, ...files }, { git: true });
  project.sh('git add -A && git commit -qm sample');
  return project;
}

export function writeAnswers(project: Scratch, answers: Answers = {}): void {
  project.write('../answers.json', JSON.stringify({ answers: { ...ANSWERS, ...answers } }));
}

/** As its command line has it; the answers that differ from those where all goes well. */
export function runSample(project: Scratch, answers: Answers = {}, ...options: string[]): Ended {
  writeAnswers(project, answers);
  return project.lockstep('run', 'SPEC.md', ...SAMPLE, ...options);
}
export const SAMPLE = ['-w', 'workflows/spec-implementation.yaml', '--script', '../answers.json'];

/** Paths in the order in which they were handed out. */
export function started(project: Scratch): string[] {
  return journal(project).flatMap(({ kind, path, part }) =>
    kind === 'attempt-started' && part === undefined ? String(path) : [],
  );
}

export function document<T = JsonObject>(project: Scratch, name: string): T {
  return JSON.parse(readFileSync(join(project.root, '.lockstep/runs/latest', name), 'utf8')) as T;
}
