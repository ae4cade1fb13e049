// `lockstep convert`. That every printed workflow does the same converted is in examples.test.ts; here are the workflows
// of examples/, and what cannot be converted.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../scratch.ts';
import { converts, essence } from './converted.ts';
import { printed, stage, textOf } from './printed.ts';
import { ran, scene } from './support.ts';

it.each(['qa_gating_stdout', 'qa_gating_verdict_file', 'status'])(
  'ORC-CLI-CONVERT: examples/orchestrate, %s does the same once converted',
  (name) => {
    const staged = () => {
      const s = scene();
      cpSync(join(projectRoot, 'examples/orchestrate'), s.root, { recursive: true });
      return s;
    };
    const [original, converted] = [staged(), staged()];
    original.workflow(readFileSync(join(original.root, `workflows/${name}.yaml`), 'utf8'));
    converted.workflow(converts(original));
    for (const s of [original, converted]) ran(s.run());
    expect(essence(converted)).toEqual(essence(original));
  },
);

it('ORC-CLI-CONVERT: the text is valid, and converts to itself', () => {
  for (const example of printed.filter(({ id }) => /INBOX$|LIFECYCLE|FIELDS/.test(id))) {
    const s = stage(example);
    const text = converts(s);
    s.workflow(text);
    expect(ran(s.lockstep(['validate', 'workflow.yaml'])).stderr).toBe('');
    expect(converts(s)).toBe(text);
  }
});

it('ORC-CLI-CONVERT: what cannot run is refused with the same words as by run, exit code 2, and prints no text', () => {
  for (const example of printed.filter(({ mend }) => mend)) {
    const s = stage(example, textOf(example));
    const { stdout, stderr } = ran(s.lockstep(['convert', 'workflow.yaml']), 2);
    const { stderr: atRun } = ran(s.run(), 2);
    expect([stdout, stderr]).toEqual(['', atRun]);
  }
});

it('ORC-CLI-CONVERT: a native workflow needs no conversion; a file that is not there is told', () => {
  const s = scene({ workflow: 'lockstep: 1\nname: a\nsteps:\n  - { id: x, run: [echo, hi] }\n' });
  expect(converts(s)).toContain('run:');
  expect(ran(s.lockstep(['convert', 'nowhere.yaml']), 2).stderr).toContain('nowhere.yaml');
});
