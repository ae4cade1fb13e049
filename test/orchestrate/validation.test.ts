// What JSON output must look like: output_schema and output_require, version 1.3.

import { describe, expect, it } from 'vitest';
import { type AnyJson, ran, scene } from './support.ts';

const VERDICT = JSON.stringify({
  type: 'object',
  required: ['approved', 'issues'],
  properties: { approved: { type: 'boolean' }, issues: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
});

/** A step that prints this. */
const prints = (name: string, output: unknown, more: object = {}) => ({
  name,
  command: ['echo', typeof output === 'string' ? output : JSON.stringify(output)],
  output_capture: 'json',
  ...more,
});
const workflow = (steps: object[], more: object = {}) => ({
  version: '1.3',
  name: 'checked',
  strict_flow: false,
  ...more,
  steps,
});
const GOOD = { approved: true, issues: [] };

describe('output_schema', () => {
  it('ORC13-1, ORC13-2, ORC13-3, ORC13-10: what fits is taken; what does not, does not parse or is too large has failed with 2', () => {
    const output_schema = 'schemas/verdict.json';
    const s = scene({
      files: { [output_schema]: VERDICT, 'review.md': 'Review.\n' },
      agents: { claude: [{ stdout: JSON.stringify(GOOD) }, { stdout: '{"approved":"yes"}' }] },
      workflow: workflow([
        prints('Fits', GOOD, { output_schema }),
        { name: 'Agent', provider: 'claude', input_file: 'review.md', output_capture: 'json', output_schema },
        {
          name: 'AgentWrong',
          provider: 'claude',
          input_file: 'review.md',
          output_capture: 'json',
          output_schema,
        },
        prints('Violates', { approved: 'yes', issues: [1], extra: 0 }, { output_schema }),
        prints('NoJson', 'Looks good to me!', { output_schema }),
        {
          name: 'Large',
          command: ['sh', '-c', 'printf \'["\'; head -c 1100000 /dev/zero | tr "\\0" x; printf \'"]\''],
          output_capture: 'json',
          output_schema,
        },
      ]),
    });
    ran(s.run());
    expect(s.step('Fits')).toMatchObject({ status: 'completed', exit_code: 0, json: GOOD });
    expect(s.step('Agent')).toMatchObject({ status: 'completed', exit_code: 0, json: GOOD });
    for (const name of ['AgentWrong', 'Violates']) {
      const { status, exit_code, error } = s.step(name);
      expect({ name, status, exit_code }).toEqual({ name, status: 'failed', exit_code: 2 });
      const violations: AnyJson = error.context.json_schema_errors;
      expect(violations.every((text: unknown) => typeof text === 'string')).toBe(true);
      expect(violations.join('\n')).toMatch(/approved must be true or false/);
    }
    // Not retried, not sent back: one call each.
    expect(s.agentCalls('claude')).toHaveLength(2);
    const violated = s.step('Violates').error.context.json_schema_errors.join('\n');
    expect(violated).toMatch(/issues\/0/);
    expect(violated).toMatch(/extra/);
    expect(s.step('NoJson')).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(s.step('NoJson').error.message).toMatch(/JSON/);
    expect(s.step('NoJson').error.context).not.toHaveProperty('json_schema_errors');
    expect(s.logs('NoJson.stdout')).toBe('Looks good to me!\n');
    expect(s.step('Large')).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(s.step('Large').error.context).not.toHaveProperty('json_schema_errors');
    expect(s.step('Large').error.message).toMatch(/1 MiB|1048576|1,048,576|too large|too long/);
  });

  it('ORC13-9: the path knows context and stays in the workspace, also when it does so only on paper', () => {
    const s = scene({
      files: { 'schemas/v1.json': VERDICT, 'schemas/broken.json': '{ "type": 12 }' },
      workflow: workflow(
        [
          prints('Fits', GOOD, { output_schema: 'schemas/${context.version}.json' }),
          prints('Fails', {}, { output_schema: 'schemas/${context.version}.json' }),
          prints('Missing', GOOD, { output_schema: 'schemas/v2.json' }),
          prints('Broken', GOOD, { output_schema: 'schemas/broken.json' }),
          prints('Outside', GOOD, { output_schema: '${context.up}/x.json' }),
          prints('Undefined', GOOD, { output_schema: 'schemas/${context.nothing}.json' }),
        ],
        { context: { version: 'v1', up: '..' } },
      ),
    });
    ran(s.run());
    expect(s.step('Fits').exit_code).toBe(0);
    for (const name of ['Fails', 'Missing', 'Broken', 'Outside', 'Undefined']) {
      expect({ name, ...s.step(name) }).toMatchObject({ name, status: 'failed', exit_code: 2 });
    }
    expect(s.step('Missing').error.message).toContain('schemas/v2.json');
    expect(s.step('Broken').error.message).toContain('schemas/broken.json');
    expect(s.step('Undefined').error.context.undefined_vars).toEqual(['${context.nothing}']);
  });

  it.each([
    ['an absolute path', '/etc/schema.json'],
    ['a path with ..', '../schema.json'],
    ['a symlink that leaves the workspace', 'out/schema.json'],
  ])('ORC13-9: %s is refused when the workflow is loaded', (_, output_schema) => {
    const s = scene({ workflow: workflow([prints('X', GOOD, { output_schema })]) });
    s.link('out', '/tmp');
    expect(s.refused().map(({ code }) => code)).toEqual(['path-outside']);
  });
});

describe('output_require', () => {
  const CASES: [string, unknown, object, boolean][] = [
    ['present', { approved: false }, { pointer: '/approved' }, true],
    ['missing', { other: 1 }, { pointer: '/approved' }, false],
    ['null is there', { approved: null }, { pointer: '/approved' }, true],
    ['equal', { approved: true }, { pointer: '/approved', equals: true }, true],
    ['unequal', { approved: false }, { pointer: '/approved', equals: true }, false],
    ['text is not the boolean', { approved: 'true' }, { pointer: '/approved', equals: true }, false],
    ['equal number', { n: 2 }, { pointer: '/n', equals: 2 }, true],
    ['equals null', { n: null }, { pointer: '/n', equals: null }, true],
    ['equals null, absent', {}, { pointer: '/n', equals: null }, false],
    ['list', { issues: [] }, { pointer: '/issues', type: 'array' }, true],
    ['no list', { issues: {} }, { pointer: '/issues', type: 'array' }, false],
    ['type null', { x: null }, { pointer: '/x', type: 'null' }, true],
    ['null is no object', { x: null }, { pointer: '/x', type: 'object' }, false],
    ['inside lists', { a: [{ b: 1 }] }, { pointer: '/a/0/b', equals: 1 }, true],
    ['past the end', { a: [1] }, { pointer: '/a/1' }, false],
    ['escaped', { 'a/b': { '~': 1 } }, { pointer: '/a~1b/~0', equals: 1 }, true],
    ['the whole', [1], { pointer: '', type: 'array' }, true],
    ['must not be there, and is', { secret: 1 }, { pointer: '/secret', exists: false }, false],
    ['must not be there, and is not', {}, { pointer: '/secret', exists: false }, true],
    ['not inherited', {}, { pointer: '/constructor' }, false],
  ];

  it('ORC13-5, ORC13-6, ORC13-7: presence, value and type, each by RFC 6901', () => {
    const s = scene({
      workflow: workflow(
        CASES.map(([name, output, requirement]) => prints(name, output, { output_require: [requirement] })),
      ),
    });
    ran(s.run());
    const seen = CASES.map(([name]) => [name, s.step(name).status, s.step(name).exit_code]);
    expect(seen).toEqual(
      CASES.map(([name, , , holds]) => [name, holds ? 'completed' : 'failed', holds ? 0 : 2]),
    );
    expect(s.step('missing').error.context.json_require_failed).toMatchObject({
      pointer: '/approved',
      reason: expect.any(String),
    });
  });

  it('ORC13-8: all must hold; the first that does not is on record; on.failure and the schema are heard', () => {
    const output_require = [
      { pointer: '/approved', equals: true },
      { pointer: '/issues', type: 'array' },
      { pointer: '/reason' },
    ];
    const s = scene({
      files: { 'verdict.json': VERDICT },
      workflow: workflow(
        [
          prints('All', { approved: true, issues: [], reason: '' }, { output_require }),
          prints(
            'Second',
            { approved: true, issues: 'none' },
            { output_require, on: { failure: { goto: 'Both' } } },
          ),
          { name: 'LeftOut', command: ['false'] },
          prints(
            'Both',
            { approved: false },
            { output_schema: 'verdict.json', output_require, on: { failure: { goto: '_end' } } },
          ),
        ],
        { strict_flow: true },
      ),
    });
    ran(s.run());
    expect(s.step('All').exit_code).toBe(0);
    expect(s.step('Second').error.context.json_require_failed).toMatchObject({ pointer: '/issues' });
    expect(s.step('Second').error.context.json_require_failed.reason).toMatch(/array/);
    expect(s.step('LeftOut').status).toBe('pending');
    // The schema comes first; the requirements are about what fits it.
    expect(s.step('Both').error.context.json_schema_errors).toHaveLength(1);
  });
});

describe('what is refused when the workflow is loaded', () => {
  it.each<[string, object, RegExp]>([
    [
      'ORC13-4: allow_parse_error beside output_schema',
      prints('X', {}, { output_schema: 's.json', allow_parse_error: true }),
      /allow_parse_error/,
    ],
    [
      'ORC13-4: allow_parse_error beside output_require',
      prints('X', {}, { output_require: [{ pointer: '/a' }], allow_parse_error: true }),
      /allow_parse_error/,
    ],
    [
      'output_schema without output_capture: json',
      prints('X', {}, { output_schema: 's.json', output_capture: 'lines' }),
      /output_capture/,
    ],
    ['a pointer that is none', prints('X', {}, { output_require: [{ pointer: 'approved' }] }), /pointer/],
    [
      'a type that JSON does not have',
      prints('X', {}, { output_require: [{ pointer: '/a', type: 'integer' }] }),
      /integer/,
    ],
  ])('%s', (_, step, says) => {
    const s = scene({ files: { 's.json': '{}' }, workflow: workflow([step]) });
    expect(
      s
        .refused()
        .map(({ message, hint }) => `${message} ${hint}`)
        .join('\n'),
    ).toMatch(says);
  });

  it('below version 1.3 both fields are errors that name the version needed', () => {
    const s = scene({
      files: { 's.json': '{}' },
      workflow: workflow(
        [prints('X', {}, { output_schema: 's.json', output_require: [{ pointer: '/a' }] })],
        { version: '1.2' },
      ),
    });
    const texts = s.refused().map(({ message, hint }) => `${message} ${hint}`);
    for (const field of ['output_schema', 'output_require']) {
      expect(texts.find((text) => text.includes(field))).toContain('1.3');
    }
  });
});
