// What comes with the dialect for agents to read: it is there, and it is true.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/model/json.ts';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { workrailSchema } from './reference-schema.ts';

const folder = join(projectRoot, 'builtin/references');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject;
const NAMES = ['authoring-spec.json', 'authoring-spec.provenance.json', 'workflow.schema.json'];

describe('RAIL-REFERENCES: the references that come with it', () => {
  let project: Scratch;
  beforeAll(() => {
    project = scratch();
  });
  afterAll(() => project.remove());

  it('are these three, and a workflow that names them gets no warning', () => {
    expect(readdirSync(folder).sort()).toEqual(NAMES);
    const references = NAMES.map((name) => ({ id: name, source: `./spec/${name}`, resolveFrom: 'package' }));
    project.write('w.json', JSON.stringify({ id: 'w', references, steps: [{ id: 'a', prompt: 'x' }] }));
    expect(project.lockstep('validate', 'w.json')).toMatchObject({ exitCode: 0, stderr: '' });
    for (const name of NAMES)
      expect(project.lockstep('convert', 'w.json').stdout).toContain(`source: references/${name}`);
  });

  it('one that is not there is a warning, and the run starts', () => {
    const references = [{ id: 'x', source: './spec/other.json', resolveFrom: 'package' }];
    project.write('x.json', JSON.stringify({ id: 'x', references, steps: [{ id: 'a', prompt: 'x' }] }));
    project.write('s.json', JSON.stringify({ answers: { a: { output: { notesMarkdown: 'x' } } } }));
    const ended = project.lockstep('run', 'x.json', '--script', 's.json');
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr).toContain('warning[reference-unresolved]');
  });

  it('the schema is that of the reader, and the workflows that come with it fit', () => {
    const schema = workrailSchema();
    if (process.env.UPDATE_GOLDEN !== undefined)
      writeFileSync(join(folder, 'workflow.schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
    expect(read('workflow.schema.json')).toEqual(schema);
    const validate = new Ajv({ strict: false }).compile(schema);
    const workflows = join(projectRoot, 'builtin/workflows');
    const ours = readdirSync(workflows)
      .map((name) => parse(readFileSync(join(workflows, name), 'utf8')) as JsonObject)
      .filter((content) => 'id' in content);
    expect(ours).toHaveLength(10);
    for (const content of ours) expect(validate(content), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ id: 'w', steps: [{ id: 'a', promt: 'x' }] })).toBe(false);
  });

  it('the rules speak of fields that there are', () => {
    const names = JSON.stringify(read('workflow.schema.json'));
    const rules = read('authoring-spec.json').rules as { id: string; about: string; level: string }[];
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { about } of rules)
      for (const field of about.split(', ').filter((each) => each !== 'steps'))
        expect(names, field).toContain(`"${field}"`);
  });
});
