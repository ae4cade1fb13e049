// What counts as done, from the outside: the real command, the scripted agent, real checks.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { Source } from '../../src/model/workflow.ts';
import { type Scratch, scratch } from '../scratch.ts';

const SCHEMA = '{ "type": "object", "required": ["ok"], "properties": { "ok": { "type": "boolean" } } }';
const ANSWERS = 'answers:\n  ask:\n    - { output: { ok: maybe } }\n    - { output: { ok: true } }\n';

let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
});
afterEach(() => project.remove());

const latest = (name: string) => readFileSync(join(project.root, '.lockstep/runs/latest', name), 'utf8');
const journal = () =>
  latest('journal.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function run(done: string) {
  project.write(
    'w.yaml',
    `lockstep: 1\nname: w\nsteps:\n  - id: ask\n    prompt: { text: Well? }\n    done: ${done}\n`,
  );
  project.write('answers.yaml', ANSWERS);
  return project.lockstep('run', 'w.yaml', '--script', 'answers.yaml', '--quiet');
}

describe('done', () => {
  it.each([
    ['a name', 'verdict'],
    ['a file', './verdict.json'],
    ['inline', SCHEMA],
  ])(
    'LS-STEP-DONE-SCHEMA: a schema given as %s sends a wrong answer back with what does not fit',
    (_, schema) => {
      project.write('.lockstep/schemas/verdict.json', SCHEMA);
      project.write('verdict.json', SCHEMA);
      const { exitCode, stderr } = run(`{ schema: ${schema}, tries: 2 }`);
      expect(exitCode, stderr).toBe(0);
      expect(journal().find((entry) => entry.kind === 'work-rejected')).toMatchObject({
        again: true,
        reasons: ['/ok must be true or false'],
      });
      expect(journal().at(-1)?.kind).toBe('run-completed');
    },
  );

  it('LS-STEP-DONE-RUN: the engine itself runs the command, in the workspace, and takes its word', () => {
    project.write('count.sh', 'echo looked >> looks.txt; test "$(wc -l < looks.txt)" -ge 2\n');
    const { exitCode, stderr } = run("{ run: 'sh count.sh', tries: 3 }");
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(join(project.root, 'looks.txt'), 'utf8')).toBe('looked\nlooked\n');
    expect(journal().filter((entry) => entry.kind === 'work-rejected')).toHaveLength(1);
  });

  it('LS-LAYER-JOURNAL: the journal has the hash of what was pinned, and that the source and hash of every definition', () => {
    project.write('.lockstep/schemas/verdict.json', SCHEMA);
    expect(run('{ schema: verdict, tries: 2 }').exitCode).toBe(0);
    const pinned = latest('workflow.json');
    expect(journal()[0]).toMatchObject({ kind: 'run-started', workflow_hash: sha256(pinned) });
    const { sources } = (JSON.parse(pinned) as { workflow: { sources: Source[] } }).workflow;
    const text = (path: string) => readFileSync(join(project.root, path), 'utf8');
    expect(sources).toContainEqual(
      expect.objectContaining({ kind: 'workflow', path: 'w.yaml', hash: sha256(text('w.yaml')) }),
    );
    const schema = { kind: 'schema', name: 'verdict', layer: 'project', hash: sha256(SCHEMA) };
    expect(sources).toContainEqual(expect.objectContaining(schema));
  });
});
