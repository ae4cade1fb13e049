import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSample, rendered, type SampleFiles } from '../../compile/fixtures/sample-library.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { nativeOf, problemsOf, translated } from './fixtures/sample-translation.ts';
import { KINDS } from './grammar.ts';

const agent = (...tools: string[]) => `---\ntools: [${tools.join(', ')}]\n---\nYou.\n`;
const FILES: SampleFiles = {
  '.wrangler/agents/worker.md': agent('Read', 'Write', 'Bash'),
  '.wrangler/agents/looker.md': agent('Read', 'Bash'),
  '.wrangler/agents/anything.md': 'You.\n',
  '.wrangler/prompts/do.md': 'Do it.\n',
};

const second = (phases: string, head = '') =>
  `name: w\nversion: 2\ndefaults: { agent: worker }\n${head}phases:\n${phases}`;
const first = (phases: string, head = '') => `name: w\nversion: 1\n${head}phases:\n${phases}`;
const steps = (text: string, files: SampleFiles = FILES) => nativeOf(text, files).steps as JsonObject[];
const inside = (step: JsonObject | undefined) => (step?.steps ?? []) as JsonObject[];
const said = (text: string, files: SampleFiles = FILES) =>
  problemsOf(text, files).map(({ code, message, hint, span }) => {
    return `${code} ${span?.line}:${span?.column} ${message}${hint === undefined ? '' : ` | ${hint}`}`;
  });

describe('the kinds of steps', () => {
  it('WR47-NFR-1, WR47-SC-1: version 2 has prompt, code, loop, parallel and per-task, and nothing else', () => {
    expect([...KINDS[2]].sort()).toEqual(['code', 'loop', 'parallel', 'per-task', 'prompt']);
    for (const type of ['agent', 'gate-group', 'workflow', 'shell', ''])
      expect(said(second(`  - { name: a, type: '${type}', prompt: do }`))).toEqual([
        expect.stringMatching(/^bad-choice 5:\d+ the step "a" is of the type/),
      ]);
  });

  it('WR47-NFR-4: a gate-group in version 2 is refused, with what to write instead', () => {
    const [problem] = said(second('  - { name: r, type: gate-group, gates: review-gates/, output: review }'));
    expect(problem).toMatch(/"gate-group", which there is not in version 2 \| Write `type: parallel`/);
  });

  it('prompts and parallel groups are not of version 1', () => {
    expect(said(first('  - { name: a, type: parallel, steps: [] }'))[0]).toContain('not in version 1');
    expect(said(first('  - { name: a, agent: a.md, prompt: do.md }'))[0]).toMatch(
      /^field-not-here 4:\d+ .*`agent`, which has no `prompt` \| It belongs to `prompt`/,
    );
    expect(said(first('  - { name: a, agent: worker }'))[0]).toContain('is not the file of an agent');
  });

  it('other versions are refused', () => {
    for (const version of ['3', '0', '1.5'])
      expect(said(`name: w\nversion: ${version}\nphases: [ { name: a, prompt: do } ]`)).toEqual([
        `dialect-version 2:10 "${version}" is not a version of wrangler that this build reads | It reads 1 and 2, written as numbers.`,
      ]);
  });

  it('a step without its type is told which it needs', () => {
    expect(said(second('  - { name: a, handler: create-issues }'))).toEqual([
      'missing-field 5:7 the step "a" has `handler` and no `type` | Write `type: code`.',
    ]);
    expect(said(second('  - { name: a, steps: [ { name: b, prompt: do } ] }'))[0]).toContain(
      'Write `type: loop` or `type: parallel` or `type: per-task`.',
    );
  });
});

describe('what is wrong', () => {
  it('W3: is told all at once, in the words and at the places of the text', () => {
    const text = second(`
  - { name: a, prompt: do, output: spec }
  - { name: a, promt: do, conditon: x }
  - { name: c, prompt: do, condition: 'reveiw.bad && (a' }
  - { name: d, prompt: do, condition: reveiw.bad, output: review }
  - { name: e, prompt: do, input: a + b }
  - { name: f, type: code, handler: create-isues }
  - { name: g, type: loop, condition: review.bad, steps: [ { name: h, prompt: do } ] }
  - { name: i, type: per-task, source: 'review.tasks[', steps: [ { name: k, prompt: do } ] }
`);
    expect(said(text).map((line) => line.replace(/ \|.*/, ''))).toEqual([
      'bad-name 6:36 `output`: "spec" is always there, and is not what a step puts out',
      'duplicate-name 7:13 two steps of this list are called "a"; the other is on line 6',
      'unknown-field 7:16 the step "a" has no field `promt`',
      'unknown-field 7:27 the step "a" has no field `conditon`',
      'unknown-name 7:37 `condition`: nothing is called "x"',
      'condition-syntax 8:56 `condition`: it ends too early',
      'unknown-name 9:39 `condition`: nothing is called "reveiw"',
      'condition-syntax 10:35 `input` must name a value',
      'unknown-handler 11:37 the step "f": there is no handler "create-isues"',
      'missing-field 12:13 the step "g" does not say how often it may repeat its steps',
      'condition-syntax 13:40 `source` must name a value',
    ]);
    expect(said(text).find((line) => line.includes('reveiw'))).toContain('Did you mean "review"?');
  });

  it('R1-16: what is wrong with a step of a wrong type is told at once with that', () => {
    const text = second(`
  - { name: a, type: promt, prompt: do, foo: 1, maxTurns: 0, condition: nobody.ok }
  - { name: b, type: lop, maxRetries: 2, foo: 1, condition: 'a &', steps: [ { name: c, prompt: do, bar: 2 } ] }
  - { name: d, type: what, foo: 1 }
`);
    expect(said(text).map((line) => line.replace(/ \|.*/, ''))).toEqual([
      'bad-choice 6:22 the step "a" is of the type "promt", which there is not',
      'unknown-field 6:41 the step "a" has no field `foo`',
      'out-of-range 6:59 `maxTurns` must be a whole number of at least 1, not 0',
      'unknown-name 6:73 `condition`: nothing is called "nobody"',
      'bad-choice 7:22 the step "b" is of the type "lop", which there is not',
      'unknown-field 7:42 the step "b" has no field `foo`',
      'condition-syntax 7:64 `condition`: `&` means nothing here',
      'unknown-field 7:100 the step "c" has no field `bar`',
      'bad-choice 8:22 the step "d" is of the type "what", which there is not',
      'unknown-field 8:28 the step "d" has no field `foo`',
    ]);
  });

  it('R1-16: a handler that there is not is told once', () => {
    const text = second('  - { name: f, type: code, handler: create-isues, input: spec }');
    const result = compileSample(text, FILES);
    expect(result.kind === 'invalid' && result.diagnostics.map(({ code }) => code)).toEqual([
      'unknown-handler',
    ]);
  });

  it('a condition that cannot hold, for what it reads comes later, is an error; one that can is none', () => {
    const loop = (condition: string, before = '') =>
      second(
        `${before}  - { name: l, type: loop, condition: '${condition}', maxRetries: 1, steps: [ { name: in, prompt: do, output: review } ] }\n`,
      );
    expect(said(loop('review.bad'))).toEqual([
      'unknown-name 5:40 `condition`: no step before this one puts out "review": it is false for ever | A loop tests its condition before the first pass. Let a step before it put that out.',
    ]);
    for (const never of ['review.n > 0 && spec.x', '!!review.bad', 'review.log.includes("x")'])
      expect(said(loop(never))).toHaveLength(1);
    for (const may of ['!review.ok', 'review.bad || spec.x', 'review.bad == null', '!(review.n > 0)'])
      expect(said(loop(may))).toEqual([]);
    expect(said(loop('review.bad', '  - { name: b, prompt: do, output: review }\n'))).toEqual([]);
    const around = `
  - name: l
    type: loop
    condition: spec.x
    maxRetries: 2
    steps: [ { name: a, prompt: do, condition: b.bad }, { name: b, prompt: do, output: b } ]
`;
    expect(said(second(around))).toEqual([]);
  });

  it('a prompt that nobody does is refused', () => {
    const text = 'name: w\nversion: 2\nphases: [ { name: a, prompt: do } ]';
    expect(said(text)[0]).toMatch(/^missing-field 3:\d+ the step "a" names no agent/);
  });

  it('W1: no document makes it throw', () => {
    const key = fc.constantFrom(
      ...['name', 'type', 'agent', 'prompt', 'condition', 'failWhen', 'input', 'output', 'steps', 'source'],
      ...['gates', 'maxRetries', 'onExhausted', 'enabled', 'handler', 'model'],
    );
    const word = fc.constantFrom<Json>(
      ...['a', 'loop', 'parallel', 'per-task', 'code', 'a.b', '(', '', 'task', 'agents/x.md'],
      ...[3, true, null, [], {}],
    );
    const { step } = fc.letrec<{ step: Json }>((tie) => ({
      step: fc.dictionary(
        key,
        fc.oneof({ maxDepth: 2 }, word, word, fc.array(tie('step'), { maxLength: 2 })),
        { maxKeys: 6 },
      ) as fc.Arbitrary<Json>,
    }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), fc.constantFrom(1, 2), (phases, version) => {
        const text = JSON.stringify({ name: 'w', version, safety: { maxLoopRetries: 2 }, phases });
        expect(translated(text, FILES).node?.kind).toBe('map');
      }),
      { numRuns: 100 },
    );
  });
});

describe('checks and dry runs', () => {
  const marks = (text: string, files?: SampleFiles) =>
    steps(text, files).map(
      ({ id, check, dry_run }) => `${id}${check ? ' check' : ''}${dry_run ? ' dry' : ''}`,
    );

  it('a check is a task for an agent that cannot write, after one for an agent that can', () => {
    const text = second(`
  - { name: analyze, agent: looker, prompt: do, output: analysis }
  - { name: plan, type: code, handler: create-issues, input: analysis }
  - { name: look-first, agent: looker, prompt: do }
  - { name: work, prompt: do }
  - { name: review, agent: looker, prompt: do }
  - { name: any, agent: anything, prompt: do }
  - { name: unknown, agent: nobody, prompt: do }
  - { name: checkpoint, type: code, handler: save-checkpoint }
`);
    expect(marks(text)).toEqual([
      ...['analyze dry', 'plan dry', 'look-first', 'work', 'review check', 'any', 'unknown', 'checkpoint'],
    ]);
  });

  it('in version 1 gates are checks, and so is what answers with a verdict', () => {
    const page = (schema: string, tools = 'Read, Bash') =>
      `---\nname: x\ntools: [${tools}]\noutputSchema: schemas/${schema}\n---\nDo.\n`;
    const files = {
      'agents/work.md': page('implementation.ts#ImplementResultSchema', 'Write'),
      'agents/verify.md': page('verification.ts#VerifyResultSchema'),
      'agents/publish.md': page('publish.ts#PublishResultSchema'),
    };
    const text = first(`
  - { name: work, agent: agents/work.md }
  - { name: review, type: gate-group, gates: review-gates/ }
  - { name: verify, agent: agents/verify.md }
  - { name: publish, agent: agents/publish.md }
`);
    expect(marks(text, files)).toEqual(['work', 'review check', 'verify check', 'publish']);
  });
});

describe('names', () => {
  it('what a text reads is given to it, and only that', () => {
    const text = second('  - { name: a, prompt: tell }');
    const given = (body: string) => steps(text, { ...FILES, '.wrangler/prompts/tell.md': body })[0]?.with;
    expect(given('Plain.')).toBeUndefined();
    expect(given('{{specPath}} {{worktreePath}} {{sessionId}} {{branchName}} {{changedFiles}}')).toEqual({
      specPath: '{{ inputs.spec.absolute }}',
      worktreePath: '{{ run.workspace }}',
      sessionId: '{{ run.id }}',
      branchName: '{{ run.branch }}',
      changedFiles: '{{ run.branch == "" ? [] : changed("**") }}',
    });
    expect(given('{{spec.title}}')).toEqual({
      spec: {
        title: '{{ inputs.spec.title }}',
        id: '{{ default(inputs.spec.data.id, inputs.spec.title) }}',
        content: '{{ inputs.spec.body }}',
      },
    });
    expect(given('{{taskIndex}} {{nothing}}')).toBeUndefined();
  });

  it('what has changed is nothing where it cannot be told; a check fails there', () => {
    const [step] = steps(
      second(
        '  - { name: a, prompt: do, condition: changedFiles.length, failWhen: changedFiles.length > 9 }',
      ),
    );
    expect(step?.if).toContain('(run.branch == "" ? [] : changed("**"))');
    expect(JSON.stringify(step?.done)).not.toContain('run.branch');
  });

  it('tasks have their number, inside loops too; outside the specification is the one task', () => {
    const files = { ...FILES, '.wrangler/prompts/tell.md': '{{task.title}} {{taskIndex}}/{{taskCount}}' };
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - name: execute
    type: per-task
    source: plan.tasks
    steps:
      - name: again
        type: loop
        condition: taskIndex < taskCount && task.open
        maxRetries: 3
        steps: [ { name: in, prompt: tell } ]
  - { name: out, prompt: tell, condition: task.title == "x", input: task }
`);
    const [, execute, out] = steps(text, files);
    const [again] = inside(execute);
    const [inner] = inside(again);
    expect(again).toMatchObject({
      loop: {
        while: 'default(number(pass.each.index) < number(pass.each.total), false) && truthy(task.open)',
      },
    });
    expect(inner?.with).toEqual({ taskIndex: '{{ pass.each.index }}', taskCount: '{{ pass.each.total }}' });
    expect(out?.if).toBe('default(inputs.spec.title == "x", false)');
    expect(Object.keys(out?.with as JsonObject)).toEqual(['task']);
  });

  it('what a task puts out and a later step reads is carried out of the tasks', () => {
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - { name: each, type: per-task, source: plan.tasks, steps: [ { name: in, prompt: do, output: done } ] }
  - { name: out, prompt: do, condition: done.ok, input: done.file }
`);
    const native = nativeOf(text, FILES);
    const [, each, out] = native.steps as JsonObject[];
    expect(native.vars).toEqual({ done: null });
    expect(each?.exit).toBeUndefined();
    expect(inside(each)[0]?.exit).toEqual([{ when: 'status == "done"', set: { done: '{{ output }}' } }]);
    expect([out?.if, out?.with]).toEqual([
      'truthy(vars.done.ok)',
      { file: '{{ default(vars.done.file, null) }}' },
    ]);
  });

  it('what is put out both beside and inside of the tasks is what was put out last', () => {
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - { name: before, prompt: do, output: review }
  - { name: early, prompt: do, condition: review.ok }
  - { name: each, type: per-task, source: plan.tasks, steps: [ { name: in, prompt: do, output: review }, { name: own, prompt: do, condition: review.ok } ] }
  - { name: out, prompt: tell, condition: '!review.bad' }
`);
    const files = { ...FILES, '.wrangler/prompts/tell.md': '{{review.why}}' };
    const native = nativeOf(text, files);
    const [, before, early, each, out] = native.steps as JsonObject[];
    const [within, own] = inside(each);
    const kept = [{ when: 'status == "done"', set: { review: '{{ output }}' } }];
    expect([before?.exit, within?.exit, each?.exit]).toEqual([kept, kept, undefined]);
    expect([native.vars, early?.if, own?.if]).toEqual([
      { review: null },
      ...['truthy(review.ok)', 'truthy(review.ok)'],
    ]);
    expect([out?.if, out?.with]).toEqual(['!truthy(vars.review.bad)', { review: '{{ vars.review }}' }]);
  });

  it('what several per-tasks put out is what the last of them did, also for a step between them', () => {
    const tasks = (name: string) =>
      `  - { name: ${name}, type: per-task, source: plan.tasks, steps: [ { name: in, prompt: do, output: review } ] }\n`;
    const text = second(
      `  - { name: plan, prompt: do, output: plan }\n${tasks('one')}  - { name: between, prompt: do, condition: review.ok }\n${tasks('two')}  - { name: later, prompt: do, output: review, condition: review.ok }\n  - { name: out, prompt: do, condition: review.ok }\n`,
    );
    const [, one, between, two, later, out] = steps(text);
    for (const keeper of [inside(one)[0], inside(two)[0], later])
      expect(keeper?.exit).toEqual([{ when: 'status == "done"', set: { review: '{{ output }}' } }]);
    for (const reader of [between, later, out]) expect(reader?.if).toBe('truthy(vars.review.ok)');
    expect(rendered(compileSample(text, FILES))).not.toContain(': error:');
  });

  it('a loop around tasks sees what they put out, and what nested tasks put out is there after both', () => {
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - { name: look, prompt: do, output: review }
  - name: again
    type: loop
    condition: review.bad
    maxRetries: 2
    steps:
      - name: each
        type: per-task
        source: plan.tasks
        steps:
          - { name: in, prompt: do, output: review }
          - { name: parts, type: per-task, source: task.parts, output: parts, steps: [ { name: deep, prompt: do, output: deep } ] }
  - { name: out, prompt: do, condition: deep.ok && parts.length > 0 }
`);
    expect(rendered(compileSample(text, FILES))).not.toContain(': error:');
    const [, look, again, out] = steps(text);
    expect([look?.exit, again?.loop]).toMatchObject([
      [{ set: { review: '{{ output }}' } }],
      { while: 'truthy(vars.review.bad)' },
    ]);
    const [each] = inside(again);
    const [, parts] = inside(each);
    expect(inside(parts)[0]?.exit).toMatchObject([{ set: { deep: '{{ output }}' } }]);
    expect(each?.exit).toEqual([{ set: { parts: '{{ default(parts, vars.parts) }}' } }]);
    expect(out?.if).toMatch(/^truthy\(vars\.deep\.ok\) && .*size\(vars\.parts\)/);
  });

  it('a group in the tasks keeps what it put out also where one of its steps failed', () => {
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - { name: each, type: per-task, source: plan.tasks, steps: [ { name: g, type: parallel, output: all, steps: [ { name: in, agent: looker, prompt: do } ] } ] }
  - { name: out, prompt: do, condition: all.in.bad }
`);
    const [, each] = steps(text);
    expect(inside(each)[0]?.exit).toEqual([{ set: { all: '{{ default(output, vars.all) }}' } }]);
    expect(rendered(compileSample(text, FILES))).not.toContain(': error:');
  });

  it('what a per-task puts out itself comes after what its steps put out', () => {
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - { name: each, type: per-task, source: plan.tasks, output: done, steps: [ { name: in, prompt: do, output: done } ] }
  - { name: out, prompt: do, condition: done.length > 0 }
`);
    const native = nativeOf(text, FILES);
    expect([native.vars, (native.steps as JsonObject[])[2]?.if]).toEqual([
      undefined,
      expect.stringContaining('size(done)'),
    ]);
  });

  it('in a loop, what tasks put out in the pass before is there', () => {
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - name: again
    type: loop
    condition: plan.open
    maxRetries: 2
    steps:
      - { name: tell, prompt: tell }
      - { name: each, type: per-task, source: plan.tasks, steps: [ { name: in, prompt: do, output: done } ] }
`);
    const files = { ...FILES, '.wrangler/prompts/tell.md': '{{done.why}}' };
    const [, again] = steps(text, files);
    expect(inside(again)[0]?.with).toEqual({ done: '{{ vars.done }}' });
  });

  it('`input` gives the last name of a path, or each name of a map; other values are values', () => {
    const text = second(`
  - { name: a, prompt: do, output: review }
  - { name: b, prompt: do, input: review.issues }
  - { name: c, prompt: do, input: { first: 'review.issues[0]', deep: { all: review, n: 3, on: true } } }
`);
    expect(steps(text).map((step) => step.with)).toEqual([
      undefined,
      { issues: '{{ default(review.issues, null) }}' },
      {
        first: '{{ default(review.issues[0], null) }}',
        deep: { all: '{{ default(review, null) }}', n: 3, on: true },
      },
    ]);
  });

  it('a prompt of ours that says what it takes is given that, where it is there', () => {
    const inputs = ['spec', 'task', 'plan', 'later', 'nothing'].map((name) => `${name}: { required: false }`);
    const files = { ...FILES, 'prompts/ours.md': `---\ninputs: { ${inputs.join(', ')} }\n---\nDo.\n` };
    const text = second(`
  - { name: plan, prompt: do, output: plan }
  - { name: each, type: per-task, source: plan.tasks, steps: [ { name: in, prompt: ours.md } ] }
  - { name: later, prompt: do, output: later }
`);
    const [, each] = steps(text, files);
    expect(inside(each)[0]?.with).toEqual({
      spec: '{{ inputs.spec }}',
      task: '{{ task }}',
      plan: '{{ default(plan, null) }}',
    });
  });
});

describe('limits and failures', () => {
  it('are said on every step; a group hands the failure of its steps on', () => {
    const phases = `
  - name: group
    type: parallel
    steps: [ { name: one, agent: looker, prompt: do } ]
  - { name: fix, type: loop, condition: spec.x, maxRetries: 5, onExhausted: warn, steps: [ { name: in, prompt: do } ] }
`;
    const [group, fix] = steps(second(phases, 'safety: { failOnStepError: false, maxLoopRetries: 2 }\n'));
    expect([group?.on_fail, inside(group)[0]?.on_fail]).toEqual(['continue', 'stop']);
    expect(fix).toMatchObject({
      loop: { while: 'truthy(inputs.spec.data.x)', max: 2, exhausted: 'continue' },
      on_fail: 'continue',
    });
    expect(steps(second(phases))[1]).toMatchObject({ loop: { max: 5 }, on_fail: 'stop' });
  });

  it('no pass at all may be allowed, of one loop or of all', () => {
    const fix = (max: string) =>
      `\n  - { name: fix, type: loop, condition: spec.x, ${max}onExhausted: escalate, steps: [ { name: in, prompt: do } ] }\n`;
    const none = { loop: { max: 0, exhausted: 'pause' } };
    expect(steps(second(fix('maxRetries: 0, ')))[0]).toMatchObject(none);
    expect(steps(second(fix(''), 'safety: { maxLoopRetries: 0 }\n'))[0]).toMatchObject(none);
  });

  it('milliseconds are durations; what the client is told is in `params`', () => {
    const head = `safety: { maxStepTimeoutMs: 120000, maxWorkflowDurationMs: 1500 }\n`;
    const native = nativeOf(
      first(
        '  - { name: a, agent: agents/a.md, maxTurns: 3 }',
        `${head}defaults: { model: opus, permissionMode: plan, settingSources: [user], mcpServers: { x: { command: y } }, maxTurns: 9 }\n`,
      ),
      { 'agents/a.md': '---\nmodel: haiku\n---\nDo.\n' },
    );
    expect(native).toMatchObject({
      limits: { step: '2m', duration: '1500ms' },
      defaults: {
        model: 'opus',
        params: {
          permission_mode: 'plan',
          setting_sources: ['user'],
          mcp_servers: { x: { command: 'y' } },
          max_turns: 9,
        },
      },
      workspace: 'worktree',
      policy: { paused_exit: 2, branch_prefix: 'wrangler' },
      steps: [{ model: 'haiku', params: { max_turns: 3 } }],
    });
  });
});
