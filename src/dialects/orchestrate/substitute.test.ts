import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { renderText } from '../../expressions/expressions.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { nativeOf, problemsOf } from './fixtures/sample-translation.ts';

/** One text in the command of a step that comes after some others, inside a loop. */
function workflow(text: string, more = ''): string {
  return `version: "1.1"
context: { key: value, my-key: 1, a: { b: { c: 2 } }, x.y: dotted }
steps:
  - { name: Text, command: [x] }
  - { name: Refers, command: ["\${context.key}"] }
  - { name: Lines, command: [x], output_capture: lines }
  - { name: Json, command: [x], output_capture: json }
  - { name: Kept, command: [x], output_capture: json, allow_parse_error: true }
  - { name: Perhaps, command: [x], when: { exists: a } }
  - { name: 'Dotted.name', command: [x] }
  - { name: Wait, wait_for: { glob: a } }
  - { name: Same, command: [x] }
  - name: Loop
    for_each:
      items: [a]
${more}
      steps:
        - { name: Same, command: [x], output_capture: lines }
        - { name: Here, command: [${JSON.stringify(text)}] }
        - { name: Later, command: [x] }
  - { name: After, command: [x] }
`;
}

function wordOf(text: string, more = ''): Json | undefined {
  const steps = nativeOf(workflow(text, more)).steps as JsonObject[];
  const loop = steps.find(({ id }) => id === 'Loop');
  const inner = (loop?.steps ?? []) as JsonObject[];
  const words = (inner.find(({ id }) => id === 'Here')?.run ?? []) as Json[];
  return words[0];
}

const nothing = (name: string) => `{{ absent("\${${name}}") }}`;

describe('a reference', () => {
  const table: [name: string, expected: string][] = [
    ['run.id', '{{ run.id }}'],
    ['run.root', '{{ run.root }}'],
    ['run.timestamp_utc', '{{ run.started }}'],
    ['run.other', nothing('run.other')],
    ['item', '{{ item }}'],
    ['item.name.first', '{{ called(item.name.first, "${item.name.first}") }}'],
    ['loop.index', '{{ pass.index }}'],
    ['loop.total', '{{ pass.total }}'],
    ['loop.other', nothing('loop.other')],
    ['steps.Text.output', '{{ steps.Text.output }}'],
    ['steps.Text.exit_code', '{{ steps.Text.exit_code }}'],
    ['steps.Text.duration_ms', '{{ steps.Text.duration_ms }}'],
    ['steps.Text.duration', '{{ steps.Text.duration_ms }}'],
    ['steps.Text.lines', nothing('steps.Text.lines')],
    ['steps.Text.json', nothing('steps.Text.json')],
    ['steps.Text.other', nothing('steps.Text.other')],
    ['steps.Text', nothing('steps.Text')],
    ['steps.Lines.lines', '{{ steps.Lines.output }}'],
    ['steps.Lines.output', nothing('steps.Lines.output')],
    [
      'steps.Json.json',
      '{{ (default(steps.Json.status, "done") != "done" && (steps.Json.output == null || text(steps.Json.output) == steps.Json.output) ? absent("${steps.Json.json}") : steps.Json.output) }}',
    ],
    ['steps.Refers.output', '{{ default(steps.Refers.output, absent("${steps.Refers.output}")) }}'],
    ['steps.Refers.exit_code', '{{ steps.Refers.exit_code }}'],
    ['steps.Json.json.a.b-c', '{{ called(steps.Json.output.a["b-c"], "${steps.Json.json.a.b-c}") }}'],
    ['steps.Json.output', nothing('steps.Json.output')],
    [
      'steps.Kept.json.a',
      '{{ called((truthy(steps.Kept.parse_error) ? absent("${steps.Kept.json.a}") : steps.Kept.output).a, "${steps.Kept.json.a}") }}',
    ],
    [
      'steps.Kept.output',
      '{{ (truthy(steps.Kept.parse_error) ? steps.Kept.output : absent("${steps.Kept.output}")) }}',
    ],
    [
      'steps.Perhaps.exit_code',
      '{{ default(steps.Perhaps.exit_code, default(steps.Perhaps.status, "") == "skipped" ? 0 : absent("${steps.Perhaps.exit_code}")) }}',
    ],
    ['steps.Perhaps.output', '{{ default(steps.Perhaps.output, absent("${steps.Perhaps.output}")) }}'],
    ['steps.Dotted.name.output', '{{ steps.Dotted_name.output }}'],
    ['steps.Wait.exit_code', '{{ steps.Wait.exit_code }}'],
    ['steps.Wait.output', nothing('steps.Wait.output')],
    // Its own list first, then outwards; what cannot have run is not there.
    ['steps.Same.lines', '{{ steps.Same_2.output }}'],
    ['steps.Same.output', nothing('steps.Same.output')],
    ['steps.Here.output', nothing('steps.Here.output')],
    ['steps.Later.output', nothing('steps.Later.output')],
    ['steps.After.output', nothing('steps.After.output')],
    ['steps.Loop.exit_code', nothing('steps.Loop.exit_code')],
    ['steps.Nowhere.output', nothing('steps.Nowhere.output')],
    ['context.key', '{{ inputs.key }}'],
    ['context.my-key', '{{ inputs["my-key"] }}'],
    ['context.a.b.c', '{{ called(inputs.a.b.c, "${context.a.b.c}") }}'],
    ['context.x.y', '{{ inputs["x.y"] }}'],
    ['context.given', '{{ called(inputs.given, "${context.given}") }}'],
    ['context', nothing('context')],
    ['HOME', nothing('HOME')],
    ['', nothing('')],
  ];
  it.each(table)('${%s}', (name, expected) => expect(wordOf(`\${${name}}`)).toBe(expected));

  it('that names nothing is told at load, where it stands', () => {
    const [problem] = problemsOf(workflow('a ${HOME}'));
    expect(problem).toMatchObject({
      code: 'unresolved-reference',
      severity: 'warning',
      span: { line: 19, column: 38 },
    });
  });

  it('to a key that the context lacks asks for nothing: it may be given when the run starts', () => {
    expect(problemsOf(workflow('${context.given}'))).toEqual([]);
    expect(nativeOf(workflow('${context.given.deep}')).inputs).toMatchObject({
      key: { type: 'any', default: 'value' },
      given: { type: 'any', required: false },
    });
  });

  it('to the environment is refused', () => {
    const [problem] = problemsOf(workflow('${env.HOME}'));
    expect(problem).toMatchObject({
      code: 'env-reference',
      severity: 'error',
      context: { invalid_reference: ['env.HOME'] },
    });
  });
});

describe('what an item is called', () => {
  const table: [as: string, name: string, expected: string][] = [
    ['file', 'file', '{{ file }}'],
    ['file', 'item', nothing('item')],
    ['my-file', 'my-file', '{{ my_file }}'],
    ['in', 'in', '{{ item_in }}'],
    ['inputs', 'inputs', '{{ item_inputs }}'],
    ['string', 'string', '{{ string_2 }}'],
    // The loop comes before steps and context, and after run.
    ['context', 'context.key', '{{ called(context.key, "${context.key}") }}'],
    ['steps', 'steps.Text.output', '{{ called(item_steps.Text.output, "${steps.Text.output}") }}'],
    ['run', 'run.id', '{{ run.id }}'],
    ['run', 'run', '{{ item_run }}'],
    ['loop', 'loop.index', '{{ pass.index }}'],
    ['loop', 'loop', '{{ item_loop }}'],
    ['loop', 'loop.name', '{{ called(item_loop.name, "${loop.name}") }}'],
  ];
  it.each(table)('as %s: ${%s}', (as, name, expected) => {
    expect(wordOf(`\${${name}}`, `      as: ${as}`)).toBe(expected);
  });
});

describe('a text', () => {
  const values: JsonObject = { key: 'value', 'my-key': 1 };
  const bindings = {
    lookup: (root: string) => (root === 'inputs' ? values : undefined),
    fact: () => undefined,
  };

  it('comes out as that language says, whatever braces and quotes stand in it', () => {
    const unit = fc.constantFrom('$', '{', '}', '{{', '}}', '{%', '%}', 'a', '"', "'", '\\', '\n', ' ');
    const literal = fc.string({ unit }).map((text) => ({ text: text.replaceAll('$', '$$$$'), comes: text }));
    const filled = fc
      .constantFrom('key', 'my-key')
      .map((key) => ({ text: `\${context.${key}}`, comes: String(values[key]) }));
    fc.assert(
      fc.property(fc.array(fc.oneof(literal, filled)), (pieces) => {
        const word = String(wordOf(pieces.map(({ text }) => text).join('')));
        const value = pieces.map(({ comes }) => comes).join('');
        expect(renderText(word, bindings)).toEqual({ kind: 'value', value });
      }),
      { numRuns: tries(300, 100) },
    );
  });
});
