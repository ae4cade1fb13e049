// What an agent is told by the texts of wrangler's two generations: filled in as they mean it, from the files beside the
// workflow and from `.wrangler/`; the same once the workflow is converted.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { journal, projectWith, runIds } from '../cli/started.ts';
import { projectRoot, type Scratch } from '../scratch.ts';

let project: Scratch;
afterEach(() => project.remove());

const printed = (name: string) => readFileSync(join(projectRoot, 'test/wrangler/printed', name), 'utf8');
const SPEC = '---\nid: SPEC-7\ntitle: Lockers\n---\n# Lockers\n\nBuild them.\n';

function promptText(path: string): string {
  return readFileSync(join(project.root, `.lockstep/runs/latest/logs/${path}.prompt.txt`), 'utf8');
}

const SECOND = {
  'SPEC.md': SPEC,
  '.wrangler/workflows/tell.yaml': `name: tell
version: 2
defaults: { agent: teller }
phases:
  - { name: analyze, prompt: plan.md, output: analysis }
  - name: execute
    type: per-task
    source: analysis.tasks
    steps:
      - { name: write, prompt: plan.md }
      - name: again
        type: loop
        condition: "!seen.enough"
        maxRetries: 2
        onExhausted: warn
        steps:
          - name: look
            prompt: look.md
            input: { focus: analysis.focus, nothing: analysis.nothing }
            output: seen
`,
  '.wrangler/agents/teller.md': '---\nname: teller\ntools: [Read, Write, Bash]\n---\n\nYou tell.\n',
  '.wrangler/prompts/plan.md': '---\nname: plan\n---\n\nRead {{{ specPath }}}.\n',
  '.wrangler/prompts/look.md': `---
name: look
description: Every variable there is
---

{{! nobody sees this }}
Task {{ taskIndex }} of {{ taskCount }}: {{ task.title }} ({{ task.id }})
{{#if task.requirements.length}}
It must be:
{{#each task.requirements}}
  {{@index}}. {{this}}{{#unless @last}},{{/unless}}
{{/each}}
{{else}}
No requirements.
{{/if}}
Spec: {{ spec.title }}, {{ spec.id }}
{{#analysis}}
Focus {{ focus }} with {{ spec.title }}
{{/analysis}}
Focus: {{ focus }}[{{ nothing }}]
Changed: {{ changedFiles }}
In {{ worktreePath }} on {{ branchName }} of {{ sessionId }}
{{^seen.enough}}
Not seen enough<&>: {{ seen }}
{{/seen.enough}}
`,
  'answers.yaml': `answers:
  analyze: { output: { focus: locks, tasks: [{ id: t1, title: Doors, requirements: [strong, light] }, { id: t2, title: Keys }] } }
  write: { write: { 'a b.txt': x }, output: {} }
  look: [{ output: { enough: false } }, { output: { enough: true } }]
`,
};

describe('the second generation', () => {
  it('WR47-FR-2.2, WR47-FR-8.3: a prompt is filled in with every variable, the worktree among them', () => {
    project = projectWith(SECOND, { git: true });
    project.sh('git add -A && git commit -qm start');
    const ended = project.lockstep('run', 'tell', '--input', 'spec=SPEC.md', '--script', 'answers.yaml');
    expect([ended.exitCode, ended.stderr], ended.stdout).toEqual([0, '']);
    const [id = ''] = runIds(project);
    const worktree = join(project.root, '.worktrees/spec-7');
    const place = `In ${worktree} on wrangler/spec-7/${id} of ${id}`;
    expect(promptText('analyze')).toBe(`Read ${join(project.root, 'SPEC.md')}.`);
    expect(promptText('execute[0]/again#1/look')).toBe(`Task 0 of 2: Doors (t1)
It must be:
  0. strong,
  1. light
Spec: Lockers, SPEC-7
Focus locks with Lockers
Focus: locks[]
Changed: ["a b.txt"]
${place}
Not seen enough<&>: 
`);
    // The index of the task, not of the loop inside of it; and what came before is there.
    expect(promptText('execute[0]/again#2/look')).toContain('Not seen enough<&>: {"enough":false}');
    expect(promptText('execute[1]/again#1/look')).toMatch(
      /^Task 1 of 2: Keys \(t2\)\nNo requirements\.\nSpec:/,
    );
  });
});

describe('where there is no git', () => {
  it('WR47-FR-8.1: it works in place, and what has changed is not known: an empty list', () => {
    const workflow = `name: here
version: 2
defaults: { agent: teller }
phases:
  - { name: tell, prompt: tell, output: told }
  - { name: none, prompt: tell, condition: changedFiles.length > 0 }
`;
    project = projectWith(
      {
        'SPEC.md': SPEC,
        'here.yaml': workflow,
        '.wrangler/agents/teller.md': SECOND['.wrangler/agents/teller.md'],
        '.wrangler/prompts/tell.md': 'Changed: {{ changedFiles }}, of:\n{{ spec.content }}\n',
        'answers.yaml': 'answers: { "*": { output: {} } }\n',
      },
      { git: false },
    );
    const ended = project.lockstep('run', 'SPEC.md', '-w', './here.yaml', '--script', 'answers.yaml');
    expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
    // The text of a specification is what follows its front matter.
    expect(promptText('tell')).toBe('Changed: [], of:\n# Lockers\n\nBuild them.');
    expect(journal(project).filter(({ kind }) => kind === 'step-skipped')).toMatchObject([{ path: 'none' }]);
  });
});

const FIRST = {
  'SPEC.md': SPEC,
  'workflows/small.yaml': `name: small
version: 1
phases:
  - { name: analyze, agent: agents/analyzer.md, output: analysis }
  - name: execute
    type: per-task
    source: analysis.tasks
    steps:
      - { name: implement, agent: agents/implementer.md, input: task, output: done }
  - { name: once-more, agent: agents/implementer.md, input: task }
`,
  'workflows/agents/analyzer.md': printed('44-analyzer.md'),
  'workflows/agents/implementer.md': printed('44-implementer.md'),
  'answers.yaml': `answers:
  analyze: { output: { tasks: [{ id: t1, title: Doors, description: Make them, requirements: [strong, 'R&D'], estimatedComplexity: low }], requirements: [], constraints: [], techStack: { language: js, testFramework: node } } }
  "*": { output: { filesChanged: [], testResults: { total: 1, passed: 1, failed: 0, exitCode: 0 }, tddCertification: { functions: [] }, commits: [], nothingToDo: It is there already } }
`,
};

describe('the first generation', () => {
  it('an agent as the text prints it is the task, with its tools, model and schema; the same once converted', () => {
    project = projectWith(FIRST, { git: true });
    project.sh('git add -A && git commit -qm start');
    const run = (workflow: string) => {
      const ended = project.lockstep('run', workflow, '--input', 'spec=SPEC.md', '--script', 'answers.yaml');
      expect([ended.exitCode, ended.stderr], ended.stdout).toEqual([0, '']);
      return ['analyze', 'execute[0]/implement', 'once-more'].map(promptText);
    };
    const told = run('workflows/small.yaml');
    expect(told[0]).toContain(`## Spec File\n${join(project.root, 'SPEC.md')}\n`);
    expect(told[1]).toContain('## Task\nDoors: Make them\n\n## Requirements\n- strong\n- R&D\n\n## Rules\n');
    // Outside of `per-task` the specification is the one task there is.
    expect(told[2]).toContain('## Task\nLockers: ');
    const started = journal(project).filter(
      ({ kind, verb }) => kind === 'attempt-started' && verb === 'prompt',
    );
    expect(started.map(({ path, model, prompt }) => [path, model, prompt])).toEqual([
      ['analyze', 'sonnet', './agents/analyzer.md'],
      ['execute[0]/implement', 'opus', './agents/implementer.md'],
      ['once-more', 'opus', './agents/implementer.md'],
    ]);

    expect(project.lockstep('convert', 'workflows/small.yaml', '-o', 'workflows/native.yaml').exitCode).toBe(
      0,
    );
    const native = readFileSync(join(project.root, 'workflows/native.yaml'), 'utf8');
    expect(native).toContain('prompt: { template: ./agents/implementer.md, syntax: handlebars }');
    expect(native).toContain('schema: implementation');
    expect(run('workflows/native.yaml')).toEqual(told);
  });

  it('all that is wrong with the files it names is told at once, each where it stands', () => {
    project = projectWith(
      {
        ...FIRST,
        'workflows/agents/analyzer.md':
          '---\nname: analyzer\nmodle: opus\noutputSchema: schemas/x.ts#OpinionSchema\n---\nSee {{> footer}}\n',
        'workflows/agents/implementer.md':
          'Do {{task.title}} {{#each task.requirements}}\n- {{shout this}}\n',
      },
      { git: true },
    );
    const { exitCode, stderr } = project.lockstep('validate', 'workflows/small.yaml');
    expect(exitCode).toBe(2);
    expect(stderr.match(/^error\[.*$/gm)).toEqual([
      'error[unknown-field] workflows/agents/analyzer.md:3:1',
      'error[unknown-schema] workflows/agents/analyzer.md:4:15',
      'error[template-partial] workflows/agents/analyzer.md:6:5',
      'error[template-unclosed] workflows/agents/implementer.md:1:19',
      'error[template-helper] workflows/agents/implementer.md:2:3',
    ]);
    expect(stderr).toContain('There are analysis, implementation, review, fix, verification, publish;');
  });
});
