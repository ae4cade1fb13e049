import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editorSchema, scriptSchema } from './json-schema.ts';
import { stepShape } from './step-shape.ts';

const root = join(import.meta.dirname, '../../..');
const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
const valid = ajv.compile(editorSchema());
const validScript = ajv.compile(scriptSchema());

function problems(text: string): string {
  // As our own reader and those of editors do: `<<: *base`.
  return valid(parse(text, { merge: true })) ? '' : ajv.errorsText(valid.errors);
}

describe('editorSchema', () => {
  it('LS-SCHEMA-PRINT: is a union of strict objects, one per verb', () => {
    const { definitions } = editorSchema() as { definitions: Record<string, Record<string, unknown>> };
    const branches = definitions.step?.anyOf as { $ref: string }[];
    expect(branches.map(({ $ref }) => $ref.replace('#/definitions/', ''))).toEqual(
      stepShape.branches.map(({ name }) => `${name}-step`),
    );
    for (const { $ref } of branches) {
      const branch = definitions[$ref.replace('#/definitions/', '')];
      expect(branch).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('describes every field', () => {
    const undescribed: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        const properties =
          key === 'properties' && !/\/(if|then|else)\/properties$/.test(`${path}/properties`);
        if (properties && 'additionalProperties' in node && node.additionalProperties === false) {
          for (const [name, field] of Object.entries(value as object)) {
            if (!(field as { description?: string }).description) undescribed.push(`${path}/${name}`);
          }
        }
        walk(value, `${path}/${key}`);
      }
    };
    walk(editorSchema(), '');
    expect(undescribed).toEqual([]);
  });

  it.each([
    ['an unknown field', 'lockstep: 1\nname: a\nstpes: []\nsteps: [{ id: a, run: x }]'],
    ['two verbs', 'lockstep: 1\nname: a\nsteps: [{ id: a, run: x, ask: y }]'],
    ['no verb', 'lockstep: 1\nname: a\nsteps: [{ id: a }]'],
    ['a field of another verb', 'lockstep: 1\nname: a\nsteps: [{ id: a, run: x, choices: [y] }]'],
    ['a bad duration', 'lockstep: 1\nname: a\nsteps: [{ id: a, run: x, timeout: 3 }]'],
    [
      'an unknown handler argument',
      'lockstep: 1\nname: a\nsteps: [{ id: a, call: move, with: { from: a, too: b } }]',
    ],
    ['a missing handler argument', 'lockstep: 1\nname: a\nsteps: [{ id: a, call: move }]'],
    [
      'a loop without max',
      "lockstep: 1\nname: a\nsteps: [{ id: a, loop: { while: 'x' }, steps: [{ id: b, run: x }] }]",
    ],
    [
      'a loop that is tested after its first pass and may make none',
      "lockstep: 1\nname: a\nsteps: [{ id: a, loop: { until: 'x', max: 0 }, steps: [{ id: b, run: x }] }]",
    ],
    ['the id end', 'lockstep: 1\nname: a\nsteps: [{ id: end, run: x }]'],
    ['neither steps nor events', 'lockstep: 1\nname: a'],
    ['another version', 'lockstep: 2\nname: a\nsteps: [{ id: a, run: x }]'],
  ])('is red for %s', (_, text) => {
    expect(problems(text)).not.toBe('');
  });

  it('lets a child give a step only what changes', () => {
    expect(problems('lockstep: 1\nname: a\nextends: b\nsteps: [{ id: x, timeout: 5m }]')).toBe('');
    expect(problems('lockstep: 1\nname: a\nextends: b\nsteps: [{ id: x, timeoot: 5m }]')).not.toBe('');
    expect(problems('lockstep: 1\nname: a\nsteps: [{ id: x, timeout: 5m }]')).not.toBe('');
  });

  const yaml = ['examples', 'builtin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.ya?ml$/.test(path))
      .map((path) => join(folder, path)),
  );
  const workflows = yaml.filter((path) => /^lockstep:/m.test(readFileSync(join(root, path), 'utf8')));
  const tests = yaml.filter((path) => /^lockstep_test:/m.test(readFileSync(join(root, path), 'utf8')));
  const scripts = yaml.filter(
    (path) => !tests.includes(path) && /^answers:/m.test(readFileSync(join(root, path), 'utf8')),
  );

  it('finds examples to look at', () => {
    expect(workflows.length).toBeGreaterThan(1);
    expect(scripts.length).toBeGreaterThan(0);
  });

  it.each(workflows)('LS-SCHEMA-VALID: %s validates', (path) => {
    expect(problems(readFileSync(join(root, path), 'utf8'))).toBe('');
  });

  it.each(scripts)('LS-SCHEMA-VALID: %s validates as a script', (path) => {
    expect(
      validScript(parse(readFileSync(join(root, path), 'utf8'))),
      ajv.errorsText(validScript.errors),
    ).toBe(true);
  });
});
