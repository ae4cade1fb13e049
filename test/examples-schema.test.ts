// What people read first is right twice over: every workflow and script that ships is valid to the checker, and fits the
// schema that `lockstep schema` gives to editors, so nobody sees red lines under an example.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectRoot, type Scratch, scratch } from './scratch.ts';

interface Definition {
  path: string;
  content: Record<string, unknown>;
}

const definitions: Definition[] = ['examples', 'builtin'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .map((path) => ({
      path,
      content: parse(readFileSync(join(projectRoot, path), 'utf8'), { merge: true }),
    })),
);
const workflows = definitions.filter(({ content }) => 'lockstep' in content);
const tests = definitions.filter(({ content }) => 'lockstep_test' in content);
const scripts = definitions.filter(({ content }) => 'answers' in content && !('lockstep_test' in content));
/** Workflows of other systems; the schema that editors get is that of the native language. */
const foreign = definitions.filter(
  ({ content }) => 'version' in content && ('steps' in content || 'phases' in content),
);

let project: Scratch;
let validators: Record<'workflow' | 'script' | 'test', ValidateFunction>;

beforeAll(() => {
  project = scratch();
  const validator = (what: keyof typeof validators): ValidateFunction => {
    const { stdout } = project.lockstep('schema', what);
    return new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(stdout));
  };
  validators = { workflow: validator('workflow'), script: validator('script'), test: validator('test') };
});
afterAll(() => project.remove());

function violations(validate: ValidateFunction, value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

it('LS-PROJECT-EXAMPLES: there is nothing in examples/ and builtin/ that is neither workflow, script nor test', () => {
  expect(workflows.length).toBeGreaterThan(6);
  expect(definitions.length).toBe(workflows.length + scripts.length + tests.length + foreign.length);
});

it('LS-PROJECT-EXAMPLES: the schemas say no to what is wrong', () => {
  const wrong = { lockstep: 1, name: 'x', steps: [{ id: 'a', promt: { text: 'x' } }] };
  expect(violations(validators.workflow, wrong)).not.toEqual([]);
  expect(violations(validators.script, { answers: { a: { txt: 'x' } } })).not.toEqual([]);
  const test = { lockstep_test: 1, workflow: 'x', cases: [{ name: 'a', expects: {} }] };
  expect(violations(validators.test, test)).not.toEqual([]);
});

describe.each(workflows)('LS-PROJECT-EXAMPLES: $path', ({ path, content }) => {
  it('fits `lockstep schema`', () => {
    expect(violations(validators.workflow, content)).toEqual([]);
  });

  it('is valid', () => expectValid(path));
});

describe.each(foreign)('LS-PROJECT-EXAMPLES: $path', ({ path }) => {
  it('is valid', () => expectValid(path));
});

/** In a project of its own: names are looked up in the library of the project that the file is in. */
function expectValid(path: string): void {
  const [, home = '', file = ''] = /^([^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  const own = scratch({ git: true });
  cpSync(join(projectRoot, home), own.root, { recursive: true });
  const { exitCode, stderr } = own.lockstep('validate', file);
  own.remove();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}

describe.each(scripts)('LS-PROJECT-EXAMPLES: $path', ({ content }) => {
  it('fits `lockstep schema script`', () => {
    expect(violations(validators.script, content)).toEqual([]);
  });
});

describe.each(tests)('LS-PROJECT-EXAMPLES, LS-TEST-SCHEMA: $path', ({ content }) => {
  it('fits `lockstep schema test`', () => {
    expect(violations(validators.test, content)).toEqual([]);
  });
});
