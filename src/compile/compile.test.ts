import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step, Workflow } from '../model/workflow.ts';
import { Compilation } from './compilation.ts';
import { compile, needKey } from './compile.ts';
import { stepShape } from './grammar/step-shape.ts';
import { lowerRoot } from './lower/workflow.ts';
import { compiledSample, compileSample, rendered } from './sample-library.ts';
import type { Site } from './site.ts';

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

  it('rule 12: captures 1 MiB of text, 100,000 lines, 10 MiB of JSON', () => {
    const limits = steps(
      '  - { id: a, run: x, capture: text }\n  - { id: b, run: x, capture: lines }\n  - { id: c, run: x, capture: json }\n' +
        '  - { id: d, run: x, capture: { as: json, limit: 8KiB, on_parse_error: keep } }\n  - { id: e, run: x, capture: { as: lines, limit: 7 } }\n',
    ).map(({ capture }) => capture);
    expect(limits).toEqual([
      { as: 'text', limit: 1_048_576, onParseError: 'fail' },
      { as: 'lines', limit: 100_000, onParseError: 'fail' },
      { as: 'json', limit: 10_485_760, onParseError: 'fail' },
      { as: 'json', limit: 8192, onParseError: 'keep' },
      { as: 'lines', limit: 7, onParseError: 'fail' },
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
      { max: 5, delay: 1000, on: usual },
      { max: 2, delay: 250, on: [3, 'timeout'] },
      { max: 0, delay: 1000, on: [] },
      { max: 2, delay: 1000, on: [] },
      { max: 1, delay: 1000, on: [75] },
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

describe('extends', () => {
  const base = `lockstep: 1
name: base
limits: { duration: 1h, visits: 9 }
guidance: [one, two]
inputs: { a: { type: string, default: x } }
steps:
  - { id: plan, prompt: { text: Plan. }, timeout: 1m, with: { a: 1, b: 2 } }
  - { id: build, run: make, env: { A: 1 } }
  - id: group
    steps: [{ id: inner, run: x }, { id: other, run: y }]
  - { id: wait, wait: { files: [x], min: 2 } }
`;
  const child = `lockstep: 1
name: child
extends: base
limits: { visits: 3 }
guidance: [three]
steps:
  - { id: new, run: z }
  - { id: plan, prompt: { file: plan.md }, with: { b: 3 } }
  - { id: build, call: noop }
  - { id: group, steps: [{ id: inner, timeout: 5s }] }
  - { id: wait, wait: { for: 1s } }
`;

  it('merges maps, replaces lists, merges steps by id and puts new ones last', () => {
    const workflow = compiledSample(child, { 'workflows/base.yaml': base });
    expect(workflow.name).toBe('child');
    expect(workflow.limits).toEqual({ duration: 3_600_000, visits: 3, stopBlocks: 5 });
    expect(workflow.guidance).toEqual(['three']);
    expect(workflow.inputs).toEqual({ a: { type: 'string', default: 'x' } });
    expect(workflow.steps.map(({ id }) => id)).toEqual(['plan', 'build', 'group', 'wait', 'new']);
    const [plan, build, group, wait] = workflow.steps;
    expect(plan).toMatchObject({
      timeout: 60_000,
      work: { prompt: { kind: 'file', path: 'plan.md' }, with: { a: 1, b: 3 } },
    });
    expect(build?.work).toMatchObject({ kind: 'call', handler: 'noop' });
    expect(build?.env).toEqual({ A: '1' });
    expect(group?.work).toMatchObject({
      kind: 'sequence',
      steps: [{ id: 'inner', timeout: 5000 }, { id: 'other' }],
    });
    expect(wait?.work).toEqual({ kind: 'wait', for: 'time', duration: 1000 });
    expect(workflow.sources.map(({ path }) => path)).toEqual(['w.yaml', 'workflows/base.yaml']);
  });

  it('says in which file of the two a problem is', () => {
    const bad = base.replace('timeout: 1m', 'timeout: soon');
    expect(rendered(compileSample(child, { 'workflows/base.yaml': bad }))).toContain(
      'workflows/base.yaml:7:51: error',
    );
  });

  it('takes paths of the parent from where the parent is', () => {
    const parent = 'lockstep: 1\nname: p\nsteps: [{ id: a, agent: ./x.md, prompt: { text: hi } }]\n';
    const workflow = compiledSample('lockstep: 1\nname: c\nextends: p\n', {
      'workflows/p.yaml': parent,
      'workflows/x.md': 'Xavier.',
    });
    expect(workflow.steps[0]?.work).toMatchObject({ performer: { agent: { system: 'Xavier.' } } });
  });
});

describe('called workflows', () => {
  it('are compiled once, into the root, with the sources of all', () => {
    const workflow = compiledSample(
      `${HEAD}steps:\n  - { id: a, workflow: sub }\n  - { id: b, workflow: ./workflows/sub.yaml }\n`,
      {
        'workflows/sub.yaml':
          'lockstep: 1\nname: sub\nsteps: [{ id: x, agent: dev, prompt: { text: hi } }, { id: y, workflow: leaf }]\n',
        'workflows/leaf.yaml': 'lockstep: 1\nname: leaf\nsteps: [{ id: z, run: x }]\n',
        'agents/dev.md': 'Dev.',
      },
    );
    expect(workflow.steps.map(({ work }) => work)).toEqual([
      { kind: 'workflow', workflow: 'sub', with: {} },
      { kind: 'workflow', workflow: 'sub', with: {} },
    ]);
    expect(Object.keys(workflow.workflows).sort()).toEqual(['leaf', 'sub']);
    expect(workflow.workflows['sub']?.workflows).toEqual({});
    expect(workflow.sources.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'workflow w.yaml',
      'workflow workflows/sub.yaml',
      'agent agents/dev.md',
      'workflow workflows/leaf.yaml',
    ]);
    expect(workflow.workflows['sub']?.steps[0]?.work).toMatchObject({ performer: { agent: { source: 2 } } });
  });
});

describe('what this build refuses at run', () => {
  it('is accepted, and named with its place', () => {
    const text = `${HEAD}workspace: worktree
rules: [{ when: 'true', block: no }]
events: { stop: [{ say: bye }] }
steps:
  - { id: a, gates: gates/ }
  - id: b
    steps:
      - { id: c, call: create-issues, with: { issues: [] }, enter: [{ say: hi }] }
      - { id: d, run: x, exit: [{ call: switch-mode, with: { mode: plan } }] }
      - { id: e, prompt: { text: 'Was {{ session.title }}' }, rules: [{ when: 'true', warn: hm }], workspace: worktree }
`;
    expect(compiledSample(text).refused.map(({ what, where }) => `${what}: ${where}`)).toMatchInlineSnapshot(`
      [
        "\`rules\` (a live session): w.yaml:4",
        "\`workspace: worktree\`: w.yaml:3",
        "\`events\` (a live session): w.yaml:5",
        "\`say\` (a live session): w.yaml:5",
        "\`gates\`: a (w.yaml:7)",
        "\`call: create-issues\` (the tracker): b/c (w.yaml:10)",
        "\`say\` (a live session): b/c (w.yaml:10)",
        "\`call: switch-mode\` (a live session): b/d (w.yaml:11)",
        "\`session\` (a live session): b/e (w.yaml:12)",
        "\`rules\` (a live session): b/e (w.yaml:12)",
        "\`workspace: worktree\`: b/e (w.yaml:12)",
      ]
    `);
  });

  it('is nothing in a workflow that a run can do', () => {
    expect(compiledSample(`${HEAD}steps: [{ id: a, run: x }]\n`).refused).toEqual([]);
  });
});

describe('needs', () => {
  it('asks for everything it can see at once, and again for what that brings', () => {
    const main = {
      id: '/w.yaml',
      path: 'w.yaml',
      layer: 'file' as const,
      shadows: [],
      text: `${HEAD}extends: base\nsteps:\n  - { id: a, agent: dev, prompt: ./p.md, done: { schema: s } }\n  - { id: b, workflow: sub }\n`,
    };
    const files = new Map();
    const first = compile({ main, files, hash: String });
    expect(first).toEqual({
      kind: 'needs',
      needs: [
        { by: 'name', kind: 'workflow', name: 'base' },
        { by: 'name', kind: 'agent', name: 'dev' },
        { by: 'path', kind: 'prompt', path: './p.md', from: '/w.yaml' },
        { by: 'name', kind: 'schema', name: 's' },
        { by: 'name', kind: 'workflow', name: 'sub' },
      ],
    });
    const keys = first.kind === 'needs' ? first.needs.map(needKey) : [];
    expect(new Set(keys).size).toBe(5);
  });

  it('does not ask for a prompt file, which is read when its step starts', () => {
    expect(only('  - { id: a, prompt: { file: tasks/a.md } }\n').work).toMatchObject({
      prompt: { kind: 'file', path: 'tasks/a.md' },
    });
  });
});

function sitesOf(text: string, files: Record<string, string> = {}): Site[] {
  let sites: Site[] = [];
  // What check gets is what counts; the sample library goes the same way to it.
  const loaded = new Map();
  const main = { id: '/w.yaml', path: 'w.yaml', layer: 'project' as const, shadows: [], text };
  for (let round = 0; round < 10; round++) {
    const compilation = new Compilation({ main, files: loaded, hash: String });
    lowerRoot(main, compilation);
    sites = compilation.sites;
    for (const [key, need] of compilation.needs) {
      const path = need.by === 'name' ? `${need.kind}s/${need.name}.md` : need.path;
      loaded.set(key, { id: `/${path}`, path, layer: 'project', shadows: [], text: files[path] ?? '' });
    }
  }
  return sites;
}

function shown({ kind, source, expects, moment, step, local, only: alone, locate }: Site): string {
  const { file, line, column } = locate(0, 1);
  const names = local.length > 0 || alone ? ` [${local.join(' ')}]${alone ? ' only' : ''}` : '';
  return `${file}:${line}:${column} ${moment} ${step?.id ?? '-'} ${kind} ${expects}${names}: ${source}`;
}

describe('sites', () => {
  it('LS-CEL-EVERYWHERE: there is one for every expression and template, with the way back to its place', () => {
    const text = `${HEAD}guidance: ['Advice {{ run.id }}']
rules: [{ when: 'a1', block: '{{ a2 }}' }]
events: { stop: [{ when: a3, set: { x: ['{{ a4 }}'] } }] }
outputs: { o: { deep: '{{ a5 }}' } }
steps:
  - id: p
    title: 't {{ b1 }}'
    if: b2
    agent: dev
    prompt: task
    with: { w: '{{ b3 }}' }
    save_to: '{{ b4 }}'
    reads: { files: ['{{ b5 }}'], optional: ['{{ b6 }}'], instruction: '{{ b7 }}' }
    enter: [{ run: ['{{ b8 }}'], when: b9 }]
    exit: [{ call: noop, with: { value: '{{ c1 }}' } }]
    done:
      that: [c2, { is: c3, else: '{{ c4 }}' }]
      run: 'x {{ c5 }}'
      approve: { ask: '{{ c6 }}', if: c7 }
    recover: { probe: ['{{ c8 }}'] }
    next: [{ when: c9, goto: end, do: [{ prompt: { text: '{{ d1 }}' }, with: { v: 1 } }] }]
  - id: l
    loop: { until: d2, max: 3 }
    steps:
      - { id: e, each: 'x in  d3', steps: [{ id: w, wait: { files: ['{{ d4 }}'] } }, { id: s, wait: { signal: '{{ d5 }}' } }] }
      - { id: q, ask: '{{ d6 }}', choices: ['{{ d7 }}', 2] }
      - { id: f, prompt: { file: '{{ d8 }}' } }
      - { id: i, run: ' {{ inputs.x }}' }
`;
    const files = {
      'agents/dev.md': '---\nname: dev\n---\n\nYou {{ e1 }}.\n',
      'prompts/task.md': '---\ninputs: [w]\n---\nDo\n  {{ w }}.\n',
    };
    expect(sitesOf(text, files).map(shown)).toMatchInlineSnapshot(`
      [
        "w.yaml:3:13 workflow - template any: Advice {{ run.id }}",
        "w.yaml:4:18 rule - cel bool: a1",
        "w.yaml:4:31 rule - template any: {{ a2 }}",
        "w.yaml:5:42 event - template any: {{ a4 }}",
        "w.yaml:5:26 event - cel bool: a3",
        "w.yaml:13:17 work p template any: {{ b3 }}",
        "agents/dev.md:5:1 work p template any [w]: You {{ e1 }}.",
        "prompts/task.md:4:1 work p template any [w] only: Do
        {{ w }}.",
        "w.yaml:9:13 work p template any: t {{ b1 }}",
        "w.yaml:10:9 if p cel bool: b2",
        "w.yaml:14:15 work p template any: {{ b4 }}",
        "w.yaml:15:23 work p template any: {{ b5 }}",
        "w.yaml:15:47 work p template any: {{ b6 }}",
        "w.yaml:15:73 work p template any: {{ b7 }}",
        "w.yaml:16:22 enter p template any: {{ b8 }}",
        "w.yaml:16:40 enter p cel bool: b9",
        "w.yaml:17:42 exit p template any: {{ c1 }}",
        "w.yaml:19:14 done p cel bool: c2",
        "w.yaml:19:24 done p cel bool: c3",
        "w.yaml:19:35 done p template any: {{ c4 }}",
        "w.yaml:20:13 done p template any: x {{ c5 }}",
        "w.yaml:21:24 done p template any: {{ c6 }}",
        "w.yaml:21:39 done p cel bool: c7",
        "w.yaml:22:25 work p template any: {{ c8 }}",
        "w.yaml:23:20 next p cel bool: c9",
        "agents/dev.md:5:1 next p template any [v]: You {{ e1 }}.",
        "w.yaml:23:59 next p template any [v]: {{ d1 }}",
        "w.yaml:25:20 until l cel bool: d2",
        "w.yaml:27:31 work e cel list: d3",
        "w.yaml:27:70 work w template any: {{ d4 }}",
        "w.yaml:27:112 work s template any: {{ d5 }}",
        "w.yaml:28:24 work q template any: {{ d6 }}",
        "w.yaml:28:46 work q template any: {{ d7 }}",
        "w.yaml:29:35 work f template any: {{ d8 }}",
        "w.yaml:30:28 work i cel any: inputs.x",
        "w.yaml:6:24 outputs - template any: {{ a5 }}",
      ]
    `);
  });

  it('LS-CEL-PROMPT-FILES: positions in a prompt file point into the prompt file', () => {
    const [site] = sitesOf(`${HEAD}steps: [{ id: a, prompt: p }]\n`, {
      'prompts/p.md': '---\nname: p\n---\n\nOne\r\ntwo {{ misspelt }}\n',
    });
    const at = site?.source.indexOf('misspelt') ?? 0;
    expect(site?.locate(at, at + 8)).toEqual({
      file: 'prompts/p.md',
      line: 6,
      column: 8,
      endLine: 6,
      endColumn: 16,
    });
  });
});

describe('C2, C3: any text', () => {
  const words = [...new Set(stepShape.branches.flatMap(({ fields }) => Object.keys(fields)))];
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(
        'x',
        '',
        '{{ x }}',
        'x in y',
        '10m',
        3,
        -1,
        true,
        null,
        'end',
        '__proto__',
        'noop',
        './a.md',
        [],
        {},
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          ...words,
          'id',
          'if',
          'done',
          'zzz',
          '__proto__',
          'constructor',
          'text',
          'max',
          'until',
        ),
        tie('value'),
        { maxKeys: 5 },
      ),
    ),
  })).value;
  const document = fc
    .dictionary(
      fc.constantFrom(
        'inputs',
        'vars',
        'limits',
        'tools',
        'rules',
        'events',
        'providers',
        'outputs',
        'steps',
        'extends',
        'defaults',
        'policy',
        'nope',
      ),
      value,
      { maxKeys: 6 },
    )
    .map((rest) => JSON.stringify({ lockstep: 1, name: 'w', ...rest }));
  const text = fc.oneof(
    document,
    fc.string(),
    fc.string({ unit: 'binary' }).map((given) => `lockstep: 1\nsteps:\n${given}`),
  );

  it('C2: never throws, and every problem is inside its file', () => {
    fc.assert(
      fc.property(text, (given) => {
        const result = compileSample(given, { 'a.md': given });
        if (result.kind === 'needs') throw new Error('needs');
        for (const { span } of result.diagnostics) {
          if (span === undefined) continue;
          const lines = (span.file === 'w.yaml' || span.file === 'a.md' ? given : '')
            .replace(/^\uFEFF/, '')
            .split('\n');
          expect(span.line).toBeLessThanOrEqual(lines.length);
          expect(span.column).toBeLessThanOrEqual((lines[span.line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('LS-ERROR-UNKNOWN-FIELD: reports every field that no table has, wherever it is put', () => {
    const valid = {
      lockstep: 1,
      name: 'w',
      limits: { visits: 3 },
      inputs: { a: { type: 'string', default: 'x' } },
      steps: [
        {
          id: 'a',
          prompt: { text: 'hi' },
          done: { that: [{ is: 'true', else: 'x' }], approve: { ask: 'ok?' } },
          retry: { max: 1 },
        },
        {
          id: 'b',
          loop: { until: 'true', max: 2 },
          steps: [{ id: 'c', wait: { for: '1s' }, next: [{ goto: 'end' }] }],
        },
        { id: 'd', run: ['x'], enter: [{ set: {} }], capture: { as: 'json' }, reads: { files: [] } },
      ],
    };
    const places: (string | number)[][] = [
      [],
      ['limits'],
      ['inputs', 'a'],
      ['steps', 0],
      ['steps', 0, 'prompt'],
      ['steps', 0, 'done'],
      ['steps', 0, 'done', 'that', 0],
      ['steps', 0, 'done', 'approve'],
      ['steps', 0, 'retry'],
      ['steps', 1],
      ['steps', 1, 'loop'],
      ['steps', 1, 'steps', 0],
      ['steps', 1, 'steps', 0, 'wait'],
      ['steps', 1, 'steps', 0, 'next', 0],
      ['steps', 2, 'enter', 0],
      ['steps', 2, 'capture'],
      ['steps', 2, 'reads'],
    ];
    const key = fc.oneof(
      fc.stringMatching(/^[a-z_]{6,12}$/).map((name) => `zq${name}`),
      fc.constantFrom('__proto__', 'constructor', 'toString'),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...places), { minLength: 1, maxLength: 6 }),
        key,
        (chosen, name) => {
          const copy = structuredClone(valid) as unknown as Record<string | number, unknown>;
          for (const place of chosen) {
            const target = place.reduce((at, part) => at[part] as Record<string | number, unknown>, copy);
            Object.defineProperty(target, name, {
              value: 1,
              enumerable: true,
              configurable: true,
              writable: true,
            });
          }
          const result = compileSample(JSON.stringify(copy));
          const unknown =
            result.kind === 'invalid'
              ? result.diagnostics.filter(({ code }) => code === 'unknown-field')
              : [];
          expect(unknown).toHaveLength(chosen.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('LS-HOSTILE-PROTO: __proto__ and constructor as keys of free maps do no harm', () => {
    const workflow = compiledSample(
      `${HEAD}vars: { constructor: 1, a: { __proto__: { x: 1 } } }\nsteps:\n  - { id: constructor, run: x, labels: { __proto__: { y: 1 } } }\n  - { id: b, call: noop, with: { value: { __proto__: { z: 1 } } } }\n`,
    );
    expect(JSON.stringify(workflow.vars)).toBe('{"constructor":1,"a":{"__proto__":{"x":1}}}');
    expect(JSON.stringify(workflow.steps[0]?.labels)).toBe('{"__proto__":{"y":1}}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('is the same after it was written down and read again', () => {
    const workflow: Workflow = compiledSample(
      `${HEAD}steps: [{ id: a, prompt: { text: hi }, done: { that: 'true' }, next: [{ goto: end }] }]\n`,
    );
    expect(JSON.parse(JSON.stringify(workflow))).toEqual(workflow);
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const each of Object.values(node)) {
        expect(each).not.toBeUndefined();
        walk(each);
      }
    };
    walk(workflow);
  });
});
