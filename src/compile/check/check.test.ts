import { describe, expect, it } from 'vitest';
import { compileSample, rendered } from '../fixtures/sample-library.ts';
import { problemsOf } from '../fixtures/sample-problems.ts';

describe('K1: every text is checked', () => {
  it('K3: LS-CEL-PROMPT-FILES: points into the text that has to change, prompt and agent files included', () => {
    const files = {
      'prompts/review.md':
        '---\nname: review\n---\nLook at\n{{ steps.pln.output }}\n{% if inputs.strict %}hard{% endif %}\n',
      'agents/dev.md': 'You work on {{ run.brnch }}.\n',
    };
    const text = `lockstep: 1
name: w
inputs: { strict: { type: boolean, default: false } }
steps:
  - { id: plan, run: make plan }
  - id: review
    agent: dev
    prompt: review
    title: 'Review of {{ inputs.strct }}'
`;
    expect(rendered(compileSample(text, files))).toMatchInlineSnapshot(`
      "agents/dev.md:1:20: error: \`run\` has no \`brnch\` [cel-unknown-field]
      1 | You work on {{ run.brnch }}.
        |                    ^^^^^
        Did you mean \`run.branch\`?

      prompts/review.md:5:10: error: \`steps\` has no \`pln\` [cel-unknown-field]
      4 | Look at
      5 | {{ steps.pln.output }}
        |          ^^^
        Did you mean \`steps.plan\`?

      w.yaml:9:33: error: \`inputs\` has no \`strct\` [cel-unknown-field]
      8 |     prompt: review
      9 |     title: 'Review of {{ inputs.strct }}'
        |                                 ^^^^^
        Did you mean \`inputs.strict\`?"
    `);
  });

  it('a called workflow is checked by itself, with its own steps and inputs', () => {
    const files = {
      'workflows/sub.yaml': `lockstep: 1
name: sub
inputs: { n: { type: number } }
steps:
  - { id: inner, run: 'echo {{ inputs.n }} {{ inputs.m }} {{ steps.outer.output }}' }
`,
    };
    expect(
      problemsOf(
        `
steps:
  - { id: outer, run: x }
  - { id: call, workflow: sub, with: { n: 1 } }
`,
        files,
      ),
    ).toEqual([
      'workflows/sub.yaml:5: cel-unknown-field: `inputs` has no `m` → There is `n`.',
      'workflows/sub.yaml:5: cel-unknown-field: `steps` has no `outer` → There are none.',
    ]);
  });

  it('K2: rule 16: LS-CEL-MAY-BE-ABSENT: what may merely be absent is no problem', () => {
    expect(
      problemsOf(`
vars: { found: null }
steps:
  - { id: a, run: x, if: 'vars.found.deep', capture: json, output: answer }
  - { id: b, run: x, if: 'steps.a.output.maybe == 1 && answer.maybe == 1 && steps.a.error.message != ""' }
`),
    ).toEqual([]);
  });

  it('a prompt that declares inputs sees only those, and `run`', () => {
    const files = {
      'prompts/greet.md':
        '---\ninputs: [who]\n---\nHi {{ who }}, {{ whom }}\n{{ inputs.x }}{{ run.branch }}\n',
    };
    expect(problemsOf('steps: [{ id: a, prompt: greet, with: { who: x } }]\n', files)).toEqual([
      'prompts/greet.md:4: cel-unknown-name: there is nothing called `whom` here → Did you mean `who`?',
      'prompts/greet.md:5: cel-unknown-name: `inputs` is not seen here: this prompt declares its inputs, and sees only those and `run`',
    ]);
  });

  it('other prompts see the values they are given beside everything else', () => {
    const files = { 'prompts/greet.md': 'Hi {{ who }}, {{ run.id }}, {{ whom }}\n' };
    expect(problemsOf('steps: [{ id: a, prompt: greet, with: { who: x } }]\n', files)).toEqual([
      'prompts/greet.md:1: cel-unknown-name: there is nothing called `whom` here → Did you mean `who`?',
    ]);
  });
});
