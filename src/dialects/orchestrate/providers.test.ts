import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { nativeOf, problemsOf } from './fixtures/sample-translation.ts';

function workflow(provider: string, step = '', more = ''): string {
  return `version: "1.1"
context: { n: 5 }
providers:
  mine: ${provider}
steps:
  - { name: First, command: [x] }
  - { name: Ask, provider: mine, input_file: p.md${step === '' ? '' : `, ${step}`} }
${more}`;
}

function made(text: string): { provider: JsonObject; params: unknown; problems: string[] } {
  const native = nativeOf(text) as { providers: { mine: JsonObject }; steps: { params?: unknown }[] };
  return {
    provider: native.providers.mine,
    params: native.steps[1]?.params,
    problems: problemsOf(text).map(({ code }) => code),
  };
}

describe('a provider', () => {
  it('gets the prompt as a word, on standard input, or not at all', () => {
    expect(made(workflow("{ command: [ask, '-p=${PROMPT}'] }")).provider).toEqual({
      command: ['ask', '-p={{ prompt }}'],
    });
    expect(made(workflow('{ command: [ask], input_mode: stdin }')).provider).toEqual({
      command: ['ask'],
      input: 'stdin',
    });
    expect(made(workflow('{ command: [ask] }')).provider).toEqual({ command: ['ask'], input: 'none' });
  });

  it('a place that nobody fills is known to be there, and empty', () => {
    expect(made(workflow("{ command: [ask, '${model}'] }"))).toEqual({
      provider: { command: ['ask', '{{ model }}'], input: 'none', defaults: { model: null } },
      params: undefined,
      problems: [],
    });
  });

  it('what the step says comes before what the provider says', () => {
    const { provider, params } = made(
      workflow(
        "{ command: [ask, '${model}'], defaults: { model: small } }",
        'provider_params: { model: "large ${context.n}" }',
      ),
    );
    expect(provider.defaults).toEqual({ model: 'small' });
    expect(params).toEqual({ model: 'large {{ inputs.n }}' });
  });

  it('what it takes from the run is given by every step that uses it', () => {
    const text = workflow(
      "{ command: [ask, '${run.id}/${steps.First.output}', '${loop.index}', '${item}'] }",
    );
    const more = `  - name: Loop
    for_each: { items: [a], steps: [{ name: Again, provider: mine }] }
`;
    expect(made(text)).toMatchObject({
      provider: {
        command: ['ask', '{{ run_id }}/{{ steps_First_output }}', '{{ loop_index }}', '{{ item }}'],
        defaults: { run_id: null, steps_First_output: null, loop_index: null, item: null },
      },
      params: {
        run_id: '{{ text(run.id) }}',
        steps_First_output: '{{ text(steps.First.output) }}',
        loop_index: '{{ text(absent("${loop.index}")) }}',
      },
      problems: ['unresolved-reference'],
    });
    const native = nativeOf(text + more) as { steps: { steps?: { params: unknown }[] }[] };
    expect(native.steps[2]?.steps?.[0]?.params).toEqual({
      run_id: '{{ text(run.id) }}',
      steps_First_output: '{{ text(steps.First.output) }}',
      loop_index: '{{ text(pass.index) }}',
      item: '{{ text(item) }}',
    });
  });

  it('a default in which something is filled in is given by the step, unless it says otherwise', () => {
    const provider = "{ command: [ask, '${model}'], defaults: { model: 'm-${context.n}', price: '5 $$' } }";
    expect(made(workflow(provider))).toMatchObject({
      provider: { defaults: { price: '5 $', model: null } },
      params: { model: 'm-{{ inputs.n }}' },
    });
    expect(made(workflow(provider, 'provider_params: { model: mine }')).params).toEqual({ model: 'mine' });
  });

  it('texts stay texts as deep as they go, and what is no text stays what it is', () => {
    const step = "provider_params: { deep: { a: ['${context.n}', 2, true, null] } }";
    expect(made(workflow("{ command: [ask, '${deep}'] }", step)).params).toEqual({
      deep: { a: ['{{ text(inputs.n) }}', 2, true, null] },
    });
  });

  it('a parameter whose name means more in ours, or is none, gets another', () => {
    const { provider, params } = made(
      workflow(
        "{ command: [ask, '${max_turns}', '${top.k}', '${2nd}'] }",
        'provider_params: { max_turns: 3, top.k: 1, 2nd: b }',
      ),
    );
    expect(provider.command).toEqual(['ask', '{{ max_turns_2 }}', '{{ top_k }}', '{{ _2nd }}']);
    expect(params).toEqual({ max_turns_2: 3, top_k: 1, _2nd: 'b' });
  });

  it('braces of its own stay braces', () => {
    expect(made(workflow("{ command: [ask, '{{ x }} {${PROMPT}}'] }")).provider).toEqual({
      command: ['ask', '{{ braces }} x }} {{ braces_2 }}{{ prompt }}}'],
      defaults: { braces: '{{', braces_2: '{' },
    });
  });

  it('cannot have the prompt twice', () => {
    const [problem] = problemsOf(workflow("{ command: [ask, '${PROMPT}'], input_mode: stdin }"));
    expect(problem).toMatchObject({
      code: 'prompt-placeholder',
      severity: 'error',
      span: { line: 4 },
      context: { invalid_prompt_placeholder: '${PROMPT}', provider: 'mine' },
    });
  });

  it('is one that there is', () => {
    const text =
      'version: "1.1"\nsteps: [{ name: A, provider: cluade }, { name: B, provider: data_processor }]\n';
    expect(problemsOf(text).map(({ code, hint }) => [code, hint])).toEqual([
      ['unknown-provider', 'Did you mean "claude"?'],
      ['unknown-provider', 'Declare it under `providers`, or use one of claude, gemini, codex.'],
    ]);
  });

  it('of the three that every workflow has, those that are used are written out', () => {
    const text = 'version: "1.1"\nsteps: [{ name: A, provider: codex, input_file: p.md }]\n';
    expect(nativeOf(text).providers).toEqual({
      codex: { command: ['codex', 'exec'], input: 'stdin', defaults: { model: 'gpt-5' } },
    });
  });
});
