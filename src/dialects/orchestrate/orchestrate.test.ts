import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { compileSample } from '../../compile/fixtures/sample-library.ts';
import type { Json } from '../../model/json.ts';
import { nativeOf, problemsOf, translated } from './fixtures/sample-translation.ts';

const KEYS = (
  'version name strict_flow context providers inbox_dir processed_dir failed_dir task_extension steps agent when equals ' +
  'left right exists not_exists on success failure always goto provider provider_params command input_file output_file ' +
  'output_capture allow_parse_error output_schema output_require pointer type env secrets depends_on required optional ' +
  'inject mode instruction position timeout_sec retries max delay_ms wait_for glob poll_ms min_count for_each items ' +
  'items_from as on_item_complete move_to input_mode defaults command_override __proto__ constructor'
).split(' ');
const TEXTS = [
  ...[
    'A',
    'B',
    '_end',
    'end',
    '',
    'claude',
    'lines',
    'json',
    '/x',
    '../x',
    '**',
    '1.1',
    '1.3',
    '__proto__',
    '\u0000',
    '\ud800',
  ],
  ...[
    '${run.id}',
    '${item}',
    '${item.a}',
    '${loop.index}',
    '${steps.A.output}',
    '${steps.B.json.a}',
    '${steps.A',
    '${}',
  ],
  ...[
    '${context.x}',
    '${context.}',
    '${context.__proto__}',
    '${env.X}',
    '${PROMPT}',
    '$$',
    '{{',
    '{%',
    '$(x)',
  ],
  ...['steps.A.lines', 'steps.B.json.a', 'steps..lines', 'steps.A.json.*'],
];

const { value } = fc.letrec<{ value: Json; map: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.constantFrom<Json>(...TEXTS),
    fc.constantFrom<Json>(null, true, false, 0, 1, -1, 1.5, 1e300),
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('map'),
  ),
  map: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }) as fc.Arbitrary<Json>,
}));
const step = fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 8 });

/** All that is said, by the translation and by what comes after it. */
function toldOf(text: string): string[] {
  const result = compileSample(text);
  return result.kind === 'needs'
    ? ['needs']
    : result.diagnostics.map(({ code, span }) => `${span?.line} ${code}`);
}

describe('translateOrchestrate', () => {
  it('O1: no document makes it throw, nor what comes after it', () => {
    const documents = fc.record(
      {
        version: fc.constantFrom('1.1', '1.3'),
        context: value,
        providers: value,
        steps: fc.array(step),
        name: value,
      },
      { requiredKeys: ['version', 'steps'] },
    );
    fc.assert(
      fc.property(documents, (document) => {
        // `fast-check` makes objects without a prototype; JSON does not mind.
        const text = JSON.stringify(document);
        compileSample(text);
        if (!text.includes('\\ud800') && !text.includes('\\u0000')) translated(text);
      }),
      { numRuns: tries(300, 100) },
    );
  });

  it('O2: every problem that ours finds in what it became stands in the foreign file', () => {
    const text = `version: "1.1"
steps:
  - name: A
    command: [x]
    on: { always: { goto: C } }
  - name: B
    command: [x]
  - name: C
    command: [x]
`;
    expect(problemsOf(text)).toEqual([]);
    const result = compileSample(text);
    const [problem] = result.kind === 'needs' ? [] : result.diagnostics;
    expect(problem).toMatchObject({ code: 'unreachable-step', span: { line: 6 } });
  });

  it('O3: says all that is wrong at once', () => {
    const text = `version: "1.1"
steps:
  - { name: A, command: [x], output_file: /x }
  - { name: A, provider: nobody, input_file: ../x }
  - { name: B, command: ['\${env.X}'], unknown: 1 }
`;
    expect(problemsOf(text).map(({ code, span }) => `${span?.line} ${code}`)).toEqual([
      '3 path-outside',
      '4 duplicate-name',
      '4 unknown-provider',
      '4 path-outside',
      '5 env-reference',
      '5 unknown-field',
    ]);
  });

  it.each([
    ['no command', '{}', '4 missing-field'],
    ['an empty one', '{ command: [] }', '4 wrong-type'],
    ['no word in it', '{ command: [x, null] }', '4 wrong-type'],
    ['nothing', '{ command: }', '4 wrong-type'],
  ])('O3: what is wrong with the command of a provider (%s) is told once', (_, provider, expected) => {
    const text = `version: "1.1"\nsteps: [{ name: A, provider: p }]\nproviders:\n  p: ${provider}\n`;
    expect(toldOf(text)).toEqual([expected]);
  });

  it.each(['[x, null]', '[null]', '[]', '', '[[x]]', '{ a: 1 }'])(
    'O3: what is wrong with a command (%s) is told once',
    (command) => {
      const text = `version: "1.1"\nsteps:\n  - name: A\n    command: ${command}\n`;
      expect(toldOf(text)).toEqual(['4 wrong-type']);
    },
  );

  it('a key of `context` that cannot be an input is told in its own words', () => {
    const text = `version: "1.1"
context:
  __proto__: 1
  "bad\\u0007key": 1
steps: [{ name: A, command: [x, '\${context.__proto__}'] }]
`;
    expect(toldOf(text).slice(0, 2)).toEqual(['3 bad-name', '4 bad-name']);
    expect(problemsOf(text)[0]?.message).toBe('`context`: "__proto__" cannot be used as a name');
  });

  it('a step may be called `__proto__`, and read by that name', () => {
    const text = `version: "1.1"
steps:
  - { name: __proto__, command: [x] }
  - { name: constructor, command: [x, '\${steps.__proto__.output}'] }
`;
    expect(toldOf(text)).toEqual([]);
  });

  it('a list that is too long for an expression is one of the vars', () => {
    const items = Array.from({ length: 6000 }, (_, index) => `item ${index}`);
    const steps = [{ name: 'Loop', for_each: { items, steps: [{ name: 'A', command: ['x', '${item}'] }] } }];
    const text = JSON.stringify({ version: '1.1', steps });
    expect(nativeOf(text)).toMatchObject({
      vars: { items_of_Loop: items },
      steps: [{ each: 'item in vars.items_of_Loop' }],
    });
    expect(compileSample(text).kind).toBe('compiled');
  });

  it('takes its name from the file where it has none, and keeps what people call it', () => {
    const steps = 'steps: [{ name: A, command: [x] }]\n';
    expect(nativeOf(`version: "1.1"\n${steps}`)).toMatchObject({ name: 'w' });
    expect(nativeOf(`version: "1.1"\nname: My pipeline\n${steps}`)).toMatchObject({
      name: 'My_pipeline',
      description: 'My pipeline',
    });
    expect(nativeOf(`version: "1.1"\nname: plain\n${steps}`).description).toBeUndefined();
  });

  it('thousands of steps that refer to each other are no matter of minutes', () => {
    const steps = Array.from({ length: 3000 }, (_, index) => ({
      name: `S${index}`,
      command: ['x', `\${steps.S${Math.floor(index / 2)}.output}`],
      on: { success: { goto: `S${(index * 7) % 3000}` } },
    }));
    expect(problemsOf(JSON.stringify({ version: '1.1', steps })).length).toBeGreaterThan(0);
  }, 20_000);
});

describe('the page of an error', () => {
  const codes = (
    'version-needed env-reference unresolved-reference shell-in-path globstar items-from-invalid unknown-provider ' +
    'prompt-placeholder json-capture-needed parse-error-allowed inject-unused env-literal duplicate-name yaml-version'
  ).split(' ');

  it.each(codes)('has an example that it is told of: %s', (code) => {
    const page = new URL(`../../../docs/errors/${code}.md`, import.meta.url);
    const example = /```yaml\n(version: [\s\S]*?)```/.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
    const result = compileSample(example);
    if (result.kind === 'needs') throw new Error('it needs files');
    expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });
});
