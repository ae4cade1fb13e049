import { describe, expect, it } from 'vitest';
import { compiledSample } from '../fixtures/sample-library.ts';

describe('what a workflow says about itself', () => {
  it('is taken over whole', () => {
    const {
      steps: _,
      sources: __,
      ...workflow
    } = compiledSample(`lockstep: 1
name: ship.it
description: Ships.
inputs:
  spec: { type: file, description: What to build }
  level: { type: number, default: 2, choices: [1, 2] }
  on: { type: boolean, default: false, by: person }
  list: { type: list, default: [a] }
  map: { type: map, default: { a: 1 } }
vars: { dataset: customers, any: null }
limits: { duration: 1h, step: 20m, cost: 20, tokens: 2000000, turns: 60, visits: 5, stop_blocks: 2 }
on_fail: continue
guard: { unenforceable: warn, engine_down: allow }
policy:
  on_changed: refuse
  state: every-step
  keep_stdout: truncated
  paused_exit: 2
  dirs: { inbox: in, processed: done, failed: bad, task_extension: .task }
providers:
  mine: { command: [my-agent, --level, 3, '{{ prompt }}'], defaults: { model: m } }
references:
  - { id: spec, title: Spec, source: docs/spec.md, purpose: Says what, authoritative: true, from: package }
  - { id: web, source: 'https://example.com' }
guidance: [Be brief.]
tools: { allow: [Read], deny: [Write] }
outputs: { level: '{{ inputs.level }}' }
steps: [{ id: a, run: x }]
`);
    expect(workflow).toEqual({
      lockstep: 1,
      name: 'ship.it',
      description: 'Ships.',
      inputs: {
        spec: { type: 'file', description: 'What to build' },
        level: { type: 'number', default: 2, choices: [1, 2] },
        on: { type: 'boolean', default: false, by: 'person' },
        list: { type: 'list', default: ['a'] },
        map: { type: 'map', default: { a: 1 } },
      },
      vars: { dataset: 'customers', any: null },
      limits: {
        duration: 3_600_000,
        step: 1_200_000,
        cost: 20,
        tokens: 2_000_000,
        turns: 60,
        visits: 5,
        stopBlocks: 2,
      },
      onFail: 'continue',
      workspace: 'here',
      guard: { unenforceable: 'warn', engineDown: 'allow' },
      invariants: [],
      policy: {
        onChanged: 'refuse',
        state: 'every-step',
        keepStdout: 'truncated',
        pausedExit: 2,
        dirs: { inbox: 'in', processed: 'done', failed: 'bad', taskExtension: '.task' },
      },
      providers: {
        mine: {
          command: ['my-agent', '--level', '3', '{{ prompt }}'],
          input: 'argv',
          defaults: { model: 'm' },
        },
      },
      references: [
        {
          id: 'spec',
          title: 'Spec',
          source: 'docs/spec.md',
          purpose: 'Says what',
          authoritative: true,
          from: 'package',
        },
        { id: 'web', source: 'https://example.com', from: 'workspace' },
      ],
      guidance: ['Be brief.'],
      tools: { allow: ['Read'], deny: ['Write'] },
      rules: [],
      events: {},
      outputs: { level: '{{ inputs.level }}' },
      workflows: {},
      refused: [],
    });
  });

  it('rule 3: on_fail of the workflow is that of steps which do not say', () => {
    const { steps } = compiledSample(
      'lockstep: 1\nname: w\non_fail: continue\nsteps: [{ id: a, run: x }, { id: b, run: x, on_fail: stop }]\n',
    );
    expect(steps.map(({ onFail }) => onFail)).toEqual(['continue', 'stop']);
  });

  it('an events workflow needs no steps', () => {
    const { events, steps } = compiledSample(
      "lockstep: 1\nname: w\nvars: { n: 0 }\nevents: { session_start: [{ set: { n: 1 } }], stop: [{ when: 'vars.n > 0', run: [x], output: last }] }\n",
    );
    expect(steps).toEqual([]);
    expect(events).toEqual({
      session_start: [{ work: { kind: 'set', values: { n: 1 } } }],
      stop: [
        { when: 'vars.n > 0', work: { kind: 'run', command: { kind: 'argv', argv: ['x'] } }, output: 'last' },
      ],
    });
  });

  it('inputs of any type and name, that may be left out', () => {
    const { inputs, steps } = compiledSample(`lockstep: 1
name: w
inputs:
  my-key: { type: any, required: false }
  loop: { type: any, default: { a: [1] } }
  'a "b"': { type: any, default: null }
steps:
  - { id: a, run: [echo, '{{ inputs["my-key"].any.thing }}', '{{ inputs["loop"].a[0] }}', '{{ text(inputs["a \\"b\\""]) }}'] }
`);
    expect(inputs).toEqual({
      'my-key': { type: 'any', required: false },
      loop: { type: 'any', default: { a: [1] } },
      'a "b"': { type: 'any', default: null },
    });
    expect(steps).toHaveLength(1);
  });

  it('patterns as POSIX has them, secrets for all, providers that get no prompt, parameters without a value', () => {
    const { policy, providers } = compiledSample(`lockstep: 1
name: w
policy: { globs: posix, secrets: inherited, branch_prefix: wrangler }
providers: { quiet: { command: [q, '{{ level }}'], input: none, defaults: { level: null } } }
steps: [{ id: a, provider: quiet, prompt: { text: hi } }]
`);
    expect(policy).toMatchObject({ globs: 'posix', secrets: 'inherited', branchPrefix: 'wrangler' });
    expect(providers).toEqual({
      quiet: { command: ['q', '{{ level }}'], input: 'none', defaults: { level: null } },
    });
  });
});
