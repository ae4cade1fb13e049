// docs/language.md and the grammar say the same, both ways: a table for every part, a row for every field.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HANDLERS } from '../model/handlers.ts';
import { KNOWN_PARAMS } from '../source/grammar/parts.ts';
import { scriptShape } from '../source/grammar/script-shape.ts';
import type { Fields, Shape } from '../source/grammar/shape.ts';
import { stepShape } from '../source/grammar/step-shape.ts';
import { agentShape, gateShape, promptShape, workflowShape } from '../source/grammar/workflow-shape.ts';
import { compileSample, rendered } from './fixtures/sample-library.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'language.md'), 'utf8');

/** All fields of a shape, whichever branch they belong to. */
function fieldsOf(shape: Shape | undefined): Fields {
  switch (shape?.kind) {
    case 'object':
      return shape.fields;
    case 'variants':
      return Object.assign({}, shape.common, ...shape.branches.map(({ fields }) => fields));
    case 'either':
      return Object.assign({}, ...shape.of.map(fieldsOf));
    case 'list':
    case 'record':
      return fieldsOf(shape.of);
    default:
      return {};
  }
}

function at(fields: Fields, ...path: string[]): Fields {
  return path.reduce((inside, key) => fieldsOf(inside[key]?.shape), fields);
}

function branch(...names: string[]): Fields {
  return Object.assign(
    {},
    ...stepShape.branches.filter(({ name }) => names.includes(name)).map(({ fields }) => fields),
  );
}

const top = workflowShape.fields;
const promptOnly = Object.keys(fieldsOf(promptShape));
const expected: Record<string, Fields> = {
  workflow: top,
  input: at(top, 'inputs'),
  defaults: at(top, 'defaults'),
  limits: at(top, 'limits'),
  invariant: at(top, 'invariants'),
  guard: at(top, 'guard'),
  policy: at(top, 'policy'),
  dirs: at(top, 'policy', 'dirs'),
  reference: at(top, 'references'),
  provider: at(top, 'providers'),
  events: at(top, 'events'),
  step: stepShape.common,
  output: at(stepShape.common, 'output'),
  prompt: branch('prompt'),
  'prompt-source': at(branch('prompt'), 'prompt'),
  'agent-source': at(branch('prompt'), 'agent'),
  params: KNOWN_PARAMS,
  run: branch('run'),
  call: branch('call'),
  wait: at(branch('wait'), 'wait'),
  ask: branch('ask'),
  gates: branch('gates'),
  'workflow-step': branch('workflow'),
  steps: branch('steps', 'parallel', 'loop', 'each'),
  loop: at(branch('loop'), 'loop'),
  done: at(stepShape.common, 'done'),
  requirement: at(stepShape.common, 'done', 'require'),
  tests: at(stepShape.common, 'done', 'tests'),
  git: at(top, 'policy', 'git'),
  that: fieldsOf((at(stepShape.common, 'done').that as { shape: Shape }).shape),
  approve: at(stepShape.common, 'done', 'approve'),
  next: at(stepShape.common, 'next'),
  retry: at(branch('run'), 'retry'),
  capture: at(branch('run'), 'capture'),
  reads: at(branch('run'), 'reads'),
  recover: at(branch('run'), 'recover'),
  action: at(stepShape.common, 'enter'),
  tools: at(top, 'tools'),
  rule: at(top, 'rules'),
  agent: fieldsOf(agentShape),
  'prompt-file': fieldsOf(promptShape),
  'prompt-input': at(fieldsOf(promptShape), 'inputs'),
  gate: Object.fromEntries(Object.entries(fieldsOf(gateShape)).filter(([key]) => !promptOnly.includes(key))),
  answer: at(fieldsOf(scriptShape), 'answers'),
};

/** The first column of the table after each `<!-- fields: name -->`. */
function documented(): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const [, name = '', table = ''] of page.matchAll(/<!-- fields: (\S+) -->\n((?:\|.*\n)+)/g)) {
    const rows = table.trim().split('\n').slice(2);
    tables.set(
      name,
      rows.map((row) => /^\| `([^`]+)` \|/.exec(row)?.[1] ?? row),
    );
  }
  return tables;
}

describe('docs/language.md', () => {
  const tables = documented();

  it('has a table for every part of the language, and no other', () => {
    expect([...tables.keys()].sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.keys(expected))('has the fields of %s, all of them and no more', (name) => {
    expect([...(tables.get(name) ?? [])].sort()).toEqual(Object.keys(expected[name] ?? {}).sort());
  });

  it('names every handler, and docs/handlers.md every argument of those that a run has', () => {
    const handlers = readFileSync(join(docs, 'handlers.md'), 'utf8');
    for (const [name, handler] of Object.entries(HANDLERS)) {
      expect(page).toContain(`\`${name}\``);
      if (handler.needs !== undefined) continue;
      const section = new RegExp(`\\n## ${name}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(handlers)?.[1] ?? '';
      const table = /\| argument.*\n\|.*\n((?:\|.*\n)*)/.exec(section)?.[1] ?? '';
      const rows = Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), (row) => row[1] ?? '');
      expect({ name, arguments: rows.sort() }).toEqual({
        name,
        arguments: Object.keys(handler.arguments).sort(),
      });
    }
  });

  it('tells all sixteen rules', () => {
    const rules = page.slice(page.indexOf('## The sixteen rules'), page.indexOf('## Limits of a definition'));
    expect(Array.from(rules.matchAll(/^(\d+)\. \*\*/gm), (rule) => Number(rule[1]))).toEqual(
      Array.from({ length: 16 }, (_, index) => index + 1),
    );
  });

  it('shows only workflows that compile', () => {
    const files: Record<string, string> = {
      'agents/implementer.md': 'You build.',
      'agents/reviewer.md': 'You review.',
      'schemas/claim.json': readFileSync(join(docs, '../builtin/schemas/claim.json'), 'utf8'),
    };
    for (const [, path = '', text = ''] of page.matchAll(
      /<!-- file: \.lockstep\/(\S+) -->\n```\w+\n([\s\S]*?)```/g,
    )) {
      files[path] = text;
    }
    // What else is YAML there is the answers of a script.
    const blocks = Array.from(
      page.matchAll(/```yaml\n(lockstep: 1\n[\s\S]*?)```/g),
      (block) => block[1] ?? '',
    );
    expect(blocks.length).toBeGreaterThan(5);
    for (const block of blocks) {
      const result = compileSample(block, files, 'workflows/w.yaml');
      expect(result.kind === 'compiled' ? [] : [rendered(result)]).toEqual([]);
      if (result.kind === 'compiled') expect(result.diagnostics).toEqual([]);
    }
  });
});
