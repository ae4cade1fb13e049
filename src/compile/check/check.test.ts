import { describe, expect, it } from 'vitest';
import { compileSample, type SampleFiles } from '../sample-library.ts';

const HEAD = 'lockstep: 1\nname: w\n';

/** `line:column code message`, and the hint after an arrow. */
function problems(text: string, files?: SampleFiles): string[] {
  const result = compileSample(HEAD + text, files);
  if (result.kind === 'needs') throw new Error('files are missing');
  return result.diagnostics.map(({ code, message, span, hint }) => {
    const place = span && `${span.file === 'w.yaml' ? '' : `${span.file}:`}${span.line}:${span.column}`;
    return `${place} ${code} ${message}${hint === undefined ? '' : ` → ${hint}`}`;
  });
}

/** The steps of a workflow, two lines below the head. */
const steps = (text: string, files?: SampleFiles) => problems(`steps:\n${text.replace(/^\n/, '')}`, files);

describe('rule 2: what steps.x is', () => {
  it('has the fields of a result, and no others', () => {
    expect(
      steps(`
  - { id: a, run: x }
  - { id: b, run: x, if: 'steps.a.status == "done" && steps.a.exit_code == 0 && steps.a.error == null' }
  - { id: c, run: x, if: 'steps.a.tries > 1 && steps.a.duration_ms < 5 && steps.a.error.class == "exit" && steps.a.stderr == ""' }
  - { id: d, run: x, if: 'steps.a.stauts == "done"' }`),
    ).toEqual(['7:35 cel-unknown-field `steps.a` has no `stauts` → Did you mean `steps.a.status`?']);
  });

  const typed: [string, string, string[]][] = [
    ['text by default', `{ id: a, run: x }`, ['output.n']],
    ['a list of texts for lines', `{ id: a, run: x, capture: lines }`, ['output.size', 'output[0].n']],
    ['anything for json', `{ id: a, run: x, capture: json }`, []],
    [
      'what the schema says',
      `{ id: a, prompt: { text: x }, done: { schema: { type: object, properties: { ok: { type: boolean } } } } }`,
      ['output.okay'],
    ],
    ['the choices of a question', `{ id: a, ask: which?, choices: [x, y] }`, ['output.n']],
    [
      'a map by id for parallel',
      `{ id: a, parallel: true, steps: [{ id: p, run: x }, { id: q, run: x }] }`,
      ['output.r', 'output.p.n'],
    ],
    [
      'that of the last step for a sequence',
      `{ id: a, steps: [{ id: p, run: x, capture: json }, { id: q, run: x }] }`,
      ['output.n'],
    ],
    [
      'anything where the last step may be skipped',
      `{ id: a, steps: [{ id: q, run: x, if: 'inputs == inputs' }] }`,
      [],
    ],
    [
      'a list of passes for each',
      `{ id: a, each: 'i in ["x"]', steps: [{ id: p, run: x }] }`,
      ['output[0].items', 'output[0].output.n'],
    ],
  ];
  it.each(typed)('its output is %s', (_, step, wrong) => {
    const tests = ['steps.a.output == null', ...wrong.map((field) => `steps.a.${field} == 1`)];
    const said = steps(
      `  - ${step}\n${tests.map((test, index) => `  - { id: t${index}, run: x, if: '${test}' }`).join('\n')}`,
    );
    expect(said.map((line) => line.split(' ')[0])).toEqual(
      wrong.map((_field, index) => expect.stringMatching(`^${6 + index}:`)),
    );
  });

  it('a called workflow gives what its outputs say', () => {
    const files = {
      'workflows/sub.yaml': `lockstep: 1\nname: sub\nsteps: [{ id: inner, run: x }]\noutputs: { text: 'a {{ run.id }}', any: '{{ steps.inner.output }}' }\n`,
    };
    expect(
      steps(
        `
  - { id: call, workflow: sub }
  - { id: a, run: x, if: 'steps.call.output.any.deep == 1 && steps.call.output.text == "x"' }
  - { id: b, run: x, if: 'steps.call.output.other == 1' }
  - { id: c, run: x, if: 'steps.inner.output == "x"' }`,
        files,
      ),
    ).toEqual([
      '6:45 cel-unknown-field `steps.call.output` has no `other` → There are `text` and `any`.',
      '7:33 cel-unknown-field step `inner` is part of the workflow that `call` calls; what it gives back is in steps.call.output',
    ]);
  });
});
