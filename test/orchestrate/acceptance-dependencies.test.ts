// depends_on: files that must be there when a step starts, found by patterns.

import { beforeAll, describe, expect, it } from 'vitest';
import { ran, type Scene, scene } from './support.ts';

describe('depends_on', () => {
  let all: Scene;
  beforeAll(() => {
    const needs = (name: string, required: string[], more: object = {}) => ({
      name,
      command: ['sh', '-c', `echo ${name} >> ran.txt`],
      depends_on: { required },
      ...more,
    });
    all = scene({
      files: {
        'a.csv': '',
        'b.csv': '',
        'data/x1.txt': '',
        'data/x10.txt': '',
        'data/.hidden': '',
        'data/deep/y.txt': '',
        'data/{a,b}.txt': '',
        'data/[z].txt': '',
        'folder/': '',
        'sets/2024/one.parquet': '',
      },
      workflow: {
        version: '1.1',
        name: 'needs',
        strict_flow: false,
        context: { file: 'a.csv', gone: 'never.csv', year: 2024 },
        steps: [
          needs('Missing', ['missing.txt']),
          needs('Several', ['a.csv', 'gone-1.txt', 'gone-2/*.md']),
          needs('Star', ['*.csv']),
          needs('Question', ['data/x?.txt']),
          needs('Question-none', ['data/x???.txt']),
          needs('Set', ['data/x[0-9].txt']),
          needs('Folder', ['folder']),
          needs('In-path', ['sets/*/one.*']),
          needs('Hidden', ['data/.*']),
          needs('Hidden-named', ['data/.hidden']),
          needs('Not-hidden', ['data/*hidden']),
          needs('Flat', ['data/*y.txt']),
          needs('Braces', ['data/{a,b}.txt']),
          needs('Braces-none', ['data/{x1,x10}.txt']),
          needs('Set-literal', ['data/[[]z].txt']),
          needs('Variable', ['${context.file}', 'sets/${context.year}/*']),
          needs('Variable-missing', ['${context.gone}']),
          needs('Case', ['A.CSV']),
          { name: 'Optional', command: ['echo', 'ok'], depends_on: { optional: ['nope.txt', 'no/*.x'] } },
          { name: 'Make', command: ['touch', 'made.txt'] },
          needs('After', ['made.txt']),
          needs('Caught', ['missing.txt'], { on: { failure: { goto: 'Handler' } } }),
          { name: 'Between', command: ['echo'] },
          { name: 'Handler', command: ['echo', '${steps.Caught.exit_code}'] },
        ],
      },
    });
    ran(all.run());
  });
  const outcome = (name: string) => [all.step(name).status, all.step(name).exit_code];

  it('ORC-22: a required file that is not there fails the step with exit code 2, and nothing is started', () => {
    expect(all.step('Missing')).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { exit_code: 2, context: { failed_deps: ['missing.txt'] } },
    });
    expect(all.step('Missing').error.message).toContain('missing.txt');
    expect(all.step('Several').error.context.failed_deps).toEqual(['gone-1.txt', 'gone-2/*.md']);
    expect(all.read('ran.txt').split('\n')).not.toContain('Missing');
  });

  it.each([
    ['Star', true],
    ['Question', true],
    ['Question-none', false],
    ['Set', true],
    ['Folder', true],
    ['In-path', true],
    ['Hidden', true],
    ['Hidden-named', true],
    ['Not-hidden', false],
    ['Flat', false],
    ['Braces', true],
    ['Braces-none', false],
    ['Set-literal', true],
    ['Case', false],
  ])('ORC-23: patterns are POSIX globs: %s matches: %s', (name, matches) => {
    expect(outcome(name)).toEqual(matches ? ['completed', 0] : ['failed', 2]);
  });

  it('ORC-23: ** is refused: there is no such pattern in this language', () => {
    const problems = scene({
      workflow: `version: "1.1"
name: deep
steps:
  - { name: A, command: [echo], depends_on: { required: ["src/**/*.py"] } }
  - { name: B, command: [echo], depends_on: { optional: ["**"] } }
  - { name: C, command: [echo], when: { exists: "a/**" } }
  - { name: D, wait_for: { glob: "**/x" } }
`,
    }).refused();
    expect(problems.map(({ span }) => span?.line)).toEqual([4, 5, 6, 7]);
  });

  it('ORC-24: variables are filled in before the files are looked for', () => {
    expect(outcome('Variable')).toEqual(['completed', 0]);
    expect(all.step('Variable-missing')).toMatchObject({
      exit_code: 2,
      error: { context: { failed_deps: ['never.csv'] } },
    });
  });

  it('ORC-26: optional files that are missing do not fail the step', () => {
    expect(all.step('Optional')).toMatchObject({ status: 'completed', output: 'ok\n' });
  });

  it('files are looked for when the step starts, not before', () => {
    expect(outcome('After')).toEqual(['completed', 0]);
  });

  it('ORC-27: on.failure catches it', () => {
    expect(outcome('Caught')).toEqual(['failed', 2]);
    expect(all.step('Between').status).toBe('pending');
    expect(all.step('Handler').output).toBe('2\n');
  });

  it('ORC-25: in a loop they are looked for anew in every pass', () => {
    const made = scene({
      files: { 'in/a.txt': 'a', 'in/c.txt': 'c' },
      workflow: `version: "1.1"
name: passes
strict_flow: false
steps:
  - name: Loop
    for_each:
      items: [a, b, c]
      steps:
        - name: Need
          command: [cat, "in/\${item}.txt"]
          depends_on:
            required: ["in/\${item}.txt", "made-\${loop.index}"]
        - { name: Make, command: [touch, "made-1", "made-2"] }
  - { name: First, command: [echo] }
`,
    });
    made.write('made-0', '');
    ran(made.run());
    const needs = made.step('Loop').map(({ Need }: { Need: object }) => Need);
    expect(needs).toMatchObject([
      { status: 'completed', output: 'a' },
      { status: 'failed', exit_code: 2, error: { context: { failed_deps: ['in/b.txt'] } } },
      { status: 'completed', output: 'c' },
    ]);
  });
});
