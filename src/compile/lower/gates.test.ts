import { describe, expect, it } from 'vitest';
import type { ParallelWork, PromptTemplate, PromptWork, Step } from '../../model/workflow.ts';
import { compiledSample, compileSample, rendered, type SampleFiles } from '../fixtures/sample-library.ts';

const REVIEW = JSON.stringify({
  type: 'object',
  required: ['issues'],
  properties: { assessment: { type: 'string' }, issues: { type: 'array' } },
});
const BASE: SampleFiles = {
  'agents/reviewer.md': '---\ntools: { allow: [Read, Grep] }\n---\nYou review.',
  'schemas/review.json': REVIEW,
};
const flow = (fields: string, rest = '') =>
  `lockstep: 1\nname: w\ninputs: { what: { type: string } }\nsteps:\n  - { id: reviews, ${fields} }\n${rest}`;

function gatesOf(files: SampleFiles, fields = 'gates: review'): Step[] {
  const [step] = compiledSample(flow(fields), { ...BASE, ...files }).steps;
  return stepsOf(step);
}
const stepsOf = (step: Step | undefined): Step[] => (step?.work as ParallelWork | undefined)?.steps ?? [];
const only = (files: SampleFiles, fields?: string): Step & { work: PromptWork } =>
  gatesOf(files, fields)[0] as Step & { work: PromptWork };
const errors = (files: SampleFiles, text = flow('gates: review')): string =>
  rendered(compileSample(text, { ...BASE, ...files }));
const at = (name: string, text: string): SampleFiles => ({ [`gates/review/${name}.md`]: text });

describe('LS-GATE-STEPS: every gate of a directory is a step', () => {
  it('in the order of their files, named after the gate, with the text as its task', () => {
    const workflow = compiledSample(flow('gates: review'), {
      ...BASE,
      ...at('b', 'Look at {{ inputs.what }}.'),
      ...at('a', '---\nname: security.v2\ndescription: d\n---\nLook.'),
      'gates/review/deeper/c.md': 'Not this one.',
    });
    const [reviews] = workflow.steps;
    const work = reviews?.work as ParallelWork;
    expect(work).toMatchObject({ kind: 'parallel', gates: 'review' });
    expect(work.steps.map(({ id }) => id)).toEqual(['security_v2', 'b']);
    expect(work.steps.map(({ gate }) => gate?.name)).toEqual(['security.v2', 'b']);
    const [, b] = work.steps as (Step & { work: PromptWork })[];
    expect(b?.work.prompt).toMatchObject({ name: 'b', text: 'Look at {{ inputs.what }}.' });
    expect(b?.work.performer).toMatchObject({
      agent: { name: 'reviewer' },
      tools: { allow: ['Read', 'Grep'] },
    });
    // S2: every file is among the sources.
    expect(workflow.sources.filter(({ kind }) => kind === 'gate').map(({ path }) => path)).toEqual([
      'gates/review/a.md',
      'gates/review/b.md',
    ]);
    expect(workflow.sources[b?.gate?.source ?? -1]).toMatchObject({ name: 'b', kind: 'gate' });
  });

  it('with the defaults of a gate, and what its front matter says', () => {
    expect(only(at('a', 'Look.'))).toMatchObject({
      check: true,
      gate: { enabled: true, run: 'always', files: ['**'], again: 'always' },
      done: { checks: [{ kind: 'schema', name: 'review' }], tries: 2 },
    });
    const said = `---
agent: strict
model: haiku
provider: claude
params: { effort: low }
tools: { allow: [Read] }
schema: { type: object, required: [issues] }
run: changed-files
files: ['**/*.ts']
again: changed
enabled: false
---
Look.`;
    const gate = only({ ...at('a', said), ...at('z', 'Look.'), 'agents/strict.md': 'Strict.' });
    expect(gate).toMatchObject({
      gate: { enabled: false, run: 'changed-files', files: ['**/*.ts'], again: 'changed' },
      done: { checks: [{ kind: 'schema', name: 'inline' }] },
      work: {
        performer: {
          agent: { name: 'strict' },
          model: 'haiku',
          provider: 'claude',
          params: { effort: 'low' },
          tools: { allow: ['Read'] },
        },
      },
    });
  });

  it('what the step says goes for all of them', () => {
    const fields = 'gates: review, check: false, concurrency: 2, recover: pause, on_fail: continue';
    const [step] = compiledSample(flow(fields), { ...BASE, ...at('a', 'Look.') }).steps;
    expect(step).toMatchObject({ check: false, work: { concurrency: 2 } });
    expect(stepsOf(step)).toMatchObject([{ check: false, recover: { kind: 'pause' }, onFail: 'continue' }]);
    expect(stepsOf(step)[0]?.onFailInherited).toBeUndefined();
  });

  it('a path is a folder beside the file, a name one of the library; both may end in a slash', () => {
    const beside = { 'reviews/a.md': 'Look.' };
    for (const path of ['./reviews/', './reviews']) expect(only(beside, `gates: ${path}`).id).toBe('a');
    expect(only(at('a', 'Look.'), 'gates: review/').id).toBe('a');
    expect(only({ 'gates/review/fast/x.md': 'Look.' }, 'gates: review/fast').id).toBe('x');
  });
});

describe('LS-GATE-TEXT: its text', () => {
  it('may be a prompt of the library', () => {
    const gate = only({ ...at('a', '---\nprompt: look\n---\n'), 'prompts/look.md': 'Look hard.' });
    expect(gate.work.prompt).toMatchObject({ name: 'look', text: 'Look hard.' });
  });

  it.each([
    ['both', '---\nprompt: look\n---\nLook.', 'has a text and names a prompt too'],
    ['neither', '---\ndescription: d\n---\n', 'has neither a text nor a `prompt`'],
  ])('%s is an error', (_, text, message) => {
    const said = errors({ ...at('a', text), 'prompts/look.md': 'x' });
    expect(said).toContain(message);
    expect(said).toContain('[gate-text]');
  });

  it('sees what the step sees, what `with` gives, and its name', () => {
    const files = at('a', '{{ gate }} {{ focus }} {{ inputs.what }}');
    expect(only(files, "gates: review, with: { focus: '{{ inputs.what }}' }").work.with).toEqual({
      gate: 'a',
      focus: '{{ inputs.what }}',
    });
    expect(errors(files)).toContain('gates/review/a.md:1:');
    expect(errors(files)).toContain('[cel-unknown-name]');
  });

  it('that declares inputs is given those of them, and sees no more', () => {
    const declares = '---\ninputs: { focus: { required: false } }\n---\n{{ default(focus, "") }}';
    const files = { ...at('a', declares), ...at('b', '---\nprompt: p\n---'), 'prompts/p.md': declares };
    const fields = 'gates: review, with: { focus: x, other: y }';
    for (const gate of gatesOf(files, fields) as (Step & { work: PromptWork })[]) {
      expect(gate.work.with).toEqual({ focus: 'x' });
      expect((gate.work.prompt as PromptTemplate).inputs).toEqual(['focus']);
    }
    expect(errors(at('a', '---\ninputs: [focus]\n---\n{{ inputs.what }}'))).toContain('[cel-unknown-name]');
  });
});

it('LS-GATE-DROP-IN: a file that only says enabled: false switches a gate off, whatever the step gives', () => {
  const text = `lockstep: 1
name: w
steps:
  - { id: build, run: x, output: built }
  - { id: reviews, gates: review, with: { built: '{{ built }}' } }
`;
  const files = { ...at('a', '---\nenabled: false\n---\n'), ...at('b', 'Look at {{ built }}.') };
  expect(errors(files, text)).toBe('');
});

describe('LS-GATE-READS: a gate only looks', () => {
  it('without a list of tools it has none to write with', () => {
    const gate = only({ ...at('a', '---\nagent: any\n---\nLook.'), 'agents/any.md': 'Any.' });
    expect(gate.work.performer.tools).toEqual({ deny: ['Write', 'Edit', 'NotebookEdit'] });
  });

  it('with one that writes it is refused, also alone', () => {
    const said = errors({
      ...at('a', '---\nagent: any\ntools: { allow: [Read, Write] }\n---\nLook.'),
      'agents/any.md': 'Any.',
    });
    expect(said).toContain('a gate only looks, and `reviews/a` may use Write');
    expect(said).toContain('[shared-workspace]');
  });
});

describe('WR44: a gate file of that language is agent and task in one', () => {
  const theirs = (matter: string): SampleFiles => ({
    'reviews/a.md': `---\n${matter}---\nLook at {{inputs.what}}.`,
  });
  const fields = 'gates: ./reviews/, syntax: handlebars';

  it('whose list of tools is the whole list, with nobody else mixed in, not even who is the default', () => {
    const files = theirs('tools: ["Read", "Bash", "mcp__wrangler__issues_get", "WebFetch"]\n');
    const tools = { allow: ['Read', 'Bash', 'mcp__wrangler__issues_get', 'WebFetch'], deny: [] };
    expect(only(files, fields).work.performer).toEqual({ tools, params: {} });
    const withDefault = flow(fields, 'defaults: { agent: reviewer }\n');
    const [gate] = stepsOf(compiledSample(withDefault, { ...BASE, ...files }).steps[0]);
    expect(gate?.work).toMatchObject({ performer: { tools } });
    expect(gate?.work).not.toHaveProperty('performer.agent');
  });

  it('and that may not write either', () => {
    expect(only(theirs(''), fields).work.performer).toEqual({
      tools: { deny: ['Write', 'Edit', 'NotebookEdit'] },
      params: {},
    });
    for (const tool of ['Write', 'Edit', 'NotebookEdit', 'mcp__wrangler__issues_update'])
      expect(errors(theirs(`tools: [Read, ${tool}]\n`), flow(fields))).toContain(
        `a gate only looks, and \`reviews/a\` may use ${tool}`,
      );
  });
});

describe('LS-GATE-WRONG: what is wrong is found at load', () => {
  it('a directory without a gate, or with none that is switched on', () => {
    expect(errors({})).toContain('[gates-empty]');
    expect(errors(at('a', '---\nenabled: false\n---\nLook.'))).toContain('every gate in it is switched off');
  });

  it('a directory in which nobody looks by itself, as a warning', () => {
    const manual = at('a', '---\nrun: manual\n---\nLook.');
    expect(errors({ ...manual, ...at('b', '---\nenabled: false\n---') })).toContain('[gates-manual]');
    expect(compiledSample(flow('gates: review'), { ...BASE, ...manual }).steps).toHaveLength(1);
    expect(errors({ ...manual, ...at('b', 'Look.') })).toBe('');
  });

  it('a schema that does not require issues', () => {
    const gate = (schema: object) => at('a', `---\nschema: ${JSON.stringify(schema)}\n---\nLook.`);
    for (const schema of [{ type: 'object' }, { required: ['approved'] }, { $ref: '#' }]) {
      const said = errors(gate(schema));
      expect(said).toContain('gates/review/a.md:2');
      expect(said).toContain('[gate-schema]');
    }
    const whole = { required: ['issues'] };
    for (const schema of [whole, { allOf: [whole] }, { $ref: '#/$defs/r', $defs: { r: whole } }])
      expect(errors(gate(schema))).toBe('');
  });

  it('S4: a pattern that leaves the workspace', () => {
    const said = errors(at('a', '---\nfiles: ["!../secret/**"]\n---\nLook.'));
    expect(said).toContain('`files` must stay in the workspace, and "../secret/**" leads out of it');
    expect(said).toContain('gates/review/a.md:2');
  });

  it('two gates of one name', () => {
    const said = errors({ ...at('a', '---\nname: x\n---\nLook.'), ...at('b', '---\nname: x\n---\nLook.') });
    expect(said).toContain('gates/review/b.md:2');
    expect(said).toContain('[duplicate-id]');
  });

  it('a field that a gate has not, in its file', () => {
    const said = errors(at('a', '---\nrunn: always\n---\nLook.'));
    expect(said).toContain('gates/review/a.md:2:1: error: a gate has no field `runn` [unknown-field]');
    expect(said).toContain('Did you mean "run"?');
  });

  it('a name that the review has not', () => {
    const text = flow('gates: review, output: review', "  - { id: x, if: 'review.hasIssues', run: x }\n");
    expect(errors(at('a', 'Look.'), text)).toContain('[cel-unknown-field]');
    const right = flow(
      'gates: review, output: review',
      '  - { id: x, if: \'review.actionableIssues.exists(i, i.foundBy == "a")\', run: x }\n',
    );
    expect(errors(at('a', 'Look.'), right)).toBe('');
  });
});
