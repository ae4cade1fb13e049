// Every workflow and fragment that the two specifications print, run as printed (printed/ has their text) in a project
// with the files they name; fragments in a wrapper of a few lines. Then what `lockstep convert` makes of it is run in a
// project like the first, and comes to the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { journal, projectWith } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';
import {
  analysis,
  approved,
  implemented,
  mended,
  publication,
  rejected,
  verification,
} from './sample-project.ts';
import { startedIn } from './small-project.ts';

const text = (name: string) => readFileSync(join(import.meta.dirname, 'printed', name), 'utf8');
const indented = (fragment: string) => fragment.replace(/^/gm, '  ');

interface Printed {
  workflow: string;
  files?: Record<string, string>;
  answers: Record<string, Json>;
  started: string[];
  prompts?: Record<string, RegExp>;
  /** Steps that were left out, and the reason given. */
  skipped?: Record<string, string>;
}

// ── The first specification ─────────────────────────────────────────────────────────────────────

/** Agents that it names and does not print. */
const unprinted = (name: string, tools: string, schema: string, body: string) =>
  `---\nname: ${name}\ntools: [${tools}]\noutputSchema: schemas/${schema}\n---\n\n${body}\n`;
const agents = {
  'workflows/agents/analyzer.md': text('44-analyzer.md'),
  'workflows/agents/implementer.md': text('44-implementer.md'),
  'workflows/agents/fixer.md': unprinted(
    'fixer',
    'Read, Edit, Bash',
    'fix.ts#FixResultSchema',
    'Fix:\n{{#each actionableIssues}}\n- {{severity}}: {{description}} ({{foundBy}})\n{{/each}}',
  ),
  'workflows/agents/verifier.md': unprinted(
    'verifier',
    'Read, Bash',
    'verification.ts#VerifyResultSchema',
    'Verify {{spec.title}}.',
  ),
  'workflows/agents/publisher.md': unprinted(
    'publisher',
    'Read, Bash',
    'publish.ts#PublishResultSchema',
    'Publish {{branchName}}.',
  ),
};
const gates = {
  'workflows/review-gates/security.md': text('44-security.md'),
  'workflows/review-gates/performance.md': text('44-performance.md'),
};
const good = {
  analyze: { output: analysis },
  implement: { write: { 'hello.ts': 'x\n' }, ...implemented },
  'performance-review': { output: approved },
  verify: { output: verification(0) },
  publish: { output: publication },
};
const rejectsOnce = [{ output: rejected }, { output: approved }];
const task = (index: number, ...between: string[]) => [
  `execute[${index}]/implement`,
  ...['performance-review', 'security-review'].map((gate) => `execute[${index}]/review/${gate}`),
  ...between,
  `execute[${index}]/checkpoint`,
];

const fastGate = (name: string) => text('44-security.md').replace('security-review', name);

// ── The second specification ────────────────────────────────────────────────────────────────────

const wrap = (...phases: string[]) =>
  `name: wrapper\nversion: 2\ndefaults: { agent: implementer }\nphases:\n${phases.map(indented).join('\n')}`;
const theirs = {
  '.wrangler/agents/implementer.md': text('47-implementer.md'),
  '.wrangler/agents/reviewer.md': text('47-reviewer.md'),
  '.wrangler/prompts/code-quality-review.md': text('47-code-quality-review.md'),
};
const issue = { severity: 'important', file: 'a.js', line: 1, message: 'too long' };
const bad = { output: { hasActionableIssues: true, actionableIssues: [issue] } };
const fine = { output: { hasActionableIssues: false, actionableIssues: [] } };
const REVIEWS = ['code-quality', 'test-coverage', 'security'];
const reviews = (at: string, prefix = 'review') => REVIEWS.map((name) => `${at}/${prefix}-${name}`);

const printed: Record<string, Printed> = {
  'WR44-FR-001, WR44-LAUNCH-1, LS-WRPRINT-44-SPEC: spec-implementation of the first generation': {
    workflow: text('44-spec-implementation.yaml'),
    files: { ...agents, ...gates },
    answers: { ...good, 'security-review': rejectsOnce, 'fix-issues': mended },
    started: [
      ...['analyze', 'plan'],
      ...task(
        0,
        'execute[0]/fix#1/fix-issues',
        'execute[0]/fix#1/re-review/performance-review',
        'execute[0]/fix#1/re-review/security-review',
      ),
      ...task(1),
      ...['verify', 'publish'],
    ],
    prompts: {
      analyze: /## Spec File\n\/.*\/SPEC\.md\n/,
      'execute[0]/implement':
        /## Task\nSay hello: A function hello\(\)\.\n\n## Requirements\n- hello\(\) greets\n/,
      'execute[0]/fix#1/fix-issues': /- critical: It greets twice \(security-review\)/,
      verify: /Verify Two greetings\./,
      publish: /Publish wrangler\/spec-7\//,
    },
  },
  'LS-WRPRINT-44-QUICK-FIX: quick-fix, where the specification is the one task': {
    workflow: text('44-quick-fix.yaml'),
    files: { ...agents, ...gates, 'workflows/review-gates/security.md': text('44-security-more.md') },
    answers: { ...good, 'security-review': { output: approved } },
    started: ['implement', 'review/performance-review', 'review/security-review', 'verify'],
    prompts: { implement: /## Task\nTwo greetings: [\s\S]*Say hello, then goodbye\./ },
  },
  'LS-WRPRINT-44-FAST: reviews split into fast and thorough ones': {
    workflow: `name: split\nversion: 1\nphases:\n${text('44-fast-and-thorough.yaml')}`,
    files: {
      ...agents,
      'workflows/review-gates/fast/lint.md': fastGate('lint'),
      'workflows/review-gates/thorough/deep.md': fastGate('deep'),
    },
    answers: { lint: rejectsOnce, deep: { output: approved }, 'fix-fast-issues': mended },
    started: [
      'fast-review/lint',
      'fix-fast#1/fix-fast-issues',
      'fix-fast#1/re-fast-review/lint',
      'thorough-review/deep',
    ],
  },
  'LS-WRPRINT-47-SPEC: spec-implementation of the second generation, with the built-in agents and prompts': {
    workflow: text('47-spec-implementation.yaml'),
    answers: {
      analyze: { output: { tasks: [{ id: 't1', title: 'One', description: 'First.', dependencies: [] }] } },
      'review-code-quality': bad,
      'review-security': { text: 'Nothing to say.' },
      verify: { output: { allPassed: true } },
      '*': fine,
    },
    started: [
      ...['analyze', 'plan', 'execute[0]/implement', ...reviews('execute[0]/reviews')],
      ...['execute[0]/fix-loop#1/fix-issues', ...reviews('execute[0]/fix-loop#1/re-reviews', 're-review')],
      ...['execute[0]/checkpoint', 'verify', 'publish'],
    ],
    prompts: {
      'execute[0]/implement': /One/,
      'execute[0]/fix-loop#1/fix-issues': /\*\*important\*\* in `a\.js:1`: too long/,
    },
  },
  'LS-WRPRINT-47-STEPS: the steps that are printed by themselves: agent and prompt, parallel, condition, loop, code, enabled':
    {
      workflow: wrap(
        '- { name: analyze, prompt: analyze-spec.md, output: analysis }\n',
        text('47-code.yaml'),
        text('47-agent-and-prompt.yaml'),
        text('47-parallel.yaml'),
        text('47-condition.yaml'),
        '- { name: look, agent: reviewer, prompt: code-quality-review.md, output: review }\n',
        text('47-loop.yaml'),
        text('47-enabled.yaml'),
      ),
      files: { ...theirs, '.wrangler/prompts/analyze-spec.md': 'Read {{ spec.content }}\n' },
      answers: {
        analyze: { output: { tasks: [{ id: 't1', title: 'One', description: 'First.' }] } },
        'reviews/review-code-quality': bad,
        look: bad,
        '*': fine,
      },
      started: [
        ...['analyze', 'plan', 'review-code-quality', ...reviews('reviews'), 'fix-issues', 'look'],
        ...['fix-loop#1/fix', 'fix-loop#1/re-review'],
      ],
      skipped: { 'review-security': 'disabled in workflow definition' },
      prompts: { analyze: /Say hello, then goodbye\./, 'fix-issues': /too long/ },
    },
  'LS-WRPRINT-47-SAFETY: safety and defaults, with steps in place of the dots': {
    workflow: text('47-safety.yaml').replace(
      'phases: ...',
      `phases:\n${indented(text('47-composition.yaml'))}`,
    ),
    files: {
      ...theirs,
      '.wrangler/agents/reviewer.md': text('47-reviewer-first.md'),
      '.wrangler/prompts/code-quality-review.md': text('47-code-quality-review-first.md'),
    },
    answers: { '*': fine },
    started: ['review-code-quality'],
    prompts: { 'review-code-quality': /Files changed: \[\]\nTask: Two greetings\n/ },
  },
};

const SPEC = '---\nid: SPEC-7\ntitle: Two greetings\n---\n# Two greetings\n\nSay hello, then goodbye.\n';
const made: Scratch[] = [];
afterAll(() => {
  for (const project of made) project.remove();
});

function play(workflow: string, { files, answers }: Printed): Scratch {
  const project = projectWith({ 'SPEC.md': SPEC, 'workflows/w.yaml': workflow, ...files }, { git: true });
  made.push(project);
  project.sh('git add -A && git commit -qm printed');
  project.write('../answers.json', JSON.stringify({ answers }));
  const ended = project.lockstep('run', 'SPEC.md', '-w', 'workflows/w.yaml', '--script', '../answers.json');
  expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
  return project;
}

const inRun = (project: Scratch, path: string) =>
  readFileSync(join(project.root, '.lockstep/runs/latest', path), 'utf8');

const TIMES = /_ms$|_at$|^timestamp$|^workflow_(?:file|checksum)$|^base$/;

/** state.json without what two runs of one workflow differ in. */
function essence(project: Scratch): Json {
  const state = JSON.parse(inRun(project, 'state.json')) as JsonObject;
  const id = String(state.run_id);
  const plain = JSON.stringify(state).replaceAll(id, 'RUN').replaceAll(project.root, 'ROOT');
  return JSON.parse(plain, (key, value) => (TIMES.test(key) ? undefined : value)) as Json;
}

describe('what the specifications print', () => {
  it.each(Object.entries(printed))('%s', (_, one) => {
    const project = play(one.workflow, one);
    expect(startedIn(project).sort()).toEqual([...one.started].sort());
    for (const [path, pattern] of Object.entries(one.prompts ?? {}))
      expect(inRun(project, `logs/${path}.prompt.txt`), path).toMatch(pattern);
    const sessions = journal(project).flatMap(
      ({ kind, outcome }) => (kind === 'attempt-finished' && (outcome as JsonObject).session) || [],
    );
    expect(new Set(sessions).size, 'every answer in a session of its own').toBe(sessions.length);
    const skips = journal(project).filter(({ kind }) => kind === 'step-skipped');
    for (const [path, reason] of Object.entries(one.skipped ?? {}))
      expect(JSON.stringify(skips.find((entry) => entry.path === path))).toContain(reason);

    const converted = project.lockstep('convert', 'workflows/w.yaml');
    expect(converted.stdout).toMatch(/^lockstep: 1$/m);
    expect(essence(play(converted.stdout, one))).toEqual(essence(project));
  });
});
