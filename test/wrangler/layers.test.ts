// Where the second generation of wrangler's format finds its files, and what a step makes of an agent and a prompt: seen
// from outside, in a project that has a `.wrangler/` and else only what is built in.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Step, Workflow } from '../../src/model/workflow.ts';
import { type JournalLine, journal, projectWith, runIds } from '../cli/started.ts';
import type { Ended, Scratch } from '../scratch.ts';

const WORKFLOW = `name: spec-implementation
version: 2
defaults:
  agent: implementer
  model: opus
phases:
  - name: analyze
    agent: planner
    prompt: analyze-spec.md
    model: sonnet
    output: analysis
  - name: execute
    type: per-task
    source: analysis.tasks
    steps:
      - name: implement
        prompt: implement-task.md
        input: task
      - name: reviews
        type: parallel
        steps:
          - name: quality
            agent: reviewer
            prompt: code-quality-review.md
            output: codeQualityReview
          - name: hipaa
            agent: reviewer
            prompt: hipaa-review.md
            model: haiku
            output: hipaaReview
          - name: second-opinion
            agent: verifier
            prompt: hipaa-review.md
            output: secondOpinion
          - name: security
            agent: reviewer
            prompt: security-review.md
            enabled: false
            output: securityReview
`;

const FILES: Record<string, string> = {
  '.wrangler/workflows/spec-implementation.yaml': WORKFLOW,
  '.wrangler/workflows/glance.yaml':
    'name: glance\nversion: 2\nphases:\n  - { name: look, agent: reviewer, prompt: hipaa-review.md, output: seen }\n',
  '.wrangler/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Stricter than most\ntools:\n  - Read\n  - Grep\nmodel: haiku-large\n---\n\nYou are the strict reviewer of {{ spec.title }}.\n',
  '.wrangler/prompts/code-quality-review.md':
    '---\nname: code-quality-review\ndescription: Ours\n---\n\nFiles changed: {{ changedFiles }}\nTask: {{ task.title }}\n',
  '.wrangler/prompts/hipaa-review.md':
    '---\nname: hipaa-review\ndescription: Patients\n---\n\nLook for data of patients in {{ task.title }}.\n',
  // Nobody reads this: all configuration is in the workflow.
  '.wrangler/config.yaml': 'defaults: { model: other }\nsafety: { maxLoopRetries: 0 }\n',
  '.wrangler/workflows/config.json': '{ "defaults": { "model": "other" } }',
  'SPEC.md': '---\nid: SPEC-7\ntitle: Lockers\n---\n# Lockers\n\nBuild them.\n',
  'answers.yaml': `answers:
  analyze: { output: { tasks: [{ id: t1, title: Doors }] } }
  implement: { write: { doors.txt: open }, commit: 'implement: Doors', output: { done: true } }
  "*": { output: { hasActionableIssues: false, note: 7 } }
`,
  'writes.yaml': 'answers: { look: { write: { hacked.txt: x }, output: {} } }\n',
};

interface Story {
  path?: string;
  kind: string;
  facts?: Record<string, unknown> & {
    agent?: { name: string; layer: string };
    prompt?: { name: string; layer: string };
  };
}

let project: Scratch;
let ended: Ended;
let entries: JournalLine[];
let story: Story[];
let pinned: Workflow;
let run: string;

beforeAll(() => {
  project = projectWith(FILES, { git: true });
  project.sh('git add -A && git commit -qm start');
  ended = project.lockstep('run', 'SPEC.md', '--script', 'answers.yaml');
  entries = journal(project);
  story = (JSON.parse(project.lockstep('audit', '--json').stdout) as { story: Story[] }).story;
  run = join(project.root, '.lockstep/runs', runIds(project).at(-1) ?? '');
  const text = readFileSync(join(run, 'workflow.json'), 'utf8');
  pinned = (JSON.parse(text) as { workflow: Workflow }).workflow;
});
afterAll(() => project.remove());

/** Who was given what, by step. */
function used(path: string): { agent: string; prompt: string; model: unknown } | undefined {
  const facts = story.find((line) => line.kind === 'attempt-started' && line.path === path)?.facts;
  if (facts === undefined) return undefined;
  const shown = (one: { name: string; layer: string } | undefined) => `${one?.name} ${one?.layer}`;
  return { agent: shown(facts.agent), prompt: shown(facts.prompt), model: facts.model };
}

function stepAt(...ids: string[]): Step | undefined {
  let steps = pinned.steps;
  let found: Step | undefined;
  for (const id of ids) {
    found = steps.find((step) => step.id === id);
    steps = found && 'steps' in found.work ? found.work.steps : [];
  }
  return found;
}

const promptText = (path: string, folder = run) =>
  readFileSync(join(folder, `logs/${path}.prompt.txt`), 'utf8');

describe('templates are found in layers', () => {
  it('WR47-FR-1.1, WR47-FR-7.1: the workflow of .wrangler/ comes before the built-in one of its name, which is what a specification runs', () => {
    expect([ended.exitCode, ended.stderr], ended.stdout).toEqual([0, '']);
    expect(entries[0]).toMatchObject({
      kind: 'run-started',
      workflow_file: '.wrangler/workflows/spec-implementation.yaml',
    });
    expect(pinned.sources[0]).toMatchObject({ layer: 'wrangler', dialect: 'wrangler' });
  });

  it('WR47-FR-1.2, WR47-FR-1.4: workflows, agents and prompts alike: the same name replaces, another is new', () => {
    const listed = JSON.parse(project.lockstep('list', '--json').stdout) as {
      kind: string;
      name: string;
      layer: string;
      shadows: { layer: string }[];
    }[];
    const ours = listed
      .filter(({ layer }) => layer === 'wrangler')
      .map(({ kind, name, shadows }) => [kind, name, ...shadows.map(({ layer }) => layer)].join(' '));
    expect(ours).toEqual([
      'workflow config',
      'workflow glance',
      'workflow spec-implementation builtin',
      'agent reviewer builtin',
      'prompt code-quality-review builtin',
      'prompt hipaa-review',
    ]);
    expect(project.lockstep('list', 'agents').stdout).toMatch(
      /reviewer +wrangler +built in +Stricter than most/,
    );
  });

  it('WR47-FR-1.3, WR47-SC-4: a step gets the agent and prompt of the project where there is one, else the built-in ones', () => {
    expect(used('analyze')).toMatchObject({ agent: 'planner builtin', prompt: 'analyze-spec builtin' });
    expect(used('execute[0]/implement')).toMatchObject({
      agent: 'implementer builtin',
      prompt: 'implement-task builtin',
    });
    expect(used('execute[0]/reviews/quality')).toMatchObject({
      agent: 'reviewer wrangler',
      prompt: 'code-quality-review wrangler',
    });
  });

  it('WR47-FR-1.5: all configuration is in the workflow; no other file of .wrangler/ is read', () => {
    const read = pinned.sources.filter(({ layer }) => layer === 'wrangler').map(({ path }) => path);
    expect(read.sort()).toEqual([
      '.wrangler/agents/reviewer.md',
      '.wrangler/prompts/code-quality-review.md',
      '.wrangler/prompts/hipaa-review.md',
      '.wrangler/workflows/spec-implementation.yaml',
    ]);
    expect(used('execute[0]/implement')?.model).toBe('opus');
  });

  it('WR47-SC-7, WR44-FR-015: a YAML file in workflows/ that only the project has runs by its name', () => {
    const glance = project.lockstep(
      'run',
      'glance',
      '--input',
      'spec=SPEC.md',
      '--script',
      'answers.yaml',
      '--json',
    );
    expect(glance.exitCode, glance.stderr + glance.stdout).toBe(0);
    expect(journal(project)[0]).toMatchObject({ workflow_file: '.wrangler/workflows/glance.yaml' });
    // Outside of `per-task` the specification is the task.
    expect(promptText('look', join(project.root, '.lockstep/runs/latest'))).toBe(
      'Look for data of patients in Lockers.',
    );
  });
});

describe('an agent and a prompt', () => {
  it('WR47-FR-2.1: an agent gives its text, its tools and its model', () => {
    expect(stepAt('execute', 'reviews', 'quality')?.work).toMatchObject({
      performer: {
        agent: { name: 'reviewer', system: expect.stringContaining('You are the strict reviewer of ') },
        model: 'haiku-large',
        tools: { allow: ['Read', 'Grep'] },
      },
    });
    // The tools bite: it may not write.
    const glance = project.lockstep('run', 'glance', '--input', 'spec=SPEC.md', '--script', 'writes.yaml');
    expect(glance.exitCode).toBe(1);
    expect(glance.stdout).toContain('not allowed to Write hacked.txt');
  });

  it('WR47-FR-2.3, WR47-SC-2: a step puts both together: whose words come first, and the task filled in', () => {
    expect(promptText('execute[0]/reviews/quality')).toBe('Files changed: ["doors.txt"]\nTask: Doors');
    expect(stepAt('execute', 'reviews', 'quality')?.work).toMatchObject({
      prompt: { name: 'code-quality-review' },
      performer: { agent: { name: 'reviewer' } },
    });
  });

  it('WR47-FR-2.5: the model of a step comes before the agent and the defaults, for that step only', () => {
    const models = [
      'analyze',
      'execute[0]/implement',
      'execute[0]/reviews/quality',
      'execute[0]/reviews/hipaa',
    ].map((path) => used(path)?.model);
    expect(models).toEqual(['sonnet', 'opus', 'haiku-large', 'haiku']);
  });

  it('WR47-SC-9: one agent runs different prompts, and one prompt is run by different agents', () => {
    expect(used('execute[0]/reviews/quality')?.agent).toBe(used('execute[0]/reviews/hipaa')?.agent);
    expect(used('execute[0]/reviews/second-opinion')).toMatchObject({
      agent: 'verifier builtin',
      prompt: used('execute[0]/reviews/hipaa')?.prompt,
    });
  });

  it('WR47-FR-2.4: a prompt without an agent takes the default one; without that it is an error at load, as is what is not there', () => {
    expect(used('execute[0]/implement')?.agent).toBe('implementer builtin');
    project.write(
      'none.yaml',
      'name: none\nversion: 2\nphases:\n  - { name: a, prompt: hipaa-review.md }\n  - { name: b, agent: reviwer, prompt: hippa-review.md }\n',
    );
    const { exitCode, stderr } = project.lockstep('validate', 'none.yaml');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('none.yaml:4:');
    expect(stderr).toMatch(/names no agent, and the workflow has no `defaults.agent`/);
    expect(stderr).toMatch(/the agent "reviwer" was not found; looked in .*\.wrangler\/agents/);
    expect(stderr).toContain('Did you mean "hipaa-review"?');
  });
});

describe('what is on record', () => {
  it('WR47-FR-2.7: of every step its agent and prompt with where each was found, the output, the time and the model', () => {
    const of = (path: string) =>
      story.filter((line) => line.path === path && line.facts).map(({ facts }) => facts);
    expect(of('execute[0]/reviews/hipaa')).toEqual([
      {
        agent: expect.objectContaining({
          name: 'reviewer',
          layer: 'wrangler',
          path: '.wrangler/agents/reviewer.md',
        }),
        prompt: expect.objectContaining({ name: 'hipaa-review', layer: 'wrangler' }),
        model: 'haiku',
      },
      {
        duration_ms: expect.any(Number),
        model: 'haiku',
        output: { hasActionableIssues: false, note: 7 },
      },
    ]);
    const prompts = entries.filter(({ kind, verb }) => kind === 'attempt-started' && verb === 'prompt');
    expect(prompts).toHaveLength(5);
    for (const { path } of prompts)
      expect(of(String(path))).toMatchObject([
        { agent: {}, prompt: {} },
        { duration_ms: expect.any(Number) },
      ]);
  });

  it('WR47-FR-5.3, WR47-SC-6: a project leaves a step out, adds one, changes agents, prompts and models with files of its own', () => {
    expect(
      entries.find(({ kind, path }) => kind === 'step-skipped' && path === 'execute[0]/reviews/security'),
    ).toMatchObject({
      reason: 'disabled',
    });
    expect(used('execute[0]/reviews/hipaa')).toEqual({
      agent: 'reviewer wrangler',
      prompt: 'hipaa-review wrangler',
      model: 'haiku',
    });
  });
});
