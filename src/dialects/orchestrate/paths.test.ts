import { describe, expect, it } from 'vitest';
import { problemsOf } from './fixtures/sample-translation.ts';

/** Every field that is a path, in a workflow that has nothing else wrong. */
const FIELDS: readonly [field: string, glob: boolean, workflow: (path: string) => string][] = [
  ['input_file', false, (path) => step(`provider: claude, input_file: ${path}`)],
  ['input_file', false, (path) => step(`command: [x], input_file: ${path}`)],
  ['output_file', false, (path) => step(`command: [x], output_file: ${path}`)],
  ['output_schema', false, (path) => step(`command: [x], output_capture: json, output_schema: ${path}`)],
  ['depends_on.required', true, (path) => step(`command: [x], depends_on: { required: [${path}] }`)],
  ['depends_on.optional', true, (path) => step(`command: [x], depends_on: { optional: [${path}] }`)],
  ['wait_for.glob', true, (path) => step(`wait_for: { glob: ${path} }`)],
  ['when.exists', true, (path) => step(`command: [x], when: { exists: ${path} }`)],
  ['when.not_exists', true, (path) => step(`command: [x], when: { not_exists: ${path} }`)],
  ['on_item_complete.success.move_to', false, (path) => lifecycle('success', path)],
  ['on_item_complete.failure.move_to', false, (path) => lifecycle('failure', path)],
];
const DIRS = ['inbox_dir', 'processed_dir', 'failed_dir'];

function step(fields: string): string {
  return `version: "1.3"\nsteps:\n  - { name: A, ${fields} }\n`;
}

function lifecycle(result: string, path: string): string {
  return step(
    `for_each: { items: [a], on_item_complete: { ${result}: { move_to: ${path} } }, steps: [{ name: B, command: [x] }] }`,
  );
}

function codes(workflow: string): string[] {
  return problemsOf(workflow).map(({ code, severity }) => `${severity} ${code}`);
}

const OUTSIDE = [
  '/etc/passwd',
  '../x',
  'a/../b',
  'a/..',
  '${context.a}/../x',
  '../${context.a}',
  'C:\\x',
  '\\x',
];
const INSIDE = ['a/b.txt', './a', 'a..b', '...', '${context.a}/x', '${context.a}', '~/x', 'a/$$(x)'];

describe.each(FIELDS)('%s', (field, glob, workflow) => {
  it.each(OUTSIDE)('refuses %s, and points at it', (path) => {
    const [problem, more] = problemsOf(workflow(JSON.stringify(path)));
    expect(problem).toMatchObject({
      code: 'path-outside',
      severity: 'error',
      span: { line: 3 },
      context: { field, path },
    });
    expect(more).toBeUndefined();
  });

  it.each(INSIDE)('takes %s', (path) => expect(codes(workflow(JSON.stringify(path)))).toEqual([]));

  it('refuses what only a shell would read', () => {
    expect(codes(workflow("'a/$(basename x)'"))).toEqual(['error shell-in-path']);
    expect(codes(workflow("'a/$$$(basename x)'"))).toEqual(['error shell-in-path']);
  });

  it('refuses an empty path', () => expect(codes(workflow('""'))).toEqual(['error bad-name']));

  it(`${glob ? 'refuses' : 'does not mind'} \`**\` as a whole level`, () => {
    expect(codes(workflow("'a/**/b'"))).toEqual(glob ? ['error globstar'] : []);
    expect(codes(workflow("'a/**b'"))).toEqual([]);
  });
});

describe.each(DIRS)('%s', (field) => {
  const workflow = (path: string) =>
    `version: "1.1"\n${field}: ${path}\nsteps: [{ name: A, command: [x] }]\n`;
  it('stays in the workspace', () => {
    expect(codes(workflow('/tmp'))).toEqual(['error path-outside']);
    expect(codes(workflow('../up'))).toEqual(['error path-outside']);
    expect(codes(workflow('work/in'))).toEqual([]);
  });

  it('nothing is filled in there', () => expect(codes(workflow("'$(x)'"))).toEqual([]));
});
