// `lockstep convert`: the native text of every printed workflow does the same as the workflow itself. The two run in
// workspaces that are alike, and their state.json may differ in times, ids, the name of the file and its checksum only.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../scratch.ts';
import { type Printed, printed, stage, textOf } from './printed.ts';
import { type AnyJson, ran, type Scene, scene } from './support.ts';

const TIMES = /_ms$|_at$|^poll_count$|^updated|^started/;
const NAMED = new Set(['workflow_file', 'workflow_checksum']);

/** state.json without what two runs of one workflow differ in. */
function essence({ root, state }: Scene): AnyJson {
  const { run_id } = state();
  const text = JSON.stringify(state())
    .replaceAll(run_id, 'RUN')
    .replaceAll(run_id.split('-')[0], 'STAMP')
    .replaceAll(root, 'ROOT');
  return JSON.parse(text, (key, value) => (TIMES.test(key) || NAMED.has(key) ? undefined : value));
}

const convert = (s: Scene): string => {
  const { stdout, stderr } = ran(s.lockstep(['convert', 'workflow.yaml']));
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^lockstep: 1$/m);
  return stdout;
};

describe('the converted text does the same', () => {
  it.each(printed)('ORC-CLI-CONVERT: $id $file', (example: Printed) => {
    const original = stage(example);
    const text = convert(original);
    const converted = stage(example, text);
    expect(ran(converted.lockstep(['validate', 'workflow.yaml'])).stderr).toBe('');
    ran(original.run(), example.exitCode);
    ran(converted.run(), example.exitCode);
    expect(essence(converted)).toEqual(essence(original));
    for (const agent of ['claude', 'codex', 'gemini'] as const) {
      expect(
        converted
          .agentCalls(agent)
          .map(({ argv, stdin }) => ({ argv, stdin }))
          .map(unnamed(converted)),
      ).toEqual(
        original
          .agentCalls(agent)
          .map(({ argv, stdin }) => ({ argv, stdin }))
          .map(unnamed(original)),
      );
    }
  });

  it.each(['qa_gating_stdout', 'qa_gating_verdict_file', 'status'])(
    'ORC-CLI-CONVERT: examples/orchestrate, %s',
    (name) => {
      const staged = () => {
        const s = scene();
        cpSync(join(projectRoot, 'examples/orchestrate'), s.root, { recursive: true });
        const bin = join(s.root, 'bin');
        for (const agent of ['claude']) cpSync(join(bin, agent), join(s.root, '../bin', agent));
        return s;
      };
      const [original, converted] = [staged(), staged()];
      original.workflow(readFileSync(join(original.root, `workflows/${name}.yaml`), 'utf8'));
      converted.workflow(convert(original));
      for (const s of [original, converted]) ran(s.run());
      expect(essence(converted)).toEqual(essence(original));
    },
  );
});

function unnamed({ state }: Scene): (value: AnyJson) => AnyJson {
  const { run_id } = state();
  const stamp = run_id.split('-')[0];
  return (value) => JSON.parse(JSON.stringify(value).replaceAll(run_id, 'RUN').replaceAll(stamp, 'STAMP'));
}

describe('what convert says', () => {
  it('ORC-CLI-CONVERT: what cannot run is refused with the same words as by run, exit code 2, and prints no text', () => {
    for (const example of printed.filter(({ mend }) => mend)) {
      const s = stage(example, textOf(example));
      const { stdout, stderr } = ran(s.lockstep(['convert', 'workflow.yaml']), 2);
      const { stderr: atRun } = ran(s.run(), 2);
      expect([stdout, stderr]).toEqual(['', atRun]);
    }
  });

  it('ORC-CLI-CONVERT: a native workflow is printed as it is', () => {
    const s = scene({ workflow: 'lockstep: 1\nname: a\nsteps:\n  - { id: x, run: [echo, hi] }  # why\n' });
    expect(convert(s)).toContain('run:');
    expect(ran(s.lockstep(['convert', 'nowhere.yaml']), 2).stderr).toContain('nowhere.yaml');
  });
});
