import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Workflow } from '../../model/workflow.ts';
import { built } from '../../source/build-nodes.ts';
import { report } from '../../source/diagnostics.ts';
import type { MapNode } from '../../source/read/node.ts';
import { toJson } from '../../source/read/node.ts';
import { sourceText } from '../../source/read/source.ts';
import { readYaml } from '../../source/read/yaml.ts';
import { compileSample } from '../fixtures/sample-library.ts';
import { printWorkflow } from './print.ts';

function withoutPlaces(workflow: Workflow): unknown {
  return JSON.parse(
    JSON.stringify(workflow, (key, value) =>
      key === 'at' || key === 'sources' || key === 'refused' ? undefined : value,
    ),
  );
}

const place = { source: sourceText('theirs.yaml', 'x'), start: 0, end: 1 };

function printed(document: JsonObject): string {
  return printWorkflow(built(place).node(document) as MapNode, 'Made by a test.');
}

function readBack(text: string): Json {
  const problems = report();
  const node = readYaml(sourceText('printed.yaml', text), problems);
  expect(problems.diagnostics(), text).toEqual([]);
  return node === undefined ? null : toJson(node);
}

const ODD = [
  '',
  ' ',
  ' lead',
  'trail ',
  'a: b',
  'a:',
  'a #b',
  '# a',
  '- a',
  '-',
  '---',
  '...',
  '? a',
  '{{ inputs.x }}',
  '{% raw %}',
  '!tag',
  '&anchor',
  '*alias',
  '@at',
  '`tick`',
  '%directive',
  '|',
  '>-',
  "it's",
  '"quoted"',
  'back\\slash',
  '[1, 2]',
  '{ a: b }',
  'a, b',
  '1',
  '1.10',
  '-0',
  '+1',
  '.5',
  '1e3',
  '0x1F',
  '0o17',
  '1_000',
  '.inf',
  '-.INF',
  '.NaN',
  '~',
  'null',
  'True',
  'FALSE',
  'yes',
  'Off',
  'n',
  '2024-01-01',
  '8KiB',
  '10m',
  '<<',
  '=',
  './x',
  '../x/y',
  '/abs',
  '.hidden',
  'über ☃ 😀 日本',
  'tab\there',
  '\ttab first',
  'a\r\nb',
  'a\rb',
  'a\nb',
  'a\nb\n',
  'a\nb\n\n\n',
  '\na\nb',
  '\n',
  '\n\n',
  'a\n',
  '  a\nb',
  'a\n  b\n\n c',
  ' \n a',
  'a\n\tb',
  'a \nb',
  'a\n \nb',
  'a\n#b\n---\n...',
  '\u0000\u0007\u001b\u007f\u0085\u00a0\u2028\u2029\ufeff\ufffd\ufffe',
  '\ud800',
  'x\udc00y',
  'long '.repeat(60),
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD) },
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.stringMatching(/^[ \n\t\r:#\-{}'"\\|>a1]{0,14}$/),
);
const key = text.filter((each) => each !== '').map((each) => each.slice(0, 200));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    text,
    number.map((each) => (each === 0 ? 0 : each)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Values that the language has in the places where they may be, and anything at all elsewhere. */
const step = (steps: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc
    .record(
      {
        id: fc.constantFrom('a', 'b'),
        if: text,
        run: fc.oneof(text, fc.array(text, { maxLength: 4 })),
        labels: fc.dictionary(key, json, { maxKeys: 3 }),
        env: fc.dictionary(key, text, { maxKeys: 3 }),
        done: json,
        next: fc.array(fc.record({ when: text, goto: text }), { maxLength: 3 }),
        exit: fc.array(fc.record({ call: fc.constant('move'), with: fc.dictionary(key, text) }), {
          maxLength: 2,
        }),
        steps,
      },
      { requiredKeys: ['id'] },
    )
    .map((each) => each as JsonObject);
const document = fc
  .record(
    {
      steps: fc.array(step(fc.array(step(fc.constant([])), { maxLength: 2 })), { maxLength: 3 }),
      inputs: fc.dictionary(key, fc.record({ type: fc.constant('any'), default: json })),
      providers: json,
      policy: json,
      description: text,
      name: text,
      lockstep: fc.constant(1),
      extra: json,
    },
    { requiredKeys: ['lockstep'] },
  )
  .map((each) => each as JsonObject);

describe('print', () => {
  it('P1: reading what was printed gives the same tree, whatever the texts are', () => {
    fc.assert(
      fc.property(document, (given) => {
        expect(readBack(printed(given))).toEqual(given);
      }),
      { numRuns: tries(1_500, 300) },
    );
  });

  it.each(ODD.map((each) => [each]))('P1: %j comes back from every place it can stand in', (odd) => {
    const given: JsonObject = {
      lockstep: 1,
      description: odd,
      guidance: [odd, odd],
      steps: [{ id: 'a', if: odd, run: [odd], env: { A: odd }, steps: [{ id: 'b', run: odd }] }],
      ...(odd === ''
        ? {}
        : { inputs: { [odd]: { type: 'any', default: { [odd]: [odd, [odd, { a: odd }]] } } } }),
    };
    expect(readBack(printed(given))).toEqual(given);
  });

  it('writes what a person would write', () => {
    const long = 'tee -a artifacts/engineer/implementation-log-of-everything-that-was-done.md';
    expect(
      printed({
        steps: [
          {
            run: ['echo', '{{ inputs.who }}', 'yes', 1],
            next: [
              { goto: 'end', when: 'status == "failed"' },
              { goto: 'b', when: 'true' },
            ],
            id: 'a',
            if: 'size(files("*.md")) > 0',
            labels: { name: 'Say: hello' },
            retry: { on: [1, 124], delay: '1s', max: 2 },
          },
          {
            steps: [{ id: 'c', run: ['bash', '-c', 'set -e\nmake all\n'] }],
            on_fail: 'continue',
            id: 'b',
            each: 'x in [1, 2]',
          },
          { id: 'd', run: ['bash', '-lc', long, long], done: { schema: { file: 'a.json' }, tries: 1 } },
          { id: 'e', prompt: { text: '' }, env: {}, secrets: [] },
        ],
        policy: { state: 'every-step', dirs: { inbox: 'inbox', task_extension: '.task' } },
        inputs: { who: { default: 'you', type: 'any' }, 'my-key': { type: 'any', required: false } },
        on_fail: 'stop',
        name: 'demo',
        lockstep: 1,
      }),
    ).toMatchInlineSnapshot(`
      "# Made by a test.

      lockstep: 1
      name: demo

      inputs:
        who: { type: any, default: you }
        my-key: { type: any, required: false }

      on_fail: stop

      policy:
        state: every-step
        dirs: { inbox: inbox, task_extension: .task }

      steps:
        - id: a
          labels: { name: 'Say: hello' }
          if: 'size(files("*.md")) > 0'
          run: [echo, '{{ inputs.who }}', 'yes', 1]
          retry: { max: 2, delay: 1s, on: [1, 124] }
          next:
            - { when: 'status == "failed"', goto: end }
            - { when: 'true', goto: b }

        - id: b
          each: 'x in [1, 2]'
          on_fail: continue
          steps:
            - id: c
              run:
                - bash
                - -c
                - |
                  set -e
                  make all

        - id: d
          run:
            - bash
            - -lc
            - tee -a artifacts/engineer/implementation-log-of-everything-that-was-done.md
            - tee -a artifacts/engineer/implementation-log-of-everything-that-was-done.md
          done:
            schema: { file: a.json }
            tries: 1

        - id: e
          prompt: { text: '' }
          env: {}
          secrets: []
      "
    `);
  });

  it('compiles to the same workflow as what it was printed from', () => {
    const folder = join(import.meta.dirname, '../../../examples');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.ya?ml$/.test(path),
    );
    let compared = 0;
    for (const path of files) {
      const text = readFileSync(join(folder, path), 'utf8');
      const result = compileSample(text);
      if (result.kind !== 'compiled') continue;
      const node = readYaml(sourceText('w.yaml', text), report()) as MapNode;
      const again = compileSample(printWorkflow(node, 'again'));
      if (again.kind !== 'compiled') throw new Error(`${path} does not compile any more`);
      expect(withoutPlaces(again.workflow)).toEqual(withoutPlaces(result.workflow));
      compared++;
    }
    expect(compared).toBeGreaterThan(3);
  });
});
