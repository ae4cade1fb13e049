import { describe, expect, it } from 'vitest';
import type { PromptWork, Workflow } from '../../model/workflow.ts';
import { compiledSample, compileSample, rendered } from '../fixtures/sample-library.ts';

const HEAD = 'lockstep: 1\nname: w\n';

function promptOf(workflow: Workflow, index = 0): PromptWork {
  return workflow.steps[index]?.work as PromptWork;
}

function problems(text: string, files: Record<string, string>): string[] {
  return rendered(compileSample(text, files))
    .split('\n')
    .filter((line) => /: (?:error|warning): /.test(line));
}

describe('prompt: { template }', () => {
  const files = {
    'texts/fix.md': '---\nname: anything\nof: { their: own }\n---\nFix {{ what }} in {{ run.workspace }}.\n',
    'texts/theirs.md': 'Fix {{what}}{{#each items}} {{this}}{{/each}} [{{steps.none}}]',
  };

  it('is the body of a file beside the workflow, pinned with its hash; the front matter is not read', () => {
    const workflow = compiledSample(
      `${HEAD}steps:\n  - { id: a, prompt: { template: ./texts/fix.md }, with: { what: it } }\n`,
      files,
    );
    expect(promptOf(workflow).prompt).toEqual({
      kind: 'template',
      name: './texts/fix.md',
      source: 1,
      text: 'Fix {{ what }} in {{ run.workspace }}.',
    });
    expect(workflow.sources[1]).toMatchObject({
      kind: 'prompt',
      path: 'texts/fix.md',
      hash: `hash-${files['texts/fix.md'].length}`,
    });
  });

  it('is a template of ours whatever it is written in', () => {
    const workflow = compiledSample(
      `${HEAD}steps:\n  - { id: a, prompt: { template: ./texts/theirs.md, syntax: handlebars }, with: { what: it, items: [1] } }\n`,
      files,
    );
    expect(promptOf(workflow).prompt).toMatchObject({
      text: expect.stringContaining('Fix {{ default(what, "") }}{% for at_1_ in entries('),
    });
  });

  it('K3: a problem points into the file; a name that nothing binds is an error there and a warning in a foreign one', () => {
    const step = (more: string) => `${HEAD}steps:\n  - { id: a, prompt: { template: ./texts/${more} } }\n`;
    expect(problems(step('fix.md'), files)).toEqual([
      'texts/fix.md:5:8: error: there is nothing called `what` here [cel-unknown-name]',
    ]);
    expect(problems(step('theirs.md, syntax: handlebars'), files)).toEqual([
      'texts/theirs.md:1:5: warning: there is nothing called `what` here, so it renders as nothing [template-unbound]',
      'texts/theirs.md:1:13: warning: there is nothing called `items` here, so it renders as nothing [template-unbound]',
      'texts/theirs.md:1:48: warning: `steps` has no `none`, so it renders as nothing [template-unbound]',
    ]);
    expect(problems(step('gone.md'), files)).toEqual([
      expect.stringContaining('w.yaml:4:34: error: the file "./texts/gone.md" (prompt) was not found'),
    ]);
    expect(problems(step('gone.md, syntax: jinja'), { 'texts/gone.md': 'Hi' })).toEqual([
      expect.stringMatching(/`syntax` must be .*native.*handlebars/),
    ]);
  });

  it('a name that the workflow has elsewhere is no warning: one text may serve many steps', () => {
    const text = `${HEAD}steps:
  - { id: first, prompt: { template: ./texts/look.md, syntax: handlebars }, output: seen }
  - { id: again, prompt: { template: ./texts/look.md, syntax: handlebars }, output: more }
`;
    const look = { 'texts/look.md': '{{#if seen}}Seen {{seen}}{{/if}} {{seem}} {{more.x}} {{pass.index}}' };
    expect(problems(text, look)).toEqual([
      expect.stringContaining('texts/look.md:1:34: warning: there is nothing called `seem` here'),
      expect.stringMatching(/texts\/look\.md:1:54: warning: .*`pass`/),
    ]);
  });

  it('is found beside the file that says it, also where that is the parent', () => {
    const parent = 'lockstep: 1\nname: p\nsteps: [{ id: a, prompt: { template: ./own.md } }]\n';
    const workflow = compiledSample('lockstep: 1\nname: c\nextends: p\n', {
      'workflows/p.yaml': parent,
      'workflows/own.md': 'Own.',
    });
    expect(promptOf(workflow).prompt).toMatchObject({ text: 'Own.' });
  });
});

describe('what lies in .wrangler/ is read as that dialect writes it, whoever names it', () => {
  const files = {
    '.wrangler/agents/reviewer.md':
      '---\nname: Strict Reviewer\ndescription: Looks hard\ntools: [Read, Grep]\nmodel: sonnet\n---\nYou review {{what}}.',
    '.wrangler/prompts/audit.md':
      '---\nname: audit\noutputSchema: schemas/review.ts#ReviewResultSchema\n---\nAudit {{#if what}}{{what}}{{/if}}.',
    '.wrangler/prompts/broken.md': '---\nname: x\nmodle: y\n---\nHi {{> there}}',
    'schemas/review.json': '{ "type": "object" }',
  };

  it('agents and prompts: tools, model, schema and text', () => {
    const workflow = compiledSample(
      `${HEAD}steps:\n  - { id: a, agent: reviewer, prompt: audit, with: { what: it } }\n`,
      files,
    );
    const { performer, prompt } = promptOf(workflow);
    expect(performer).toMatchObject({
      agent: { name: 'Strict_Reviewer', system: 'You review {{ default(what, "") }}.' },
      model: 'sonnet',
      tools: { allow: ['Read', 'Grep'], deny: [] },
    });
    expect(prompt).toMatchObject({ name: 'audit', text: expect.stringContaining('{% if cel.bind(') });
    expect(workflow.steps[0]?.done?.checks).toMatchObject([{ kind: 'schema', name: 'review' }]);
    expect(workflow.sources.map(({ layer, path }) => `${layer} ${path}`)).toEqual([
      'project w.yaml',
      'wrangler .wrangler/agents/reviewer.md',
      'wrangler .wrangler/prompts/audit.md',
      'project schemas/review.json',
    ]);
  });

  it('what only the agent reads may be given too, where the prompt says what it is to be given', () => {
    const own = { ...files, 'prompts/own.md': '---\ninputs: [task]\n---\nDo {{ task }}.' };
    const step = (given: string) =>
      `${HEAD}steps:\n  - { id: a, agent: reviewer, prompt: own, with: { ${given} } }\n`;
    expect(problems(step('task: x, what: y'), own)).toEqual([]);
    expect(problems(step('task: x, what: y, other: z'), own)).toEqual([
      expect.stringContaining('the prompt "own" has no input "other" [unknown-input]'),
    ]);
  });

  it('an unknown field and a text that cannot be translated are errors in their file', () => {
    expect(problems(`${HEAD}steps:\n  - { id: a, prompt: broken }\n`, files)).toEqual([
      '.wrangler/prompts/broken.md:3:1: error: a prompt has no field `modle` [unknown-field]',
      expect.stringContaining('.wrangler/prompts/broken.md:5:4: error: `{{> there}}`'),
    ]);
  });
});
