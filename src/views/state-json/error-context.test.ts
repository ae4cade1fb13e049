import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { type Around, errorContext, nameInTheirs } from './error-context.ts';

const STEPS: Record<string, ReturnType<Around['stepCalled']>> = {
  list: { name: 'List', capture: 'lines' },
  'a-b': { name: 'A b', capture: 'json' },
  say: { name: 'say', capture: 'text' },
};
const around: Around = { argv: undefined, durationMs: 1004.4, stepCalled: (id) => STEPS[id] };

describe('the names of absent values in state.json', () => {
  it.each([
    ['inputs.missing', 'context.missing'],
    ['inputs["my-key"].a', 'context.my-key.a'],
    [String.raw`inputs["a\"b"]`, 'context.a"b'],
    ['vars.count', 'context.count'],
    ['pass.index', 'loop.index'],
    ['pass.total', 'loop.total'],
    ['pass.number', 'pass.number'],
    ['run.started', 'run.timestamp_utc'],
    ['run.id', 'run.id'],
    ['steps.list.output', 'steps.List.lines'],
    ['steps.list.output[0]', 'steps.List.lines.0'],
    ['steps["a-b"].output.files', 'steps.A b.json.files'],
    ['steps.say.output', 'steps.say.output'],
    ['steps.say.exit_code', 'steps.say.exit_code'],
    ['steps.say', 'steps.say'],
    ['steps.nobody.output', 'steps.nobody.output'],
    [`\${steps.List.output}`, 'steps.List.output'],
    [`\${HOME}`, 'HOME'],
    ['item.name', 'item.name'],
    ['', ''],
  ])('%s is %s', (ours, theirs) => {
    expect(nameInTheirs(ours, around.stepCalled)).toBe(theirs);
  });
});

describe('the context of an error in state.json', () => {
  it.each<[JsonObject, JsonObject]>([
    [{}, {}],
    [{ absent: ['inputs.missing', 'vars.missing'] }, { undefined_vars: [`\${context.missing}`] }],
    [
      { absent: ['inputs.x', 'steps.list.output', `\${steps.Gone.json}`] },
      {
        undefined_vars: [`\${context.x}`, `\${steps.List.lines}`, `\${steps.Gone.json}`],
        invalid_reference: ['steps.List.lines', 'steps.Gone.json'],
      },
    ],
    [{ not_a_list: 'steps["a-b"].output.files' }, { invalid_reference: ['steps.A b.json.files'] }],
    [{ missing_files: ['data/*.csv'] }, { failed_deps: ['data/*.csv'] }],
    [{ missing_secrets: ['TOKEN'] }, { missing_secrets: ['TOKEN'] }],
    [{ missing_placeholders: ['model'] }, { missing_placeholders: ['model'] }],
    [{ timeout_ms: 1500 }, { timeout: { timeout_sec: 1.5, duration_ms: 1004 } }],
    [{ schema_violations: ['/a is required'] }, { json_schema_errors: ['/a is required'] }],
    [
      { require_failed: { pointer: '/approved', reason: 'it is false' } },
      { json_require_failed: { pointer: '/approved', reason: 'it is false' } },
    ],
    [{ json_parse_error: 'overflow' }, { json_parse_error: { reason: 'overflow' } }],
    [{ code: 'ENOENT' }, { code: 'ENOENT' }],
  ])('%j is told as %j', (details, context) => {
    expect(errorContext(details, around)).toEqual(context);
  });

  it('has the command as it was started, whatever failed', () => {
    expect(errorContext({}, { ...around, argv: ['cat', 'a b'] })).toEqual({
      substituted_command: ['cat', 'a b'],
    });
  });
});
