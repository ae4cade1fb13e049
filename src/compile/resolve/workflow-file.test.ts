import { describe, expect, it } from 'vitest';
import { compiledSample, compileSample, rendered } from '../fixtures/sample-library.ts';

const HEAD = 'lockstep: 1\nname: w\n';

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
    expect(workflow.workflows.sub?.workflows).toEqual({});
    expect(workflow.sources.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'workflow w.yaml',
      'workflow workflows/sub.yaml',
      'agent agents/dev.md',
      'workflow workflows/leaf.yaml',
    ]);
    expect(workflow.workflows.sub?.steps[0]?.work).toMatchObject({ performer: { agent: { source: 2 } } });
  });
});
