import { describe, expect, it } from 'vitest';
import { step } from '../../../test/support/workflow.ts';
import type { Step } from '../../model/workflow.ts';
import { compiledSample, compileSample, rendered } from '../fixtures/sample-library.ts';

const HEAD = 'lockstep: 1\nname: w\n';

function steps(text: string, files: Record<string, string> = {}): Step[] {
  return compiledSample(`${HEAD}steps:\n${text}`, files).steps;
}

function only(text: string, files: Record<string, string> = {}): Step {
  const [step] = steps(text, files);
  if (step === undefined) throw new Error('no step');
  return step;
}

describe('rule 12: defaults', () => {
  it('rule 12: fills in all that a run step does not say', () => {
    expect(only('  - { id: a, run: echo hi }\n')).toEqual({
      id: 'a',
      at: { file: 'w.yaml', line: 4, column: 11 },
      labels: {},
      check: false,
      dryRun: false,
      work: { kind: 'run', command: { kind: 'shell', line: 'echo hi' } },
      capture: { as: 'text', limit: 1024 * 1024, onParseError: 'fail' },
      env: {},
      secrets: [],
      retry: { max: 0, delay: 1000, on: [] },
      rules: [],
      workspace: 'here',
      enter: [],
      exit: [],
      recover: { kind: 'rerun' },
      next: [],
    });
  });

  it('rule 12: a step that tests build by hand has the same defaults', () => {
    const at = { file: 'w.yaml', line: 4, column: 11 };
    const retry = { max: 0, delay: 1000, on: [] };
    const line = only('  - { id: a, run: echo hi }\n');
    expect(step('a', line.work, { at, retry })).toEqual(line);
  });

  it('rule 12: captures 1 MiB of text, 100,000 lines, 10 MiB of JSON', () => {
    const limits = steps(
      '  - { id: a, run: x, capture: text }\n  - { id: b, run: x, capture: lines }\n  - { id: c, run: x, capture: json }\n' +
        '  - { id: d, run: x, capture: { as: json, limit: 8KiB, on_parse_error: keep } }\n  - { id: e, run: x, capture: { as: lines, limit: 7 } }\n',
    ).map(({ capture }) => capture);
    expect(limits).toEqual([
      { as: 'text', limit: 1_048_576, onParseError: 'fail' },
      { as: 'lines', limit: 100_000, onParseError: 'fail' },
      { as: 'json', limit: 10_485_760, onParseError: 'fail' },
      { as: 'json', limit: 8192, onParseError: 'keep', chosen: true },
      { as: 'lines', limit: 7, onParseError: 'fail', chosen: true },
    ]);
  });

  it('rule 12: fills in all that a workflow does not say', () => {
    const { steps: _, sources, ...workflow } = compiledSample(`${HEAD}steps: [{ id: a, run: x }]\n`);
    expect(workflow).toEqual({
      lockstep: 1,
      name: 'w',
      inputs: {},
      vars: {},
      limits: { visits: 50, stopBlocks: 5 },
      workspace: 'here',
      guard: { unenforceable: 'error', engineDown: 'block' },
      invariants: [],
      policy: { onChanged: 'pinned', state: 'coalesced', keepStdout: 'always', pausedExit: 3, dirs: {} },
      providers: {},
      references: [],
      guidance: [],
      tools: { deny: [] },
      rules: [],
      events: {},
      outputs: {},
      workflows: {},
      refused: [],
    });
    expect(sources).toEqual([
      {
        kind: 'workflow',
        name: 'w',
        layer: 'project',
        path: 'w.yaml',
        hash: expect.stringMatching(/^hash-/),
      },
    ]);
  });

  it('rule 12: a wait looks every second for one file; reads are listed before the prompt', () => {
    const [wait, read] = steps(
      "  - { id: a, wait: { files: 'in/*.md' } }\n  - { id: b, prompt: { text: hi }, reads: { files: [x.md] } }\n",
    );
    expect(wait?.work).toEqual({ kind: 'wait', for: 'files', files: ['in/*.md'], min: 1, every: 1000 });
    expect(read?.reads).toEqual({ files: ['x.md'], optional: [], inject: 'list', position: 'prepend' });
  });

  it('rule 12: a parallel runs all at once, an each one by one', () => {
    const [parallel, each] = steps(
      "  - { id: a, parallel: true, steps: [{ id: x, run: x }] }\n  - { id: b, each: 'i in [1]', steps: [{ id: x, run: x }] }\n",
    );
    expect(parallel?.work).not.toHaveProperty('concurrency');
    expect(each?.work).toMatchObject({ concurrency: 1, order: 'listed', name: 'i', list: '[1]' });
  });
});

describe('rule 4: retry and tries', () => {
  it('rule 4: a prompt is dispatched again on 1, 124, rate-limit and overloaded, a run on nothing unless it says so', () => {
    const retries = steps(
      [
        '  - { id: a, prompt: { text: hi } }',
        '  - { id: b, prompt: { text: hi }, retry: { max: 5 } }',
        '  - { id: c, prompt: { text: hi }, retry: { on: [3, timeout], delay: 250ms } }',
        '  - { id: d, run: x }',
        '  - { id: e, run: x, retry: {} }',
        '  - { id: f, run: x, retry: { max: 1, on: [75] } }\n',
      ].join('\n'),
    ).map(({ retry }) => retry);
    const usual = [1, 124, 'rate-limit', 'overloaded'];
    expect(retries).toEqual([
      { max: 2, delay: 1000, on: usual },
      { max: 5, delay: 1000, on: usual, own: true },
      { max: 2, delay: 250, on: [3, 'timeout'], own: true },
      { max: 0, delay: 1000, on: [] },
      { max: 2, delay: 1000, on: [], own: true },
      { max: 1, delay: 1000, on: [75], own: true },
    ]);
  });

  it('a final `that` comes after `run`: what cannot be mended is said of work that fits otherwise', () => {
    const [step] = steps(
      "  - { id: a, prompt: { text: hi }, done: { run: x, that: [{ is: 'true', final: true }, '1 == 1'] } }\n",
    );
    expect(step?.done?.checks.map((check) => (check.kind === 'that' ? check.is : check.kind))).toEqual([
      '1 == 1',
      'run',
      'true',
    ]);
  });

  it('rule 4: a prompt with done has two tries, everything else one', () => {
    const tries = steps(
      "  - { id: a, prompt: { text: hi }, done: { that: 'true' } }\n  - { id: b, run: x, done: { that: 'true' } }\n" +
        "  - { id: c, prompt: { text: hi }, done: { that: 'true', tries: 4 } }\n  - { id: d, prompt: { text: hi } }\n",
    ).map(({ done }) => done?.tries);
    expect(tries).toEqual([2, 1, 4, undefined]);
  });
});

describe('rule 8: tools', () => {
  const agent = {
    'agents/dev.md': "---\ntools: { allow: [Read, Write, 'Bash(npm *)'], deny: [WebFetch] }\n---\nDev.\n",
  };
  function toolsOf(workflow: string, step: string): unknown {
    const text = `${HEAD}${workflow}steps:\n  - { id: a, agent: dev, prompt: { text: hi }${step} }\n`;
    const { work } = compiledSample(text, agent).steps[0] as Step;
    return work.kind === 'prompt' ? work.performer.tools : undefined;
  }

  it.each<[string, string, string, unknown]>([
    [
      'absent means all that the agent has',
      '',
      '',
      { allow: ['Read', 'Write', 'Bash(npm *)'], deny: ['WebFetch'] },
    ],
    [
      'allow lists intersect',
      'tools: { allow: [Read, Write, Grep] }\n',
      ', tools: { allow: [Read, Grep] }',
      { allow: ['Read'], deny: ['WebFetch'] },
    ],
    ['an empty list is none', '', ', tools: { allow: [] }', { allow: [], deny: ['WebFetch'] }],
    [
      'deny lists unite',
      "tools: { deny: ['Bash(rm *)'] }\n",
      ', tools: { deny: [Write] }',
      { allow: ['Read', 'Write', 'Bash(npm *)'], deny: ['Bash(rm *)', 'WebFetch', 'Write'] },
    ],
    [
      'the narrower pattern stays',
      "tools: { allow: ['Write(docs/**)', Bash] }\n",
      '',
      { allow: ['Write(docs/**)', 'Bash(npm *)'], deny: ['WebFetch'] },
    ],
  ])('rule 8: %s', (_, workflow, step, expected) => {
    expect(toolsOf(workflow, step)).toEqual(expected);
  });

  it('SEC-SHELL-NARROW: a denial that means a command without arguments only is warned of', () => {
    const tools =
      "tools: { deny: ['Bash(rm)', 'Bash(git push)', 'Bash(rm -rf)', 'Bash(npm:*)', 'Bash(ls)', 'Bash(ls *)'] }\n";
    const result = compileSample(`${HEAD}${tools}steps:\n  - { id: a, prompt: { text: hi } }\n`);
    if (result.kind === 'needs') throw new Error('it needs more files');
    expect(result.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      ['narrow-denial', '`Bash(rm)` denies only `rm` without arguments', 'Write `Bash(rm *)`.'],
      [
        'narrow-denial',
        '`Bash(git push)` denies only `git push` without arguments',
        'Write `Bash(git push *)`.',
      ],
    ]);
  });

  it('a tool that nobody knows is warned of once, with what was meant', () => {
    const tools = "tools: { allow: [Read, Frobnicate], deny: ['bash(rm *)', Wriet, mcp__a__b, 'My*', LS] }\n";
    const prompts = '  - { id: a, prompt: { text: hi } }\n  - { id: b, prompt: { text: hi } }\n';
    const result = compileSample(`${HEAD}${tools}steps:\n${prompts}`);
    if (result.kind === 'needs') throw new Error('it needs more files');
    expect(
      result.diagnostics.map(({ severity, code, span, hint }) => [severity, code, span?.line, hint]),
    ).toEqual([
      ['warning', 'unknown-tool', 3, expect.stringContaining('Bash, Grep')],
      ['warning', 'unknown-tool', 3, 'Did you mean "Bash"?'],
      ['warning', 'unknown-tool', 3, 'Did you mean "Write"?'],
    ]);
  });
});

describe('who performs a prompt', () => {
  it('takes model, provider and each parameter from the step, then the agent, then defaults', () => {
    const text = `${HEAD}defaults: { agent: dev, model: a, provider: claude, params: { effort: low, max_turns: 3, x: 1 } }\nsteps:
  - { id: a, prompt: { text: hi } }
  - { id: b, prompt: { text: hi }, model: c, params: { effort: high } }\n`;
    const agent = {
      'agents/dev.md':
        '---\nname: Dev\nmodel: b\nparams: { effort: medium, y: 2 }\n---\nYou build {{ inputs }}.\n',
    };
    const performers = compiledSample(text, agent).steps.map(
      ({ work }) => work.kind === 'prompt' && work.performer,
    );
    expect(performers).toEqual([
      {
        agent: { name: 'Dev', source: 1, system: 'You build {{ inputs }}.' },
        provider: 'claude',
        model: 'b',
        params: { effort: 'medium', max_turns: 3, x: 1, y: 2 },
        tools: { deny: [] },
      },
      {
        agent: { name: 'Dev', source: 1, system: 'You build {{ inputs }}.' },
        provider: 'claude',
        model: 'c',
        params: { effort: 'high', max_turns: 3, x: 1, y: 2 },
        tools: { deny: [] },
      },
    ]);
  });

  it('takes the schema of a library prompt where the step has none', () => {
    const files = {
      'prompts/p.md': '---\nschema: { type: object }\n---\nGo.\n',
      'schemas/mine.json': '{ "type": "array" }',
    };
    const [own, other] = steps(
      '  - { id: a, prompt: p }\n  - { id: b, prompt: p, done: { schema: mine } }\n',
      files,
    );
    expect(own?.done).toEqual({
      checks: [{ kind: 'schema', name: 'inline', schema: { type: 'object' } }],
      tries: 2,
    });
    expect(other?.done?.checks).toEqual([
      { kind: 'schema', name: 'mine', schema: { type: 'array' }, source: 2 },
    ]);
  });
});

describe('commands', () => {
  it('keeps lists away from the shell, and takes numbers as written', () => {
    expect(only('  - { id: a, run: [sleep, 1.50, true] }\n').work).toEqual({
      kind: 'run',
      command: { kind: 'argv', argv: ['sleep', '1.50', 'true'] },
    });
  });

  it('takes a line that is one input as the command itself', () => {
    const text = `${HEAD}inputs: { test: { type: string } }\nsteps: [{ id: a, run: ' {{ inputs.test }} ' }]\n`;
    expect(compiledSample(text).steps[0]?.work).toEqual({
      kind: 'run',
      command: { kind: 'input', expression: 'inputs.test' },
    });
  });
});

describe('what the language has for other languages', () => {
  it('a prompt without retry takes that of defaults, a run never does', () => {
    const text = `${HEAD}defaults: { retry: { max: 0, delay: 0s, on: [1] } }
steps:
  - { id: a, prompt: { text: hi } }
  - { id: b, prompt: { text: hi }, retry: { max: 3 } }
  - { id: c, run: x }
`;
    expect(compiledSample(text).steps.map(({ retry }) => retry)).toEqual([
      { max: 0, delay: 0, on: [1] },
      { max: 3, delay: 1000, on: [1, 124, 'rate-limit', 'overloaded'], own: true },
      { max: 0, delay: 1000, on: [] },
    ]);
  });

  it('on_fail of the workflow is told from a step’s own', () => {
    const text = `${HEAD}on_fail: stop\nsteps:\n  - { id: a, run: x }\n  - { id: b, run: x, on_fail: stop }\n`;
    expect(
      compiledSample(text).steps.map(({ onFail, onFailInherited }) => [onFail, onFailInherited]),
    ).toEqual([
      ['stop', true],
      ['stop', undefined],
    ]);
  });

  it('capture: exact and text_limit', () => {
    const capture = '{ as: json, limit: 1MiB, on_parse_error: keep, text_limit: 8KiB, exact: true }';
    expect(only(`  - { id: a, run: x, capture: ${capture} }\n`).capture).toEqual({
      as: 'json',
      limit: 1_048_576,
      onParseError: 'keep',
      exact: true,
      textLimit: 8192,
      chosen: true,
    });
    expect(only('  - { id: a, run: x, capture: { exact: false } }\n').capture).not.toHaveProperty('exact');
  });

  it('stdin, a schema of the workspace, and requirements, in the order they are looked at', () => {
    const { work, done } = only(`  - id: a
    run: x
    capture: json
    stdin: { file: 'in/{{ run.id }}' }
    done:
      that: 'true'
      require: [{ pointer: /a, equals: null }, { pointer: '', type: array }, { pointer: /b, exists: false }]
      schema: { file: 'schemas/{{ run.id }}.json' }
`);
    expect(work).toMatchObject({ stdin: 'in/{{ run.id }}' });
    expect(done?.checks).toEqual([
      { kind: 'schema-file', path: 'schemas/{{ run.id }}.json' },
      { kind: 'require', pointer: '/a', exists: true, equals: null },
      { kind: 'require', pointer: '', exists: true, type: 'array' },
      { kind: 'require', pointer: '/b', exists: false },
      { kind: 'that', is: 'true' },
    ]);
  });

  it('params are templates, checked where each is used, those of agents and defaults too', () => {
    const text = `${HEAD}inputs: { x: { type: string, default: '' } }
defaults: { params: { a: '{{ inputs.x }}' } }
steps:
  - { id: first, agent: one, prompt: { text: hi }, params: { c: ['{{ inputs.y }}'] } }
`;
    const files = { 'agents/one.md': "---\nparams: { b: '{{ steps.gone.output }}', a: 1 }\n---\nYou.\n" };
    const result = compileSample(text, files);
    expect(rendered(result)).toContain('agents/one.md:2:');
    const codes = 'diagnostics' in result ? result.diagnostics.map(({ code }) => code) : [];
    expect(codes).toEqual(['cel-unknown-field', 'cel-unknown-field']);
    const good = compiledSample(text.replace('inputs.y', 'inputs.x'), { 'agents/one.md': 'You.' });
    expect(good.steps[0]?.work).toMatchObject({
      performer: { params: { a: '{{ inputs.x }}', c: ['{{ inputs.x }}'] } },
    });
  });
});
