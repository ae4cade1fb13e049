import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Step, Workflow } from '../model/workflow.ts';
import { stepShape } from '../source/grammar/step-shape.ts';
import { compile, needKey } from './compile.ts';
import { compiledSample, compileSample } from './fixtures/sample-library.ts';

const HEAD = 'lockstep: 1\nname: w\n';

function steps(text: string, files: Record<string, string> = {}): Step[] {
  return compiledSample(`${HEAD}steps:\n${text}`, files).steps;
}

function only(text: string, files: Record<string, string> = {}): Step {
  const [step] = steps(text, files);
  if (step === undefined) throw new Error('no step');
  return step;
}

describe('what only a live session can do', () => {
  it('is accepted, and named with its place', () => {
    const text = `${HEAD}workspace: worktree
rules: [{ when: 'true', block: no }]
events: { stop: [{ say: bye }] }
steps:
  - { id: a, run: x }
  - id: b
    steps:
      - { id: c, call: create-issues, with: { issues: [] }, enter: [{ say: hi }] }
      - { id: d, run: x, exit: [{ call: switch-mode, with: { mode: plan } }] }
      - { id: e, prompt: { text: hi }, exit: [{ set: {}, when: 'session.title == "x"' }], rules: [{ when: 'true', warn: hm }], workspace: worktree }
`;
    expect(compiledSample(text).refused.map(({ what, where }) => `${what}: ${where}`)).toMatchInlineSnapshot(`
      [
        "\`events\`: w.yaml:5",
        "\`say\`: w.yaml:5",
        "\`say\`: b/c (w.yaml:10)",
        "\`call: switch-mode\`: b/d (w.yaml:11)",
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
    const first = compile({ main, files, hash: String, dialects: [] });
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
      { numRuns: tries(1_500, 300) },
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
      { numRuns: tries(300, 100) },
    );
  });

  it('LS-HOSTILE-PROTO: __proto__ and constructor as keys of free maps do no harm', () => {
    const workflow = compiledSample(
      `${HEAD}vars: { constructor: 1, a: { __proto__: { x: 1 } } }\nsteps:\n  - { id: constructor, run: x, labels: { __proto__: { y: 1 } } }\n  - { id: b, call: noop, with: { value: { __proto__: { z: 1 } } } }\n`,
    );
    expect(JSON.stringify(workflow.vars)).toBe('{"constructor":1,"a":{"__proto__":{"x":1}}}');
    expect(JSON.stringify(workflow.steps[0]?.labels)).toBe('{"__proto__":{"y":1}}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
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
